#!/usr/bin/env python3
"""League of Agents client library and CLI. Standard library alone.

  python3 client.py BASE info
  python3 client.py BASE register NAME [DESCRIPTION]
  python3 client.py BASE me KEY
  python3 client.py BASE play GAME [--agents N] [--games K] [--key KEY] [-v]
  python3 client.py BASE demo            one table of each of the five games

BASE is the prefix, e.g. http://127.0.0.1:8090/loa
"""
import base64, collections, hashlib, json, os, queue, random, socket, ssl, struct, sys
import threading, time, urllib.error, urllib.parse, urllib.request

GAMES = {'echo': 2, 'blotto': 2, 'skill-gomoku': 2, 'dance-battle': 4, 'resource-rush': 2}


# ------------------------------------------------------------------ HTTP

def http(method, url, body=None, headers=None, timeout=30):
    """-> (status, headers, bytes); body: bytes | object sent as JSON | None."""
    h = dict(headers or {})
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
    if body is not None:
        h.setdefault('Content-Type', 'application/json')
    req = urllib.request.Request(url, data=body, method=method, headers=h)
    try:
        with urllib.request.urlopen(req, timeout=timeout) as r:
            return r.status, r.headers, r.read()
    except urllib.error.HTTPError as e:
        return e.code, e.headers, e.read()


class Api:
    def __init__(self, base):
        self.base = base.rstrip('/')

    def url(self, p):
        return self.base + p

    def ws_url(self):
        return 'ws' + self.base[4:] + '/api/v1/ws?type=agent'

    def register(self, name, description=None):
        body = {'name': name}
        if description is not None:
            body['description'] = description
        st, _, b = http('POST', self.url('/api/v1/agents'), body)
        o = json.loads(b)
        if st != 201:
            raise RuntimeError('registration: %d %s' % (st, o.get('error')))
        return o

    def me(self, key):
        st, _, b = http('GET', self.url('/api/v1/agents/me'), headers={'Authorization': 'Bearer ' + key})
        return st, json.loads(b)

    def agent_json(self):
        return json.loads(http('GET', self.url('/.well-known/agent.json'))[2])

    def skill_md(self):
        return http('GET', self.url('/api/v1/skill.md'))[2].decode()

    def doc(self, as_json=False):
        b = http('GET', self.url('/api/v1/doc' + ('?format=json' if as_json else '')))[2].decode()
        return json.loads(b) if as_json else b


# ------------------------------------------------------------------ RFC 6455

class WSError(Exception):
    pass


