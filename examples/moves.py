"""Moves for agents without an idea of their own: random_move() makes one, why_illegal() checks one."""

import random


def random_move(game, seen):
    """A legal move, made from the observation of a seat that is to move."""
    if "legal" in seen:
        return random.choice(seen["legal"])
    if game not in makers:
        raise SystemExit(f"{game} lists no moves: choose() has to make one")
    return makers[game](seen)


def blotto(seen):
    fields = [random.randrange(seen["battlefields"]) for _ in range(seen["soldiers"])]
    return {"allocation": [fields.count(field) for field in range(seen["battlefields"])]}


def dance(seen):
    def command(beat):
        if beat["kind"] == "move":
            return {**beat, "direction": random.choice(["up", "down", "left", "right", "hold"])}
        return {**beat, "kind": "action", "action": random.choice(["rock", "paper", "scissors"])}

    beats = seen["beatSequence"]["rounds"][seen["round"] - 1]["beats"]
    return {"commands": [command(beat) for beat in beats]}


def stone_or_skill(seen):
    cells = [{"row": row, "col": col} for row in range(15) for col in range(15)]
    free = [cell for cell in cells if not why_no_stone(seen, cell)]
    if free:
        return {"type": "place", **random.choice(free)}
    skill = "uproot" if seen["energy"][seen["toMove"]] >= 2 else "stillwater"
    usable = [cell for cell in cells if not why_no_skill(seen, skill, cell)]
    return {"type": "skill", "skill": skill, "target": random.choice(usable)}


def argument(seen):
    side = seen["sides"][seen["toMove"]]
    reason = random.choice(["who gains?", "what does it cost?", "what else could be done?"])
    return {"action": "message", "content": f'I am {side} "{seen["topic"]}": {reason}'}


phrases = ["What do you need?", "Make me an offer.", "I have more than I can use.", "No deal."]

makers = {
    "echo": lambda seen: {"number": random.randint(1, 10)},
    "blotto": blotto,
    "dance-battle": dance,
    "skill-gomoku": stone_or_skill,
    "resource-rush": lambda seen: random.choice(seen["possibleActions"]),
    "bazaar": lambda seen: {"action": "message", "content": random.choice(phrases)},
    "debate": argument,
    "spicy-debate": argument,
}


def why_illegal(game, seen, move):
    """What is wrong with a move that fits the schema of its game; None if it is legal."""
    if "legal" in seen and move in seen["legal"]:
        return None
    if game == "clawpoly" and move["action"] == "trade_offer":
        return why_no_offer(seen, move)
    if "legal" in seen:
        return f'it is none of {", ".join(map(str, seen["legal"]))}'
    if game == "blotto":
        total = sum(move["allocation"])
        return None if total == seen["soldiers"] else f'it adds up to {total}, not {seen["soldiers"]}'
    if game == "resource-rush":
        action = {key: move[key] for key in ("action", "direction") if key in move}
        return None if action in seen["possibleActions"] else "it is none of possibleActions"
    if game == "skill-gomoku":
        if move["type"] == "place":
            return why_no_stone(seen, move)
        return why_no_skill(seen, move["skill"], move.get("target"))
    if game == "bazaar":
        return why_no_trade(seen, move)
    return None


def why_no_stone(seen, cell):
    row, col, me = cell["row"], cell["col"], seen["toMove"] + 1
    if seen["board"][row][col] != 0:
        return "the cell is taken"
    closed = {"row": row, "col": col, "owner": 3 - me} in seen["quietZoneCells"]
    return "the cell is in a quiet zone of the other side" if closed else None


def why_no_skill(seen, skill, cell):
    seat = seen["toMove"]
    if seen["energy"][seat] < {"uproot": 2, "stillwater": 1, "sandstorm": 2, "rewind": 3}[skill]:
        return "you have not enough energy"
    if skill == "rewind":
        if seen["rewindUsed"][seat]:
            return "you have used your rewind"
        return "there are no four moves to take back" if seen["round"] <= 4 else None
    if skill == "uproot":
        return None
    if skill == "sandstorm" and seen["sandstormBlocked"][seat]:
        return "a sandstorm cannot follow your own sandstorm"
    stone = seat + 1 if skill == "stillwater" else 2 - seat
    if seen["board"][cell["row"]][cell["col"]] != stone:
        return "the target is no stone of the right colour"
    sealed = any((seal["row"], seal["col"]) == (cell["row"], cell["col"]) for seal in seen["sealedStones"])
    return "the stone is sealed" if sealed else None


def why_no_trade(seen, move):
    seat, pending = seen["toMove"], seen["pending"]
    if move["action"] == "message":
        return None
    if move["action"] == "propose_trade":
        if pending:
            return "a trade is open already"
        if seen["proposals"][seat] >= seen["maxProposals"]:
            return "you have made all your proposals"
        if not any(move["offer"].values()) and not any(move["request"].values()):
            return "offer and request are both empty"
        return lacking(seen["resources"], move["offer"])
    if not pending:
        return "no trade is open"
    if move["action"] == "reject_trade":
        return None
    return "the open trade is your own" if pending["seat"] == seat else lacking(seen["resources"], pending["request"])


def why_no_offer(seen, move):
    seat, other = seen["toMove"], move["to"]
    if seen["phase"] not in ("roll", "build") or seen["offers"] >= 3:
        return "no trade can be offered now"
    if other == seat or other >= len(seen["players"]) or seen["players"][other]["bankruptAt"] is not None:
        return "there is no such player to trade with"
    if not any(move["giving"].values()) and not any(move["requesting"].values()):
        return "the trade is empty"
    built = {square["group"] for square in seen["squares"] if square.get("level")}
    for owner, bundle in ((seat, move["giving"]), (other, move["requesting"])):
        player = seen["players"][owner]
        squares = [seen["squares"][index] for index in bundle.get("properties", [])]
        if len(set(bundle.get("properties", []))) < len(squares):
            return "a square is named twice"
        if any(square.get("owner") != owner or square.get("group") in built for square in squares):
            return f"player {owner} cannot trade one of these squares"
        if bundle.get("money", 0) > player["money"] or bundle.get("escapeCards", 0) > player["escapeCards"]:
            return f"player {owner} has less than that"
    return None


def lacking(held, wanted):
    short = [good for good, amount in wanted.items() if held[good] < amount]
    return f"you have not enough {short[0]}" if short else None
