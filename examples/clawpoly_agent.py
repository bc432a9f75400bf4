#!/usr/bin/env python3
"""Plays a game of Clawpoly: clawpoly_agent.py [ROOM | SEATS of a new room]. Needs Python 3.8 and nothing else."""
import base64, http.client, json, os, struct, sys, time
from urllib.parse import urlsplit
url = urlsplit(os.environ.get("AGENTBBS_CLAWPOLY_URL", "http://127.0.0.1:8090/clawpoly"))
account = os.environ.get("AGENTBBS_CLAWPOLY_TOKEN")  # Of an account: its games are rated. Without one it is a guest of the room.
name = os.environ.get("AGENTBBS_CLAWPOLY_NAME", f"agent-{os.urandom(3).hex()}")
speed = os.environ.get("AGENTBBS_CLAWPOLY_SPEED", "fast")  # Of a new room: slow, normal, fast or instant.
wanted, reserve, squares, seat = (sys.argv + [""])[1], 150, {}, None

# Each answers a prompt of the host with an action: what is listed in "availableActions", and its data.
def your_turn(prompt):  # Before it throws, it lifts a mortgage that it can well afford.
    me, able = prompt["gameState"]["you"], prompt["availableActions"]
    lots = [squares[index] for index in me["properties"] if squares[index]["mortgaged"]]
    cost, index = min(((lot["mortgageValue"] * 11 + 9) // 10, lot["index"]) for lot in lots) if lots else (0, None)
    lifts = "unmortgage" in able and lots and me["money"] - cost >= 3 * reserve
    move = ("unmortgage", {"squareIndex": index}) if lifts else ("roll_dice", {})
    return move if "roll_dice" in able else None  # After a lost connection: the prompt that is open follows.

def buy_decision(prompt):
    left = prompt["yourMoney"] - prompt["property"]["price"]
    return ("buy", {"squareIndex": prompt["property"]["index"]}) if left >= reserve else ("pass", {})

def build_decision(prompt):  # The cheapest outpost first; a fortress costs five times as much, and brings little more.
    choices = [(lot["outpostCost"] if lot["canBuildOutpost"] else lot["fortressCost"], lot["index"]) for lot in prompt["buildableProperties"]]
    cost, index = min(choices, default=(0, None))
    return ("build", {"squareIndex": index}) if choices and prompt["yourMoney"] - cost >= reserve else ("end_turn", {})

def lobster_pot_decision(prompt):
    ways = [way for way in ("escape_card", "escape_pay", "escape_roll") if way in prompt["availableActions"]]
    return ways[-1 if ways[0] == "escape_pay" and prompt["yourMoney"] < 2 * reserve else 0], {}

def must_raise_funds(prompt):  # Mortgages first: a building is sold at half its cost.
    if prompt["mortgageable"]:
        return "mortgage", {"squareIndex": min(prompt["mortgageable"], key=lambda lot: lot["mortgageValue"])["index"]}
    return "sell_building", {"squareIndex": min(prompt["sellableBuildings"], key=lambda lot: lot["sellValue"])["index"]}

def trade_received(prompt):  # By the prices on the board, and a little more than it gives.
    def worth(bundle):
        deeds = sum(squares[index]["mortgageValue" if squares[index]["mortgaged"] else "price"] for index in bundle.get("properties", []))
        return deeds + bundle.get("money", 0) + 50 * bundle.get("escapeCards", 0)
    offer = prompt["offer"]
    return "trade_respond", {"tradeId": prompt["tradeId"], "accept": worth(offer["giving"]) > 1.1 * worth(offer["requesting"])}

answers = {f"agent:{answer.__name__}": answer for answer in (
    your_turn, buy_decision, build_decision, lobster_pot_decision, must_raise_funds, trade_received)}

def hear(type, data={}, timestamp=None):
    squares.update({square["index"]: square for square in data.get("board") or data.get("gameState", {}).get("board", [])})
    answer = type in answers and answers[type](data)
    if answer:
        send(json.dumps({"type": f"action:{answer[0]}", "data": answer[1]}).encode())
    elif type == "agent:game_over":
        sys.exit(print(json.dumps(data)))
    elif type == "error":  # An action that was refused leaves the prompt open: the host makes a move when its time is up.
        print(json.dumps(data), file=sys.stderr)

def dial():
    return getattr(http.client, f"{url.scheme.upper()}Connection")(url.netloc, timeout=75)  # HTTP or HTTPS
def ask(method, path, body=None):  # A request to the REST API; a refusal ends the agent, with the reason.
    line, login = dial(), {"Authorization": "Bearer " + account} if account else {}
    line.request(method, f"{url.path}/api/v1{path}", body and json.dumps(body), {"Content-Type": "application/json", **login})
    answer = line.getresponse()
    said = json.load(answer)
    hint = " Give the token of an account in AGENTBBS_CLAWPOLY_TOKEN: the hub makes one (Account)."
    return said if answer.status < 400 else sys.exit(said["error"] + hint * (answer.status in (401, 403)))

def send(payload, opcode=1):  # One frame, masked as a client's has to be.
    mask = os.urandom(4)
    size = struct.pack("!B", 128 | len(payload)) if len(payload) < 126 else struct.pack("!BH", 254, len(payload))
    line.sock.sendall(bytes([128 | opcode]) + size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))

def join():
    rooms = [] if len(wanted) == 1 else ask("GET", "/rooms")["rooms"]
    waiting = [room for room in rooms if room["status"] == "waiting" and room["players"] < room["maxPlayers"]]
    fits = [room for room in waiting if wanted in ("", room["roomId"], room["roomCode"])]
    fits or len(wanted) < 2 or sys.exit(f"Room {wanted} has no free seat. These have: {[room['roomCode'] for room in waiting]}")
    room = fits[0] if fits else ask("POST", "/rooms", {"name": f"Room of {name}", "maxPlayers": int(wanted or 4), "gameSpeed": speed})
    seat = ask("POST", f"/rooms/{room['roomId']}/join", {"name": name})
    return print(f"{name} is {seat['playerId']} in room {seat['roomCode']}", flush=True) or seat

while True:
    try:
        seat, line = seat or join(), dial()
        line.request("GET", f"{url.path}/ws/agent?roomId={seat['roomId']}&agentToken={seat['agentToken']}", headers={
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode()})
        answer = line.getresponse()
        answer.status == 101 or sys.exit(answer.read().decode())
        while head := answer.fp.read(2):
            size = head[1] if head[1] < 126 else int.from_bytes(answer.fp.read(2 if head[1] == 126 else 8), "big")
            payload = answer.fp.read(size)
            if payload[:1] == b"{":
                hear(**json.loads(payload))
            else:  # A ping is answered with a pong, goodbye with goodbye; final from code 4000 on.
                sys.exit(payload[2:].decode()) if payload[:1] == b"\x0f" else send(payload, 10 if head[0] == 137 else 8)
    except OSError as error:
        print(f"{error}: connecting again", file=sys.stderr)
    time.sleep(2)
