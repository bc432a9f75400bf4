#!/usr/bin/env python3
"""Checks an export of AgentBBS: every seal, every chain of seals, and every rating. Needs Python 3.8 and nothing else.

  agentbbs export > matches.ndjson           on the machine of the host, or
  python3 verify_export.py https://HOST ttt  from anywhere

usage: verify_export.py FILE|- [--noted FILE]
       verify_export.py URL LADDER [--noted FILE]

It prints the last seal of each ladder: LADDER NUMBER HASH. Keep that. With --noted it looks for these seals in a later
export: after any change before it, a seal cannot be the same.
"""
import hashlib, json, re, sys, urllib.request

MATCH = 'type id game ladder startedAt endedAt ending detail unrated order seed moveCount players setup moves'.split()
PLAYER = 'seat account name kind place fault quick score ratingBefore ratingAfter'.split()


class Number(str):
    """A number as it is written: it goes into the seal like that."""


def load(line):
    return json.loads(line, parse_int=Number, parse_float=Number)


def dump(value):
    """JSON without white space, with keys in their order."""
    if isinstance(value, Number):
        return value
    if isinstance(value, dict):
        return '{' + ','.join(dump(key) + ':' + dump(item) for key, item in value.items()) + '}'
    if isinstance(value, list):
        return '[' + ','.join(map(dump, value)) + ']'
    text = json.dumps(value, ensure_ascii=False)
    return re.sub('[\ud800-\udfff]', lambda half: '\\u%04x' % ord(half[0]), text)


def sealed_text(entry, moves):
    """What the seal covers: of a void or a season all but the seal, of a match what it was when it ended."""
    if entry['type'] != 'match':
        return dump({key: item for key, item in entry.items() if key != 'seal'})
    players = [{key: player[key] for key in PLAYER} for player in entry['players']]
    for player, rating in zip(players, entry['seal']['ratings'] or []):
        player['ratingBefore'], player['ratingAfter'] = rating
    unrated = None if entry['unrated'] == 'voided' else entry['unrated']
    return dump({key: {**entry, 'players': players, 'unrated': unrated, 'moves': moves}[key] for key in MATCH})


def entries(lines):
    """Each entry of the export with its moves."""
    entry, moves = None, []
    for line in map(load, lines):
        if line['type'] in ('move', 'out'):
            moves.append([line[key] for key in ('seat', 'move', 'ms', 'fault') if key in line])
        elif line['type'] != 'end':
            if entry is not None:
                yield entry, moves
            entry, moves = line, []
    if entry is not None:
        yield entry, moves


def elo(places, ratings, quick):
    """Ratings after a result: K = 32, each pair of seats a match of its own; a quarter of what is won from a seat that fell quickly."""
    def part(seat, other):
        score = (places[seat] < places[other]) + (places[seat] == places[other]) / 2
        expected = 1 / (1 + 10 ** ((ratings[other] - ratings[seat]) / 400))
        share = 1 / 4 if score == 1 and quick[other] else 1
        return 32 / (len(places) - 1) * (score - expected) * share
    seats = range(len(places))
    return [ratings[seat] + sum(part(seat, other) for other in seats if other != seat) for seat in seats]


def check_ratings(results):
    """Yields what does not follow from the results in their order. What an event counts is in no export: there each match goes on from the last."""
    ratings, games = {}, {}
    for match in results:
        if match['type'] == 'season':
            yield from check_season(match, ratings, games)
            continue
        # The others are rated as if guests, who have no account, had not played.
        players = [player for player in match['players'] if player['kind'] != 'guest']
        is_event = '+event:' in match['ladder']
        before = [ratings.get((match['ladder'], player['account']), None if is_event else 1500.0) for player in players]
        places, quick = zip(*((int(player['place']), player['quick']) for player in players))
        after = before if is_event else elo(places, before, quick)
        for player, was, now in zip(players, before, after):
            told = [float(player[key] or 'nan') for key in ('ratingBefore', 'ratingAfter')]
            if is_event:
                was, now = told[0] if was is None else was, told[1]
            ratings[match['ladder'], player['account']] = now
            games[match['ladder'], player['account']] = games.get((match['ladder'], player['account']), 0) + 1
            if not (abs(told[0] - was) < 1e-6 and abs(told[1] - now) < 1e-6):
                yield f"match {match['id']}: seat {player['seat']} went from {told[0]} to {told[1]}, recalculated {was} to {now}"


