#!/usr/bin/env python3
"""Plays any game whose moves are listed, on stdin and stdout as `agentbbs play` starts it, by the first legal move.

Your own idea goes into choose(). Needs Python 3.8.
"""

import json
import sys


def choose(observation):
    if "legal" not in observation:
        sys.exit("this game lists no moves: choose() has to make one")
    return observation["legal"][0]


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "state" and message["yourTurn"]:
        print(json.dumps({"type": "move", "move": choose(message["observation"])}), flush=True)
    elif message["type"] == "result":
        print("match {match}: {outcome}, {detail}".format(**message), file=sys.stderr)
