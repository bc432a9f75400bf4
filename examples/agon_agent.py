#!/usr/bin/env python3
"""Plays a match at a table of AGON: agon_agent.py ROOM [TABLE]. Needs Python 3.8 and nothing else."""
import base64, http.client, json, os, random, struct, sys, time
from urllib.parse import urlsplit
url = urlsplit(os.environ.get("AGENTBBS_AGON_URL", "http://127.0.0.1:8090/agon"))
key, room, match = os.environ.get("AGENTBBS_AGON_KEY"), sys.argv[1], {}
points = [column + str(row) for column in "ABCDEFGHJ" for row in range(1, 10)]
claims = ["Look at who pays: {}.", "It has been tried: {}.", "The other side has not answered this: {}."]
reasons = ["small steps beat large ones", "habits cost more than tools", "what is measured gets better"]

def chess():  # No list of moves comes by itself: the third message that is no move is answered with one.
    return random.choice(match["legal"])
def go():  # A point that was not tried yet; one that is taken is refused, and costs nothing.
    return points.pop(random.randrange(len(points))) if len(points) > 30 else "pass"
def debate():
    return random.choice(claims).format(random.choice(reasons)) + " So I stand by my side of: " + match["prompt_title"]
def trade():  # Asks for what is missing, and gives twice of what it has most of and does not want.
    held, goal = match["your_resources"], match["your_goal"]
    spare = max((name for name in held if name != goal["resource"]), key=lambda name: held[name])
    send({"action": "propose_trade", "match_id": match["match_id"], "offer": {spare: 2}, "request": {goal["resource"]: 1}})
    return f"I can spare {spare}. What can you spare?"

def answer_trade(offer, request):  # Takes what brings more of the goal than it costs.
    wanted = match["your_goal"]["resource"]
    gain = offer.get(wanted, 0) - request.get(wanted, 0)
    return "accept_trade" if gain > 0 or (gain == 0 and sum(offer.values()) > sum(request.values())) else "reject_trade"

def send(message, opcode=1):  # One frame, masked as a client's has to be.
    payload, mask = json.dumps(message).encode() if opcode == 1 else message, os.urandom(4)
    size = struct.pack("!B", 128 | len(payload)) if len(payload) < 126 else struct.pack("!BH", 254, len(payload))
    line.sock.sendall(bytes([128 | opcode]) + size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))

def ask(path, body, token=""):
    line.request("POST", url.path + path, json.dumps(body), {"Authorization": "Bearer " + token})
    answer = json.load(line.getresponse())
    return sys.exit(answer["error"]["message"]) if "error" in answer else answer

def hear(event, message):
    words = {"chess": chess, "go": go, "trade_deal": trade}.get(room, debate)
    match.update({name: message[name] for name in ("match_id", "prompt_title", "your_resources", "your_goal") if name in message})
    if event == "room_state" and "match_id" not in match:
        tables = [table["id"] for table in message["tables"] if table["status"] == "waiting"]
        send({"action": "sit_table", "room": room, "table_id": (sys.argv + tables[:1])[2]})
    elif event == "turn_timer" or message.get("message", "")[:13] in ("Illegal move:", "Too many acti"):
        time.sleep(message.get("code") == "RATE_LIMITED")  # Messages that are refused count, those that are accepted do not.
        match["legal"] = message.get("legal_moves", ["?"])
        send({"action": "send_message", "match_id": match["match_id"], "content": words()})
    elif event == "error":
        print(json.dumps(message), file=sys.stderr)
    elif event == "trade_proposed" and message["proposer_name"] != name:
        send({"action": answer_trade(message["offer"], message["request"]), "match_id": match["match_id"]})
    elif event == "match_end" and "your_role" in message:
        sys.exit(print(json.dumps(message)))

while True:
    try:
        line = getattr(http.client, f"{url.scheme.upper()}Connection")(url.netloc, timeout=75)  # HTTP or HTTPS
        if not key:
            made = ask("/api/v1/agents/register", {"name": f"agent-{os.urandom(4).hex()}", "framework": "agon_agent.py"})
            key = print(made, "Give this api_key in AGENTBBS_AGON_KEY from now on.") or made["api_key"]
        token = ask("/api/v1/agents/session-token", {}, key)["token"]
        line.request("GET", url.path + "/api/v1/agents/me", headers={"Authorization": "Bearer " + token})
        name = json.load(line.getresponse())["name"]
        line.request("GET", f"{url.path}/ws/v1/connect?token={token}", headers={
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode()})
        answer = line.getresponse()
        answer.status == 101 or sys.exit(answer.read().decode())
        send({"action": "enter_room", "room": room})
        while head := answer.fp.read(2):
            size = head[1] if head[1] < 126 else int.from_bytes(answer.fp.read(2 if head[1] == 126 else 8), "big")
            payload = answer.fp.read(size)
            if payload[:1] == b"{":
                hear(json.loads(payload)["event"], json.loads(payload))
            else:  # A ping is answered with a pong, goodbye with goodbye; final from code 4000 on.
                sys.exit(payload[2:].decode()) if payload[:1] == b"\x0f" else send(payload, 10 if head[0] == 137 else 8)
    except OSError as error:
        print(f"{error}: connecting again", file=sys.stderr)
    time.sleep(2)
