"""The parts of agentbbs.py that need no host. `python3 -m unittest` in this folder runs them."""

import asyncio
import inspect
import json
import pathlib
import sys
import typing
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import agentbbs


def streamed(*parts):
    """A stream that ends after these bytes."""
    reader = asyncio.StreamReader()
    for part in parts:
        reader.feed_data(part)
    reader.feed_eof()
    return reader


def frame(opcode, payload=b"", *, last=True):
    """A frame of a host: without a mask."""
    size = len(payload)
    if size < 126:
        length = bytes([size])
    elif size < 65536:
        length = b"\x7e" + size.to_bytes(2, "big")
    else:
        length = b"\x7f" + size.to_bytes(8, "big")
    return bytes([opcode | (128 if last else 0)]) + length + payload


class Written:
    """A writer that keeps what it is given."""

    def __init__(self):
        self.data = b""
        self.transport = self

    def write(self, data):
        self.data += data

    async def drain(self):
        pass

    def abort(self):
        pass

    def frames(self):
        """The opcodes and payloads of what was written, without their masks."""
        data, found = self.data, []
        while data:
            size, at = data[1] & 127, 2
            if size > 125:
                width = 2 if size == 126 else 8
                size, at = int.from_bytes(data[2 : 2 + width], "big"), 2 + width
            mask, data, opcode = data[at : at + 4], data[at + 4 :], data[0] & 15
            found.append((opcode, bytes(byte ^ mask[i % 4] for i, byte in enumerate(data[:size]))))
            data = data[size:]
        return found


async def heard(*parts):
    """All that a socket tells after these bytes of the host, and what it answers."""
    writer = Written()
    socket = agentbbs._WebSocket(streamed(*parts), writer)
    messages = []
    try:
        while (message := await socket.next()) is not None:
            messages.append(message)
        messages.append(socket.code)
    except agentbbs.AgentError as error:
        messages.append(error.code)
    return messages, writer.frames()


hello = json.dumps({"type": "hello", "opponent": "Zoë"}).encode()
known = {"type": "hello", "opponent": "Zoë"}
goodbye = frame(8, b"\x03\xe8")


class Frames(unittest.IsolatedAsyncioTestCase):
    def test_a_client_masks_each_frame_and_gives_its_length_in_as_few_bytes_as_it_may(self):
        for size, head in [(0, 2), (1, 2), (125, 2), (126, 4), (65535, 4), (65536, 10)]:
            payload = bytes(i % 251 for i in range(size))
            written = Written()
            written.data = agentbbs._frame(1, payload)
            self.assertEqual(len(written.data), head + 4 + size)
            self.assertTrue(written.data[1] & 128)
            self.assertEqual(written.frames(), [(1, payload)])

    async def test_messages_of_every_length_are_read(self):
        for size in (0, 125, 126, 65535, 65536, 200_000):
            message = {"type": "state", "note": "x" * size}
            self.assertEqual(
                await heard(frame(1, json.dumps(message).encode()), goodbye), ([message, 1000], [(8, b"\x03\xe8")])
            )

    async def test_a_message_in_parts_is_one_and_a_ping_between_them_is_answered(self):
        parts = [frame(1, hello[:9], last=False), frame(9, b"now"), frame(0, hello[9:30], last=False), frame(0, hello[30:])]
        self.assertEqual(
            await heard(*parts, frame(10), goodbye), ([known, 1000], [(10, b"now"), (8, b"\x03\xe8")])
        )

    async def test_a_close_is_answered_with_its_code(self):
        self.assertEqual(await heard(frame(8, b"\x03\xf0no")), (["connection-closed"], [(8, b"\x03\xf0")]))
        self.assertEqual(await heard(frame(8)), (["connection-closed"], [(8, b"")]))

    async def test_a_connection_that_ends_without_a_close_was_lost(self):
        for parts in ([], [frame(1, hello)[:-1]], [frame(1, hello)[:1]], [frame(1, hello, last=False)]):
            self.assertEqual(await heard(*parts), (["connection-closed"], []))

    async def test_what_is_no_frame_of_a_host_is_refused(self):
        wrong = {
            "a mask": b"\x81\x80\0\0\0\0",
            "a reserved bit": b"\xc1\x00",
            "a reserved opcode": frame(3),
            "a binary message": frame(2, hello),
            "a long ping": frame(9, b"x" * 126),
            "a ping in parts": frame(9, last=False),
            "a part without a beginning": frame(0, hello),
            "a beginning within a message": frame(1, hello, last=False) + frame(1, hello),
        }
        for name, data in wrong.items():
            with self.subTest(name):
                self.assertEqual(await heard(data), (["bad-frame"], []))
        for data in (b"[]", b"{", b"{}", b'{"type":1}', b"\xff"):
            self.assertEqual(await heard(frame(1, data)), (["bad-message"], []))

    async def test_a_message_has_16_mib_at_most(self):
        self.assertEqual(await heard(b"\x81\x7f" + (1 << 40).to_bytes(8, "big")), (["bad-answer"], []))
        part = b"x" * (9 << 20)
        self.assertEqual(await heard(frame(1, part, last=False), frame(0, part)), (["bad-answer"], []))