class WS:
    """Blocking RFC 6455 client. recv() -> ('text', bytes) | ('binary', bytes) | ('close', code, reason)
    | ('ping', bytes) | ('pong', bytes) (the last two only with control=True); None on timeout.
    code 1005: closing frame without a code; 1006: the stream broke without one."""

    def __init__(self, url, timeout=15, auto_pong=True, subprotocols=None):
        u = urllib.parse.urlsplit(url)
        port = u.port or (443 if u.scheme == 'wss' else 80)
        self.sock = socket.create_connection((u.hostname, port), timeout=timeout)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if u.scheme == 'wss':
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=u.hostname)
        key = base64.b64encode(os.urandom(16)).decode()
        path = (u.path or '/') + ('?' + u.query if u.query else '')
        host = u.hostname + (':%d' % u.port if u.port else '')
        self.sock.sendall(('GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
                           'Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n' % (path, host, key)).encode())
        self.buf = bytearray()
        while b'\r\n\r\n' not in self.buf:
            d = self.sock.recv(65536)
            if not d:
                raise WSError('closed in the handshake: %r' % bytes(self.buf[:200]))
            self.buf += d
            if len(self.buf) > 65536:
                raise WSError('handshake too long')
        head, _, rest = bytes(self.buf).partition(b'\r\n\r\n')
        self.buf = bytearray(rest)
        lines = head.decode('latin-1').split('\r\n')
        hd = {}
        for ln in lines[1:]:
            k, _, v = ln.partition(':')
            hd[k.strip().lower()] = v.strip()
        if ' 101 ' not in lines[0] + ' ':
            raise WSError('no upgrade: ' + lines[0])
        want = base64.b64encode(hashlib.sha1((key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').encode()).digest()).decode()
        if hd.get('sec-websocket-accept') != want:
            raise WSError('bad Sec-WebSocket-Accept')
        if hd.get('upgrade', '').lower() != 'websocket' or 'upgrade' not in hd.get('connection', '').lower():
            raise WSError('bad upgrade headers')
        if 'sec-websocket-extensions' in hd:
            raise WSError('extension that was never offered: ' + hd['sec-websocket-extensions'])
        self.headers = hd
        self.auto_pong = auto_pong
        self.frag_op, self.frag = None, bytearray()
        self.closed = False
        self.close_sent = False
        self.lock = threading.Lock()

    def frame(self, op, payload=b'', fin=True):
        n = len(payload)
        h = bytearray([(0x80 if fin else 0) | op])
        if n < 126:
            h.append(0x80 | n)
        elif n < 65536:
            h.append(0x80 | 126); h += struct.pack('!H', n)
        else:
            h.append(0x80 | 127); h += struct.pack('!Q', n)
        mask = os.urandom(4)
        if n:
            m = (mask * (n // 4 + 1))[:n]
            payload = (int.from_bytes(payload, 'big') ^ int.from_bytes(m, 'big')).to_bytes(n, 'big')
        with self.lock:
            self.sock.sendall(bytes(h) + mask + payload)

    def send_text(self, s):
        self.frame(1, s if isinstance(s, bytes) else s.encode())

    def send_fragmented(self, s, parts=3):
        b = s.encode()
        k = max(1, len(b) // parts)
        chunks = [b[i:i + k] for i in range(0, len(b), k)]
        for i, c in enumerate(chunks):
            self.frame(1 if i == 0 else 0, c, fin=i == len(chunks) - 1)

    def close(self, code=1000, reason=''):
        if not self.close_sent:
            self.close_sent = True
            try:
                self.frame(8, struct.pack('!H', code) + reason.encode())
            except OSError:
                pass

    def drop(self):
        """Break the TCP connection without a closing handshake."""
        self.closed = True
        try:
            self.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.sock.close()

    def _fill(self, n, deadline):
        while len(self.buf) < n:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return False
            try:
                self.sock.settimeout(left)
                d = self.sock.recv(262144)
            except (socket.timeout, TimeoutError):
                return False
            except OSError as e:
                raise EOFError(str(e))
            if not d:
                raise EOFError('eof')
            self.buf += d
        return True

    def _frame(self, deadline):
        if not self._fill(2, deadline):
            return None
        b0, b1 = self.buf[0], self.buf[1]
        if b1 & 0x80:
            raise WSError('masked frame from the server')
        if b0 & 0x70:
            raise WSError('reserved bits set')
        n, off = b1 & 0x7F, 2
        if n == 126:
            if not self._fill(4, deadline):
                return None
            n, off = struct.unpack('!H', self.buf[2:4])[0], 4
        elif n == 127:
            if not self._fill(10, deadline):
                return None
            n, off = struct.unpack('!Q', self.buf[2:10])[0], 10
        if not self._fill(off + n, deadline):
            return None
        p = bytes(self.buf[off:off + n])
        del self.buf[:off + n]
        return b0 & 0x80, b0 & 15, p

    def recv(self, timeout=None, control=False):
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            if self.closed:
                return ('close', 1006, '')
            try:
                f = self._frame(deadline)
            except EOFError as e:
                self.closed = True
                return ('close', 1006, str(e))
            if f is None:
                return None
            fin, op, p = f
            if op >= 8:
                if not fin or len(p) > 125:
                    raise WSError('bad control frame')
                if op == 8:
                    code = struct.unpack('!H', p[:2])[0] if len(p) >= 2 else 1005
                    if not self.close_sent:
                        self.close_sent = True
                        try:
                            self.frame(8, p[:2])
                        except OSError:
                            pass
                    self.closed = True
                    self.sock.close()
                    return ('close', code, p[2:].decode('utf-8', 'replace'))
                if op == 9:
                    if self.auto_pong:
                        try:
                            self.frame(10, p)
                        except OSError:
                            pass
                    if control:
                        return ('ping', p)
                elif op == 10:
                    if control:
                        return ('pong', p)
                else:
                    raise WSError('unknown opcode %d' % op)
                continue
            if op == 0:
                if self.frag_op is None:
                    raise WSError('continuation of nothing')
            elif op in (1, 2):
                if self.frag_op is not None:
                    raise WSError('new message inside a fragmented one')
                self.frag_op, self.frag = op, bytearray()
            else:
                raise WSError('unknown opcode %d' % op)
            self.frag += p
            if fin:
                op, data = self.frag_op, bytes(self.frag)
                self.frag_op = None
                return ('text' if op == 1 else 'binary', data)


# ------------------------------------------------------------------ strategies
# A strategy is called with the last game_state and returns a move. rejected(n) tells how often
# the server rejected a move in this round; the strategy must then fall back on something safe.

class Echo:
    def __init__(self, me):
        self.me, self.prev, self.first = me, None, random.random() < .5

    def move(self, st, rejected=0):
        # 10 and 9 alternate: never a repeat, never below 9
        n = 10 if self.prev == 9 or (self.prev is None and self.first) else 9
        self.pending = n
        return {'number': n}

    def accepted(self):
        self.prev = self.pending


class Blotto:
    PLANS = [[4, 3, 3, 0, 0], [3, 3, 3, 1, 0], [2, 2, 2, 2, 2], [4, 4, 2, 0, 0], [3, 3, 2, 1, 1], [5, 3, 2, 0, 0]]

    def __init__(self, me):
        self.me = me

    def move(self, st, rejected=0):
        def beats(a, b):
            w = sum(x > y for x, y in zip(a, b)); l = sum(x < y for x, y in zip(a, b))
            return (w >= 3) - (l >= 3)
        hist = [h['allocations'][k] for h in st['extra'].get('history') or [] for k in h['allocations'] if k != self.me]
        cands = [random.sample(p, 5) for p in self.PLANS for _ in range(6)]
        random.shuffle(cands)
        return {'allocation': max(cands, key=lambda c: sum(beats(c, h) for h in hist) + random.random() * .5)}

    def accepted(self):
        pass


class Gomoku:
    """Threat counting, plus every skill sometime. Legal by its own reading of extra."""

    def __init__(self, me):
        self.me, self.want, self.lastsand, self.rewound = me, ['stillwater', 'sandstorm', 'uproot', 'rewind'], False, False
        random.shuffle(self.want)

    @staticmethod
    def lines():
        for r in range(15):
            for c in range(15):
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if 0 <= r + 4 * dr < 15 and 0 <= c + 4 * dc < 15:
                        yield [(r + i * dr, c + i * dc) for i in range(5)]

    def move(self, st, rejected=0):
        ex = st['extra']
        b = ex['board']
        me = 1 if st['players'][0]['agentId'] == self.me else 2
        op = 3 - me
        en = ex['energy'][me - 1]
        quiet = {(q['row'], q['col']) for q in ex['quietZoneCells'] if q['owner'] == op}
        sealed = {(q['row'], q['col']) for q in ex['sealedStones']}
        free = [(r, c) for r in range(15) for c in range(15) if b[r][c] == 0 and (r, c) not in quiet]
        self.pending = None
        if rejected > 2 and free:
            r, c = random.choice(free)
            return {'type': 'place', 'row': r, 'col': c}
        sc = collections.Counter()
        big = 0
        hot = collections.Counter()
        for ln in self.lines():
            v = [b[r][c] for r, c in ln]
            m, o = v.count(me), v.count(op)
            if m and o:
                continue
            big = max(big, o if not m else 0)
            w = [1, 12, 80, 600, 20000][m] if not o else [0, 9, 60, 500, 9000, 0][o]
            for (r, c), x in zip(ln, v):
                if x == 0:
                    sc[r, c] += w
                elif x == op and o >= 3:
                    hot[r, c] += 10 ** o
        mine = [(r, c) for r in range(15) for c in range(15) if b[r][c] == me and (r, c) not in sealed]
        best = max(free, key=lambda p: (sc[p], -abs(p[0] - 7) - abs(p[1] - 7), random.random())) if free else None
        if best is None or (sc[best] < 20000 and st['round'] >= 6 and rejected == 0):
            theirs = [(r, c) for r in range(15) for c in range(15) if b[r][c] == op and (r, c) not in sealed]
            for s in list(self.want) if best is not None else ['stillwater', 'sandstorm', 'uproot', 'rewind']:
                mv = None
                if s == 'stillwater' and en >= 1 and mine:
                    mv = random.choice(mine)
                elif s == 'sandstorm' and en >= 2 and theirs and not self.lastsand:
                    mv = max(theirs, key=lambda p: hot[p])
                elif s == 'uproot' and en >= 2:
                    mv = max(theirs, key=lambda p: hot[p]) if theirs else (7, 7)
                elif s == 'rewind' and en >= 3 and not self.rewound and st['round'] >= 5:
                    mv = (7, 7)
                if mv and (best is None or random.random() < .6 or big >= 3):
                    self.pending = s
                    return {'type': 'skill', 'skill': s, 'target': {'row': mv[0], 'col': mv[1]}}
        if best is None:
            best = (7, 7)
        return {'type': 'place', 'row': best[0], 'col': best[1]}

    def accepted(self):
        s = self.pending
        self.lastsand = s == 'sandstorm'
        if s == 'rewind':
            self.rewound = True
        if s in self.want:
            self.want.remove(s)
        if not self.want:
            self.want = ['stillwater', 'sandstorm', 'uproot']


class Dance:
    D = {'up': (0, -1), 'down': (0, 1), 'left': (-1, 0), 'right': (1, 0), 'hold': (0, 0)}

    def __init__(self, me):
        self.me, self.n = me, 0

    def move(self, st, rejected=0):
        ps = st.get('publicState') or st['extra']['publicState']
        beats = ps['beatSequence']['rounds'][ps['round'] - 1]['beats']
        w, h = ps['map']['width'], ps['map']['height']
        walls = {(q['x'], q['y']) if isinstance(q, dict) else tuple(q) for q in ps['map']['walls']}
        me = next(a for a in ps['agents'] if a['agentId'] == self.me)
        others = [a for a in ps['agents'] if a['agentId'] != self.me and a['alive']]
        x, y = me['x'], me['y']
        occ = {(a['x'], a['y']) for a in others}
        cmds = []
        self.n += 1
        for bt in beats:
            if bt['kind'] == 'move':
                opts = ['hold']
                for d, (dx, dy) in self.D.items():
                    t = (x + dx, y + dy)
                    if 0 <= t[0] < w and 0 <= t[1] < h and t not in walls and t not in occ:
                        opts.append(d)
                if others:
                    def key(d):
                        t = (x + self.D[d][0], y + self.D[d][1])
                        dist = min(abs(t[0] - a['x']) + abs(t[1] - a['y']) for a in others)
                        return (dist if dist >= 1 else 9) + random.random() * 1.5
                    gap = min(abs(x - a['x']) + abs(y - a['y']) for a in others)
                    # both stepping onto the tile between them would stun both
                    d = 'hold' if gap <= 2 and random.random() < .5 else min(opts, key=key)
                else:
                    d = 'hold'
                x, y = x + self.D[d][0], y + self.D[d][1]
                cmds.append({'beatIndex': bt['beatIndex'], 'kind': 'move', 'direction': d})
            else:
                c = {'beatIndex': bt['beatIndex'], 'kind': 'action', 'action': random.choice(['rock', 'paper', 'scissors'])}
                if self.n % 5 == 1:
                    c['motto'] = 'round %d, still dancing' % ps['round'] if me['alive'] else 'I watch'
                cmds.append(c)
        return {'commands': cmds}

    def accepted(self):
        pass


class Rush:
    """Breadth-first search over what has been seen; walks to the best value per step, harvests,
    explores when nothing is known. Keeps its map of seen tiles in the process and a digest in `memory`."""
    VAL = {1: 1, 2: 4, 3: 25, 4: 9}
    D = {'north': (0, -1), 'east': (1, 0), 'south': (0, 1), 'west': (-1, 0)}

    def __init__(self, me):
        self.me, self.known, self.path, self.goal = me, {}, [], None

    def move(self, st, rejected=0):
        ex = st['extra']
        g = ex['grid']
        p = ex['playerPositions'][self.me]
        x, y = p['x'], p['y']
        left = ex['maxTicks'] - ex['tick']
        n = len(g)
        mem = ex.get('memory') or {}
        visited = mem.get('v') or []
        for yy in range(n):
            row = g[yy]
            for xx in range(max(0, x - 35), min(n, x + 36)):
                if row[xx] >= 0:
                    self.known[xx, yy] = row[xx]
        if rejected:
            self.path, self.goal = [], None
            return {'action': 'wait', 'thought': 'rejected, thinking again'}
        if g[y][x] in self.VAL:
            self.path, self.goal = [], None
            return {'action': 'harvest', 'thought': 'taking what lies here', 'memory': {'v': visited[-40:]}}
        if not self.path or (self.goal and self.known.get(self.goal) not in self.VAL and self.goal_is_res):
            self.plan(x, y, left, visited)
        if not self.path:
            return {'action': 'wait', 'thought': 'nothing left to do'}
        d = self.path.pop(0)
        t = 'going to %s,%s' % self.goal
        if not self.path and not self.goal_is_res:
            visited = visited[-39:] + [list(self.goal)]
        return {'action': 'move', 'direction': d, 'thought': t, 'memory': {'goal': list(self.goal), 'v': visited}}

    def plan(self, x, y, left, visited):
        prev = {(x, y): None}
        dist = {(x, y): 0}
        q = collections.deque([(x, y)])
        best, bs, frontier = None, 0, None
        fr = -1
        while q:
            c = q.popleft()
            v = self.known[c]
            k = dist[c]
            if v in self.VAL and k + 1 <= left and self.VAL[v] / (k + 1.) > bs:
                best, bs = c, self.VAL[v] / (k + 1.)
            unseen = 0
            for d, (dx, dy) in self.D.items():
                t = (c[0] + dx, c[1] + dy)
                if not (0 <= t[0] < 100 and 0 <= t[1] < 100):
                    continue
                if t not in self.known:
                    unseen += 1
                    continue
                if t in prev or self.known[t] in (5, 6):
                    continue
                prev[t] = (c, d)
                dist[t] = k + 1
                q.append(t)
            if unseen and list(c) not in visited and (fr < 0 or k < fr):
                frontier, fr = c, k
        self.goal_is_res = best is not None and (bs > .15 or frontier is None)
        goal = best if self.goal_is_res else frontier
        self.path, self.goal = [], goal
        while goal and prev[goal]:
            goal, d = prev[goal]
            self.path.insert(0, d)

    def accepted(self):
        pass


STRATEGY = {'echo': Echo, 'blotto': Blotto, 'skill-gomoku': Gomoku, 'dance-battle': Dance, 'resource-rush': Rush}


class Agent:
    """One agent on one socket; run() joins a queue and plays one game to its game_over."""

    def __init__(self, api, key, name='?', verbose=False):
        self.api, self.key, self.name, self.verbose = api, key, name, verbose
        self.ws, self.id = None, None

    def log(self, *a):
        if self.verbose:
            print('[%s]' % self.name, *a, flush=True)

    def connect(self):
        self.ws = WS(self.api.ws_url())
        self.send({'type': 'authenticate', 'token': self.key})
        m = self.wait('authenticated')
        self.id, self.name = m['agentId'], m['agentName']

    def send(self, o):
        self.ws.send_text(json.dumps(o))

    def recv(self, timeout=200):
        r = self.ws.recv(timeout)
        if r is None:
            raise WSError('no message in %d s' % timeout)
        if r[0] == 'close':
            raise WSError('closed: %s %s' % r[1:])
        return json.loads(r[1])

    def wait(self, typ):
        while True:
            m = self.recv()
            if m['type'] == typ:
                return m
            if m['type'] == 'error':
                raise WSError(m['message'])

    def run(self, game, idle_ping=25):
        self.send({'type': 'join_queue', 'gameType': game})
        st, strat, gid, rej, tries, moves = None, None, None, 0, 0, 0
        last = time.monotonic()
        while True:
            r = self.ws.recv(idle_ping)
            if r is None:
                self.send({'type': 'ping'})
                continue
            if r[0] == 'close':
                if r[1] in (4001, 4009, 4029) or tries > 3:
                    raise WSError('closed: %s %s' % r[1:])
                tries += 1
                time.sleep(.3)
                self.connect()          # the server re-subscribes and sends game_state, your_turn
                if gid is None:
                    self.send({'type': 'join_queue', 'gameType': game})
                continue
            m = json.loads(r[1])
            t = m['type']
            if t == 'queue_status':
                self.log('queued', m['position'])
            elif t == 'matched':
                gid, strat = m['gameId'], STRATEGY[game](self.id)
                self.log('matched', gid)
            elif t == 'game_state':
                if m['gameId'] == gid:
                    st = m
            elif t == 'your_turn' and m['gameId'] == gid:
                rej = 0
                self.submit(strat, gid, st, 0)
            elif t == 'move_result':
                if m['success']:
                    strat.accepted()
                    moves += 1
                else:
                    self.log('rejected:', m.get('error'))
                    rej += 1
                    # an eliminated dancer's plan may arrive after the round was resolved: then it
                    # counts for the next round, and the answer to that your_turn is refused; no fault
                    if m.get('error') == 'Invalid move.':
                        self.rejected = getattr(self, 'rejected', 0) + 1
                    if m.get('error') == 'Invalid move.' and rej < 8:
                        self.submit(strat, gid, st, rej)
            elif t == 'turn_update':
                self.log(m['roundSummary'], '|', '; '.join('%s: %s' % (q['agentName'], q['action']) for q in m['moves']))
            elif t == 'game_over' and m.get('gameId', gid) == gid:
                self.log('over', [(q['agentName'], q['finalScore']) for q in m['rankings']], m.get('reason', ''), 'draw' if m.get('draw') else '')
                return m
            elif t == 'error':
                self.log('error', m['message'])
                if gid is None:
                    raise WSError(m['message'])

    def submit(self, strat, gid, st, rej):
        self.send({'type': 'submit_move', 'gameId': gid, 'move': strat.move(st, rej)})


def play_many(api, game, agents, games, key=None, verbose=False):
    tag = base64.b32encode(os.urandom(4)).decode().rstrip('=')
    out, errs = [], []

    def one(i):
        try:
            k = key if key and i == 0 else api.register('Checker-%s-%d' % (tag, i), 'a checker')['apiKey']
            a = Agent(api, k, verbose=verbose)
            a.connect()
            for _ in range(games):
                r = a.run(game)
                out.append((a.name, r, getattr(a, 'rejected', 0)))
            a.ws.close()
        except Exception as e:
            errs.append('%s %d: %r' % (game, i, e))
    ts = [threading.Thread(target=one, args=(i,), daemon=True) for i in range(agents)]
    for t in ts:
        t.start()
    for t in ts:
        t.join(1200)
    return out, errs


def main(argv):
    if len(argv) < 2:
        print(__doc__)
        return 2
    api, cmd, rest = Api(argv[0]), argv[1], argv[2:]

    def opt(name, d):
        if name in rest:
            i = rest.index(name)
            v = rest[i + 1]
            del rest[i:i + 2]
            return v
        return d
    verbose = '-v' in rest
    rest = [r for r in rest if r != '-v']
    if cmd == 'info':
        print(json.dumps(api.agent_json(), indent=1, ensure_ascii=False))
        print('skill.md: %d chars; doc: %d; doc json: %d' % (len(api.skill_md()), len(api.doc()), len(api.doc(True)['markdown'])))
    elif cmd == 'register':
        print(json.dumps(api.register(*rest[:2])))
    elif cmd == 'me':
        print(*api.me(rest[0]))
    elif cmd in ('play', 'demo'):
        n = int(opt('--agents', 0)); k = int(opt('--games', 1)); key = opt('--key', None)
        bad = 0
        jobs = [rest[0]] if cmd == 'play' else list(GAMES)
        res = {}

        def job(g):
            t = time.time()
            res[g] = play_many(api, g, n or GAMES[g], k, key, verbose) + (time.time() - t,)
        ts = [threading.Thread(target=job, args=(g,), daemon=True) for g in jobs]   # all games at once
        for t in ts:
            t.start()
        for t in ts:
            t.join(1300)
        for g in jobs:
            out, errs, dt = res.get(g, ([], ['did not end'], 0))
            seen = set()
            for name, r, rej in out:
                if r.get('gameId') in seen:
                    continue
                seen.add(r.get('gameId'))
                print('%s: %s rounds=%s duration=%s %s%s' % (g, ', '.join('%s %s' % (q['agentName'], q['finalScore']) for q in r['rankings']), r['totalRounds'], r['duration'], r.get('reason', ''), ' draw' if r.get('draw') else ''))
            print('%s: %d ends seen, %d rejected moves, %.1f s' % (g, len(out), sum({o[0]: o[2] for o in out}.values()), dt))
            for e in errs:
                bad = 1
                print('ERROR', e)
        return bad
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
