"""The rules of the reference (sections 1 to 3) as a model that follows a finished game.

The model knows neither the dice nor the order of the decks. It reads the dice from the event log and keeps, for a card,
every state that some card of the deck would lead to; what the log and the agents' prompts then show leaves those that are
possible. A promise is broken when none is left."""
import re

GROUPS = ['Sandy Shore', 'Coastal Waters', 'Coral Gardens', 'Tropical Seas', 'Volcanic Depths', 'Sunlit Expanse', 'The Deep',
          "Emperor's Realm"]
TABLE = """0|Set Sail|special
1|Tidal Pool Flats|property|0|60|2/10/30/90/160/250|100|500|30|33
2|Treasure Chest|treasure_chest
3|Mangrove Shallows|property|0|60|4/20/60/180/320/450|100|500|30|33
4|Fishing Tax|tax
5|Poseidon's Current|current|-|200||||100|110
6|Ningaloo Reef|property|1|100|6/30/90/270/400/550|100|500|50|55
7|Tide Card|tide_card
8|Red Sea Reef|property|1|100|6/30/90/270/400/550|100|500|50|55
9|Belize Barrier Reef|property|1|120|8/40/100/300/450/600|100|500|60|66
10|Lobster Pot / Just Visiting|special
11|Raja Ampat Gardens|property|2|140|10/50/150/450/625/750|150|750|70|77
12|Electric Eel Power|utility|-|150||||75|83
13|Coral Triangle|property|2|140|10/50/150/450/625/750|150|750|70|77
14|Tubbataha Reef|property|2|160|12/60/180/500/700/900|150|750|80|88
15|Maelstrom Express|current|-|200||||100|110
16|Maldives Atolls|property|3|180|14/70/200/550/750/950|150|750|90|99
17|Treasure Chest|treasure_chest
18|Seychelles Bank|property|3|180|14/70/200/550/750/950|150|750|90|99
19|Galapagos Reserve|property|3|200|16/80/220/600/800/1000|150|750|100|110
20|Anchor Bay|special
21|Hydrothermal Vents|property|4|220|18/90/250/700/875/1050|200|1000|110|121
22|Tide Card|tide_card
23|Volcanic Abyss|property|4|220|18/90/250/700/875/1050|200|1000|110|121
24|Dragon Eel Caverns|property|4|240|20/100/300/750/925/1100|200|1000|120|132
25|Charybdis Passage|current|-|200||||100|110
26|Sargasso Sea|property|5|260|22/110/330/800/975/1150|200|1000|130|143
27|Palau Sanctuary|property|5|260|22/110/330/800/975/1150|200|1000|130|143
28|Tidal Generator|utility|-|150||||75|83
29|Chagos Archipelago|property|5|280|24/120/360/850/1025/1200|200|1000|140|154
30|Caught in the Net!|special
31|Abyssal Kraken's Lair|property|6|300|26/130/390/900/1100/1275|300|1500|150|165
32|Serpent's Trench|property|6|300|26/130/390/900/1100/1275|300|1500|150|165
33|Treasure Chest|treasure_chest
34|The Sunken Citadel|property|6|320|28/150/450/1000/1200/1400|300|1500|160|176
35|Abyssal Drift|current|-|200||||100|110
36|Tide Card|tide_card
37|Leviathan's Throne|property|7|350|35/175/500/1100/1300/1500|300|1500|175|193
38|Pearl Tax|tax
39|Claw Emperor's Domain|property|7|400|50/200/600/1400/1700/2000|300|1500|200|220"""


class Square:
    def __init__(self, line):
        cells = line.split('|') + [''] * 7
        self.index, self.name, self.type = int(cells[0]), cells[1], cells[2]
        self.group = int(cells[3]) if cells[3].isdigit() else None
        number = lambda text: int(text) if text else None
        self.price, self.outpost, self.fortress = number(cells[4]), number(cells[6]), number(cells[7])
        self.rent = [int(x) for x in cells[5].split('/')] if cells[5] else None
        if self.type == 'current':
            self.rent = [25, 50, 100, 200]
        self.mortgage, self.lift = number(cells[8]), number(cells[9])
        self.color = GROUPS[self.group] if self.group is not None else None


BOARD = [Square(line) for line in TABLE.split('\n')]
MEMBERS = {g: [s.index for s in BOARD if s.group == g] for g in range(8)}
CURRENTS, UTILITIES = (5, 15, 25, 35), (12, 28)
TAX = {4: 200, 38: 100}
TIDE = [('goto', 39), ('start',), ('forward', 24), ('forward', 11), ('current',), ('current',), ('utility',), ('take', 50), ('escape',),
        ('back', 3), ('pot',), ('repair', 25, 100), ('pay', 15), ('forward', 5), ('payeach', 50), ('take', 150)]
