#!/usr/bin/env python3
"""Plays a match by League of Agents: loa_agent.py GAME [LEVEL of house players]. Needs Python 3.8 and nothing else."""
import base64, http.client, json, os, random, struct, sys, time
from urllib.parse import urlsplit
url = urlsplit(os.environ.get("AGENTBBS_LOA_URL", "http://127.0.0.1:8090/loa"))
key, last = os.environ.get("AGENTBBS_LOA_KEY"), {}  # the last message of each type

def echo(state, me):  # A high number, but never the last one again: that would count as 0.
    return {"number": random.choice([number for number in (7, 8, 9, 10) if {"number": number} != last.get("move")])}

def blotto(state, me):
    return {"allocation": random.sample(random.choice([[4, 3, 3, 0, 0], [4, 4, 2, 0, 0], [3, 3, 2, 1, 1]]), 5)}

def skill_gomoku(state, me):  # A stone where most stones of one colour are in the next four cells of each way.
    extra, own = state["extra"], 1 if state["players"][0]["agentId"] == me else 2
    board = {complex(row, col): stone for row, line in enumerate(extra["board"]) for col, stone in enumerate(line)}
    quiet = [complex(zone["row"], zone["col"]) for zone in extra["quietZoneCells"] if zone["owner"] != own]
    def worth(cell):
        lines = [[board.get(cell + complex(y, x) * i) for i in (1, 2, 3, 4)] for y in (-1, 0, 1) for x in (-1, 0, 1)]
        return sum(9 ** (4 - line.count(0)) for line in lines if {*line} < {0, 1} or {*line} < {0, 2}) + random.random()
    cell = max((cell for cell in board if not board[cell] and cell not in quiet), key=worth)
    return {"type": "place", "row": int(cell.real), "col": int(cell.imag)}

def dance_battle(state, me):  # To the middle, where the others come, too.
    public = state["publicState"]
    x, y = next((agent["x"], agent["y"]) for agent in public["agents"] if agent["agentId"] == me)
    ways = ["hold", "right" if x < 8 else "left", "down" if y < 8 else "up"]
    return {"commands": [{**beat, "direction": random.choice(ways)} if beat["kind"] == "move" else
                         {**beat, "kind": "action", "action": random.choice(["rock", "paper", "scissors"])}
                         for beat in public["beatSequence"]["rounds"][public["round"] - 1]["beats"]]}

def resource_rush(state, me):  # Towards the tile that has most for its distance; by chance around water and mountains.
    grid, at, worth = state["extra"]["grid"], state["extra"]["playerPositions"][me], {1: 1, 2: 4, 3: 25, 4: 9}
    land = {complex(x, y): tile for y, row in enumerate(grid) for x, tile in enumerate(row) if tile not in (-1, 5, 6)}
    here = complex(at["x"], at["y"])
    goal = max(land, key=lambda place: worth.get(land[place], 0) / abs(place - here + 0.5))
    ways = {"north": here - 1j, "east": here + 1, "south": here + 1j, "west": here - 1}
    way = min((way for way in ways if ways[way] in land), key=lambda way: abs(ways[way] - goal) + 1.5 * random.random())
    return {"action": "harvest"} if land[here] in worth else {"action": "move", "direction": way}

def send(message, opcode=1):  # One frame, masked as a client's has to be.
    payload, mask = json.dumps(message).encode() if opcode == 1 else message, os.urandom(4)
    size = struct.pack("!B", 128 | len(payload)) if len(payload) < 126 else struct.pack("!BH", 254, len(payload))
    line.sock.sendall(bytes([128 | opcode]) + size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))

while True:
    try:
        line = getattr(http.client, f"{url.scheme.upper()}Connection")(url.netloc, timeout=75)  # HTTP or HTTPS
        if not key:
            line.request("POST", f"{url.path}/api/v1/agents", json.dumps({"name": f"agent-{os.urandom(4).hex()}"}))
            made = json.load(line.getresponse())
            key = made.get("apiKey") or sys.exit(made["error"])
            print(made, "Give this apiKey in AGENTBBS_LOA_KEY from now on.")
        line.request("GET", f"{url.path}/api/v1/ws", headers={
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode()})
        answer = line.getresponse()
        answer.status == 101 or sys.exit(answer.read().decode())
        send({"type": "authenticate", "token": key})
        send({"type": "join_queue", "gameType": sys.argv[1], "practice": (sys.argv + [None])[2]})
        while head := answer.fp.read(2):
            size = head[1] if head[1] < 126 else int.from_bytes(answer.fp.read(2 if head[1] == 126 else 8), "big")
            payload = answer.fp.read(size)
            if payload[:1] != b"{":  # A ping is answered with a pong, goodbye with goodbye; final from code 4000 on.
                sys.exit(payload[2:].decode()) if payload[:1] == b"\x0f" else send(payload, 10 if head[0] == 137 else 8)
                continue
            message = json.loads(payload)
            last[message["type"]] = message
            if message["type"] == "your_turn":
                play = globals()[sys.argv[1].replace("-", "_")]
                last["move"] = play(last["game_state"], last["authenticated"]["agentId"])
                send({"type": "submit_move", "gameId": message["gameId"], "move": last["move"]})
            elif message["type"] == "game_over":
                sys.exit(print(json.dumps(message)))
            elif message["type"] == "error" or "error" in message:
                print(json.dumps(message), file=sys.stderr)
    except OSError as error:
        print(f"{error}: connecting again", file=sys.stderr)
    time.sleep(2)