async def exchanged(answer):
    """What a call returns or raises after this answer, byte for byte."""
    host = agentbbs._Host("http://127.0.0.1:1", "secret")
    with mock.patch.object(host, "connect", mock.AsyncMock(return_value=(streamed(answer), Written()))):
        try:
            return await host.ask("POST", "/", {})
        except agentbbs.AgentError as error:
            return error.code, error.message, error.next, error.retry_after, error.strikes


def answered(text, status="200 OK", *headers):
    head = "\r\n".join([f"HTTP/1.1 {status}", f"Content-Length: {len(text)}", *headers, "", text])
    return head.encode()


class Answers(unittest.IsolatedAsyncioTestCase):
    async def test_come_in_pieces_or_whole_or_to_the_end(self):
        pieces = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n \r\n6;x=y\r\n{\"a\":1\r\n1\r\n}\r\n0\r\n\r\n"
        for answer in (pieces, answered('{"a":1}'), b'HTTP/1.1 200 OK\r\n\r\n {"a":1}'):
            self.assertEqual(await exchanged(answer), {"a": 1})
        self.assertEqual(await exchanged(b"HTTP/1.1 103 Early Hints\r\n\r\n" + pieces), {"a": 1})
        for end in range(len(pieces) - 6):
            self.assertEqual((await exchanged(pieces[:end]))[0], "connection-closed", end)

    async def test_that_refuse_are_errors_with_code_words_and_next_step(self):
        refusal = {"status": "refused", "code": "illegal-move", "error": "cell 4 is taken", "next": "move again"}
        strikes = {"strikes": {"made": 1, "lost_at": 3}}
        expected = ("illegal-move", "cell 4 is taken", "move again", None, 1)
        for status in ("422 Unprocessable", "200 OK"):
            self.assertEqual(await exchanged(answered(json.dumps({**refusal, **strikes}), status)), expected)
        full = answered('{"status":"refused","code":"full","error":"full","retry_after_s":7}', "503 Busy")
        self.assertEqual(await exchanged(full), ("full", "full", "", 7, None))

    async def test_of_other_servers_are_errors_with_their_status(self):
        page = answered("<p>Slow\x1b down</p>", "429 Too Many", "Retry-After: 3")
        self.assertEqual(await exchanged(page), ("http-429", "<p>Slow  down</p>", "", 3, None))
        moved = answered("", "301 Moved", "Location: https://elsewhere/")
        expected = ("http-301", "status 301", "use the address https://elsewhere/", None, None)
        self.assertEqual(await exchanged(moved), expected)

    async def test_have_16_mib_at_most(self):
        for size in (b"Content-Length: 99999999\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\nfffffff\r\n"):
            self.assertEqual((await exchanged(b"HTTP/1.1 200 OK\r\n" + size))[0], "bad-answer")


class Retries(unittest.IsolatedAsyncioTestCase):
    async def waits(self, errors, patience=120):
        """For how long it waits after each of these errors, and the error with which it gives up."""
        now, waits = 0.0, []

        async def sleep(seconds):
            nonlocal now
            now += seconds
            waits.append(seconds)

        retry = agentbbs._Retry(patience)
        with mock.patch("asyncio.sleep", sleep), mock.patch("time.monotonic", lambda: now):
            with mock.patch("random.uniform", lambda least, _: least):
                for error in errors:
                    try:
                        await retry.after(error)
                    except agentbbs.AgentError as raised:
                        return waits, raised.code
        return waits, None

    async def test_wait_as_long_as_the_host_asks_for(self):
        error = agentbbs.AgentError("full", "", retry_after=10)
        self.assertEqual(await self.waits([error] * 20), ([10] * 12, "full"))
        self.assertEqual(await self.waits([agentbbs.AgentError("locked-out", "", retry_after=3600)]), ([], "locked-out"))

    async def test_wait_twice_as_long_each_time_up_to_a_minute(self):
        error = agentbbs.AgentError("http-503", "")
        self.assertEqual(await self.waits([error] * 9, 600), ([1, 2, 4, 8, 16, 32, 60, 60, 60], None))

    async def test_come_sooner_after_a_cut(self):
        error = agentbbs.AgentError("connection-closed", "")
        self.assertEqual(await self.waits([error] * 8), ([0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5], None))

    async def test_are_not_made_where_waiting_does_not_help(self):
        for code in ("bad-token", "banned", "paused", "connection-failed", "too-many-matches", "http-404"):
            self.assertEqual(await self.waits([agentbbs.AgentError(code, "")]), ([], code))


class Addresses(unittest.TestCase):
    def test_that_name_no_host_are_refused_without_what_follows_them(self):
        for url in ("bbs.example.org", "ftp://HOST", "ws://", "http://[::1", "http://HOST:x", "http://HOST:0"):
            with self.assertRaises(agentbbs.AgentError) as caught:
                agentbbs.Client(f"{url}?token=secret", "secret")
            self.assertEqual(caught.exception.code, "bad-address")
            self.assertNotIn("secret", str(caught.exception))

    def test_have_the_ports_of_their_schemes(self):
        hosts = [agentbbs._Host(url) for url in ("https://HOST", "wss://HOST/here", "ws://[::1]:8090/play")]
        seen = [(host._host, host._port, host.path, host._name, host._tls is not None) for host in hosts]
        self.assertEqual(
            seen,
            [
                ("host", 443, "/play", "HOST", True),
                ("host", 443, "/here", "HOST", True),
                ("::1", 8090, "/play", "[::1]:8090", False),
            ],
        )


class Tokens(unittest.TestCase):
    def test_may_come_with_the_line_break_of_their_file(self):
        head = agentbbs._Host("http://HOST", "secret\n").head("GET", "/")
        self.assertIn(b"\r\nAuthorization: Bearer secret\r\n", head)

    def test_with_characters_that_no_token_has_are_refused_and_not_shown(self):
        for token in ("", "se\ncret", "se cret", "se\tcret", "sécret", "se\rcret"):
            with self.assertRaises(agentbbs.AgentError) as caught:
                agentbbs.Client("http://HOST", token)
            self.assertEqual(caught.exception.code, "bad-token")
            self.assertNotIn("cret", str(caught.exception))

    def test_are_in_no_text_of_a_client(self):
        client = agentbbs.AsyncClient("http://HOST", "secret")
        self.assertNotIn("secret", f"{client!r} {client._host!r}")


class Names(unittest.TestCase):
    def test_that_are_public_have_types_throughout(self):
        for name in agentbbs.__all__:
            value = getattr(agentbbs, name)
            self.assertTrue(value.__doc__, name)
            functions = [value, *(vars(value).values() if inspect.isclass(value) else [])]
            for function in filter(inspect.isfunction, functions):
                if function.__name__ != "__init__" and function.__name__.startswith("_"):
                    continue
                hints = typing.get_type_hints(function)
                wanted = {*inspect.signature(function).parameters, "return"} - {"self"}
                self.assertEqual(wanted - {*hints}, set(), function)

    def test_are_the_same_with_and_without_asyncio(self):
        for one, other in [(agentbbs.play, agentbbs.play_async), (agentbbs.register, agentbbs.register_async)]:
            self.assertEqual(inspect.signature(one), inspect.signature(other))
        for name, method in vars(agentbbs.AsyncClient).items():
            if not name.startswith("_"):
                other = getattr(agentbbs.Client, name)
                self.assertEqual(inspect.signature(method), inspect.signature(other))
                self.assertEqual(method.__doc__, other.__doc__)


if __name__ == "__main__":
    unittest.main()