CHEST = [('start',), ('take', 200), ('pay', 50), ('take', 50), ('escape',), ('pot',), ('take', 100), ('take', 20), ('takeeach', 10),
         ('take', 100), ('pay', 100), ('pay', 50), ('take', 25), ('repair', 40, 115), ('take', 10), ('take', 100)]
DECKS = {'T': TIDE, 'C': CHEST}


class Wrong(Exception):
    """This state cannot be followed by that event."""
    def __init__(self, what, expected, got):
        super().__init__(what)
        self.what, self.expected, self.got = what, str(expected), str(got)


def group_of(square):
    group = BOARD[square].group
    return MEMBERS[group] if group is not None else [square]


def step_cost(square, level):
    return BOARD[square].outpost if level < 4 else BOARD[square].fortress


def sale(square, level):
    """What selling one step from this level brings."""
    return (BOARD[square].outpost if level < 5 else BOARD[square].fortress) // 2


def buildings_half(square, level):
    if not level:
        return 0
    deep = BOARD[square]
    return (4 * deep.outpost + deep.fortress) // 2 if level == 5 else level * deep.outpost // 2


class State:
    """One possible state of the game."""
    FLAT = ('turn', 'current', 'phase', 'doubles', 'bonus', 'square', 'total', 'next', 'deck', 'log', 'draws', 'salaries', 'stray', 'twice', 'debt')
    LISTS = ('money', 'pos', 'trapped', 'tries', 'dead', 'owner', 'level', 'mort', 'queue', 'out', 'paid', 'seen')

    def __init__(self, count):
        self.n = count
        self.money, self.pos = [1500] * count, [0] * count
        self.trapped, self.tries = [False] * count, [0] * count
        self.dead = [None] * count          # turn of the bankruptcy
        self.out = []                       # bankrupt agents, earliest first
        self.owner, self.level, self.mort = [None] * 40, [0] * 40, [False] * 40
        self.decks = {'T': (None,) * 16, 'C': (None,) * 16}
        self.hold = {'T': None, 'C': None}  # who holds the escape card
        self.turn, self.current, self.phase = 0, None, 'lobby'
        self.doubles, self.bonus = 0, False
        self.square, self.total, self.deck, self.debt = None, 0, None, None
        self.queue, self.next = [], None
        self.log, self.draws = None, None   # prompts that had to be sent, cards drawn: chains (before, item)
        self.salaries, self.stray, self.twice = 0, False, False
        self.paid, self.seen = [], []       # amounts paid, squares visited in this turn

    def copy(self):
        new = State.__new__(State)
        new.n = self.n
        for name in State.FLAT:
            setattr(new, name, getattr(self, name))
        for name in State.LISTS:
            setattr(new, name, getattr(self, name)[:])
        new.decks, new.hold = dict(self.decks), dict(self.hold)
        return new

    def key(self):
        return repr([(name, getattr(self, name)) for name in State.LISTS + State.FLAT if name not in ('log', 'draws', 'paid', 'seen')]
                    + [self.decks, self.hold])

    # -- questions ---------------------------------------------------------------------------------------------------
    def alive(self):
        return [p for p in range(self.n) if self.dead[p] is None]

    def after(self, player):
        """The others that are still in, in turn order after this agent."""
        return [(player + i) % self.n for i in range(1, self.n) if self.dead[(player + i) % self.n] is None]

    def squares(self, player):
        return [i for i in range(40) if self.owner[i] == player]

    def cards(self, player):
        return [d for d in 'TC' if self.hold[d] == player]

    def bare(self, square):
        return not any(self.level[i] for i in group_of(square))

    def whole(self, square):
        return all(self.owner[i] == self.owner[square] for i in group_of(square))

    def rent(self, square, total):
        owner, deep = self.owner[square], BOARD[square]
        if deep.type == 'current':
            return 25 << (sum(self.owner[i] == owner for i in CURRENTS) - 1)
        if deep.type == 'utility':
            return total * (10 if all(self.owner[i] == owner for i in UTILITIES) else 4)
        if self.level[square]:
            return deep.rent[self.level[square]]
        return deep.rent[0] * (2 if self.whole(square) else 1)

    def buildable(self, player):
        """[(index, outposts, can outpost, can fortress)] that can be built now."""
        out = []
        for group, members in MEMBERS.items():
            if any(self.owner[i] != player or self.mort[i] for i in members):
                continue
            low = min(self.level[i] for i in members)
            for i in members:
                if self.level[i] == low < 5 and self.money[player] >= step_cost(i, low):
                    out.append((i, low, low < 4, low == 4))
        return sorted(out)

    def mortgageable(self, player):
        return [i for i in self.squares(player) if not self.mort[i] and self.bare(i)]

    def sellable(self, player):
        return [i for i in self.squares(player) if self.level[i] and self.level[i] == max(self.level[j] for j in group_of(i))]

    def liquid(self, player):
        return self.money[player] + sum(buildings_half(i, self.level[i]) + (0 if self.mort[i] else BOARD[i].mortgage)
                                        for i in self.squares(player))

    def wealth(self, player):
        return self.money[player] + sum((BOARD[i].mortgage if self.mort[i] else BOARD[i].price) + buildings_half(i, self.level[i])
                                        for i in self.squares(player))

    def ranking(self):
        return sorted(self.alive(), key=lambda p: (-self.wealth(p), -self.money[p], -len(self.squares(p)), p)) + self.out[::-1]

    # -- what happens ------------------------------------------------------------------------------------------------
    def expect(self, *item):
        self.log = (self.log, item)

    def managing(self, player):
        """The optional actions, but for trades, that are possible now."""
        mine = self.squares(player)
        return tuple(name for name, can in (
            ('mortgage', self.mortgageable(player)), ('sell_building', self.sellable(player)),
            ('unmortgage', [i for i in mine if self.mort[i] and self.money[player] >= BOARD[i].lift])) if can)

    def prompt_build(self):
        p = self.current
        self.expect('build', p, (self.money[p], tuple(self.buildable(p)), self.managing(p)))

    def prompt_debt(self):
        debtor, creditor, amount = self.queue[0][:3]
        self.expect('debt', debtor, (amount, self.money[debtor], tuple(self.mortgageable(debtor)), tuple(self.sellable(debtor))))

    def start_turn(self, turn):
        if turn != self.turn + 1:
            raise Wrong('turn number', self.turn + 1, turn)
        self.turn = turn
        self.current = 0 if self.current is None else self.after(self.current)[0]
        self.doubles, self.bonus, self.stray, self.twice = 0, False, False, False
        self.paid, self.seen, self.salaries = [], [], 0
        p = self.current
        self.phase = 'pot' if self.trapped[p] else 'roll'
        if self.phase == 'pot':
            self.expect('pot', p, (self.tries[p], bool(self.cards(p)), self.money[p]))

    def to_pot(self):
        p = self.current
        self.pos[p], self.trapped[p], self.tries[p], self.bonus = 10, True, 0, False
        self.seen.append(10)
        self.phase = 'ended'

    def free(self):
        self.trapped[self.current], self.tries[self.current] = False, 0

    def salary(self):
        self.money[self.current] += 200
        self.salaries += 1

    def move(self, steps):
        p = self.current
        if self.pos[p] + steps >= 40:
            self.salary()
        self.pos[p] = (self.pos[p] + steps) % 40
        self.seen.append(self.pos[p])

    def settle(self):
        """After-landing."""
        if len(self.alive()) < 2:
            self.phase = 'over'
        elif self.dead[self.current] is not None or self.trapped[self.current]:
            self.phase = 'ended'
        elif self.bonus:
            self.bonus, self.phase = False, 'roll'
        else:
            self.phase = 'build'
            self.prompt_build()

    def land(self, factor=1):
        """Resolves the square; gives all states that can follow."""
        p, square = self.current, self.pos[self.current]
        deep = BOARD[square]
        if square == 30:
            self.to_pot()
        elif deep.type == 'tax':
            return self.pay([(p, None, TAX[square])])
        elif deep.type in ('tide_card', 'treasure_chest'):
            self.phase, self.deck = 'card', 'T' if deep.type == 'tide_card' else 'C'
        elif deep.price and self.owner[square] is None:
            if self.money[p] >= deep.price:
                self.phase, self.square = 'buy', square
                self.expect('buy', p, (square, self.money[p]))
            else:
                self.settle()
        elif deep.price and self.owner[square] != p and not self.mort[square]:
            return self.pay([(p, self.owner[square], factor * self.rent(square, self.total))])
        else:
            self.settle()
        return [self]

    def pay(self, debts, following=None):
        self.queue, self.next = list(debts), following
        return self.pump()

    def pump(self):
        """Pays what is owed as far as it can be paid."""
        others = []
        while self.queue:
            debtor, creditor, amount = self.queue[0][:3]
            if self.dead[debtor] is not None or amount == 0 or (creditor is not None and self.dead[creditor] is not None):
                self.queue.pop(0)
            elif self.money[debtor] >= amount:
                self.money[debtor] -= amount
                if creditor is not None:
                    self.money[creditor] += amount
                self.paid.append(amount)
                self.queue.pop(0)
            elif self.liquid(debtor) >= amount:
                self.phase, self.debt = 'debt', debtor
                self.prompt_debt()
                return [self] + others
            else:
                self.bankrupt(debtor, creditor)
                if len(self.alive()) < 2:
                    self.queue = []
                elif debtor != self.current and len(self.queue) > 1:
                    stop = self.copy()      # "stop if the payer goes bankrupt" can be read for all payers, too
                    stop.queue = []
                    others += stop.pump()
        following, self.next, self.debt = self.next, None, None
        if following and self.dead[self.current] is None and len(self.alive()) > 1:
            self.free()
            self.move(following)
            return self.land() + others
        self.settle()
        return [self] + others

    def bankrupt(self, p, creditor):
        for i in self.squares(p):
            self.money[p] += buildings_half(i, self.level[i]) + (0 if self.mort[i] else BOARD[i].mortgage)
            self.level[i], self.mort[i], self.owner[i] = 0, creditor is not None, creditor
        if creditor is not None:
            self.money[creditor] += self.money[p]
        for deck in self.cards(p):
            self.hold[deck] = creditor
            if creditor is None:
                self.decks[deck] += (('escape',),)
        self.expect('ruin by ' + ('the bank' if creditor is None else 'an agent'), p, self.turn)
        self.money[p], self.dead[p], self.trapped[p] = 0, self.turn, False
        self.out.append(p)

    def draw(self):
        """All states after some card of the deck that is due."""
        deck, pile = self.deck, self.decks[self.deck]
        top, out = pile[0], []
        known = [c for c in pile if c] + ([('escape',)] if self.hold[deck] is not None else [])
        options = [top] if top else [c for c in dict.fromkeys(DECKS[deck]) if known.count(c) < DECKS[deck].count(c)]
        for card in options:
            new = self.copy()
            new.decks[deck] = pile[1:] if card[0] == 'escape' else pile[1:] + (card,)
            new.draws = (self.draws, (deck, card))
            out += new.play(deck, card)
        return out

    def play(self, deck, card):
        p, kind = self.current, card[0]
        here = self.pos[p]
        if kind == 'goto':
            self.pos[p] = card[1]
            self.seen.append(card[1])
            return self.land()
        if kind == 'start':
            self.pos[p] = 0
            self.seen.append(0)
            self.salary()
        elif kind == 'forward':
            self.move((card[1] - here) % 40)
            return self.land()
        elif kind == 'back':
            self.pos[p] = here - card[1]
            self.seen.append(self.pos[p])
            return self.land()
        elif kind == 'current':
            self.move(min((i - here) % 40 for i in CURRENTS))
            return self.land(2)
        elif kind == 'utility':
            self.move(min((i - here) % 40 for i in UTILITIES))
            square = self.pos[p]
            owner = self.owner[square]
            if owner is None:
                return self.land()
            if owner == p or self.mort[square]:
                other = self.copy()         # a throw without use may be shown, or not
                other.stray = True
                return self.land() + other.land()
            out = []
            for total in range(2, 13):      # the throw is not shown in the log
                out += self.copy().pay([(p, owner, 10 * total)])
            self.phase = 'utility'          # or it is
            return out + [self]
        elif kind == 'pot':
            self.to_pot()
            return [self]
        elif kind == 'take':
            self.money[p] += card[1]
            self.salaries += card[1] == 200
        elif kind == 'escape':
            self.hold[deck] = p
        elif kind == 'pay':
            return self.pay([(p, None, card[1])])
        elif kind == 'repair':
            levels = [self.level[i] for i in self.squares(p)]
            return self.pay([(p, None, card[1] * sum(x for x in levels if x < 5) + card[2] * levels.count(5))])
        elif kind == 'payeach':
            return self.pay([(p, other, card[1]) for other in self.after(p)])
        elif kind == 'takeeach':
            return self.pay([(other, p, card[1]) for other in self.after(p)])
        self.settle()
        return [self]

    def throw(self, dice, action):
        total, same = sum(dice), dice[0] == dice[1]
        p = self.current
        if self.phase == 'buy':
            self.settle()
        if self.phase == 'utility':
            return self.pay([(p, self.owner[self.pos[p]], 10 * total)])
        if self.stray:
            self.stray = False
            return [self]
        if self.phase == 'pot' and action in ('escape_pay', 'escape_card'):
            out = []
            for new in self.leave(action):
                out += new.throw(dice, action)
            return out
        self.total = total
        if self.phase == 'pot':
            if same:
                self.free()
                self.move(total)
                return self.land()
            self.tries[p] += 1
            if self.tries[p] == 3:
                self.expect('third failure', p, self.turn)
                return self.pay([(p, None, 50)], total)
            self.phase = 'ended'
            return [self]
        if self.phase != 'roll':
            raise Wrong('dice thrown', 'a turn in phase ROLL or POT', 'phase %s' % self.phase)
        if same:
            self.doubles += 1
            if self.doubles == 3:
                self.to_pot()
                return [self]
        self.bonus = same
        self.move(total)
        return self.land()

    def leave(self, action):
        """Out of the pot by money or by card, before rolling."""
        p, out = self.current, []
        if action == 'escape_pay':
            self.money[p] -= 50
            self.free()
            self.phase = 'roll'
            return [self]
        for deck in self.cards(p):
            new = self.copy()
            new.hold[deck] = None
            new.decks[deck] += (('escape',),)
            new.free()
            new.phase = 'roll'
            out.append(new)
        if not out:
            raise Wrong('escape card used', 'a card in hand', 'none')
        return out

    def changed(self, p):
        """After mortgage, sale, building or trade: what is asked next."""
        if self.phase == 'debt':
            return self.pump() if p == self.debt else [self]
        if self.phase == 'build':
            self.prompt_build()
        return [self]

    def may_manage(self, p, what):
        if self.phase == 'buy':
            self.settle()
        if not (self.phase in ('roll', 'build') and p == self.current or self.phase == 'debt' and p == self.debt):
            raise Wrong(what, 'its owner in ROLL, BUILD or DEBT', 'agent %d in phase %s' % (p, self.phase))

    def manage(self, kind, p, square):
        self.may_manage(p, kind)
        deep = BOARD[square]
        if not deep.price or self.owner[square] != p:
            raise Wrong(kind, 'a square of the agent', 'square %s' % square)
        level = self.level[square]
        if kind == 'mortgaged':
            if self.mort[square] or not self.bare(square):
                raise Wrong('mortgage of %d' % square, 'a square neither mortgaged nor in a group with buildings', 'accepted')
            self.mort[square] = True
            self.money[p] += deep.mortgage
        elif kind == 'unmortgaged':
            if not self.mort[square] or self.money[p] < deep.lift or self.phase == 'debt':
                raise Wrong('unmortgage of %d' % square, 'a mortgaged square and %d money' % deep.lift, 'accepted with %d' % self.money[p])
            self.mort[square] = False
            self.money[p] -= deep.lift
        elif kind == 'building_sold':
            if square not in self.sellable(p):
                raise Wrong('building sold on %d' % square, 'a square on the highest level of its group', 'accepted')
            if level == 5:
                self.expect('fortress sold', p, square)
            self.money[p] += sale(square, level)
            self.level[square] -= 1
        else:
            fits = [b for b in self.buildable(p) if b[0] == square]
            if self.phase != 'build' or not fits or (kind == 'fortress_built') != (level == 4):
                raise Wrong('%s on %d' % (kind, square), 'BUILD and a square that can be built', 'phase %s, level %d' % (self.phase, level))
            self.money[p] -= step_cost(square, level)
            self.level[square] += 1
        return self.changed(p)

    def trade(self, offer):
        giver, taker = offer['from'], offer['to']
        states = [self]
        if self.phase == 'buy':
            self.settle()
        if self.phase not in ('roll', 'build') or giver != self.current:
            raise Wrong('trade accepted', 'the current agent in ROLL or BUILD', 'phase %s' % self.phase)
        for a, b, bundle in ((giver, taker, offer['giving']), (taker, giver, offer['requesting'])):
            money, squares, count = bundle.get('money') or 0, bundle.get('properties') or [], bundle.get('escapeCards') or 0
            following = []
            for state in states:
                if state.money[a] < money:
                    raise Wrong('trade accepted', 'a side that has %d' % money, state.money[a])
                for i in squares:
                    if state.owner[i] != a or not state.bare(i):
                        raise Wrong('trade accepted', 'square %d owned by its giver, group without buildings' % i, 'not so')
                have = state.cards(a)
                if len(have) < count:
                    raise Wrong('trade accepted', '%d escape cards in hand' % count, len(have))
                for pick in ([have[:1], have[1:]] if count == 1 and len(have) == 2 else [have[:count]]):
                    new = state.copy()
                    new.money[a] -= money
                    new.money[b] += money
                    for i in squares:
                        new.owner[i] = b
                    for deck in pick:
                        new.hold[deck] = b
                    following.append(new)
            states = following
        out = []
        for new in states:
            out += new.changed(giver)
        return out


