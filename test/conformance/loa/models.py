"""Own models of the five games, from the document alone. Used by check.py and fake.py."""
import itertools

M32 = 0xFFFFFFFF


class Prng:
    def __init__(self, seed=None, state=None):
        if state is not None:
            self.x = state
            return
        self.x = (seed ^ 0x9E3779B9) & M32 or 1
        for _ in range(16):
            self.step()

    def step(self):
        x = self.x
        x ^= (x << 13) & M32
        x ^= x >> 17
        x ^= (x << 5) & M32
        self.x = x
        return x

    def next(self):
        return self.step() / 4294967296

    def rnd(self, n):
        return int(self.next() * n)


def unstep(x):
    def unl(y, k):
        r = y
        for _ in range(32 // k + 1):
            r = y ^ ((r << k) & M32)
        return r

    def unr(y, k):
        r = y
        for _ in range(32 // k + 1):
            r = y ^ (r >> k)
        return r
    return unl(unr(unl(x, 5), 17), 13)


def sym_states():
    """Yields, for step 1, 2, …, the 32 bits of the PRNG state as masks over the bits of the initial state."""
    x = [1 << i for i in range(32)]
    while True:
        x = [x[i] ^ (x[i - 13] if i >= 13 else 0) for i in range(32)]
        x = [x[i] ^ (x[i + 17] if i + 17 < 32 else 0) for i in range(32)]
        x = [x[i] ^ (x[i - 5] if i >= 5 else 0) for i in range(32)]
        yield x


class Gf2:
    """Linear equations over the 32 bits of a state."""
    def __init__(self):
        self.rows = {}
        self.bad = False

    def add(self, mask, rhs):
        v = mask | (rhs << 32)
        while v & M32:
            t = (v & M32).bit_length() - 1
            if t not in self.rows:
                self.rows[t] = v
                return
            v ^= self.rows[t]
        if v >> 32:
            self.bad = True

    def solutions(self, limit=4096):
        free = [i for i in range(32) if i not in self.rows]
        if 2 ** len(free) > limit:
            return None
        out = []
        for bits in itertools.product((0, 1), repeat=len(free)):
            s = dict(zip(free, bits))
            for t in range(32):
                if t in self.rows:
                    v = self.rows[t]
                    r = v >> 32
                    for j in range(t):
                        if v >> j & 1:
                            r ^= s[j]
                    s[t] = r
            out.append(sum(s[i] << i for i in range(32)))
        return [o for o in out if o]


# ------------------------------------------------------------------ resource-rush map

DIR4 = [(0, -1), (1, 0), (0, 1), (-1, 0)]


def near(x, y):
    return max(abs(x - 10), abs(y - 10)) <= 2 or max(abs(x - 89), abs(y - 89)) <= 2


def reach(g):
    seen = {(10, 10)}
    st = [(10, 10)]
    while st:
        x, y = st.pop()
        for dx, dy in DIR4:
            t = (x + dx, y + dy)
            if 0 <= t[0] < 100 and 0 <= t[1] < 100 and t not in seen and g[t[1]][t[0]] not in (5, 6):
                seen.add(t)
                st.append(t)
    return seen


def gen_once(p, probe=None):
    g = [[0] * 100 for _ in range(100)]

    def put(x, y, v):
        g[y][x] = v
        g[99 - y][99 - x] = v
    for v, size in ((5, 40),) * 4 + ((6, 30),) * 4:
        x, y = p.rnd(100), p.rnd(100)
        put(x, y, v)
        if probe is not None and probe[y][x] not in (5, 6) and not near(x, y):
            return None
        lst = [(x, y)]
        tries = 0
        while len(lst) < size and tries < 8 * size:
            tries += 1
            cx, cy = lst[p.rnd(len(lst))]
            dx, dy = DIR4[p.rnd(4)]
            x, y = cx + dx, cy + dy
            if 0 <= x < 100 and 0 <= y < 100 and g[y][x] == 0:
                put(x, y, v)
                lst.append((x, y))
                if probe is not None and probe[y][x] not in (5, 6) and not near(x, y):
                    return None
    for y in range(8, 13):
        for x in range(8, 13):
            put(x, y, 0)
    while True:
        cx, cy = 3 + p.rnd(94), 3 + p.rnd(94)
        if min(abs(cx - 10) + abs(cy - 10), abs(cx - 89) + abs(cy - 89)) < 25:
            continue
        if max(abs(cx - 49.5), abs(cy - 49.5)) < 12:
            continue
        break

    def gold(n, x0, y0, w):
        placed = tries = 0
        while placed < n and tries < 200:
            tries += 1
            x, y = x0 + p.rnd(w), y0 + p.rnd(w)
            if g[y][x] == 0 and not near(x, y):
                put(x, y, 3)
                placed += 1
    gold(15, cx - 3, cy - 3, 7)
    if p.next() < 0.5:
        gold(8, 46, 46, 8)
    for y in range(50):
        for x in range(100):
            if g[y][x] == 0 and not near(x, y):
                r = p.next()
                if r < 0.05:
                    put(x, y, 1)
                elif r < 0.08:
                    put(x, y, 2)
                elif r < 0.10:
                    put(x, y, 4)
    put(10, 10, 7)
    return g


def gen_map(seed):
    p = Prng(seed)
    for _ in range(20):
        g = gen_once(p)
        s = reach(g)
        if (89, 89) in s and all((x, y) in s for y in range(100) for x in range(100) if g[y][x] == 3):
            return g
    return [[0 if v in (5, 6) else v for v in r] for r in g]


def counts(g):
    c = [0] * 8
    for r in g:
        for v in r:
            c[v] += 1
    return c


def fnv(g):
    h = 0x811C9DC5
    for r in g:
        for v in r:
            h = ((h ^ v) * 16777619) & M32
    return h


def recover_map_state(g):
    """The document's step 6 leaks the state (r<0.05 → top four bits zero …): solve it, verify every
    grass tile, walk back and regenerate. -> (ok, text, seed or None)"""
    eq = Gf2()
    tiles = [g[y][x] for y in range(50) for x in range(100) if g[y][x] in (0, 1, 2, 4) and not near(x, y)]
    sym = sym_states()
    for v in tiles:
        s = next(sym)
        if v:
            for b in range(31, 27 if v == 1 else 28, -1):
                eq.add(s[b], 0)
        if len(eq.rows) >= 31:
            break
    if len(eq.rows) >= 32:
        return False, 'no xorshift32 state explains the bush/stone/berry tiles of rows 0–49', None
    sol = eq.solutions(64)
    if not sol:
        return False, 'not solvable (rank %d)' % len(eq.rows), None
    for s0 in sol:
        p = Prng(state=s0)
        for v in tiles:
            r = p.next()
            w = 1 if r < 0.05 else 2 if r < 0.08 else 4 if r < 0.10 else 0
            if v != w:
                break
        else:
            x = s0
            for back in range(9000):
                if gen_once(Prng(state=x), g) == g:
                    y = x
                    for _ in range(16):
                        y = unstep(y)
                    seed = y ^ 0x9E3779B9
                    return True, 'state found %d steps before the scatter; seed %d if that was the first attempt' % (back, seed), seed
                x = unstep(x)
            return False, 'the scatter of step 6 fits the PRNG, but no earlier state within 9000 steps regenerates the map (steps 1–5)', None
    return False, 'a state fits the first tiles of step 6 but not all of them', None


# ------------------------------------------------------------------ common

class Base:
    n, simultaneous = 2, True

    def __init__(self, seats):            # [(id, name)] in seat order
        self.seats = seats
        self.ids = [s[0] for s in seats]
        self.names = [s[1] for s in seats]
        self.round = 1
        self.done = False
        self.scores = [0] * len(seats)
        self.pending = {}
        self.actions = {}
        self.summary = None
        self.skill = None
        self.resolved = 0

    def owes(self, s):
        return not self.done and s not in self.pending

    def gets_turn(self, s):
        return self.owes(s)

    def submit(self, s, mv):
        self.pending[s] = mv
        if len(self.pending) == self.n:
            self.resolve()
            self.pending = {}
            return True
        return False

    def advance(self, over):
        self.resolved = self.round
        if over:
            self.done = True
        else:
            self.round += 1

    def idscores(self):
        return dict(zip(self.ids, self.scores))

    def grid(self):
        return None

    def top(self):
        return {}

    def order(self):
        return sorted(range(self.n), key=lambda s: (-self.scores[s], s))

    def draw(self):
        o = self.order()
        return self.scores[o[0]] == self.scores[o[1]]

    def action(self, s, viewer):
        return self.actions[s]


def isint(v):
    return isinstance(v, int) and not isinstance(v, bool)


class Echo(Base):
    game, maxRounds = 'echo', 5
    KEY = ['', '1️⃣', '2️⃣', '3️⃣', '4️⃣', '5️⃣', '6️⃣', '7️⃣', '8️⃣', '9️⃣', '🔟']

    def __init__(self, seats):
        super().__init__(seats)
        self.prev = [None, None]

    def valid(self, s, mv):
        return isint(mv.get('number')) and 1 <= mv['number'] <= 10

    def resolve(self):
        v = []
        for s in (0, 1):
            k = self.pending[s]['number']
            rep = k == self.prev[s]
            self.prev[s] = k
            v.append(0 if rep else k)
            self.actions[s] = 'Played ' + self.KEY[k] + (' (repeat)' if rep else '')
        w = 0 if v[0] > v[1] else 1 if v[1] > v[0] else None
        if w is not None:
            self.scores[w] += 1
        self.summary = 'Round %d: %s' % (self.round, 'Tie!' if w is None else self.names[w] + ' wins!')
        self.advance(self.round == 5)

    def extra(self, viewer):
        return {'currentRound': self.round, 'maxRounds': 5, 'scores': self.idscores()}


class Blotto(Base):
    game, maxRounds = 'blotto', 5

    def __init__(self, seats):
        super().__init__(seats)
        self.history = []

    def valid(self, s, mv):
        a = mv.get('allocation')
        return isinstance(a, list) and len(a) == 5 and all(isint(v) and v >= 0 for v in a) and sum(a) == 10

    def resolve(self):
        a, b = self.pending[0]['allocation'], self.pending[1]['allocation']
        f = [sum(x > y for x, y in zip(a, b)), sum(y > x for x, y in zip(a, b))]
        w = 0 if f[0] >= 3 else 1 if f[1] >= 3 else None
        if w is not None:
            self.scores[w] += 1
        self.history.append({'round': self.round, 'allocations': {self.ids[0]: a, self.ids[1]: b},
                             'fieldsWon': dict(zip(self.ids, f)), 'winner': None if w is None else self.ids[w]})
        for s, q in ((0, a), (1, b)):
            self.actions[s] = 'Deployed ' + '-'.join(map(str, q))
        self.summary = 'Round %d: %s' % (self.round, 'Tie!' if w is None else self.names[w] + ' wins!')
        self.advance(self.round == 5)

    def extra(self, viewer):
        return {'currentRound': self.round, 'maxRounds': 5, 'scores': self.idscores(), 'soldiers': 10,
                'battlefields': 5, 'history': [dict(h) for h in self.history]}


# ------------------------------------------------------------------ dance-battle

SEATS = ['1️⃣', '2️⃣', '3️⃣', '4️⃣']
DXY = {'up': (0, -1), 'down': (0, 1), 'left': (-1, 0), 'right': (1, 0), 'hold': (0, 0)}
ARROW = {'up': '⬆️', 'down': '⬇️', 'left': '⬅️', 'right': '➡️', 'hold': '⏸️', 'rock': '✊', 'paper': '✋', 'scissors': '✌️'}
BEATS = {('rock', 'scissors'), ('scissors', 'paper'), ('paper', 'rock')}


def clean_motto(t):
    import unicodedata
    t = ''.join(c for c in t if unicodedata.category(c) != 'Cc').strip()
    return ''.join(list(t)[:60]).rstrip()


class Dance(Base):
    game, maxRounds, n = 'dance-battle', 30, 4
    kinds = ['move', 'move', 'stress']

    def __init__(self, seats):
        super().__init__(seats)
        self.ag = [{'x': x, 'y': y, 'alive': True, 'stunned': False, 'motto': '', 'elim': None}
                   for x, y in ((4, 4), (12, 4), (4, 12), (12, 12))]
        self.last = None
        self.reason = None
        self.forfeit = set()

    def owes(self, s):
        return not self.done and s not in self.pending and self.ag[s]['alive'] and s not in self.forfeit

    def gets_turn(self, s):
        return not self.done and s not in self.pending

    def valid(self, s, mv):
        c = mv.get('commands')
        if not isinstance(c, list) or len(c) != 3:
            return False
        seen = set()
        for q in c:
            if not isinstance(q, dict) or not isint(q.get('beatIndex')) or not 0 <= q['beatIndex'] < 3 or q['beatIndex'] in seen:
                return False
            seen.add(q['beatIndex'])
            if self.kinds[q['beatIndex']] == 'move':
                if q.get('kind') != 'move' or not isinstance(q.get('direction'), str) or q['direction'] not in DXY:
                    return False
            elif q.get('kind') != 'action' or q.get('action') not in ('rock', 'paper', 'scissors'):
                return False
        return True

    def submit(self, s, mv):
        self.pending[s] = mv
        if all(t in self.pending for t in range(4) if self.ag[t]['alive'] and t not in self.forfeit):
            self.resolve()
            self.pending = {}
            return True
        return False

    def move_beat(self, dirs):
        """dirs: seat → direction, for alive agents."""
        A = self.ag
        org = {s: (A[s]['x'], A[s]['y']) for s in dirs}
        mov = {s: (org[s][0] + DXY[d][0], org[s][1] + DXY[d][1]) for s, d in dirs.items() if d != 'hold' and not A[s]['stunned']}
        blocked = {s for s, (x, y) in mov.items() if not (0 <= x <= 16 and 0 <= y <= 16)}
        while True:
            claim = {s: mov[s] if s in mov and s not in blocked else org[s] for s in dirs}
            new = set()
            for s in mov:
                if s in blocked:
                    continue
                if any(t != s and claim[t] == claim[s] for t in dirs):
                    new.add(s)
                for t in mov:
                    if t != s and t not in blocked and mov[s] == org[t] and mov[t] == org[s]:
                        new |= {s, t}
            if not new:
                break
            blocked |= new
        for s in mov:
            if s in blocked:
                A[s]['stunned'] = True
            else:
                A[s]['x'], A[s]['y'] = mov[s]

    def stress_beat(self, acts):
        A = self.ag
        al = [s for s in range(4) if A[s]['alive']]
        cl, dead = [], set()
        for i, s in enumerate(al):
            for t in al[i + 1:]:
                if abs(A[s]['x'] - A[t]['x']) + abs(A[s]['y'] - A[t]['y']) != 1:
                    continue
                ss, ts = A[s]['stunned'], A[t]['stunned']
                if ss and ts:
                    continue
                if ss or ts:
                    w, l = (t, s) if ss else (s, t)
                    cl.append((w, l, True))
                    dead.add(l)
                elif (acts[s], acts[t]) in BEATS or (acts[t], acts[s]) in BEATS:
                    w, l = (s, t) if (acts[s], acts[t]) in BEATS else (t, s)
                    cl.append((w, l, False))
                    dead.add(l)
                    self.scores[w] += 1
        return cl, dead

    def resolve(self):
        A = self.ag
        plan = {s: sorted(mv['commands'], key=lambda q: q['beatIndex']) for s, mv in self.pending.items()}
        start = [A[s]['alive'] for s in range(4)]
        for s in range(4):
            if s in plan and start[s]:
                self.actions[s] = ' '.join(ARROW[q.get('direction') if q['kind'] == 'move' else q['action']] for q in plan[s])
            else:
                self.actions[s] = '—'
        beats = []
        for i, k in enumerate(self.kinds):
            al = [s for s in range(4) if A[s]['alive']]
            cl = []
            if k == 'move':
                self.move_beat({s: plan[s][i]['direction'] for s in al})
            else:
                cl, dead = self.stress_beat({s: plan[s][i]['action'] for s in al})
                for s in dead:
                    A[s]['alive'] = False
                    A[s]['elim'] = {'round': self.round, 'beatIndex': i}
            beats.append({'beatIndex': i, 'kind': k, 'clashes': [{'winner': self.ids[w], 'loser': self.ids[l], 'auto': a} for w, l, a in cl],
                          'positions': [{'agentId': self.ids[s], 'x': A[s]['x'], 'y': A[s]['y'], 'stunned': A[s]['stunned'], 'alive': A[s]['alive']} for s in range(4)]})
            n = sum(a['alive'] for a in A)
            if n == 1:
                self.reason = 'last_standing'
            elif n == 0:
                self.reason = 'all_eliminated'
            if n <= 1:
                break
        if self.reason is None and self.round == 30:
            self.reason = 'max_rounds'
        for s, p in plan.items():
            for q in p:
                if q['kind'] == 'action' and isinstance(q.get('motto'), str):
                    A[s]['motto'] = clean_motto(q['motto'])
        self.stun_end = [a['stunned'] for a in A]
        for a in A:
            a['stunned'] = False
        self.last = {'round': self.round, 'beats': beats}
        self.advance(self.reason is not None)

    def _rank(self, s):
        a = self.ag[s]
        e = a['elim'] or {'round': 0, 'beatIndex': 0}
        return (s in self.forfeit, not (a['alive'] and self.reason == 'last_standing'), -self.scores[s],
                not a['alive'], (-e['round'], -e['beatIndex']) if not a['alive'] else (0, 0))

    def order(self):
        return sorted(range(4), key=lambda s: (self._rank(s), s))

    def draw(self):
        o = self.order()
        return self._rank(o[0]) == self._rank(o[1])

    def pub(self):
        return {'gameType': 'dance-battle', 'status': 'completed' if self.done else 'active', 'round': self.round, 'maxRounds': 30,
                'map': {'width': 17, 'height': 17, 'walls': [], 'spawns': [{'x': 4, 'y': 4}, {'x': 12, 'y': 4}, {'x': 4, 'y': 12}, {'x': 12, 'y': 12}]},
                'beatSequence': {'rounds': [{'round': r, 'beats': [{'beatIndex': i, 'kind': k} for i, k in enumerate(self.kinds)]} for r in range(1, 31)]},
                'agents': [{'agentId': self.ids[s], 'agentName': self.names[s], 'seat': s, 'x': a['x'], 'y': a['y'], 'alive': a['alive'],
                            'stunned': a['stunned'], 'score': self.scores[s], 'motto': a['motto'], 'eliminatedAt': a['elim']} for s, a in enumerate(self.ag)],
                'lastRound': self.last,
                'matchResult': None if not self.done else {'reason': self.reason, 'draw': self.draw(), 'totalRounds': self.resolved,
                    'rankings': [{'agentId': self.ids[s], 'agentName': self.names[s], 'finalScore': self.scores[s], 'rank': i + 1} for i, s in enumerate(self.order())]}}

    def extra(self, viewer):
        return {'currentRound': self.round, 'maxRounds': 30, 'scores': self.idscores(), 'publicState': self.pub()}

    def top(self):
        return {'publicState': self.pub()}

    def grid(self):
        g = [['·'] * 17 for _ in range(17)]
        for s, a in enumerate(self.ag):
            if a['alive']:
                g[a['y']][a['x']] = '💫' if a['stunned'] else SEATS[s]
        return g


# ------------------------------------------------------------------ skill-gomoku

SK = {'uproot': ('Uproot', '力拔山兮', 2), 'stillwater': ('Stillwater', '静如止水', 1),
      'sandstorm': ('Sandstorm', '飞沙走石', 2), 'rewind': ('Rewind', '时光倒流', 3)}
SYM = '·⚫⚪'


def label(r, c):
    return 'ABCDEFGHIJKLMNO'[c] + str(r + 1)


def five(b, only=None):
    """Colours with five or more in a row anywhere."""
    out = set()
    for r in range(15):
        for c in range(15):
            v = b[r][c]
            if not v:
                continue
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                e, f = r + 4 * dr, c + 4 * dc
                if 0 <= e < 15 and 0 <= f < 15 and all(b[r + i * dr][c + i * dc] == v for i in range(1, 5)):
                    out.add(v)
    return out


def five_at(b, r, c):
    v = b[r][c]
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        n = 1
        for s in (1, -1):
            i = 1
            while 0 <= r + s * i * dr < 15 and 0 <= c + s * i * dc < 15 and b[r + s * i * dr][c + s * i * dc] == v:
                n += 1
                i += 1
        if n >= 5:
            return True
    return False


def arrangements(vals):
    """Distinct arrangements in lexicographic order."""
    cnt = [vals.count(0), vals.count(1), vals.count(2)]
    n = len(vals)
    cur = []

    def rec():
        if len(cur) == n:
            yield tuple(cur)
            return
        for v in (0, 1, 2):
            if cnt[v]:
                cnt[v] -= 1
                cur.append(v)
                yield from rec()
                cur.pop()
                cnt[v] += 1
    return rec()


class Gomoku(Base):
    game, maxRounds, simultaneous = 'skill-gomoku', 300, False

    def __init__(self, seats):
        super().__init__(seats)
        self.board = [[0] * 15 for _ in range(15)]
        self.energy = [3, 3]
        self.seals = []
        self.turn = 0
        self.lastMove = None
        self.lastSkill = None
        self.sand = [False, False]
        self.rew = [False, False]
        self.H = [([[0] * 15 for _ in range(15)], [])]
        self.uproots = []      # (count, index)
        self.wasSkill = False

    def owes(self, s):
        return not self.done and s == self.turn

    def quiet(self):
        out = []
        for q in self.seals:
            for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                r, c = q['row'] + dr, q['col'] + dc
                if 0 <= r < 15 and 0 <= c < 15:
                    e = {'row': r, 'col': c, 'owner': q['owner']}
                    if e not in out:
                        out.append(e)
        return out

    def sealed(self):
        return {(q['row'], q['col']) for q in self.seals}

    def can_place(self, s, r, c):
        return self.board[r][c] == 0 and not any(q['row'] == r and q['col'] == c and q['owner'] != s + 1 for q in self.quiet())

    def valid(self, s, mv):
        if self.done or s != self.turn:
            return False
        if mv.get('type') == 'place':
            r, c = mv.get('row'), mv.get('col')
            return isint(r) and isint(c) and 0 <= r < 15 and 0 <= c < 15 and self.can_place(s, r, c)
        if mv.get('type') != 'skill' or not isinstance(mv.get('skill'), str) or mv['skill'] not in SK:
            return False
        k = mv['skill']
        if self.energy[s] < SK[k][2]:
            return False
        if k == 'rewind':
            return self.round >= 5 and not self.rew[s]
        t = mv.get('target')
        if not isinstance(t, dict) or not isint(t.get('row')) or not isint(t.get('col')) or not (0 <= t['row'] < 15 and 0 <= t['col'] < 15):
            return False
        r, c = t['row'], t['col']
        if k == 'stillwater':
            return self.board[r][c] == s + 1 and (r, c) not in self.sealed()
        if k == 'sandstorm':
            return self.board[r][c] == 2 - s and (r, c) not in self.sealed() and not self.sand[s]
        return True

    def slots(self, r, c):
        sl = self.sealed()
        return [(y, x) for y in range(max(0, r - 1), min(14, r + 1) + 1) for x in range(max(0, c - 1), min(14, c + 1) + 1) if (y, x) not in sl]

    def uproot_list(self, r, c):
        sl = self.slots(r, c)
        now = tuple(self.board[y][x] for y, x in sl)
        out = []
        b = [row[:] for row in self.board]
        for a in arrangements(list(now)):
            if a == now:
                continue
            for (y, x), v in zip(sl, a):
                b[y][x] = v
            # a five that appears must pass through the area
            if any(b[y][x] and five_at(b, y, x) for y, x in sl):
                continue
            out.append(a)
        return sl, now, out

    def submit(self, s, mv, hint=None):
        """hint: for uproot, the board the server shows afterwards (None: pick with self.prng)."""
        m = self.round
        self.skill = None
        self.hint_ok = None
        nm = self.names[s]
        if mv['type'] == 'place':
            r, c = mv['row'], mv['col']
            self.board[r][c] = s + 1
            self.lastMove = {'row': r, 'col': c}
            self.lastSkill, self.wasSkill = None, False
            self.sand[s] = False
            self.actions = {s: 'Placed %s at %s' % (SYM[s + 1], label(r, c))}
        else:
            k = mv['skill']
            en, zh, cost = SK[k]
            self.energy[s] -= cost
            t = mv.get('target')
            aff = None
            if k == 'uproot':
                sl, now, lst = self.uproot_list(t['row'], t['col'])
                aff = []
                if lst:
                    if hint is not None:
                        got = tuple(hint[y][x] for y, x in sl)
                        self.hint_ok = got in lst
                        i = lst.index(got) if self.hint_ok else 0
                    else:
                        i = self.prng.rnd(len(lst))
                    self.uproots.append((len(lst), i))
                    for (y, x), o, v in zip(sl, now, lst[i]):
                        if o != v:
                            aff.append({'row': y, 'col': x, 'before': SYM[o], 'after': SYM[v]})
                        self.board[y][x] = v
            elif k == 'stillwater':
                self.seals.append({'row': t['row'], 'col': t['col'], 'owner': s + 1, 'expiresAtMove': m + 6})
            elif k == 'sandstorm':
                aff = [{'row': t['row'], 'col': t['col'], 'before': SYM[2 - s], 'after': '·'}]
                self.board[t['row']][t['col']] = 0
            else:
                b, se = self.H[m - 5]
                self.board = [row[:] for row in b]
                self.seals = [dict(q) for q in se if q['expiresAtMove'] > m]
                self.rew[s] = True
            self.sand[s] = k == 'sandstorm'
            self.lastMove, self.wasSkill = None, True
            at = '' if k == 'rewind' else ' at ' + label(t['row'], t['col'])
            self.lastSkill = {'skill': k, 'casterId': self.ids[s], 'target': t, 'description': '%s used %s (%s)%s!' % (nm, en, zh, at)}
            if aff is not None:
                self.lastSkill['affectedCells'] = aff
            self.skill = self.lastSkill
            self.actions = {s: 'Used ' + en + at}
        return self._after(s, mv)

    def _after(self, s, mv):
        m = self.round
        self.seals = [q for q in self.seals if q['expiresAtMove'] > m]
        self.H.append(([row[:] for row in self.board], [dict(q) for q in self.seals]))
        if m % 8 == 0:
            self.energy = [e + 1 for e in self.energy]
        over = False
        if mv and mv['type'] == 'place' and five_at(self.board, mv['row'], mv['col']):
            self.scores[s] = 1
            over = True
        elif mv and mv['type'] == 'place' and all(all(r) for r in self.board):
            over = True
        elif m == 300:
            over = True
        self.turn = 1 - s
        self.advance(over)
        return True

    def must_pass(self):
        if self.done:
            return False
        s = self.turn
        if self.energy[s] >= 2:
            return False
        if self.energy[s] == 1 and any(self.board[r][c] == s + 1 and (r, c) not in self.sealed() for r in range(15) for c in range(15)):
            return False
        return not any(self.can_place(s, r, c) for r in range(15) for c in range(15))

    def do_pass(self):
        s = self.turn
        self.lastMove, self.lastSkill, self.wasSkill, self.skill = None, None, False, None
        self.sand[s] = False
        self.actions = {s: 'Passed'}
        self._after(s, None)

    def extra(self, viewer):
        return {'board': [r[:] for r in self.board], 'energy': list(self.energy), 'currentPlayer': self.ids[self.turn],
                'sealedStones': [dict(q) for q in self.seals], 'quietZoneCells': self.quiet(), 'lastMove': self.lastMove,
                'lastSkillEffect': self.lastSkill, 'animationDurationMs': 3000 if self.wasSkill else 0}

    def grid(self):
        g = [[SYM[v] for v in r] for r in self.board]
        for q in self.quiet():
            if g[q['row']][q['col']] == '·':
                g[q['row']][q['col']] = '🚫'
        for q in self.seals:
            g[q['row']][q['col']] = '🔒' if q['owner'] == 1 else '🔐'
        return g


# ------------------------------------------------------------------ resource-rush

RES = {1: ('wood', 1, 1, '🌿'), 2: ('stone', 2, 2, '🪨'), 3: ('gold', 5, 5, '✨'), 4: ('food', 3, 3, '🫐')}
NSEW = {'north': (0, -1), 'south': (0, 1), 'east': (1, 0), 'west': (-1, 0)}


class Rush(Base):
    game, maxRounds = 'resource-rush', 500

    def __init__(self, seats, g):
        super().__init__(seats)
        self.g = [r[:] for r in g]
        self.pos = [(10, 10), (89, 89)]
        self.before = list(self.pos)
        self.res = [dict(wood=0, stone=0, gold=0, food=0) for _ in (0, 1)]
        self.thought = [None, None]
        self.mem = [{}, {}]

    def valid(self, s, mv):
        import json
        if 'memory' in mv:
            if not isinstance(mv['memory'], dict) or len(json.dumps(mv['memory'], separators=(',', ':'), ensure_ascii=False).encode()) > 10240:
                return False
        x, y = self.pos[s]
        a = mv.get('action')
        if a == 'wait':
            return True
        if a == 'harvest':
            return self.g[y][x] in RES
        if a == 'move':
            if not isinstance(mv.get('direction'), str) or mv['direction'] not in NSEW:
                return False
            dx, dy = NSEW[mv['direction']]
            return 0 <= x + dx < 100 and 0 <= y + dy < 100 and self.g[y + dy][x + dx] not in (5, 6)
        return False

    def sees(self, s, pos=None):
        p = pos or self.pos
        return max(abs(p[0][0] - p[1][0]), abs(p[0][1] - p[1][1])) <= 35

    def resolve(self):
        tick = self.round - 1
        self.before = list(self.pos)
        P = self.pending
        lose = None
        if all(P[s]['action'] == 'harvest' for s in (0, 1)) and self.pos[0] == self.pos[1]:
            lose = 1 - tick % 2
        for s in (0, 1):
            mv = P[s]
            if mv['action'] == 'move':
                dx, dy = NSEW[mv['direction']]
                self.pos[s] = (self.pos[s][0] + dx, self.pos[s][1] + dy)
                self.actions[s] = 'Moved ' + mv['direction']
            elif mv['action'] == 'wait' or s == lose:
                self.actions[s] = 'Waited'
            else:
                x, y = self.before[s]
                nm, k, w, em = RES[self.g[y][x]]
                self.res[s][nm] += k
                self.scores[s] += k * w
                self.actions[s] = 'Harvested ' + em
                self.took = (x, y)
            t = mv.get('thought')
            self.thought[s] = ''.join(list(t)[:100]) if isinstance(t, str) else None
            if 'memory' in mv:
                self.mem[s] = mv['memory']
        for s in (0, 1):
            if P[s]['action'] == 'harvest':
                x, y = self.before[s]
                self.g[y][x] = 0
        self.summary = 'Tick %d' % self.round
        self.advance(self.round == 500)

    def view(self, viewer):
        if viewer is None:
            return [r[:] for r in self.g]
        x, y = self.pos[viewer]
        return [[v if abs(i - x) <= 35 and abs(j - y) <= 35 else -1 for i, v in enumerate(r)] for j, r in enumerate(self.g)]

    def extra(self, viewer):
        vis = [s for s in (0, 1) if viewer is None or s == viewer or self.sees(viewer)]
        e = {'currentRound': self.round, 'maxRounds': 500, 'tick': self.round - 1, 'maxTicks': 500, 'mapSize': 100, 'grid': self.view(viewer),
             'playerPositions': {self.ids[s]: {'x': self.pos[s][0], 'y': self.pos[s][1]} for s in vis},
             'playerResources': {self.ids[s]: dict(self.res[s]) for s in (0, 1)},
             'playerThoughts': {self.ids[s]: self.thought[s] for s in (0, 1) if self.thought[s] and (viewer is None or viewer == s)},
             'scores': self.idscores()}
        if viewer is not None:
            e['memory'] = self.mem[viewer]
        return e

    def action(self, s, viewer):
        if viewer is None or viewer == s or self.sees(viewer):
            return self.actions[s]
        return 'Acted'


def selftest():
    p = Prng(1)
    assert [p.step() for _ in range(3)] == [995718018, 2953714646, 501788652]
    p = Prng(42)
    assert [p.step() for _ in range(3)] == [774534234, 1954645322, 3241413790]
    x = 123456789
    p = Prng(state=x)
    assert unstep(p.step()) == x
    for seed, c, h in ((1, [8424, 494, 276, 46, 198, 320, 240, 2], 0x1dbd23d3), (42, [8446, 498, 288, 46, 160, 320, 240, 2], 0xabd41657)):
        g = gen_map(seed)
        assert counts(g) == c, counts(g)
        assert fnv(g) == h, hex(fnv(g))
        ok, why, s = recover_map_state(g)
        assert ok and s == seed, (why, s)


if __name__ == '__main__':
    import time
    t = time.time()
    selftest()
    print('ok', time.time() - t)
