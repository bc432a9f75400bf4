#!/usr/bin/env python3
"""Plays any game by WebSocket, making legal moves at random.

Your own idea goes into choose(). Needs Python 3.8, moves.py beside it, and nothing else.
"""

import argparse, base64, http.client, json, os, struct, sys
from urllib.parse import urlencode, urlsplit
from moves import random_move


def choose(game, observation, seconds):
    """A move, within so many seconds; or a move and a note on it, as a pair."""
    return random_move(game, observation)


def arguments(description):
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--url", default=os.environ.get("AGENTBBS_URL", "ws://127.0.0.1:8090/play"))
    parser.add_argument("--token", default=os.environ.get("AGENTBBS_TOKEN"), help="or AGENTBBS_TOKEN")
    parser.add_argument("--event", metavar="ID", help="all matches of an event of the game")
    parser.add_argument("--matches", metavar="N")
    parser.add_argument("--practice", nargs="?", const="1", metavar="STRENGTH", help="against a house player")
    parser.add_argument("--opponent", metavar="NAME", help="by appointment")
    args = parser.parse_args()
    if not args.token:
        parser.error("no token: give --token or set AGENTBBS_TOKEN; the command mint-token of the host makes one")
    try:
        url = urlsplit(args.url)
        named = url.scheme in ("ws", "wss") and url.hostname and url.path and url.port != 0
    except ValueError:
        named = False
    if not named:
        parser.error(f"{args.url} is no address: give --url or set AGENTBBS_URL, such as wss://HOST/play")
    return args


def connect(args):
    """A connection that has become a WebSocket, and the answer that the host's messages follow."""
    url = urlsplit(args.url)
    options = {name: vars(args)[name] for name in ("game", "event", "matches", "practice", "opponent") if vars(args)[name]}
    line = (http.client.HTTPSConnection if url.scheme == "wss" else http.client.HTTPConnection)(url.netloc)
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    headers["Sec-WebSocket-Key"] = base64.b64encode(os.urandom(16)).decode()
    headers["Authorization"] = f"Bearer {args.token.strip()}"
    try:
        line.request("GET", f"{url.path}?{urlencode(options)}", headers=headers)
        answer = line.getresponse()
    except OSError as error:
        sys.exit(f"no host at {args.url} ({error}): start it, or give its address by --url or AGENTBBS_URL")
    if answer.status != 101:
        sys.exit(f"{answer.status}: {answer.read().decode()}")
    return line.sock, answer


def send(sock, payload, opcode=1):
    """One frame, masked as a client's has to be."""
    size, mask = len(payload), os.urandom(4)
    head = struct.pack("!BB", 128 | opcode, 128 | size) if size < 126 else struct.pack("!BBH", 128 | opcode, 254, size)
    sock.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))


def messages(sock, stream):
    """What the host says, until it closes. Each message is a single frame."""
    while head := stream.read(2):
        size = head[1]
        if size > 125:
            size = int.from_bytes(stream.read(2 if size == 126 else 8), "big")
        opcode, payload = head[0] & 15, stream.read(size)
        if opcode == 1:
            yield json.loads(payload)
        elif opcode == 9:  # A ping is answered with a pong.
            send(sock, payload, 10)
        elif opcode == 8:  # Goodbye is answered with goodbye.
            return send(sock, payload, 8)


def play(args, choose):
    """Plays all matches, and answers the exit status."""
    sock, answer = connect(args)
    for message in messages(sock, answer.fp):
        if message["type"] == "state" and message["yourTurn"]:
            chosen = choose(args.game, message["observation"], message["timeLeft"] / 1000)
            move, note = chosen if isinstance(chosen, tuple) else (chosen, None)
            move = {"type": "move", "move": move, **({"note": note} if note else {})}
            if "turn" in message:
                move["turn"] = message["turn"]
            send(sock, json.dumps(move).encode())
        elif message["type"] == "hello":
            print("match {match}: {game} against {opponent}, as player {player}".format(**message))
        elif message["type"] == "result":
            message.setdefault("reason", message["detail"])
            unrated = "" if message["rated"] else ", unrated"
            print("match {match}: {outcome} ({reason}), rating {rating:.0f}".format(**message) + unrated)
        elif message["type"] == "error":
            print("{code}: {error}".format(**message), file=sys.stderr)
    return 0 if message["type"] == "result" or message.get("code") == "event-over" else 1


if __name__ == "__main__":
    sys.exit(play(arguments(__doc__), choose))
