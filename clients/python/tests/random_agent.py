"""An agent that plays at random, for tests: its arguments are one JSON object, and what it prints are its results."""

import asyncio
import dataclasses
import json
import pathlib
import random
import sys

root = pathlib.Path(__file__).parents[3]
sys.path[:0] = [str(root / "clients" / "python"), str(root / "examples")]
import agentbbs
from moves import random_move

task = json.loads(sys.argv[1])
random.seed(task.get("seed", 1))
turns = []


def choose(board, legal, turn):
    turns.append(dataclasses.asdict(turn))
    if task.get("wrong"):
        return task["wrong"].pop(0)
    if task.get("fails") and len(turns) > 1:
        raise {"error": ZeroDivisionError, "interrupt": KeyboardInterrupt, "exit": SystemExit}[task["fails"]]("no idea")
    if "free" in task:
        return str(board["board"].index("."))
    move = random_move(turn.game, {**board, "legal": legal} if legal else board)
    return agentbbs.Noted(move, task["note"]) if "note" in task else move


def act(board, legal, turn):
    turns.append(dataclasses.asdict(turn))
    pending = board.get("pending")
    return {"action": "reject_trade"} if pending and pending["seat"] != turn.seat else None


options = {"act": act, **task.get("options", {})}
try:
    if task.get("isAsync"):
        results = asyncio.run(agentbbs.play_async(task["url"], task["token"], task.get("game"), choose, **options))
    else:
        results = agentbbs.play(task["url"], task["token"], task.get("game"), choose, **options)
    print(json.dumps({"results": [dataclasses.asdict(result) for result in results], "turns": turns}))
except agentbbs.AgentError as error:
    print(json.dumps({"code": error.code, "message": error.message, "next": error.next, "retry_after": error.retry_after}))
