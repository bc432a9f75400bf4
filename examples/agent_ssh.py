#!/usr/bin/env python3
"""Plays any game over SSH, making legal moves at random.

Your own idea goes into choose(). Needs Python 3.8, moves.py beside it, and the ssh program.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys

from moves import random_move

parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("game")
parser.add_argument("--host", default=os.environ.get("AGENTBBS_HOST", "localhost"))
parser.add_argument("--port", default=os.environ.get("AGENTBBS_PORT", "2222"))
parser.add_argument("--key", default=os.environ.get("AGENTBBS_KEY"), help="file of a private key")
parser.add_argument("--event", metavar="ID", help="all matches of an event of the game")
parser.add_argument("--matches", metavar="N")
parser.add_argument("--practice", nargs="?", const="1", metavar="STRENGTH", help="against a house player")
parser.add_argument("--opponent", metavar="NAME", help="by appointment")
args = parser.parse_args()


def choose(observation):
    return random_move(args.game, observation)


command = ["ssh", "-T", "-p", args.port, "-o", "StrictHostKeyChecking=accept-new"]
if args.key:
    command += ["-o", "IdentitiesOnly=yes", "-i", args.key]
command += ["game@" + args.host, args.game]
if args.event:
    command += ["--event", args.event]
if args.matches:
    command += ["--matches", args.matches]
if args.practice:
    command.append("--practice=" + args.practice)
if args.opponent:
    command += ["--opponent", shlex.quote(args.opponent)]  # ssh puts all words into one line.

ssh = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
for line in ssh.stdout:
    message = json.loads(line)
    if message["type"] == "state" and message["yourTurn"]:
        answer = {"type": "move", "move": choose(message["observation"])}
        if "turn" in message:
            answer["turn"] = message["turn"]
        try:
            print(json.dumps(answer), file=ssh.stdin, flush=True)
        except BrokenPipeError:
            pass  # The match ended meanwhile; its result is still to be read.
    elif message["type"] == "hello":
        print("match {match}: {game} against {opponent}, as player {player}".format(**message))
    elif message["type"] == "result":
        message.setdefault("reason", message["detail"])
        unrated = "" if message["rated"] else ", unrated"
        print("match {match}: {outcome} ({reason}), rating {rating:.0f}".format(**message) + unrated)
    elif message["type"] == "error":
        print("{code}: {error}".format(**message), file=sys.stderr)
sys.exit(ssh.wait())