# -- reading events ------------------------------------------------------------------------------------------------------
def flat(value, path=''):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(inner, path + '.' + str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from flat(inner, path + '[]')
    else:
        yield path, value


def whole_number(value):
    return isinstance(value, int) and not isinstance(value, bool)


def kind_of(event):
    name = str(event.get('type', '')).split(':')[-1]
    return re.sub('([a-z])([A-Z])', r'\1_\2', name).lower().replace('-', '_')


def dice_of(data):
    def walk(value):
        if isinstance(value, list) and len(value) == 2 and all(whole_number(x) and 1 <= x <= 6 for x in value):
            yield tuple(value)
        if isinstance(value, list):
            for inner in value:
                yield from walk(inner)
        if isinstance(value, dict):
            pairs = sorted((k, v) for k, v in value.items() if whole_number(v) and 1 <= v <= 6
                           and re.search(r'(^d|die|dice|first|second|one|two)_?([12ab]|one|two)?$', str(k), re.I))
            if len(pairs) == 2:
                yield (pairs[0][1], pairs[1][1])
            for inner in value.values():
                yield from walk(inner)
    return next(walk(data), None)


def square_of(data):
    numbers = [(p, v) for p, v in flat(data) if whole_number(v) and 0 <= v < 40]
    for pattern in (r'square_?index$', r'(square|property|propertyindex|index)$', r'position$'):
        for path, value in numbers:
            if re.search(pattern, path, re.I):
                return value
    for path, value in flat(data):
        for deep in BOARD:
            if value == deep.name and deep.price:
                return deep.index
    return None


def amount_of(data):
    for path, value in flat(data):
        if whole_number(value) and re.search(r'\.(amount|rent|paid|tax|total)$', path, re.I):
            return value
    return None


def target_of(data):
    for path, value in flat(data):
        if whole_number(value) and re.search(r'\.(to|position|newposition|toposition|new_position)$', path, re.I):
            return value
    return None


def chain(link):
    out = []
    while link:
        out.append(link[1])
        link = link[0]
    return out[::-1]


class Follower:
    """Follows one room. order: ids in turn order; offers: tradeId → {from, to, giving, requesting} (ids); choices: (id, turn) → escape action;
    snaps: [{seq, viewer, turn, you, opponents, board, actions}]; fail(what, expected, got)."""
    LIMIT = 6000

    def __init__(self, order, offers, choices, fail, ok):
        self.order, self.offers, self.choices, self.fail, self.ok = order, offers, choices, fail, ok
        self.place = {name: i for i, name in enumerate(order)}
        self.states = [State(len(order))]
        self.lost, self.resyncs, self.last_trade, self.followed = False, 0, None, True
        self.seen = {}

    def run(self, events, snaps, settled):
        starts = any(kind_of(e) == 'turn_start' for e in events)
        begun = not starts
        snaps = sorted(snaps, key=lambda s: s['seq'])
        done = 0
        for event in events:
            while done < len(snaps) and snaps[done]['seq'] < event['sequence']:
                self.compare(snaps[done])
                done += 1
            if self.resyncs > 3:
                self.followed = False
                return
            kind = kind_of(event)
            self.seen[kind] = self.seen.get(kind, 0) + 1
            begun = begun or kind == 'turn_start'
            if begun and not self.lost:
                self.event(event, kind)
        for snap in snaps[done:]:
            if events and snap['seq'] <= events[-1]['sequence']:
                self.compare(snap)
        if self.lost:
            self.followed = False

    def event(self, event, kind):
        out, wrong = [], None
        for state in self.states:
            try:
                out += self.step(state.copy(), event, kind)
            except Wrong as error:
                wrong = wrong or error
        if out:
            if len(out) > 40:
                out = list({state.key(): state for state in out}.values())
            if len(out) > self.LIMIT:
                self.followed, self.lost, self.resyncs = False, True, 99
                return
            self.states = out
            self.ok()
        else:
            at = 'event %s %s (turn %s, agent %s)' % (event.get('sequence'), event.get('type'), event.get('turnNumber'), event.get('playerId'))
            self.fail('%s: %s' % (at, wrong.what), wrong.expected, '%s; data %.300s' % (wrong.got, event.get('data')))
            self.lost = True

    def step(self, state, event, kind):
        data = event.get('data') or {}
        p = self.place.get(event.get('playerId'))
        turn = event.get('turnNumber')
        if whole_number(turn) and turn > state.turn and kind != 'finished':
            if state.phase == 'buy':
                state.settle()
            if state.phase == 'over':
                raise Wrong('game goes on', 'the end, one agent left', 'turn %d' % turn)
            if state.turn and state.phase not in ('ended', 'build'):
                raise Wrong('turn ended', 'phase BUILD, or the turn over', 'phase %s' % state.phase)
            state.start_turn(turn)
        if kind == 'turn_start':
            if p is not None and p != state.current:
                raise Wrong('agent of the turn', self.order[state.current], self.order[p])
        elif kind == 'dice_rolled':
            if p is not None and p != state.current:
                raise Wrong('agent that rolls', self.order[state.current], self.order[p])
            dice = dice_of(data)
            if not dice:
                raise Wrong('dice in the event', 'two dice', data)
            return state.throw(dice, self.choices.get((self.order[state.current], state.turn)))
        elif kind == 'card_drawn':
            if state.phase != 'card':
                raise Wrong('card drawn', 'an agent on a card square', 'phase %s, square %s' % (state.phase, state.pos[state.current]))
            return state.draw()
        elif kind in ('property_bought', 'property_passed'):
            square = square_of(data)
            if kind == 'property_bought':
                if state.phase != 'buy' or p not in (None, state.current) or square not in (None, state.square):
                    raise Wrong('square bought', 'the square of the buy prompt', 'phase %s, square %s, prompted %s' % (state.phase, square, state.square))
                state.money[state.current] -= BOARD[state.square].price
                state.owner[state.square] = state.current
            if state.phase == 'buy':
                state.settle()
        elif kind in ('mortgaged', 'unmortgaged', 'building_sold', 'outpost_built', 'fortress_built'):
            if p is not None and state.dead[p] is not None:
                return [state]              # part of a bankruptcy
            square = square_of(data)
            if square is None or p is None:
                raise Wrong('event ' + kind, 'agent and square', data)
            return state.manage(kind, p, square)
        elif kind == 'trade_accepted':
            offer = self.offer_of(data)
            if offer is None:
                raise Wrong('trade accepted', 'the id of a trade that was offered', data)
            return state.trade(dict(offer, **{'from': self.place[offer['from']], 'to': self.place[offer['to']]}))
        elif kind == 'rent_paid':
            amount = amount_of(data)
            if amount is not None and p is not None and state.dead[p] is None and amount not in state.paid and not state.out:
                raise Wrong('rent paid', 'one of %s' % state.paid, amount)
            if not state.paid and not state.out:
                raise Wrong('rent paid', 'nothing is owed', amount)
        elif kind == 'tax_paid':
            amount = amount_of(data)
            if amount is not None and p is not None and state.dead[p] is None and amount not in state.paid:
                raise Wrong('tax paid', 'one of %s' % state.paid, amount)
        elif kind == 'player_moved':
            target = target_of(data)
            if target is not None and target not in state.seen:
                raise Wrong('agent moved', 'one of squares %s' % state.seen, target)
        elif kind == 'set_sail_bonus':
            state.salaries -= 1
            if state.salaries < 0:
                raise Wrong('Set Sail money', 'none due', 'event')
        elif kind == 'lobster_pot_in':
            if p is not None and not state.trapped[p]:
                raise Wrong('in the pot', 'agent not in the pot (square %d)' % state.pos[p], 'event')
        elif kind == 'lobster_pot_out':
            if state.phase == 'pot':
                action = self.choices.get((self.order[state.current], state.turn))
                if action in ('escape_pay', 'escape_card'):
                    return state.leave(action)
        elif kind == 'bankrupt':
            if p is None or state.dead[p] is None:
                raise Wrong('bankruptcy', 'agent %s solvent with %s (could raise %s)' % (event.get('playerId'), p is not None and state.money[p],
                                                                                      p is not None and state.liquid(p)), 'event')
        elif kind == 'turn_end':
            if state.phase == 'buy':
                state.settle()
            if state.phase not in ('ended', 'build', 'over'):
                raise Wrong('turn ended', 'phase BUILD, or the turn over', 'phase %s' % state.phase)
        return [state]

    def offer_of(self, data):
        """The offer that an event names, be it with the tradeId of the wire or with its number."""
        for path, value in flat(data):
            if isinstance(value, str) and value in self.offers:
                return self.offers[value]
        for path, value in flat(data):
            if re.search(r'id$', path, re.I) and isinstance(value, (str, int)):
                for name, offer in self.offers.items():
                    if re.sub(r'^.*?(\d+)$', r'\1', str(name)) == str(value):
                        return offer
        return None

    def difference(self, state, snap):
        """[(what, expected, got)] between a state and what a prompt shows."""
        out = []

        def same(what, expected, got):
            if expected != got:
                out.append((what, expected, got))
        viewer, you = self.place[snap['viewer']], snap['you']
        if 'roll_dice' in snap['actions']:
            same('phase and agent', ('roll', viewer), ('roll' if state.phase in ('roll',) else state.phase, state.current))
        same('turnNumber', state.turn, snap['turn'])
        for agent in [dict(you, id=snap['viewer'])] + snap['opponents']:
            p = self.place.get(agent.get('id'))
            if p is None:
                continue
            who = agent['id']
            same(who + ' money', state.money[p], agent.get('money'))
            same(who + ' properties', state.squares(p), sorted(agent.get('properties') or []))
            same(who + ' bankrupt', state.dead[p] is not None, agent.get('isBankrupt') is True)
            if state.dead[p] is None:
                same(who + ' position', state.pos[p], agent.get('position'))
                same(who + ' inLobsterPot', state.trapped[p], agent.get('inLobsterPot'))
            if p == viewer:
                same(who + ' escapeCards', len(state.cards(p)), agent.get('escapeCards'))
                same(who + ' lobsterPotTurns', min(state.tries[p], 2), agent.get('lobsterPotTurns'))  # 0, 1 or 2, in the debt of the third failure too
        for i, square in enumerate(snap['board']):
            if BOARD[i].price:
                owner = state.owner[i]
                same('owner of %d' % i, None if owner is None else self.order[owner], square.get('owner'))
                same('mortgage of %d' % i, state.mort[i], bool(square.get('mortgaged')))
                level = 5 if square.get('fortress') else square.get('outposts') or 0
                same('level of %d' % i, state.level[i], level)
        return out

    def compare(self, snap):
        if self.resyncs > 3:
            return
        if self.lost:
            self.resync(snap)
            return
        for state in self.states:
            if state.phase == 'buy' and 'roll_dice' in snap['actions']:
                state.settle()
            if snap['turn'] == state.turn + 1 and state.phase in ('build', 'ended', 'lobby'):
                state.start_turn(snap['turn'])      # the prompt may come before the event turn_start
        scored = [(self.difference(state, snap), state) for state in self.states]
        fits = [state for diffs, state in scored if not diffs]
        if fits:
            self.states = fits
            self.ok()
            return
        diffs, state = min(scored, key=lambda pair: len(pair[0]))
        draws = chain(state.draws)
        for what, expected, got in diffs[:4]:
            self.fail('state of turn %s as %s sees it (event %s; last card %s): %s' % (snap['turn'], snap['viewer'], snap['seq'],
                                                                                  draws[-1] if draws else None, what), expected, got)
        self.states = [state]
        self.resync(snap)

    def resync(self, snap):
        """Goes on from what a prompt shows."""
        if 'roll_dice' not in snap['actions']:
            return
        self.resyncs += 1
        state = self.states[0].copy()
        state.turn, state.current, state.phase, state.bonus = snap['turn'], self.place[snap['viewer']], 'roll', False
        state.queue, state.next, state.debt = [], None, None
        for agent in [dict(snap['you'], id=snap['viewer'])] + snap['opponents']:
            p = self.place[agent['id']]
            state.money[p], state.pos[p], state.trapped[p] = agent['money'], agent['position'], bool(agent['inLobsterPot'])
            if agent.get('isBankrupt') and state.dead[p] is None:
                state.dead[p] = snap['turn']
                state.out.append(p)
        for i, square in enumerate(snap['board']):
            state.owner[i] = self.place.get(square.get('owner'))
            state.mort[i] = bool(square.get('mortgaged'))
            state.level[i] = 5 if square.get('fortress') else square.get('outposts') or 0
        state.decks = {'T': (None,) * 16, 'C': (None,) * 16}
        self.states, self.lost = [state], False
