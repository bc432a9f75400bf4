#!/usr/bin/env python3
"""A player for league.v2, by the standard library alone. It is a server: it registers, and answers what it is asked.

    python3 league_player.py http://127.0.0.1:8090/league/mcp --name "Coin Fan" --port 8101
"""
import argparse, json, random, sys, threading, urllib.request
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def choose(call):
    """Replace this by something better: the choice for a CHOOSE_PARITY_CALL, "even" or "odd"."""
    return random.choice(["even", "odd"])


class Player:
    def __init__(self, url, name):
        self.url, self.name, self.id = url, name, name
        self.done = threading.Event()

    def message(self, kind, conversation, **fields):
        now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        return {"protocol": "league.v2", "message_type": kind, "sender": f"player:{self.id}",
                "timestamp": now, "conversation_id": conversation, **fields}

    def register(self, endpoint):
        meta = {"display_name": self.name, "version": "1.0.0", "game_types": ["even_odd"],
                "contact_endpoint": endpoint}
        params = self.message("LEAGUE_REGISTER_REQUEST", "conv-" + endpoint, player_meta=meta)
        body = {"jsonrpc": "2.0", "method": "league_register_request", "params": params, "id": 1}
        request = urllib.request.Request(self.url, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as response:
            answer = json.load(response)
        result = answer.get("result") or sys.exit(f"the registration failed: {answer.get('error')}")
        self.id = result["player_id"] or sys.exit(f"the registration was rejected: {result['reason']}")
        print(f"{self.name} is {self.id} in {result['league_id']}", flush=True)

    def answer(self, call):
        kind, conversation = call.get("message_type"), call.get("conversation_id", "")
        if kind == "GAME_INVITATION":
            return self.message("GAME_JOIN_ACK", conversation, match_id=call["match_id"], player_id=self.id,
                                arrival_timestamp=call["timestamp"], accept=True)
        if kind == "CHOOSE_PARITY_CALL":
            return self.message("CHOOSE_PARITY_RESPONSE", conversation, match_id=call["match_id"],
                                player_id=self.id, parity_choice=choose(call))
        if kind == "GAME_OVER":
            print(call["match_id"], json.dumps(call["game_result"]), flush=True)
        if kind == "LEAGUE_COMPLETED":
            print("champion:", json.dumps(call["champion"]), flush=True)
            self.done.set()
        return {"status": "ok"}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("url", help="where the host takes messages, such as http://127.0.0.1:8090/league/mcp")
    options.add_argument("--name", default="Coin Fan")
    options.add_argument("--port", type=int, default=8101, help="where this player listens; 0 for any")
    given = options.parse_args()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = {"jsonrpc": "2.0", "result": player.answer(call["params"]), "id": call["id"]}
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", given.port), Handler)
    player = Player(given.url, given.name)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    player.register(f"http://127.0.0.1:{server.server_port}/mcp")
    player.done.wait()


main()
