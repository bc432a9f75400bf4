"""HTTP requests and a small WebSocket client (RFC 6455, text frames only)."""
import base64
import hashlib
import http.client
import json
import os
import socket
import struct
import threading
import time
import urllib.parse

SLOW = 40.0     # how long one answer may take on a slow, loaded machine


class Answer:
    def __init__(self, status, text, headers):
        self.status, self.text, self.headers = status, text, headers
        try:
            self.json = json.loads(text)
        except ValueError:
            self.json = None

    def get(self, key, default=None):
        return self.json.get(key, default) if isinstance(self.json, dict) else default

    def brief(self):
        return '%d %s' % (self.status, self.text[:160].replace('\n', ' '))


def request(method, url, body=None, raw=None):
    """One HTTP request; `raw` is sent as it is, `body` as JSON."""
    parts = urllib.parse.urlsplit(url)
    payload = raw if raw is not None else (None if body is None else json.dumps(body))
    headers = {'Accept': 'application/json'}
    if payload is not None:
        headers['Content-Type'] = 'application/json'
    last = None
    for attempt in range(3):
        conn = http.client.HTTPConnection(parts.hostname, parts.port or 80, timeout=SLOW)
        try:
            conn.request(method, parts.path + ('?' + parts.query if parts.query else ''), payload, headers)
            got = conn.getresponse()
            return Answer(got.status, got.read().decode('utf-8', 'replace'), dict(got.getheaders()))
        except (OSError, http.client.HTTPException) as error:
            last = error
            if method != 'GET':
                break
            time.sleep(0.5)
        finally:
            conn.close()
    return Answer(0, 'no answer: %r' % (last,), {})


class Refused(Exception):
    """The upgrade was answered with a plain HTTP answer."""
    def __init__(self, status, text):
        super().__init__('refused with %d' % status)
        self.status, self.text = status, text


class Socket:
    """A socket with its own reading thread; what comes goes to sink(self, kind, value):
    ('message', dict or str), then once ('close', code)."""
    def __init__(self, url, sink):
        parts = urllib.parse.urlsplit(url)
        self.sink, self.code, self.closed = sink, None, False
        self.lock = threading.Lock()
        self.sock = socket.create_connection((parts.hostname, parts.port or 80), timeout=SLOW)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        path = parts.path + ('?' + parts.query if parts.query else '')
        self.sock.sendall((
            'GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
            'Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n' % (path, parts.netloc, key)).encode())
        self.rest = b''
        while b'\r\n\r\n' not in self.rest:
            more = self.sock.recv(65536)
            if not more:
                break
            self.rest += more
        head, _, self.rest = self.rest.partition(b'\r\n\r\n')
        words = head.split(None, 2)
        status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
        if status != 101:
            text = self.rest
            try:
                self.sock.settimeout(1)
                text += self.sock.recv(65536)
            except OSError:
                pass
            self.sock.close()
            raise Refused(status, text.decode('utf-8', 'replace'))
        want = base64.b64encode(hashlib.sha1((key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').encode()).digest())
        if want not in head:
            self.sock.close()
            raise Refused(status, 'wrong Sec-WebSocket-Accept')
        self.sock.settimeout(None)
        threading.Thread(target=self._read, daemon=True).start()

    def _exactly(self, count):
        while len(self.rest) < count:
            more = self.sock.recv(262144)
            if not more:
                raise EOFError
            self.rest += more
        out, self.rest = self.rest[:count], self.rest[count:]
        return out

    def _read(self):
        whole = b''
        try:
            while True:
                first, second = self._exactly(2)
                length = second & 127
                if length == 126:
                    length = struct.unpack('>H', self._exactly(2))[0]
                elif length == 127:
                    length = struct.unpack('>Q', self._exactly(8))[0]
                mask = self._exactly(4) if second & 128 else None
                data = self._exactly(length)
                if mask:
                    data = bytes(b ^ mask[i % 4] for i, b in enumerate(data))
                kind = first & 15
                if kind == 9:
                    self._frame(10, data)
                elif kind == 8:
                    self.code = struct.unpack('>H', data[:2])[0] if len(data) >= 2 else 1005
                    try:
                        self._frame(8, data[:2])
                    except OSError:
                        pass
                    break
                elif kind in (0, 1, 2):
                    whole += data
                    if first & 128:
                        text, whole = whole.decode('utf-8', 'replace'), b''
                        try:
                            value = json.loads(text)
                        except ValueError:
                            value = text
                        self.sink(self, 'message', value)
        except (EOFError, OSError, struct.error):
            pass
        if self.code is None:
            self.code = 1006
        self.closed = True
        try:
            self.sock.close()
        except OSError:
            pass
        self.sink(self, 'close', self.code)

    def _frame(self, kind, data):
        mask = os.urandom(4)
        if len(data) < 126:
            head = struct.pack('>BB', 128 | kind, 128 | len(data))
        elif len(data) < 65536:
            head = struct.pack('>BBH', 128 | kind, 254, len(data))
        else:
            head = struct.pack('>BBQ', 128 | kind, 255, len(data))
        with self.lock:
            self.sock.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def send(self, value):
        text = value if isinstance(value, str) else json.dumps(value)
        try:
            self._frame(1, text.encode())
        except OSError:
            pass

    def close(self, code=1000):
        try:
            self._frame(8, struct.pack('>H', code))
        except OSError:
            pass

    def drop(self):
        """Ends the connection without a word, as a crash would."""
        try:
            self.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
