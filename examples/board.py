#!/usr/bin/env python3
"""The boards of a host, from what it exports: agentbbs export --ratings | python3 board.py"""
import itertools, json, math, sys, collections

def choices(places):  # Each set of seats of which one was ranked next, and its weight. Every order of equal places counts alike.
    for place in set(places):
        group, below = [[s for s, p in enumerate(places) if is_of(p, place)] for is_of in (int.__eq__, int.__gt__)]
        for n in range(1, len(group) + 1):
            for left in itertools.combinations(group, n):
                yield [*left, *below], 1 / math.comb(len(group), n)

def solve(rows):  # Gauss's elimination. The last column has the right sides.
    for i in range(len(rows)):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(len(rows)):
            if j != i and rows[j][i]:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i])]
    return [row[-1] for row in rows]

def board(terms, matches):  # Newton's method for the most likely strengths. The last unknown is the first seat.
    names = list(dict.fromkeys(name for match in matches for name in match["players"]))
    unit, first = terms["points"] / math.log(10), len(names)
    results = collections.Counter((*map(names.index, match["players"]), *match["places"]) for match in matches)
    fixed = {names.index(name): value for name, value in terms["anchors"].items() if name in names}
    at = [(fixed.get(i, terms["middle"]) - terms["middle"]) / unit for i in range(first)] + [0.0]
    met = collections.Counter(pair for match in matches for pair in itertools.combinations(sorted(map(names.index, match["players"])), 2))
    each = collections.Counter(i for pair in met.elements() for i in pair)
    for _ in range(20):
        rows = [[0.0] * (first + 2) for _ in at]
        def add(weight, slope, *vector):
            for i, x in vector:
                rows[i][-1] += slope * x
                for j, y in vector:
                    rows[i][j] += weight * x * y
        for result, n in results.items():
            seats = [[(i, 1), (first, 1)][:1 + (s == 0)] for s, i in enumerate(result[:len(result) // 2])]
            odds = [math.exp(sum(at[i] for i, _ in seat)) for seat in seats]
            for chosen, share in choices(result[len(result) // 2:]):
                total = sum(odds[s] for s in chosen)
                for s, t in itertools.combinations(chosen, 2):
                    add(n * share * odds[s] * odds[t] / total ** 2, 0, *seats[s], *[(i, -1) for i, _ in seats[t]])
                for s in chosen:
                    add(0, -n * share * odds[s] / total, *seats[s])
            for seat in seats:
                add(0, n, *seat)
        virtual = [(terms["draws"] * n * (1 / each[a] + 1 / each[b]), (a, 1), (b, -1)) for (a, b), n in met.items()]
        for draws, *vector in [*virtual, (terms["firstSeatDraws"], (first, 1))]:
            chance = 1 / (1 + math.exp(-sum(at[i] * x for i, x in vector)))
            add(draws * chance * (1 - chance), draws * (0.5 - chance), *vector)
        for i in range(first):
            add(1e99 if i in fixed else terms["hold"], 0 if i in fixed else -terms["hold"] * at[i], (i, 1))
        step = solve(rows)
        at = [a + 2 / max(2, *map(abs, step)) * s for a, s in zip(at, step)]
    return sorted(((terms["middle"] + unit * at[i], names[i]) for i in range(first) if i not in fixed), reverse=True)

lines = [json.loads(line) for line in sys.stdin]
for terms in [line for line in lines if "anchors" in line]:
    print(terms["ladder"])
    for strength, name in board(terms, [line for line in lines if line["ladder"] == terms["ladder"] and "places" in line]):
        print(f"{strength:9.2f}  {name}")