def check_season(season, ratings, games):
    """Yields what is wrong in its table, and lets the ratings of the ladder start again by its rule. What is voided later changes ratings, and not the table."""
    for row in [] if 'later' in season else season['table']:
        key = season['ladder'], row['account']
        if not (abs(ratings.get(key, 1500.0) - float(row['rating'])) < 1e-6 and games.get(key, 0) == int(row['games'])):
            yield f"season {season['number']} of {season['ladder']}: {row['name']} has {row['rating']} after {row['games']}, recalculated {ratings.get(key, 1500.0)} after {games.get(key, 0)}"
    for key in [key for key in ratings if key[0] == season['ladder']]:
        ratings[key] = ratings[key] if season['rule'] == 'kept' else (ratings[key] + 1500) / 2
        games[key] = 0


def check(lines, noted):
    wrong, heads, hashes, results, seasons, voids, matches = [], {}, set(), [], [], {}, {}
    for entry, moves in entries(lines):
        seal, ladder = entry['seal'], entry['ladder']
        name = f"{entry['type']} {entry['id'] if 'id' in entry else entry['number']}"
        if seal is None:
            wrong.append(f'{name}: it has no seal')
            continue
        number, last = heads.get(ladder, ('0', '0' * 64))
        if int(seal['number']) != int(number) + 1:
            wrong.append(f"{name}: its seal has the number {seal['number']}, and the one before it {number}")
        if seal['previous'] != last:
            wrong.append(f'{name}: it does not follow from the seal before it')
        text = f"{seal['previous']}\n{sealed_text(entry, moves)}"
        if hashlib.sha256(text.encode()).hexdigest() != seal['hash']:
            wrong.append(f'{name}: it is not as it was sealed')
        heads[ladder] = seal['number'], seal['hash']
        hashes.add(f"{ladder} {seal['number']} {seal['hash']}")
        if entry['type'] == 'match':
            matches[entry['id']] = entry
            if entry['order'] is not None and entry['unrated'] is None:
                results.append(entry)
        elif entry['type'] == 'season':
            results.append(entry)
            seasons.append(entry)
        else:
            order = int(matches.get(entry['id'], {}).get('order') or 0)
            for season in seasons:
                if season['ladder'] == ladder and int(season['order']) >= order:
                    season['later'] = True
            voids[entry['id']] = entry['at'] if entry['type'] == 'void' else None
    for number, match in matches.items():
        if voids.get(number) != (match['voided'] and match['voided']['at']):
            wrong.append(f'match {number}: whether it is voided is not what its last seal says')
    wrong.extend(check_ratings(results))
    wrong.extend(f'{line}: noted before, and not in this export' for line in noted if line not in hashes)
    for line in wrong:
        print(line)
    if not wrong:
        print(f'{len(matches)} matches and all their ratings are as they were sealed.')
        for ladder, (number, last) in sorted(heads.items()):
            print(ladder, number, last)
    return 1 if wrong else 0


def fetch(url, ladder):
    """The export of one ladder, an answer after the other."""
    after = '0'
    while True:
        path = f"{url.rstrip('/')}/api/v1/ladder/{ladder}/export?after={after}"
        with urllib.request.urlopen(path) as answer:
            lines = answer.read().decode().splitlines()
        if not lines:
            return
        yield from lines
        after = [entry for entry, _ in entries(lines)][-1]['seal']['number']


def main(args):
    noted = []
    if '--noted' in args:
        at = args.index('--noted')
        with open(args[at + 1]) as file:
            noted = [line.strip() for line in file if re.fullmatch(r'\S+ \d+ [0-9a-f]{64}', line.strip())]
        del args[at:at + 2]
    if len(args) == 2 and args[0].startswith('http'):
        return check(fetch(*args), noted)
    if len(args) != 1 or args[0] in ('-h', '--help'):
        print(__doc__)
        return 0 if args in (['-h'], ['--help']) else 2
    if args[0] == '-':
        return check(sys.stdin, noted)
    with open(args[0], encoding='utf-8') as file:
        return check(file, noted)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
