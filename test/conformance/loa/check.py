#!/usr/bin/env python3
"""Strict checker of a League of Agents host.
  python3 check.py BASE [--first S --move S] [--slow] [--very-slow] [--only NAME[,NAME]] [--list] [-v]
BASE: e.g. http://127.0.0.1:8090/loa . --first/--move: the clocks the host was started with
(the timeout scenario runs only with them). --only: scenario names or prefixes of them.
Assumes that no other agent uses the host's queues meanwhile. Exit 1 on failures."""
import argparse, collections, json, os, queue, random, re, signal, sys, threading, time, traceback
import client, models
from client import WS, WSError, http

WAIT = 30
R = collections.OrderedDict()          # check name -> [passes, fails, details]
NOTES = collections.OrderedDict()
SKIPS = []
ARGS = None
CUR = ['']


def ck(name, cond, detail=''):
    e = R.setdefault(name, [0, 0, []])
    if cond:
        e[0] += 1
    else:
        e[1] += 1
        if len(e[2]) < 2:
            e[2].append(detail if isinstance(detail, str) else json.dumps(detail, ensure_ascii=False))
        if ARGS and ARGS.verbose:
            print('  FAIL now: %s: %s' % (name, str(detail)[:600]), flush=True)
    return cond


def note(text):
    NOTES[text] = NOTES.get(text, 0) + 1


class Broken(Exception):
    pass


# ------------------------------------------------------------------ comparison

class Opt:
    """The field may be absent; if present it must match."""
    def __init__(self, exp):
        self.exp = exp


class Absent:
    """The field must not be there (null or false is only noted)."""


class Bag:
    """A list in any order; key makes elements comparable."""
    def __init__(self, items, key):
        self.items, self.key = items, key


def INT(v):
    return models.isint(v) or (isinstance(v, float) and v == int(v))


def NONNEG(v):
    return INT(v) and v >= 0


def STR(v):
    return isinstance(v, str)


def NESTR(v):
    return isinstance(v, str) and v != ''


def ANY(v):
    return True


def cmp(exp, act, path, errs, ctx):
    if isinstance(exp, Opt):
        exp = exp.exp
    if callable(exp) and not isinstance(exp, type):
        if not exp(act):
            errs.append((path, 'value %s does not satisfy %s' % (short(act), exp.__name__)))
        return
    if isinstance(exp, Bag):
        if not isinstance(act, list) or len(act) != len(exp.items):
            errs.append((path, 'expected %d entries %s, got %s' % (len(exp.items), short(exp.items), short(act))))
            return
        try:
            a, b = sorted(exp.items, key=exp.key), sorted(act, key=exp.key)
        except Exception as e:
            errs.append((path, 'entries not comparable (%r): %s' % (e, short(act))))
            return
        for x, y in zip(a, b):
            cmp(x, y, path + '[]', errs, ctx)
        return
    if isinstance(exp, dict):
        if not isinstance(act, dict):
            errs.append((path, 'expected an object, got ' + short(act)))
            return
        for k, v in exp.items():
            p = path + '.' + k if path else k
            if v is Absent:
                if k in act:
                    if act[k] is None or act[k] is False:
                        note('field %s.%s is sent as %s where the document leaves it out' % (ctx, p, act[k]))
                    else:
                        errs.append((p, 'must be absent, got ' + short(act[k])))
            elif k not in act:
                if not isinstance(v, Opt):
                    errs.append((p, 'missing; expected ' + short(v)))
            else:
                cmp(v, act[k], p, errs, ctx)
        for k in act:
            if k not in exp:
                pp = re.sub(r'[0-9a-f]{8}-[0-9a-f-]{27}', '<id>', path)
                note('additional field in %s: %s' % (ctx, (pp + '.' if pp else '') + k))
        return
    if isinstance(exp, list):
        if len(exp) > 50 and exp == act:
            return
        if not isinstance(act, list) or len(act) != len(exp):
            errs.append((path, 'expected list %s, got %s' % (short(exp), short(act))))
            return
        for i, (x, y) in enumerate(zip(exp, act)):
            cmp(x, y, '%s[%d]' % (path, i), errs, ctx)
            if len(errs) > 8:
                return
        return
    ok = exp == act and isinstance(exp, bool) == isinstance(act, bool)
    if not ok:
        errs.append((path, 'expected %s, got %s' % (short(exp), short(act))))


def short(v, n=300):
    try:
        s = json.dumps(v, ensure_ascii=False)
    except TypeError:
        s = str(getattr(v, '__name__', v))
    return s if len(s) <= n else s[:n] + '…'


def match(name, exp, act, depth=2, raw=None):
    """Records one check per field (to the given depth) of exp."""
    errs = []
    cmp(exp, act, '', errs, name)

    def names(e, pre, d):
        out = []
        if isinstance(e, dict) and d > 0:
            for k, v in e.items():
                if isinstance(v, Opt):
                    v = v.exp
                if isinstance(v, dict) and d > 1 and k in ('extra', 'publicState', 'matchResult', 'lastRound'):
                    out += names(v, pre + k + '.', d - 1)
                else:
                    out.append(pre + k)
        return out
    ns = names(exp, '', depth)
    hit = {}
    for p, msg in errs:
        best = max((n for n in ns if p == n or p.startswith(n + '.') or p.startswith(n + '[')), key=len, default=None)
        hit.setdefault(best or p.split('.')[0], []).append('%s: %s' % (p, msg))
    for n in ns:
        ck('%s.%s' % (name, n), n not in hit, '; '.join(hit.get(n, [])[:4]) + '\n      received: ' + short(act, 900) if n in hit else '')
    for n in hit:
        if n not in ns:
            ck('%s.%s' % (name, n), False, '; '.join(hit[n][:4]) + '\n      received: ' + short(act, 900))
    return not errs


# ------------------------------------------------------------------ connections and agents

UUID = re.compile(r'^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', re.I)
ISO = re.compile(r'^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$')
API = None
CONNS = []
TAG = ''.join(random.choice('abcdefghjkmnpqrstuvwxyz23456789') for _ in range(5))
CNT = [0]


class Conn:
    def __init__(self, label, auto_pong=True, query='?type=agent'):
        self.label, self.log, self.q, self.back = label, [], queue.Queue(), []
        self.ws = WS(API.base.replace('http', 'ws', 1) + '/api/v1/ws' + query, auto_pong=auto_pong)
        self.closed = None                  # (code, reason, time)
        self.pongs, self.pings = [], []
        self.seen = []                      # compact: (type, aux)
        self.own = None
        self.t0 = time.monotonic()
        CONNS.append(self)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while True:
            try:
                r = self.ws.recv(None, control=True)
            except WSError as e:
                self.q.put((time.monotonic(), 'bad', str(e)))
                ck('rfc6455: frames from the server are well-formed', False, str(e))
                return
            except Exception as e:
                r = ('close', 1006, repr(e))
            t = time.monotonic()
            if r[0] == 'text':
                try:
                    o = json.loads(r[1].decode('utf-8'))
                except ValueError:
                    ck('server frames are JSON text', False, repr(r[1][:200]))
                    o = {'type': '<not json>'}
                if not isinstance(o, dict) or not isinstance(o.get('type'), str) or ('data' in o and o['type'] != 'x'):
                    ck('§1 server messages are flat objects with a type', False, short(o))
                    o = o if isinstance(o, dict) and isinstance(o.get('type'), str) else {'type': '<bad>'}
                self.log.append((t, '<', r[1][:700].decode('utf-8', 'replace')))
                self.q.put((t, 'msg', o))
            elif r[0] == 'close':
                self.closed = (r[1], r[2], t)
                self.log.append((t, '<', 'CLOSE %s %r' % r[1:]))
                self.q.put((t, 'close', r[1:]))
                return
            elif r[0] == 'ping':
                self.pings.append(t)
            elif r[0] == 'pong':
                self.q.put((t, 'wspong', r[1]))
            else:
                ck('server sends text frames only', False, repr(r[1][:100]))

    def tail(self, n=8):
        return 'transcript of %s:\n' % self.label + '\n'.join('      %7.3f %s %s' % (t - self.t0, d, s[:360]) for t, d, s in self.log[-n:])

    def raw(self, data):
        self.log.append((time.monotonic(), '>', data if isinstance(data, str) else repr(data[:200])))
        try:
            self.ws.send_text(data)
        except OSError:
            pass

    def send(self, **o):
        self.raw(json.dumps(o, ensure_ascii=False, separators=(',', ':')))

    def nxt(self, timeout=None, what='a message', pong=False, eat_close=False):
        """Next message; unsolicited pongs are set aside unless pong=True."""
        timeout = WAIT if timeout is None else timeout
        if self.back:
            return self.back.pop(0)
        end = time.monotonic() + timeout
        while True:
            try:
                t, k, o = self.q.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise Broken('%s: no %s within %d s\n      %s' % (self.label, what, timeout, self.tail()))
            self.last_t = t
            if k == 'msg':
                if o['type'] == 'pong' and not pong:
                    self.pongs.append(t)
                    continue
                self.note_seen(o)
                return o
            if k == 'close':
                if eat_close:
                    return None
                raise Broken('%s: closed %s while waiting for %s\n      %s' % (self.label, o, what, self.tail()))
            if k == 'bad':
                raise Broken('%s: %s' % (self.label, o))

    def note_seen(self, o):
        ty = o['type']
        if ty not in ('pong', 'error', 'queue_status'):
            self.seen.append((ty, o.get('success') if ty == 'move_result' else o.get('status') if ty == 'game_state' else o.get('agentId') if ty == 'thinking' else o.get('reason') if ty == 'game_over' else None))

    def unget(self, o):
        self.back.append(o)

    def get(self, typ, name, exp, timeout=None, depth=2):
        o = self.nxt(timeout, what=typ)
        if not ck('%s: %s arrives in order' % (CUR[0], typ), o['type'] == typ, 'expected %s, got %s\n      %s' % (typ, short(o), self.tail())):
            raise Broken('%s: expected %s, got %s' % (self.label, typ, o['type']))
        match(name, exp, o, depth)
        return o

    def error(self, text, name):
        o = self.nxt(what='error ' + text)
        return ck(name, o['type'] == 'error' and o.get('message') == text and isinstance(o.get('message'), str),
                  'expected error %r, got %s\n      %s' % (text, short(o), self.tail(4)))

    def wait_close(self, code, name, reason=None, timeout=15):
        end = time.monotonic() + timeout
        while time.monotonic() < end and not self.closed:
            time.sleep(.02)
        c = self.closed
        ck(name, bool(c) and c[0] == code, 'close: %s\n      %s' % (c, self.tail(4)))
        if reason is not None:
            ck(name + ' (reason text)', bool(c) and c[1] == reason, 'close: %s' % (c,))

    def barrier(self, name='no unexpected messages'):
        """A ping answered by its pong with nothing in between."""
        self.send(type='ping')
        while True:
            o = self.nxt(what='pong', pong=True)
            if o['type'] == 'pong':
                ck('§3 pong has timestamp (Unix ms)', INT(o.get('timestamp')) and abs(o['timestamp'] / 1000 - time.time()) < 120, short(o))
                return ck('%s: %s' % (CUR[0], name), True)
            ck('%s: %s' % (CUR[0], name), False, 'unexpected %s\n      %s' % (short(o), self.tail()))

    def close(self):
        self.ws.close()
        end = time.monotonic() + 3
        while not self.closed and time.monotonic() < end:
            time.sleep(.01)
        if not self.closed:
            self.ws.drop()


class Agent:
    def __init__(self, name=None):
        CNT[0] += 1
        o = API.register(name or 'Chk %s-%d' % (TAG, CNT[0]))
        self.id, self.key, self.name = o['agentId'], o['apiKey'], o['name']
        self.c = None

    def connect(self, sub=None):
        self.c = Conn(self.name)
        if sub:
            self.c.send(type='subscribe_game', gameId=sub)
            self.c.nxt(what='game_state')
        self.c.own = self.id
        self.c.send(type='authenticate', token=self.key)
        self.c.get('authenticated', '§3 authenticated', {'type': 'authenticated', 'agentId': self.id, 'agentName': self.name})
        return self


def agents(n):
    return [Agent().connect() for _ in range(n)]


def join(a, game, pos):
    """pos None: completes the table, no queue_status."""
    a.c.send(type='join_queue', gameType=game)
    if pos is not None:
        a.c.get('queue_status', '§3 queue_status', {'type': 'queue_status', 'status': 'queued', 'position': pos, 'gameType': game})


# ------------------------------------------------------------------ tables

class Table:
    def __init__(self, game, players=None, spectators=1):
        self.game = game
        need = client.GAMES[game]
        pl = players or agents(need)
        for i, a in enumerate(pl):
            join(a, game, i + 1 if i < need - 1 else None)
        gid, first = None, {}
        for a in pl:
            m = a.c.get('matched', '§3 matched', {'type': 'matched', 'gameId': lambda v: NESTR(v) and (gid is None or v == gid), 'gameType': game})
            gid = m['gameId']
            s = a.c.nxt(what='game_state')
            if not ck('§4.1 matched is followed at once by game_state (%s)' % game, s['type'] == 'game_state', short(s)):
                raise Broken('no game_state after matched')
            first[a.id] = s
        self.t0 = time.monotonic()
        self.gid = gid
        order = [p['agentId'] for p in first[pl[0].id]['players']]
        ck('%s: players[] holds the seated agents' % game, sorted(order) == sorted(a.id for a in pl), short(order))
        self.pl = sorted(pl, key=lambda a: order.index(a.id))
        self.seats = [(a.id, a.name) for a in self.pl]
        self.specs = []
        self.model = None
        self.expect_spec = 0
        raws = []
        for _ in range(spectators):
            c = Conn('spectator')
            c.send(type='subscribe_game', gameId=gid)
            o = c.nxt(what='game_state')
            if not ck('§4.5 subscribe_game without login answers with game_state', o['type'] == 'game_state', short(o)):
                raise Broken('no game_state for a spectator')
            raws.append(o)
            self.specs.append(c)
        cls = {'echo': models.Echo, 'blotto': models.Blotto, 'dance-battle': models.Dance, 'skill-gomoku': models.Gomoku}.get(game)
        if cls:
            self.model = cls(self.seats)
        else:
            self.model = models.Rush(self.seats, raws[0]['extra']['grid'])
        self.map0 = raws[0]['extra'].get('grid') if game == 'resource-rush' and raws else None
        for s, a in enumerate(self.pl):
            self.check_state(first[a.id], s)
        for c, o in zip(self.specs, raws):
            self.check_state(o, None)
            c.barrier('a spectator gets one game_state and no your_turn')
        for s, a in enumerate(self.pl):
            if self.model.gets_turn(s):
                self.your_turn(s)

    def everyone(self):
        return [(a.c, s) for s, a in enumerate(self.pl) if a.c and not a.c.closed] + [(c, None) for c in self.specs]

    # -- expectations
    def state(self, viewer):
        m = self.model
        ex = m.extra(viewer)
        if self.game == 'skill-gomoku':
            ex = self.gextra(ex)
        if self.game == 'dance-battle':
            ex['publicState'] = self.pubx(ex['publicState'])
        if self.game == 'resource-rush' and m.done:
            pass
        e = {'type': 'game_state', 'gameId': self.gid, 'gameType': self.game, 'status': 'completed' if m.done else 'active',
             'round': m.round, 'maxRounds': m.maxRounds,
             'players': [{'agentId': i, 'agentName': n, 'score': m.scores[s], 'thinking': m.owes(s)} for s, (i, n) in enumerate(self.seats)],
             'grid': m.grid(), 'extra': ex, 'spectatorCount': NONNEG}
        if self.game == 'dance-battle':
            e['publicState'] = ex['publicState']
        if self.game == 'resource-rush':
            want = ex['playerThoughts']
            ids = {self.seats[s][0] for s in ((0, 1) if viewer is None else (viewer,))}

            def playerThoughts(v):
                return isinstance(v, dict) and {k: t for k, t in v.items() if t} == want and set(v) <= ids
            playerThoughts.__name__ = 'playerThoughts = ' + short(want)
            ex['playerThoughts'] = playerThoughts
            if viewer is None:
                ex['memory'] = Absent
        return e

    def gextra(self, ex):
        m = self.model
        rc = lambda q: (q['row'], q['col'], q.get('owner', 0))
        ex['sealedStones'] = Bag(ex['sealedStones'], rc)
        one = len(ex['sealedStones'].items) <= 1
        if not one:
            ex['quietZoneCells'] = Bag(ex['quietZoneCells'], rc)
        if m.done:
            def currentPlayer(v):
                return v is None or v in m.ids
            ex['currentPlayer'] = currentPlayer
        l = ex['lastSkillEffect']
        if l:
            ex['lastSkillEffect'] = self.leff(l)
            self.lastk = l
        elif getattr(self, 'lastk', None):
            keep = self.lastk

            def lastSkillEffect(v):
                if v is not None and isinstance(v, dict) and v.get('skill') == keep['skill']:
                    note('skill-gomoku: lastSkillEffect stays after a later placement (document: "null or {…}")')
                    return True
                return v is None
            ex['lastSkillEffect'] = lastSkillEffect
        return ex

    def leff(self, l):
        l = dict(l)
        if 'affectedCells' in l:
            b = Bag(l['affectedCells'], lambda q: (q['row'], q['col']))
            l['affectedCells'] = b if b.items else Opt(b)
        else:
            l['affectedCells'] = Absent
        if l['target'] is None:
            l['target'] = Opt(ANY)
        return l

    def pubx(self, p):
        """Loosens what the document leaves open in the public state."""
        p = dict(p)
        done = self.model.done
        p['agents'] = [dict(a) for a in p['agents']]
        for a in p['agents']:
            if not a['alive'] or done:
                a['stunned'] = lambda v: isinstance(v, bool)
        if p['lastRound']:
            lr = {'round': p['lastRound']['round'], 'beats': []}
            for b in p['lastRound']['beats']:
                b = dict(b)
                b['positions'] = Bag([dict(q, stunned=q['stunned'] if q['alive'] else (lambda v: isinstance(v, bool))) for q in b['positions']], lambda q: q['agentId'])
                b['clashes'] = Bag(b['clashes'], lambda q: (q['winner'], q['loser']))
                lr['beats'].append(b)
            p['lastRound'] = lr
        return p

    def check_state(self, o, viewer, running=False):
        e = self.state(viewer)
        who = '' if self.game != 'resource-rush' else ' (to %s)' % ('a spectator' if viewer is None else 'a player')
        if self.game == 'dance-battle' and self.model.done:
            # stunned flags and 💫 of the completed state are left open by the document
            alt = e['grid']

            def grid(v):
                if not isinstance(v, list) or len(v) != 17:
                    return False
                return all(x == y or (y == '💫' and x in models.SEATS) for a, b in zip(alt, v) for x, y in zip(a, b))
            e['grid'] = grid
        match('%s game_state%s' % (self.game, who), e, o, depth=3 if self.game != 'dance-battle' else 4)
        if running and o.get('spectatorCount') != len(self.specs):
            note('spectatorCount is %s with %d spectators connected (%s)' % (o.get('spectatorCount'), len(self.specs), self.game))

    def your_turn(self, s, c=None):
        c = c or self.pl[s].c
        o = c.nxt(what='your_turn')
        if not ck('%s: your_turn directly follows game_state when a move is owed' % self.game, o['type'] == 'your_turn', 'got %s\n      %s' % (short(o), c.tail())):
            raise Broken('%s: no your_turn but %s' % (c.label, o['type']))
        match('%s your_turn' % self.game, {'type': 'your_turn', 'gameId': self.gid, 'round': self.model.round}, o)

    # -- moves
    def send_move(self, s, mv):
        self.pl[s].c.send(type='submit_move', gameId=self.gid, move=mv)

    def reject(self, s, mv, err='Invalid move.', name=None, barrier=False):
        self.send_move(s, mv)
        o = self.pl[s].c.nxt(what='move_result')
        ok = o['type'] == 'move_result' and o.get('success') is False and o.get('error') == err
        ck(name or '%s: rejected with %s' % (self.game, err), ok, 'move %s: expected %r, got %s' % (short(mv), err, short(o)))
        if o['type'] == 'move_result' and o.get('success') is True:
            raise Broken('%s: the host accepted %s, my model rejects it' % (self.game, short(mv)))
        if barrier:
            for c, _ in self.everyone():
                c.barrier('a rejected move is announced to nobody')

    def move(self, s, mv):
        """A move that must be accepted; checks everything that follows from it."""
        m, me = self.model, self.pl[s]
        self.send_move(s, mv)
        o = me.c.nxt(what='move_result')
        if not ck('%s: legal move accepted with move_result first' % self.game, o['type'] == 'move_result' and o.get('success') is True, 'move %s, got %s\n      %s' % (short(mv), short(o), me.c.tail())):
            raise Broken('%s: %s was not accepted: %s' % (self.game, short(mv), short(o)))
        match('%s move_result' % self.game, {'type': 'move_result', 'success': True, 'error': Absent}, o)
        for c, v in self.everyone():
            c.get('thinking', '%s thinking' % self.game, {'type': 'thinking', 'gameId': self.gid, 'agentId': me.id, 'agentName': me.name, 'thinking': False})
        if self.game == 'skill-gomoku':
            hint = None
            if mv.get('skill') == 'uproot':
                o = me.c.nxt(what='skill_effect')
                me.c.unget(o)
                try:
                    hint = o['extra']['board']
                    assert len(hint) == 15 and all(len(r) == 15 for r in hint)
                except Exception:
                    ck('skill-gomoku: skill_effect.extra.board is complete', False, short(o))
                    raise Broken('no board in skill_effect')
            over_before = m.round
            m.submit(s, mv, hint)
            if m.hint_ok is not None:
                ck('skill-gomoku: uproot result is an allowed arrangement', m.hint_ok, 'round %d target %s, board after %s' % (over_before, mv['target'], short(hint, 900)))
                if not m.hint_ok:
                    raise Broken('uproot result outside the list of allowed arrangements')
            self.resolved()
        elif m.submit(s, mv):
            self.resolved()

    def resolved(self, forfeit=()):
        m = self.model
        for c, v in self.everyone():
            if self.game == 'skill-gomoku' and m.skill:
                k = self.leff(m.skill)
                del k['casterId']
                ex = self.gextra(m.extra(v))
                ex['currentPlayer'] = lambda x: x in m.ids or x is None
                ex['lastSkillEffect'] = ANY
                ex['animationDurationMs'] = ANY
                s = [i for i in m.actions][0]
                e = {'type': 'skill_effect', 'gameId': self.gid, 'agentId': m.ids[s], 'agentName': m.names[s], 'animationDurationMs': 3000, 'grid': m.grid(), 'extra': ex}
                e.update(k)
                c.get('skill_effect', 'skill-gomoku skill_effect', e)
            acts = []
            for s in sorted(m.actions):
                a = m.action(s, v)
                if self.game == 'resource-rush' and v is not None and s != v and m.sees(v) != m.sees(v, m.before):
                    a = (lambda full: lambda x: x in (full, 'Acted'))(m.actions[s])
                acts.append({'agentId': m.ids[s], 'agentName': m.names[s], 'action': a})
            e = {'type': 'turn_update', 'gameId': self.gid, 'round': m.resolved, 'moves': Bag(acts, lambda q: q['agentId']),
                 'roundSummary': m.summary if m.summary is not None else STR, 'scores': dict(zip(m.names, m.scores))}
            o = c.get('turn_update', '%s turn_update' % self.game, e)
            if [q.get('agentId') for q in o.get('moves', [])] != [m.ids[s] for s in sorted(m.actions)]:
                note('turn_update.moves[] is not in seat order (%s)' % self.game)
            if self.game == 'skill-gomoku' and m.must_pass():
                continue
            o = c.nxt(what='game_state')
            if not ck('%s: game_state follows turn_update' % self.game, o['type'] == 'game_state', short(o) + '\n      ' + c.tail()):
                raise Broken('no game_state after turn_update')
            self.check_state(o, v, True)
            if m.done:
                self.game_over(c)
            elif v is not None and m.gets_turn(v) and v not in forfeit:
                self.your_turn(v)

    def game_over(self, c, reason=None, order=None, draw=None, rounds=None):
        m = self.model
        o = c.nxt(what='game_over')
        if not ck('%s: game_over follows the completed game_state' % self.game, o['type'] == 'game_over', short(o) + '\n      ' + c.tail()):
            raise Broken('no game_over')
        order = m.order() if order is None else order
        draw = m.draw() if draw is None else draw
        el = time.monotonic() - self.t0

        def duration(v):
            return INT(v) and abs(v - el) <= 3
        duration.__name__ = 'duration ≈ %.1f s' % el
        nm = self.game + (' game_over' if reason is None else ' game_over (timeout)')
        match(nm, {'type': 'game_over', 'gameId': self.gid,
                   'rankings': [{'agentId': m.ids[s], 'agentName': m.names[s], 'finalScore': m.scores[s]} for s in order],
                   'totalRounds': m.resolved if rounds is None else rounds, 'duration': duration,
                   'reason': Absent if reason is None else reason, 'draw': True if draw else Absent, 'winnerId': Absent}, o)
        return o

    def finish(self, name=None):
        """After game_over: nothing more; a new subscriber gets game_state completed and game_over."""
        for c, _ in self.everyone():
            c.barrier('nothing follows game_over')
        c = Conn('late subscriber')
        c.send(type='subscribe_game', gameId=self.gid)
        o = c.nxt(what='game_state')
        ck('§4.5 finished game: game_state completed, then game_over (%s)' % self.game, o['type'] == 'game_state' and o.get('status') == 'completed', short(o))
        if o['type'] == 'game_state':
            self.expect_spec = None
            self.check_state(o, None)
            self.expect_spec = 0
        o2 = c.nxt(what='game_over')
        ck('§4.5 finished game: game_state completed, then game_over (%s)' % self.game, o2['type'] == 'game_over', short(o2))
        if o2['type'] == 'game_over':
            match('%s game_over' % self.game, {'type': 'game_over', 'gameId': self.gid, 'totalRounds': self.model.resolved,
                  'rankings': [{'agentId': self.model.ids[s], 'agentName': self.model.names[s], 'finalScore': self.model.scores[s]} for s in self.model.order()],
                  'duration': NONNEG, 'draw': True if self.model.draw() else Absent, 'reason': Absent}, o2)
        c.barrier('nothing follows')
        self.pl[0].c.send(type='submit_move', gameId=self.gid, move={'number': 1})
        o = self.pl[0].c.nxt()
        ck('§5 move_result: finished game is "Game not found or not active."', o.get('error') == 'Game not found or not active.' and o['type'] == 'move_result', short(o))
        c.close()
        for s in self.specs:
            s.close()
        for a in self.pl:
            a.c.close()

    def shut(self):
        for c, _ in self.everyone():
            c.close()


def guarantees():
    for c in CONNS:
        L = c.seen
        g = CUR[0]
        for i, (ty, aux) in enumerate(L):
            prv = L[i - 1] if i else (None, None)
            nx = L[i + 1] if i + 1 < len(L) else None
            if ty == 'matched' and nx:
                ck('§4 guarantee 1 (%s): matched → game_state' % g, nx[0] == 'game_state', str(L[max(0, i - 3):i + 4]))
            if ty == 'your_turn':
                ck('§4 guarantee 1 (%s): your_turn directly after a game_state' % g, prv[0] == 'game_state', str(L[max(0, i - 3):i + 4]))
            if ty == 'skill_effect' and nx:
                ck('§4 guarantee 2 (%s): skill_effect → turn_update' % g, nx[0] == 'turn_update', str(L[max(0, i - 3):i + 4]))
            if ty == 'turn_update' and nx and nx[0] != 'turn_update':
                ck('§4 guarantee 2 (%s): turn_update → game_state' % g, nx[0] == 'game_state', str(L[max(0, i - 3):i + 4]))
            if ty == 'move_result' and aux is True and nx and c.own:
                ck('§4 guarantee 3 (%s): move_result → thinking of the mover' % g, nx == ('thinking', c.own), str(L[max(0, i - 3):i + 4]))
            if ty == 'game_over' and not aux:
                ck('§4 guarantee 3 (%s): completed game_state → game_over' % g, prv == ('game_state', 'completed'), str(L[max(0, i - 3):i + 4]))
    CONNS.clear()


SCEN = collections.OrderedDict()


def scen(f):
    SCEN[f.__name__.replace('_', '-')] = f
    return f


# ------------------------------------------------------------------ HTTP

@scen
def http_api():
    u = API.url('/api/v1/agents')

    def reg(body, raw=False, headers=None):
        st, h, b = http('POST', u, body if raw else json.dumps(body, ensure_ascii=False).encode(), headers)
        try:
            return st, json.loads(b), h, b
        except ValueError:
            return st, None, h, b

    def bad(status, text, body, why, raw=False):
        st, o, h, b = reg(body, raw)
        ck('§1 %d %s — %s' % (status, text, why), st == status and isinstance(o, dict) and o.get('error') == text, 'status %s body %r for request %r' % (st, b[:300], body))
        if isinstance(o, dict) and set(o) - {'error'}:
            note('additional fields in a registration error: %s' % sorted(set(o) - {'error'}))
    J, NR, S, L, B, T = ('Invalid JSON body.', 'Name is required.', 'Name must be at least 2 characters.', 'Name must be 32 characters or fewer.',
                         'Name may only contain letters, numbers, spaces, hyphens, underscores, and dots.', 'Agent name is already taken.')
    bad(400, J, b'{"name":', 'broken JSON', True)
    bad(400, J, b'', 'empty body', True)
    bad(400, J, b'name=Nova', 'form text', True)
    bad(400, NR, {}, 'missing')
    bad(400, NR, {'description': 'x'}, 'missing with description')
    bad(400, NR, {'name': ''}, 'empty')
    bad(400, NR, {'name': '   '}, 'only spaces (trimmed first)')
    bad(400, NR, {'name': None}, 'null')
    bad(400, NR, {'name': 12345}, 'number')
    bad(400, NR, {'name': ['Nova']}, 'array')
    for body in ([], 7, None, 'Nova'):
        bad(400, NR, body, 'JSON that is not an object: %s' % json.dumps(body))
    bad(400, S, {'name': 'a'}, 'one character')
    bad(400, S, {'name': '  a '}, 'one character after trimming')
    bad(400, S, {'name': '!'}, 'too short before bad character')
    bad(400, L, {'name': 'a' * 33}, '33 characters')
    bad(400, L, {'name': '!' * 33}, 'too long before bad character')
    for n in ('ab!', 'Nové', 'ab\tcd', 'ab\ncd', 'a/b', 'Νova', 'ab😀', 'a,b', 'a@b', '１２', 'ab\u00a0cd', 'a\x00b'):
        bad(400, B, {'name': n}, 'bad character in %s' % json.dumps(n))
    nm = 'Zq.%s_a-1 B' % TAG
    st, o, h, b = reg({'name': '  ' + nm + '  ', 'description': 'hello'})
    ck('§1 201 for a legal name (trimmed, all kinds of characters)', st == 201, 'status %s body %r' % (st, b[:300]))
    if st != 201:
        raise Broken('registration does not work: %s %r' % (st, b[:300]))
    match('§1 registration', {'agentId': lambda v: STR(v) and bool(UUID.match(v)), 'apiKey': lambda v: STR(v) and bool(UUID.match(v)), 'name': nm,
                              'createdAt': lambda v: STR(v) and bool(ISO.match(v))}, o)
    ck('§1 responses are application/json', 'application/json' in (h.get('Content-Type') or ''), h.get('Content-Type'))
    for v in (nm, nm.upper(), nm.lower(), ' ' + nm.swapcase() + ' '):
        bad(409, T, {'name': v}, 'in use, uniqueness is case-insensitive: ' + v.replace(TAG, '…').replace(TAG.upper(), '…'))
    st, o2, _, b = reg({'name': ('x%s' % TAG).ljust(32, 'y')})
    ck('§1 201 for 32 characters', st == 201, '%s %r' % (st, b[:200]))
    two = None
    for a in random.sample('abcdefghijklmnopqrstuvwxyz0123456789._-', 30):
        st, o3, _, b = reg({'name': a + random.choice('0123456789._-qz')})
        if st == 201:
            two = o3
            break
        if not ck('§1 201 (or taken) for 2 characters', st in (201, 409), '%s %r' % (st, b[:200])):
            break
    ck('§1 201 (or taken) for 2 characters', two is not None or st == 409, b[:200].decode())

    def me(hdr):
        st, h, b = http('GET', API.url('/api/v1/agents/me'), headers=hdr)
        try:
            return st, json.loads(b), b
        except ValueError:
            return st, None, b
    st, m, b = me({'Authorization': 'Bearer ' + o['apiKey']})
    ck('§1 me: 200', st == 200, '%s %r' % (st, b[:300]))
    match('§1 me', {'agentId': o['agentId'], 'name': nm, 'description': 'hello', 'createdAt': o['createdAt'], 'apiKey': Absent}, m)
    ck('§1 the key is shown once (me does not contain it)', o['apiKey'].encode() not in b, repr(b[:300]))
    for hd, why in (({}, 'no header'), ({'Authorization': 'Bearer nope'}, 'wrong key'), ({'Authorization': 'Bearer ' + o['agentId']}, 'agentId as key'),
                    ({'Authorization': 'Bearer '}, 'empty key'), ({'Authorization': 'Basic ' + o['apiKey']}, 'wrong scheme')):
        st, m, b = me(hd)
        ck('§1 me: 401 Invalid API key. (%s)' % why, st == 401 and m == {'error': 'Invalid API key.'}, '%s %r' % (st, b[:300]))

    def descr(d, why, want):
        CNT[0] += 1
        st, o, _, b = reg({'name': 'Chk %s-%d' % (TAG, CNT[0]), 'description': d})
        if not ck('§1 description: ' + why, st == 201, '%s %r' % (st, b[:200])):
            return
        st, m, b = me({'Authorization': 'Bearer ' + o['apiKey']})
        ck('§1 description: ' + why, isinstance(m, dict) and (m.get('description') == want if want is not None else m.get('description') in (None, '')), repr(b[:700]))
    descr('é' * 280, '280 code points are kept', 'é' * 280)
    descr('é' * 300, 'longer is cut at 280', 'é' * 280)
    descr('😀' * 281, 'cut counts code points, not UTF-16 units', '😀' * 280)
    descr(17, 'non-string is ignored (number)', None)
    descr({'a': 1}, 'non-string is ignored (object)', None)
    descr(None, 'non-string is ignored (null)', None)
    st, h, sk = http('GET', API.url('/api/v1/skill.md'))
    ck('§1 skill.md is 200 text/markdown', st == 200 and (h.get('Content-Type') or '').startswith('text/markdown') and len(sk) > 200, '%s %s %r' % (st, h.get('Content-Type'), sk[:100]))
    st, h, d = http('GET', API.url('/api/v1/doc'))
    ck('§1 doc is the same guide as markdown', st == 200 and d == sk, '%s %s %r' % (st, h.get('Content-Type'), d[:100]))
    ck('§1 doc is text/markdown', (h.get('Content-Type') or '').startswith('text/markdown'), h.get('Content-Type'))
    st, h, d = http('GET', API.url('/api/v1/doc?format=json'))
    try:
        j = json.loads(d)
    except ValueError:
        j = None
    ck('§1 doc?format=json is {"markdown": the guide}', st == 200 and isinstance(j, dict) and j.get('markdown') == sk.decode(), '%s %r' % (st, d[:100]))
    st, h, d = http('GET', API.url('/.well-known/agent.json'))
    try:
        j = json.loads(d)
    except ValueError:
        j = None
    ck('§1 agent.json is 200 JSON', st == 200 and isinstance(j, dict), '%s %r' % (st, d[:300]))
    if isinstance(j, dict):
        match('§1 agent.json', {'name': NESTR, 'version': STR, 'api_base': NESTR, 'ws_url': NESTR,
                                'games': lambda v: isinstance(v, list) and sorted(map(str, v)) == sorted(client.GAMES)}, j)
        if STR(j.get('ws_url')) and STR(j.get('api_base')):
            try:
                w = WS(j['ws_url'])
                w.send_text('{"type":"ping"}')
                r = w.recv(10)
                ck('§1 agent.json ws_url can be used', r and r[0] == 'text' and json.loads(r[1])['type'] == 'pong', '%s: %r' % (j['ws_url'], r))
                w.close()
            except Exception as e:
                ck('§1 agent.json ws_url can be used', False, '%s: %r' % (j['ws_url'], e))
            got = []
            for p in ('/agents/me', '/api/v1/agents/me'):
                try:
                    got.append(http('GET', j['api_base'].rstrip('/') + p, headers={'Authorization': 'Bearer ' + o['apiKey']})[0])
                except Exception as e:
                    got.append(repr(e))
            ck('§1 agent.json api_base leads to the API', 200 in got, '%s: %s' % (j['api_base'], got))


# ------------------------------------------------------------------ errors of §5

NOAUTH = 'Not authenticated. Send {"type":"authenticate","token":"YOUR_API_KEY"} first.'


@scen
def ws_errors():
    a = Agent()
    c = Conn('outsider')
    E = lambda t, n: c.error(t, n)

    def raw(s, t, n):
        c.raw(s)
        E(t, n)
    for s in ('{', '', 'hello', '{"type":"ping"', "{'type':'ping'}", '\ufeff x'):
        raw(s, 'Invalid JSON.', '§5 Invalid JSON. for %s' % json.dumps(s))
    c.ws.frame(2, b'{"type":"ping"}')
    E('Invalid JSON.', '§5 Invalid JSON. for a binary frame')
    for s in ('{}', '[]', '5', 'null', '"ping"', '{"type":"nope"}', '{"type":5}', '{"type":null}', '{"type":"Ping"}', '{"type":"pong"}', '{"type":"toString"}', '{"type":"__proto__"}',
              '{"type":"data","data":{"type":"ping"}}', '[{"type":"ping"}]'):
        raw(s, 'Unknown message type.', '§5 Unknown message type. for ' + s)
    raw('{"type":"join_queue","gameType":"echo"}', NOAUTH, '§5 Not authenticated (join_queue)')
    raw('{"type":"join_queue"}', NOAUTH, '§5 order: auth before Missing gameType.')
    raw('{"type":"join_queue","gameType":"poker"}', NOAUTH, '§5 order: auth before Unknown gameType.')
    raw('{"type":"submit_move","gameId":"x","move":{}}', NOAUTH, '§5 Not authenticated (submit_move)')
    raw('{"type":"submit_move"}', NOAUTH, '§5 order: auth before Missing gameId.')
    raw('{"type":"subscribe_game"}', 'Missing gameId.', '§5 Missing gameId. (subscribe_game, no login)')
    raw('{"type":"subscribe_game","gameId":"no-such-game"}', 'Game not found.', '§5 Game not found. (no login)')
    for g in ('__proto__', 'constructor', 'toString'):
        raw(json.dumps({'type': 'subscribe_game', 'gameId': g}), 'Game not found.', '§5 Game not found. for ' + g)
    c.send(type='ping', extra={'a': 1}, gameId=7)
    o = c.nxt(pong=True)
    ck('§2 ping without login, unknown extra fields ignored', o['type'] == 'pong', short(o))
    c.barrier('connection stays open after all errors')
    # RFC 6455
    c.ws.frame(9, b'hey')
    t = time.monotonic()
    got = None
    while time.monotonic() - t < 10 and got is None:
        try:
            x = c.q.get(timeout=1)
            if x[1] == 'wspong':
                got = x[2]
        except queue.Empty:
            pass
    ck('RFC 6455: ping is answered by a pong with its payload', got == b'hey', repr(got))
    c.ws.send_fragmented('{"type":"ping"}', 4)
    o = c.nxt(pong=True)
    ck('RFC 6455: fragmented text message is understood', o['type'] == 'pong', short(o))
    c.ws.frame(1, b'{"type":', fin=False)
    c.ws.frame(9, b'mid')
    c.ws.frame(0, b'"ping"}', fin=True)
    o = c.nxt(pong=True)
    ck('RFC 6455: control frame between fragments', o['type'] == 'pong', short(o))
    c.ws.close(1000)
    c.wait_close(1000, 'RFC 6455: close is answered with the same code', timeout=8)
    # 4001
    for s, text, why in (({'token': '00000000-0000-4000-8000-000000000000'}, 'Invalid API key.', 'unknown token'),
                         ({'token': 'x'}, 'Invalid API key.', 'nonsense token'),
                         ({'token': a.id}, 'Invalid API key.', 'agentId as token'),
                         ({}, 'Missing or invalid token in authenticate message.', 'no token'),
                         ({'token': ''}, 'Missing or invalid token in authenticate message.', 'empty token'),
                         ({'token': 5}, 'Missing or invalid token in authenticate message.', 'number token'),
                         ({'token': None}, 'Missing or invalid token in authenticate message.', 'null token'),
                         ({'token': {'a': 1}}, 'Missing or invalid token in authenticate message.', 'object token')):
        d = Conn('4001')
        d.send(type='authenticate', **s)
        d.error(text, '§5 %s (%s)' % (text, why))
        d.wait_close(4001, '§5 closed with 4001 after %s (%s)' % (text, why))
    # after login
    a.connect()
    c = a.c
    c.send(type='authenticate', token=a.key)
    E('Already authenticated.', '§5 Already authenticated.')
    c.send(type='authenticate', token='wrong')
    E('Already authenticated.', '§5 Already authenticated. (wrong token)')
    c.send(type='authenticate')
    E('Already authenticated.', '§5 Already authenticated. (no token: auth before required fields)')
    c.barrier('open after Already authenticated.')
    raw('{"type":"join_queue"}', 'Missing gameType.', '§5 Missing gameType.')
    raw('{"type":"join_queue","gameType":"poker"}', 'Unknown gameType.', '§5 Unknown gameType.')
    for g in ('Echo', '__proto__', 'constructor', 'Gomoku', ' echo'):
        raw(json.dumps({'type': 'join_queue', 'gameType': g}), 'Unknown gameType.', '§5 Unknown gameType. for ' + g)
    raw('{"type":"submit_move"}', 'Missing gameId.', '§5 Missing gameId. (submit_move)')
    raw('{"type":"submit_move","move":{"number":1}}', 'Missing gameId.', '§5 Missing gameId. (submit_move with a move)')
    raw('{"type":"submit_move","gameId":"x"}', 'Missing move.', '§5 Missing move. (before lookup of the game)')
    for v in (7, 'x', None, True, [1]):
        raw(json.dumps({'type': 'submit_move', 'gameId': 'x', 'move': v}), 'Missing move.', '§5 Missing move. for move = %s' % json.dumps(v))
    raw('{"type":"subscribe_game"}', 'Missing gameId.', '§5 Missing gameId. (subscribe_game, logged in)')
    raw('{"type":"subscribe_game","gameId":"nope"}', 'Game not found.', '§5 Game not found. (logged in)')
    c.send(type='submit_move', gameId='nope', move={'number': 1})
    o = c.nxt()
    ck('§5 move_result: unknown game', o == {'type': 'move_result', 'success': False, 'error': 'Game not found or not active.'} or
       (o['type'] == 'move_result' and o.get('error') == 'Game not found or not active.' and o.get('success') is False), short(o))
    c.barrier('open')
    # path and query
    for q in ('', '?type=spectator', '?x=1'):
        try:
            d = Conn('query', query=q)
            d.send(type='authenticate', token=a.key)
            o = d.nxt(pong=False)
            ck('§1 the type query is ignored (%r)' % q, o['type'] == 'authenticated', short(o))
            if q == '':
                c.wait_close(4009, '§5 4009 for the older socket', 'Replaced by a newer connection.')
            c = d
        except (WSError, OSError) as e:
            ck('§1 the type query is ignored (%r)' % q, False, repr(e))
    c.close()


@scen
def limits():
    c = Conn('limits')
    base = json.dumps({'type': 'ping', 'pad': ''})
    c.raw(base[:-2] + 'x' * (65536 - len(base)) + base[-2:])
    o = c.nxt(pong=True, what='pong to 65 536 bytes')
    ck('§5 a frame of exactly 65 536 bytes is accepted', o['type'] == 'pong', short(o))
    c.raw(base[:-2] + 'x' * (65537 - len(base)) + base[-2:])
    c.wait_close(1009, '§5 1009 for a frame of 65 537 bytes')
    c = Conn('limits')
    c.raw('x' * 300000)
    end = time.monotonic() + 15
    while time.monotonic() < end and not c.closed:
        time.sleep(.02)
    if c.closed and c.closed[0] == 1006:
        note('a frame of 300 000 bytes: connection broken without a close frame seen (may be a TCP reset that overtook it)')
    else:
        c.wait_close(1009, '§5 1009 for a frame of 300 000 bytes')
    c = Conn('limits')
    msg = base[:-2] + 'x' * (90000 - len(base)) + base[-2:]
    try:
        c.ws.send_fragmented(msg, 2)
    except OSError:
        pass
    o = c.nxt(pong=True, eat_close=True, timeout=10)
    note('a message of 90 000 bytes in two frames of 45 000: %s' % ('answered' if o else 'closed %s' % (c.closed,)))
    c.close()
    # 4029
    c = Conn('rate')
    for _ in range(199):
        c.send(type='ping')
    n = 0
    for _ in range(199):
        o = c.nxt(pong=True, eat_close=True)
        if o is None:
            break
        n += o['type'] == 'pong'
    ck('§5 199 frames in 10 s are answered', n == 199, '%d answers, closed %s' % (n, c.closed))
    k = 0
    while k < 10 and not c.closed:
        c.send(type='ping')
        k += 1
        time.sleep(.2)
    c.wait_close(4029, '§5 4029 after 200 frames in 10 s')
    note('4029 came at frame %d' % (199 + k))
    ck('§5 4029 comes at the 200th or 201st frame', k <= 2 and bool(c.closed), 'at frame %d' % (199 + k))
    c = Conn('rate errors')
    for _ in range(230):
        c.raw('{')
    c.wait_close(4029, '§5 4029 counts frames answered by errors too')
    c = Conn('slow rate')
    for _ in range(150):
        c.send(type='ping')
    time.sleep(10.5)
    for _ in range(150):
        c.send(type='ping')
    n = 0
    for _ in range(300):
        o = c.nxt(pong=True, eat_close=True)
        if o is None:
            break
        n += 1
    ck('§5 150 frames, 10.5 s later 150 more: not closed', n >= 300, '%d answers, %s' % (n, c.closed))
    c.close()


# ------------------------------------------------------------------ queue

@scen
def queue_rules():
    A, B, C, D, E = agents(5)
    join(A, 'dance-battle', 1)
    join(B, 'dance-battle', 2)
    join(C, 'dance-battle', 3)
    join(B, 'dance-battle', 2)       # re-joining re-sends the same
    join(A, 'dance-battle', 1)
    join(A, 'blotto', 1)             # moves
    join(B, 'dance-battle', 1)       # A left that queue
    join(C, 'dance-battle', 2)
    join(A, 'dance-battle', 3)       # back, at the end
    for a in (A, B, C):
        a.c.barrier('no unasked queue_status')
    join(D, 'blotto', 1)             # A is not in blotto any more
    D.c.close()                      # a closed socket leaves the queue
    time.sleep(.3)
    join(E, 'blotto', 1)
    join(E, 'blotto', 1)             # never meets itself
    E.c.barrier('an agent never meets itself')
    # dropped without a closing handshake
    E.c.ws.drop()
    time.sleep(.5)
    F = Agent().connect()
    join(F, 'blotto', 1)
    # replaced socket leaves the queue with the old socket
    old = F.c
    F.connect()
    old.wait_close(4009, '§5 4009 for the older socket', 'Replaced by a newer connection.')
    G = Agent().connect()
    G.c.send(type='join_queue', gameType='blotto')
    o = G.c.nxt(what='queue_status')
    ck('§4 a closed (replaced) socket leaves the queue', o['type'] == 'queue_status' and o.get('position') == 1, short(o))
    if o['type'] != 'queue_status':
        raise Broken('unexpected match')
    G.c.close()
    time.sleep(.3)
    # the completing joiner gets no queue_status (Table checks it); seats shuffled
    for g in ('dance-battle',):
        join(F, g, None)
        gid = None
        for a in (A, B, C, F):
            m = a.c.get('matched', '§3 matched', {'type': 'matched', 'gameId': NESTR, 'gameType': g})
            ck('§4 all four get the same gameId', gid in (None, m['gameId']), short(m))
            gid = m['gameId']
            a.c.nxt(); a.c.nxt()
    A.c.send(type='join_queue', gameType='echo')
    A.c.error('Already in an active game.', '§5 Already in an active game. (other type)')
    A.c.send(type='join_queue', gameType='dance-battle')
    A.c.error('Already in an active game.', '§5 Already in an active game. (same type)')
    A.c.send(type='join_queue')
    A.c.error('Missing gameType.', '§5 order: Missing gameType. before Already in an active game.')
    X = Agent().connect()
    X.c.send(type='submit_move', gameId=gid, move={'bad': 1})
    o = X.c.nxt()
    ck('§5 move_result: You are not a player in this game. (before Invalid move.)', o['type'] == 'move_result' and o.get('success') is False and o.get('error') == 'You are not a player in this game.', short(o))
    # two tables at a time in one queue, FIFO
    P = agents(4)
    join(P[0], 'echo', 1)
    join(P[1], 'echo', None)
    join(P[2], 'echo', 1)
    m0, m1 = P[0].c.nxt(), P[1].c.nxt()
    ck('§4 FIFO: first two share a table', m0.get('gameId') == m1.get('gameId') and m0['type'] == 'matched', short([m0, m1]))
    join(P[3], 'echo', None)
    m2, m3 = P[2].c.nxt(), P[3].c.nxt()
    ck('§4 FIFO: next two share another', m2.get('gameId') == m3.get('gameId') != m0.get('gameId') and m2['type'] == 'matched', short([m2, m3]))
    first = 0
    N = 14
    for i in range(N):
        p = agents(2)
        join(p[0], 'blotto', 1)
        join(p[1], 'blotto', None)
        p[0].c.nxt()
        s = p[0].c.nxt()
        first += s['players'][0]['agentId'] == p[0].id
        for a in p:
            a.c.close()
    ck('§4 seats are shuffled (%d tables)' % N, 0 < first < N, 'first joiner had seat 0 in %d of %d' % (first, N))
    for a in (A, B, C, F, X) + tuple(P):
        a.c.close()


# ------------------------------------------------------------------ echo and blotto

def bad_moves(t, s, moves):
    for i, mv in enumerate(moves):
        t.reject(s, mv, barrier=i == 0, name='%s: Invalid move. for %s' % (t.game, short(mv, 80)))


@scen
def echo():
    t = Table('echo', spectators=2)
    bad_moves(t, 0, [{'number': 0}, {'number': 11}, {'number': -1}, {'number': 3.5}, {'number': '3'}, {'number': None}, {'number': True}, {}, {'number': [3]}, {'num': 3}, {'number': 1e9}])
    X = Agent().connect()
    X.c.send(type='subscribe_game', gameId=t.gid)           # logged in, not a player
    t.expect_spec = None
    t.check_state(X.c.nxt(), None)
    X.c.send(type='submit_move', gameId=t.gid, move={'number': 99})
    o = X.c.nxt()
    ck('§5 You are not a player in this game.', o.get('error') == 'You are not a player in this game.', short(o))
    t.specs.append(X.c)
    t.specs[0].send(type='subscribe_game', gameId=t.gid)    # twice: one more state, no double messages later
    t.check_state(t.specs[0].nxt(), None)
    t.specs[0].barrier('one game_state per subscribe_game')
    t.move(0, {'number': 7, 'unknown': 'ignored'})
    # mid-round: nothing of the unresolved move leaks
    t.reject(0, {'number': 5}, 'You already submitted a move this round.')
    t.reject(0, {'number': 99}, 'You already submitted a move this round.', name='§5 order: already submitted before Invalid move.')
    t.specs[1].send(type='subscribe_game', gameId=t.gid)
    t.check_state(t.specs[1].nxt(), None)
    t.pl[0].c.send(type='subscribe_game', gameId=t.gid)
    t.check_state(t.pl[0].c.nxt(), 0)
    t.pl[0].c.barrier('subscribe_game: no your_turn for who owes nothing')
    t.pl[1].c.send(type='subscribe_game', gameId=t.gid)
    t.check_state(t.pl[1].c.nxt(), 1)
    t.your_turn(1)
    t.move(1, {'number': 7})          # tie
    t.move(1, {'number': 1})
    t.move(0, {'number': 7})          # repeat: counts 0, seat 1 wins with 1
    # reconnect of seat 1 while it owes a move; old socket replaced
    old = t.pl[1].c
    t.pl[1].connect()
    t.check_state(t.pl[1].c.nxt(), 1)
    t.your_turn(1)
    t.pl[1].c.barrier('reconnect: no second matched')
    old.wait_close(4009, '§5 4009 for the older socket', 'Replaced by a newer connection.')
    t.move(0, {'number': 7})          # 7,7,7 counts 7,0,0
    # reconnect of seat 0 after its move: no your_turn
    t.pl[0].c.ws.drop()
    time.sleep(.2)
    t.pl[0].connect()
    t.check_state(t.pl[0].c.nxt(), 0)
    t.pl[0].c.barrier('reconnect: no your_turn when none is owed')
    t.move(1, {'number': 1})          # both repeat: 0-0 tie
    # a spectator socket of this game that logs in as the player
    t.pl[1].connect(sub=t.gid)
    t.check_state(t.pl[1].c.nxt(), 1)
    t.your_turn(1)
    t.pl[1].c.barrier('no doubled messages after subscribe + authenticate')
    t.move(0, {'number': 10})
    t.move(1, {'number': 9})
    t.move(1, {'number': 8})
    t.move(0, {'number': 6})
    ck('echo: my script ends after 5 rounds', t.model.done)
    t.finish()
    # a drawn game, then the same agents again
    p = agents(2)
    t = Table('echo', p)
    for r in range(5):
        for s in (0, 1):
            t.move(s, {'number': 1 + r * 2})
    ck('echo: draw', t.model.draw())
    for c, _ in t.everyone():
        c.barrier('nothing follows game_over')
    t.specs[0].close()
    t = Table('echo', p)              # an agent may play again
    for r in range(5):
        o = [0, 1]
        random.shuffle(o)
        for s in o:
            t.move(s, {'number': random.randint(1, 10)})
    t.finish()


@scen
def blotto():
    t = Table('blotto')
    bad_moves(t, 1, [{'allocation': [2, 2, 2, 2, 1]}, {'allocation': [2, 2, 2, 2, 3]}, {'allocation': [5, 5]}, {'allocation': [2, 2, 2, 2, 2, 0]}, {'allocation': [-1, 5, 2, 2, 2]},
                     {'allocation': [2.5, 2.5, 2, 2, 1]}, {'allocation': ['2', 2, 2, 2, 2]}, {'allocation': None}, {}, {'allocation': {'0': 10}}, {'allocation': [True, 3, 2, 2, 2]}, {'allocation': [None, 4, 2, 2, 2]}, {'number': 3}])
    t.move(1, {'allocation': [10, 0, 0, 0, 0]})
    t.reject(1, {'allocation': [10, 0, 0, 0, 0]}, 'You already submitted a move this round.')
    t.specs[0].send(type='subscribe_game', gameId=t.gid)
    t.check_state(t.specs[0].nxt(), None)
    t.move(0, {'allocation': [0, 5, 5, 0, 0]})       # 2–1: nobody
    t.move(0, {'allocation': [4, 0, 3, 0, 3]})
    t.move(1, {'allocation': [2, 2, 2, 2, 2]})       # 3–2
    t.move(0, {'allocation': [0, 0, 10, 0, 0]})
    t.move(1, {'allocation': [3, 3, 0, 3, 1]})       # seat 1
    t.move(1, {'allocation': [2, 2, 2, 2, 2]})
    t.move(0, {'allocation': [2, 2, 2, 2, 2]})       # all tied
    t.move(1, {'allocation': [10, 0, 0, 0, 0]})
    t.move(0, {'allocation': [9, 1, 0, 0, 0]})
    ck('blotto: 1–1 is a draw in my model', t.model.done and t.model.draw())
    t.finish()
    for _ in range(2):
        t = Table('blotto')
        for r in range(5):
            o = [0, 1]
            random.shuffle(o)
            for s in o:
                a = [0] * 5
                for _ in range(10):
                    a[random.randrange(random.randint(1, 5))] += 1
                t.move(s, {'allocation': a})
        t.finish()


# ------------------------------------------------------------------ gomoku

def place(r, c):
    return {'type': 'place', 'row': r, 'col': c}


def skill(k, r=None, c=None):
    m = {'type': 'skill', 'skill': k}
    if r is not None:
        m['target'] = {'row': r, 'col': c}
    return m


def gm(t, mv):
    t.move(t.model.turn, mv)


def pattern(r, c):
    return 1 if (c // 2 + r) % 2 == 0 else 2


@scen
def gomoku_script():
    t = Table('skill-gomoku')
    m = t.model
    bad_moves(t, 0, [{}, {'type': 'place'}, {'type': 'place', 'row': 15, 'col': 0}, {'type': 'place', 'row': -1, 'col': 0}, {'type': 'place', 'row': 1.5, 'col': 2}, {'type': 'place', 'row': '3', 'col': 3},
                     {'row': 3, 'col': 3}, {'type': 'skill'}, {'type': 'skill', 'skill': 'fly', 'target': {'row': 1, 'col': 1}}, {'type': 'skill', 'skill': 'toString', 'target': {'row': 1, 'col': 1}},
                     skill('stillwater', 3, 3), skill('sandstorm', 3, 3), skill('rewind', 7, 7), skill('uproot'), skill('uproot', 15, 3), skill('stillwater'), {'type': 'place', 'row': True, 'col': 3}])
    t.reject(1, place(0, 0), name='skill-gomoku: moving out of turn is Invalid move.', barrier=True)
    gm(t, place(7, 7))
    t.reject(0, place(8, 8), name='skill-gomoku: moving out of turn is Invalid move.')
    t.reject(1, place(7, 7), name='skill-gomoku: occupied cell')
    gm(t, place(0, 14))                                # 2 W in the corner
    gm(t, skill('stillwater', 7, 7))                   # 3 B seals, expires after 9; energy 2,3
    t.reject(1, place(6, 7), name="skill-gomoku: opponent's quiet zone")
    t.reject(1, skill('sandstorm', 7, 7), name='skill-gomoku: sandstorm on a sealed stone')
    t.reject(1, skill('stillwater', 7, 7), name="skill-gomoku: stillwater on the opponent's stone")
    t.reject(1, skill('rewind', 1, 1), name='skill-gomoku: rewind with 3 moves of history')
    gm(t, skill('stillwater', 0, 14))                  # 4 W seals a corner: two zone cells; energy 2,2
    t.reject(0, place(0, 13), name="skill-gomoku: opponent's quiet zone")
    t.reject(0, skill('stillwater', 7, 7), name='skill-gomoku: stillwater on a sealed stone')
    t.reject(0, skill('rewind', 1, 1), name='skill-gomoku: rewind without the energy')
    gm(t, place(7, 8))                                 # 5 B inside its own quiet zone
    gm(t, skill('sandstorm', 7, 8))                    # 6 W removes it; energy 2,0
    gm(t, place(7, 8))                                 # 7 B
    gm(t, place(1, 1))                                 # 8 W → energy 3,1
    gm(t, skill('stillwater', 7, 8))                   # 9 B seals neighbour (zone over sealed stones); 2,1; first seal expires
    t.reject(1, place(7, 9), name="skill-gomoku: opponent's quiet zone")
    gm(t, place(6, 7))                                 # 10 W: allowed now, the first seal is gone (zone of 7,8 is 6,8 7,9 8,8 7,7)
    gm(t, skill('uproot', 7, 7))                       # 11 B: energy 0
    gm(t, place(14, 0))                                # 12
    gm(t, place(14, 14))                               # 13
    gm(t, place(13, 0))                                # 14
    gm(t, place(12, 12))                               # 15
    gm(t, place(12, 0))                                # 16 → 1,2
    gm(t, place(10, 14))                               # 17
    gm(t, skill('sandstorm', 10, 14))                  # 18 W; 1,0
    gm(t, place(10, 14))                               # 19
    t.reject(1, skill('sandstorm', 10, 14), name='skill-gomoku: skill without the energy')
    gm(t, place(11, 4))                                # 20 W (not 11,0: that would leave four in a row)
    gm(t, place(2, 12))                                # 21
    gm(t, place(3, 9))                                 # 22
    gm(t, place(4, 6))                                 # 23
    gm(t, place(5, 1))                                 # 24 → 2,1
    for _ in range(16):                                # to move 40: energy 4,3
        gm(t, safe_place(m))
    # sandstorm twice in a row
    s = m.turn
    def target():
        o = 2 - m.turn
        return next((r, c) for r in range(15) for c in range(15) if m.board[r][c] == o and (r, c) not in m.sealed())
    gm(t, skill('sandstorm', *target()))               # 41 B; 2
    gm(t, safe_place(m))                               # 42
    t.reject(0, skill('sandstorm', *target()), name='skill-gomoku: sandstorm on two consecutive own turns')
    gm(t, safe_place(m))                               # 43
    gm(t, skill('rewind', 5, 5))                       # 44 W: energy 3 → 0
    t.reject(0, skill('rewind', 5, 5), name='skill-gomoku: rewind without the energy')
    gm(t, skill('sandstorm', *target()))               # 45 B: allowed, a turn lay between; 2 → 0
    for _ in range(3):
        gm(t, safe_place(m))                           # 48 → 1,1
    while m.energy[1] < 3 and m.round < 90:
        gm(t, safe_place(m))
    if m.turn == 0:
        gm(t, safe_place(m))
    t.reject(1, skill('rewind', 5, 5), name='skill-gomoku: rewind is once per game per player')
    gm(t, safe_place(m))
    gm(t, skill('rewind'))                             # B, target may be missing
    # a win: play until five
    for _ in range(150):
        if m.done:
            break
        mv = greedy(m)
        gm(t, mv)
    ck('skill-gomoku: the scripted game ends by five in a row (script)', m.done, 'not ended')
    if m.done:
        t.finish()
    else:
        t.shut()


def legal_places(m):
    q = {(z['row'], z['col']) for z in m.quiet() if z['owner'] != m.turn + 1}
    return [(r, c) for r in range(15) for c in range(15) if m.board[r][c] == 0 and (r, c) not in q]


def safe_place(m):
    """A placement that makes no five and no four."""
    L = legal_places(m)
    random.shuffle(L)
    v = m.turn + 1
    best = None
    for r, c in L:
        m.board[r][c] = v
        bad = five_or(m.board, r, c)
        m.board[r][c] = 0
        if bad <= 2:
            return place(r, c)
        if best is None or bad < best[0]:
            best = (bad, r, c)
    return place(best[1], best[2])


def five_or(b, r, c):
    v, best = b[r][c], 1
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        n = 1
        for s in (1, -1):
            i = 1
            while 0 <= r + s * i * dr < 15 and 0 <= c + s * i * dc < 15 and b[r + s * i * dr][c + s * i * dc] == v:
                n += 1
                i += 1
        best = max(best, n)
    return best


def greedy(m):
    """Longest own line; White plays at random so that somebody wins."""
    L = legal_places(m)
    random.shuffle(L)
    v = m.turn + 1
    if m.turn == 1:
        return safe_place(m)

    def val(p):
        m.board[p[0]][p[1]] = v
        n = five_or(m.board, *p)
        m.board[p[0]][p[1]] = 0
        return n
    return place(*max(L, key=val))


@scen
def gomoku_flags():
    """Rewind reverts neither energy nor counter nor the sandstorm flag; seals in restored snapshots."""
    t = Table('skill-gomoku')
    m = t.model

    def stone(colour):
        return next((r, c) for r in range(15) for c in range(15) if m.board[r][c] == colour and (r, c) not in m.sealed())
    for _ in range(36):
        gm(t, safe_place(m))
    gm(t, skill('stillwater', *stone(1)))              # 37 B: expires after 43; in H[37]
    gm(t, skill('stillwater', *stone(2)))              # 38 W
    gm(t, safe_place(m))                               # 39
    gm(t, safe_place(m))                               # 40 → both 7
    gm(t, skill('sandstorm', *stone(2)))               # 41 B: 5
    gm(t, skill('rewind', 7, 7))                       # 42 W: 4; H[37] with Black's seal, without White's
    ck('skill-gomoku: my model after the rewind (script)', m.round == 43 and m.energy == [5, 4] and len(m.seals) == 1, short([m.round, m.energy, m.seals]))
    t.reject(0, skill('sandstorm', *stone(2)), name="skill-gomoku: the other's rewind does not clear the sandstorm flag")
    gm(t, skill('rewind'))                             # 43 B: 2; H[38]: both seals, Black's expires now
    gm(t, safe_place(m))                               # 44 W
    gm(t, skill('sandstorm', *stone(2)))               # 45 B: own previous turn was a rewind: allowed
    gm(t, safe_place(m))
    while m.energy[1] < 3 or m.turn != 1:
        gm(t, safe_place(m))
    t.reject(1, skill('rewind', 7, 7), name='skill-gomoku: rewind is once per game per player')
    t.shut()


@scen
def gomoku_win_lines():
    for k, line in enumerate(([(7, c) for c in range(10, 15)], [(r, 0) for r in range(5)], [(10 + i, 10 + i) for i in range(5)], [(14 - i, i) for i in range(5)],
                              [(3, 0), (3, 1), (3, 2), (3, 4), (3, 5), (3, 3)])):
        t = Table('skill-gomoku')
        used = set(line)
        wwin = k % 2 == 1
        free = [(r, c) for r in range(1, 15, 2) for c in range(0, 15, 3) if (r, c) not in used]
        random.shuffle(free)
        i = 0
        if wwin:
            gm(t, place(*free.pop()))
        for p in line:
            gm(t, place(*p))
            if t.model.done:
                break
            mv = place(*free.pop())
            gm(t, mv)
        ck('skill-gomoku: line %d wins in my model' % k, t.model.done)
        if t.model.done:
            t.finish()
        else:
            t.shut()


@scen
def gomoku_full_board():
    t = Table('skill-gomoku')
    cells = {1: [], 2: []}
    for r in range(15):
        for c in range(15):
            cells[pattern(r, c)].append((r, c))
    for v in (1, 2):
        random.shuffle(cells[v])
    while not t.model.done:
        gm(t, place(*cells[t.model.turn + 1].pop()))
    ck('skill-gomoku: full board is a draw after 225 moves (model)', t.model.resolved == 225 and t.model.draw())
    t.finish()


@scen
def gomoku_300():
    """300 moves without a win are a draw: a five-free pattern, all energy spent on stillwater."""
    t = Table('skill-gomoku')
    m = t.model
    while not m.done:
        s = m.turn
        mine = [(a, b) for a in range(15) for b in range(15) if m.board[a][b] == s + 1 and (a, b) not in m.sealed()]
        closed = [p for p in mine if all(m.board[p[0] + i][p[1] + j] for i, j in ((-1, 0), (1, 0), (0, -1), (0, 1)) if 0 <= p[0] + i < 15 and 0 <= p[1] + j < 15)]
        L = [p for p in legal_places(m) if pattern(*p) == s + 1]
        if m.energy[s] and mine and (closed or m.round < 120 or not L):
            gm(t, skill('stillwater', *random.choice(closed or mine)))
        elif L:
            gm(t, place(*random.choice(L)))
        else:
            break
    ck('skill-gomoku: 300 moves without a win are a draw (script)', m.done and m.resolved == 300 and m.draw(), '%d moves %s' % (m.resolved, m.scores))
    if m.done:
        t.finish()
    else:
        t.shut()


@scen
def gomoku_random():
    """Random play with rejections and many uproots: the PRNG is solved for from the outcomes."""
    t = Table('skill-gomoku')
    m = t.model
    rej = 0
    while not m.done:
        s = m.turn
        L = legal_places(m)
        r = random.random()
        mv = None
        e = m.energy[s]
        empties = sum(v == 0 for row in m.board for v in row)
        if rej < 60 and r < .15:
            x = random.choice([skill('uproot', random.randint(0, 14), random.randint(0, 14)), skill('sandstorm', random.randint(0, 14), random.randint(0, 14)),
                               skill('stillwater', random.randint(0, 14), random.randint(0, 14)), skill('rewind', 3, 3), place(random.randint(0, 14), random.randint(0, 14))])
            if not m.valid(s, x):
                rej += 1
                t.reject(s, x)
                continue
        opts = []
        mine = [(a, b) for a in range(15) for b in range(15) if m.board[a][b] == s + 1 and (a, b) not in m.sealed()]
        theirs = [(a, b) for a in range(15) for b in range(15) if m.board[a][b] == 2 - s and (a, b) not in m.sealed()]
        if m.round > 30:
            if e >= 2 and (random.random() < .5 or empties < 30):
                # an area with a good mix has the longest list of arrangements
                a, b = max(
                    ((random.randint(1, 13), random.randint(1, 13)) for _ in range(8)),
                    key=lambda p: min(sum(m.board[y][x] == v for y in range(p[0] - 1, p[0] + 2) for x in range(p[1] - 1, p[1] + 2)) for v in (0, 1, 2)))
                opts.append(skill('uproot', a, b))
            if e >= 2 and theirs and not m.sand[s] and (random.random() < .2 or empties < 40):
                opts.append(skill('sandstorm', *random.choice(theirs)))
            if e >= 1 and mine and random.random() < .15:
                opts.append(skill('stillwater', *random.choice(mine)))
            if e >= 3 and not m.rew[s] and random.random() < .2:
                opts.append(skill('rewind', 7, 7) if random.random() < .5 else skill('rewind'))
        elif m.round > 6 and e >= 1 and mine and random.random() < .1:
            opts.append(skill('stillwater', *random.choice(mine)))
        if opts:
            mv = random.choice(opts)
        elif L:
            mv = safe_place(m)
            m.board[mv['row']][mv['col']] = s + 1
            if five_or(m.board, mv['row'], mv['col']) >= 5 and e >= 2:
                m.board[mv['row']][mv['col']] = 0
                mv = skill('uproot', random.randint(0, 14), random.randint(0, 14))
            else:
                m.board[mv['row']][mv['col']] = 0
        elif e >= 2:
            mv = skill('uproot', 7, 7)
        elif e >= 1 and mine:
            mv = skill('stillwater', *mine[0])
        else:
            note('gomoku-random: forced pass reached')
            t.shut()
            return
        gm(t, mv)
    note('gomoku-random: the random game ended after %d moves, scores %s, %d uproots' % (m.resolved, m.scores, len(m.uproots)))
    t.finish()
    check_uproot_prng(m.uproots)


def check_uproot_prng(up):
    eq = models.Gf2()
    sym = models.sym_states()
    bits = 0
    for n, i in up:
        s = next(sym)
        lo, hi = (i << 32) // n, ((i + 1) * (1 << 32) - 1) // n
        lo += (lo * n) >> 32 < i                  # smallest x with floor(x*n/2^32) == i
        while (hi * n) >> 32 > i:
            hi -= 1
        for b in range(31, -1, -1):
            if lo >> b != hi >> b:
                break
            eq.add(s[b], (lo >> b) & 1)
            bits += 1
    if eq.bad:
        ck('§6/§8 uproot picks follow the documented PRNG (one step per uproot)', False, 'no xorshift32 state fits (count, index) of the uproots: %s' % up)
        return
    if bits < 40:
        note('uproot PRNG check: only %d bits of evidence, not conclusive' % bits)
    sol = eq.solutions(1 << 14)
    if sol is None:
        SKIPS.append('uproot PRNG: too few uproots (%d bits, rank %d)' % (bits, len(eq.rows)))
        return
    good = []
    for x in sol:
        p = models.Prng(state=x)
        if all(p.rnd(n) == i for n, i in up):
            good.append(x)
    ck('§6/§8 uproot picks follow the documented PRNG (one step per uproot)', bool(good), 'rank %d, %d bits; uproots %s' % (len(eq.rows), bits, up))
    if good:
        x = good[0]
        for _ in range(16):
            x = models.unstep(x)
        note('uproot PRNG: %d bits of evidence, %d state(s) fit; seed %d if the first uproot is the first draw' % (bits, len(good), x ^ 0x9E3779B9))


@scen
def gomoku_pass():
    """Forces the server's pass: the last empty cells lie in the opponent's quiet zone and the energy is spent."""
    t = Table('skill-gomoku')
    m = t.model
    hole = [(6, 7), (8, 7), (7, 6), (7, 8)]
    # centre (7,7) must be White: pattern(7,7) = (3+7)%2 → 1 or 2
    flip = pattern(7, 7) == 1
    cells = {1: [], 2: []}
    for r in range(15):
        for c in range(15):
            v = pattern(r, c)
            if flip:
                v = 3 - v
            if (r, c) not in hole and (r, c) != (7, 7):
                cells[v].append((r, c))
    cells[2].insert(0, (7, 7))       # popped last
    rest = {1: cells[1], 2: cells[2]}
    for v in (1, 2):
        first = rest[v][:1] if v == 2 else []
        body = rest[v][1:] if v == 2 else rest[v][:]
        random.shuffle(body)
        rest[v] = first + body

    def seal(s, avoid=()):
        mine = [(a, b) for a in range(15) for b in range(15) if m.board[a][b] == s + 1 and (a, b) not in m.sealed() and (a, b) != (7, 7)]
        free = lambda p: sum(m.board[p[0] + i][p[1] + j] == 0 for i, j in ((-1, 0), (1, 0), (0, -1), (0, 1)) if 0 <= p[0] + i < 15 and 0 <= p[1] + j < 15)
        return skill('stillwater', *min(mine, key=free)) if mine else None
    n = 0
    while not m.done and n < 299:
        n += 1
        s = m.turn
        leg = set(legal_places(m))
        left = [p for p in rest[s + 1] if p in leg]
        if s == 1 and not rest[1] and not rest[2] and m.energy[0] == 0 and m.board[7][7] == 2 and m.energy[1] >= 1 and m.round % 8 and (7, 7) not in m.sealed():
            gm_pass(t, skill('stillwater', 7, 7))
            return
        th = [p for p in ((a, b) for a in range(15) for b in range(15)) if m.board[p[0]][p[1]] == 2 and p not in m.sealed() and p != (7, 7)]
        if s == 0 and m.energy[0] >= 2 and not m.sand[0] and th and n > 20 and len(rest[1]) > 4:
            x = random.choice(th)          # burns two; White has to place that stone again
            gm(t, skill('sandstorm', *x))
            rest[2].append(x)
            continue
        if (s == 0 and m.energy[0] and len(rest[1]) <= 8) or (s == 1 and m.energy[1] > 2 and len(rest[2]) < len(rest[1])):
            x = seal(s)
            if x:
                gm(t, x)
                continue
        if left:
            p = left[-1]
            rest[s + 1].remove(p)
            gm(t, place(*p))
        else:
            x = seal(s)
            if m.energy[s] >= 1 and x:
                gm(t, x)
            elif m.energy[s] >= 2:
                o = 2 - s
                th = [(a, b) for a in range(15) for b in range(15) if m.board[a][b] == o and (a, b) not in m.sealed()]
                gm(t, skill('uproot', 0, 0))
            else:
                # nothing but the hole is left for this side: take one cell of another colour's rest
                other = [p for p in rest[2 - s] if p in leg and p != (7, 7)]
                ok = None
                for p in other + [h for h in hole if h in leg]:
                    m.board[p[0]][p[1]] = s + 1
                    bad = models.five_at(m.board, *p)
                    m.board[p[0]][p[1]] = 0
                    if not bad:
                        ok = p
                        break
                if ok is None:
                    break
                for v in (1, 2):
                    if ok in rest[v]:
                        rest[v].remove(ok)
                gm(t, place(*ok))
    SKIPS.append('gomoku-pass: my script did not reach a forced pass this time (move %d)' % m.round)
    t.shut()


def gm_pass(t, mv):
    """Plays White's sealing move; the server must then pass for Black."""
    m = t.model
    # do not strictly compare what is between: the document does not say whether a game_state separates both
    s = m.turn
    t.send_move(s, mv)
    m.submit(s, mv)
    if not m.must_pass():
        SKIPS.append('gomoku-pass: no pass was due after all')
        t.shut()
        return
    m.do_pass()
    seen = []
    c = t.pl[s].c
    while True:
        o = c.nxt(what='your_turn or game_over after the pass')
        seen.append(o)
        if o['type'] in ('your_turn', 'game_over'):
            break
    acts = [q for o in seen if o['type'] == 'turn_update' for q in o['moves']]
    pas = [o for o in seen if o['type'] == 'turn_update' and any(q['action'] == 'Passed' and q['agentId'] == m.ids[1 - s] for q in o['moves'])]
    ck('skill-gomoku: the server passes (action Passed) for a player without a legal move', bool(pas), short([o['type'] for o in seen]) + short(acts))
    note('messages around a pass, to the mover: %s' % [o['type'] for o in seen])
    if pas:
        ck('skill-gomoku: the pass counts as a move', pas[-1]['round'] == m.resolved, short(pas[-1]))
    states = [o for o in seen if o['type'] == 'game_state']
    if states:
        st = states[-1]
        ck('skill-gomoku: state after the pass', st['round'] == m.round and st['extra']['energy'] == m.energy and st['extra']['currentPlayer'] == m.ids[s] and st['extra']['board'] == m.board, short(st, 900))
    t.shut()


# ------------------------------------------------------------------ dance-battle

def plan(a, b, c='rock', **kw):
    x = {'beatIndex': 2, 'kind': 'action', 'action': c}
    x.update(kw)
    return {'commands': [{'beatIndex': 0, 'kind': 'move', 'direction': a}, {'beatIndex': 1, 'kind': 'move', 'direction': b}, x]}


HOLD = ('hold', 'hold', 'rock')


def dround(t, *plans, order=None, **mottos):
    """One plan per seat (tuples or dicts); eliminated seats (None) send nothing."""
    o = order or random.sample(range(4), 4)
    last = [s for s in o if t.model.owes(s)][-1]
    o.remove(last)
    o.append(last)                  # so that eliminated players' plans come before the round resolves
    for s in o:
        if plans[s] is None:
            continue
        p = plans[s]
        t.move(s, p if isinstance(p, dict) else plan(*p))
        if t.model.done:
            return


def rplan(m, s):
    d = list(models.DXY)
    A = m.ag
    out = []
    x, y = A[s]['x'], A[s]['y']
    al = [(a['x'], a['y']) for i, a in enumerate(A) if i != s and a['alive']]
    for _ in (0, 1):
        if al and random.random() < .75:
            def k(q):
                dx, dy = models.DXY[q]
                return min(abs(x + dx - u) + abs(y + dy - v) for u, v in al) + random.random()
            q = min(d, key=k)
        else:
            q = random.choice(d)
        out.append(q)
        x, y = x + models.DXY[q][0], y + models.DXY[q][1]
    return plan(out[0], out[1], random.choice(('rock', 'paper', 'scissors')), **({'motto': random.choice(['hi %d' % m.round, '', 5, None, 'Ünï 😀'])} if random.random() < .3 else {}))


def dgather(t, tg):
    """Everybody walks to tg, two beats a round, never into a tile anybody stands on or has planned."""
    m = t.model
    for _ in range(14):
        if m.done or all((m.ag[s]['x'], m.ag[s]['y']) == tg[s] for s in range(4)):
            return
        plans, taken = [], set()
        for s in range(4):
            me = (m.ag[s]['x'], m.ag[s]['y'])
            block = taken | {(a['x'], a['y']) for i, a in enumerate(m.ag) if i != s and a['alive']}
            prev = {me: None}
            q = collections.deque([me])
            while q:
                c = q.popleft()
                for d, (dx, dy) in models.DXY.items():
                    n = (c[0] + dx, c[1] + dy)
                    if 0 <= n[0] <= 16 and 0 <= n[1] <= 16 and n not in prev and n not in block:
                        prev[n] = (c, d)
                        q.append(n)
            path, c = [], tg[s]
            if c in prev:
                while prev[c]:
                    c, d = prev[c]
                    path.insert(0, d)
            path = (path + ['hold', 'hold'])[:2]
            x, y = me
            for d in path:
                x, y = x + models.DXY[d][0], y + models.DXY[d][1]
                taken.add((x, y))
            plans.append(tuple(path) + ('rock',))
        dround(t, *plans)


@scen
def dance_max_rounds():
    """An eliminated agent with a point ranks before living ones without, after 30 rounds."""
    t = Table('dance-battle')
    m = t.model
    at = lambda s: (m.ag[s]['x'], m.ag[s]['y'])
    dgather(t, [(7, 4), (8, 4), (4, 12), (12, 12)])
    dround(t, ('hold', 'hold', 'paper'), HOLD, HOLD, HOLD)
    ck('dance-battle: seat 0 beat seat 1 (script)', m.scores == [1, 0, 0, 0] and not m.ag[1]['alive'], short(m.scores))
    dgather(t, [at(0), at(1), (7, 6), at(3)])
    dround(t, ('down', 'down', 'paper'), None, HOLD, HOLD)
    ck('dance-battle: seat 0 stunned and eliminated (script)', not m.ag[0]['alive'])
    n = 0
    while not m.done and n < 31:
        n += 1
        dround(t, plan('up', 'up', motto='ghost %d' % n) if n % 3 == 0 else None, None, HOLD, HOLD)
    ck('dance-battle: max_rounds, ranking by score first (model)', m.reason == 'max_rounds' and m.order() == [0, 2, 3, 1] and not m.draw(), short([m.reason, m.order()]))
    t.finish()


@scen
def dance_hold():
    t = Table('dance-battle')
    good = plan(*HOLD)
    def mut(**kw):
        g = json.loads(json.dumps(good))
        return g
    bads = [{}, {'commands': []}, {'commands': good['commands'][:2]}, {'commands': good['commands'] + [good['commands'][0]]}, {'commands': 'up'}, {'commands': None},
            {'commands': [good['commands'][0], good['commands'][0], good['commands'][2]]}]
    for i, k, v in ((0, 'direction', 'north'), (0, 'direction', 'UP'), (0, 'kind', 'action'), (2, 'kind', 'stress'), (2, 'action', 'lizard'), (0, 'beatIndex', 3), (0, 'beatIndex', '0'),
                    (0, 'beatIndex', -1), (2, 'action', None), (0, 'direction', 'toString'), (2, 'action', 'constructor'), (1, 'beatIndex', 0), (0, 'direction', ['up'])):
        g = mut()
        g['commands'][i][k] = v
        bads.append(g)
    g = mut()
    g['commands'][1] = 5
    bads.append(g)
    g = mut()
    g['commands'][1] = None
    bads.append(g)
    bad_moves(t, 2, bads)
    mottos = ['still here', '  trimmed\u0007\n ', 'x' * 80, '😀' * 61, '', 17, None, ['a'], 'a\u0000b\u001fc\u007fd', 'é ' * 40]
    for r in range(30):
        for s in random.sample(range(4), 4):
            p = plan('hold', 'hold', random.choice(('rock', 'paper', 'scissors')))
            if s == r % 4 and r // 2 < len(mottos):
                p['commands'][2]['motto'] = mottos[r // 2]
            if s == 3:
                p['commands'].reverse()       # any order
            t.move(s, p)
            if r == 1 and s != [q for q in range(4) if t.model.owes(q)]:
                if s in t.model.pending:
                    t.reject(s, p, 'You already submitted a move this round.')
    ck('dance-battle: 30 rounds of holding end by max_rounds as a draw (model)', t.model.done and t.model.reason == 'max_rounds' and t.model.draw())
    t.finish()


@scen
def dance_script():
    t = Table('dance-battle')
    m = t.model
    H = HOLD
    # corners and walls: seat 0 walks left into the wall: 4,4 → 2,4 → 0,4 → wall stun
    dround(t, ('left', 'left'), H, H, H)
    dround(t, ('left', 'left'), H, H, H)
    dround(t, ('left', 'right'), H, H, H)            # blocked by the wall, stunned: second beat does nothing
    dround(t, ('right', 'right'), H, H, H)
    # seat 0 at (2,4): walk to (9,4); seat 1 holds at (12,4)
    for _ in range(3):
        dround(t, ('right', 'right'), H, H, H)        # 8,4
    dround(t, ('right', 'hold'), H, H, H)             # 9,4
    # vector 1: 0:(9,4)→(10,4) then both → (11,4): collide and are stunned, distance stays 2
    dround(t, ('right', 'right', 'rock'), ('hold', 'left', 'paper'), H, H)   # 0 at (10,4), 1 at (12,4): both →(11,4)
    # step aside so that both stand adjacent, same sign: nothing
    dround(t, ('right', 'hold', 'rock'), ('hold', 'hold', 'rock'), H, H)     # 0 at (11,4)
    # swap: both stunned; both stunned adjacent: nothing
    dround(t, ('right', 'hold', 'rock'), ('left', 'hold', 'paper'), H, H)
    # walking into a holder: mover stunned and adjacent to an active one on the stress beat → eliminated, auto, no point
    # first let seats 2 and 3 meet: 2 (4,12) → right …, 3 (12,12) → left …
    for _ in range(3):
        dround(t, ('left', 'right', 'rock'), H, ('right', 'hold', 'rock'), ('left', 'hold', 'rock'))     # 2: 7, 3: 9 ; 0 steps away and back
    # vacated tile: 2 (7,12) and 3 (9,12): 3 moves right, 2 follows after: chain
    dround(t, ('hold', 'hold', 'rock'), ('hold', 'hold', 'rock'), ('right', 'right', 'rock'), ('hold', 'right', 'rock'))   # 2: 9,12 ; 3: 10,12 (vacates 9)
    # decisive: 2 paper beats 3 rock
    dround(t, H, ('hold', 'hold', 'rock'), ('hold', 'hold', 'paper'), ('hold', 'hold', 'rock', ))
    ck('dance-battle: seat 3 is out, seat 2 scored (model)', not m.ag[3]['alive'] and m.scores[2] == 1)
    # eliminated player: invalid plan rejected, valid plan counts only as motto
    t.reject(3, {'commands': []}, name='dance-battle: same check for eliminated agents')
    t.move(3, plan('left', 'left', 'scissors', motto='from beyond'))
    t.reject(3, plan('left', 'left'), 'You already submitted a move this round.', name='dance-battle: eliminated agent, second plan in a round')
    dround(t, ('right', 'hold', 'rock'), H, H, None)   # 0 walks into 1 which holds: 0 stunned, adjacent → auto
    ck('dance-battle: stunned next to active is eliminated without a point (model)', not m.ag[0]['alive'] and m.scores[1] == 0)
    # reconnect of an eliminated player
    t.pl[0].connect()
    t.check_state(t.pl[0].c.nxt(), 0)
    t.pl[0].c.send(type='ping')
    o = t.pl[0].c.nxt(pong=True)
    if o['type'] == 'your_turn':
        note('reconnect of an eliminated player: your_turn is sent')
        t.pl[0].c.nxt(pong=True)
    else:
        note('reconnect of an eliminated player: no your_turn')
    # seats 1 (12,4) and 2 (9,12): meet; 2 beats 1 → last_standing
    for _ in range(40):
        if m.done:
            break
        a, b = m.ag[1], m.ag[2]
        dx, dy = a['x'] - b['x'], a['y'] - b['y']
        steps = []
        x, y = b['x'], b['y']
        for _ in (0, 1):
            if abs(a['x'] - x) + abs(a['y'] - y) == 1:
                steps.append('hold')
            elif y != a['y']:
                steps.append('up' if a['y'] < y else 'down')
                y += 1 if a['y'] > y else -1
            else:
                steps.append('right' if a['x'] > x else 'left')
                x += 1 if a['x'] > x else -1
        dround(t, None if random.random() < .5 else plan('up', 'up', motto='z%d' % m.round), ('hold', 'hold', 'rock'), tuple(steps) + ('paper',), None)
    ck('dance-battle: last_standing (model)', m.done and m.reason == 'last_standing' and m.order()[0] == 2)
    t.finish()


@scen
def dance_chain():
    """The vectors of §7 that need three agents, and a chain of vacated tiles."""
    t = Table('dance-battle')
    m = t.model

    gather = lambda tg: dgather(t, tg)
    # A(4,8) B(6,8) distance 2 … all with rock: ties only
    gather([(4, 8), (8, 8), (5, 8), (12, 12)])
    ck('dance-battle: agents gathered without losses (script)', all(a['alive'] for a in m.ag) and (m.ag[0]['x'], m.ag[2]['x'], m.ag[1]['x']) == (4, 5, 8), short([(a['x'], a['y'], a['alive']) for a in m.ag]))
    # 0 (4,8)→(5,8), 2 (5,8)→(6,8), 1 (8,8)→(7,8): a following chain, all move, then 2 →(7,8)? keep: second beat hold
    dround(t, ('right', 'hold', 'rock'), ('hold', 'hold', 'rock'), ('right', 'hold', 'rock'), HOLD)      # 0:5 2:6 1:8
    # vector 4: A 0 (5,8)→(6,8), B 2 (6,8)→(7,8), C 1 (8,8)→(7,8): all three stunned
    dround(t, ('right', 'up', 'rock'), ('left', 'up', 'rock'), ('right', 'up', 'rock'), HOLD)
    lr = m.last['beats'][0]['positions']
    ck('dance-battle: vector 4 stuns three (model)', [p['stunned'] for p in lr] == [True, True, True, False], short(lr))
    # rotation of four on a 2×2 block: bring 3 next to them
    if all(a['alive'] for a in m.ag):
        gather([(5, 8), (7, 8), (6, 8), (12, 8)])
        gather([(5, 8), (6, 8), (5, 9), (9, 9)])
        gather([(5, 8), (6, 8), (5, 9), (6, 9)])
        if all((m.ag[s]['x'], m.ag[s]['y']) == q and m.ag[s]['alive'] for s, q in enumerate([(5, 8), (6, 8), (5, 9), (6, 9)])):
            dround(t, ('right', 'down', 'rock'), ('down', 'left', 'rock'), ('up', 'right', 'rock'), ('left', 'up', 'rock'))
            ck('dance-battle: a rotation of four moves everybody (model)', not any(p['stunned'] for b in m.last['beats'][:2] for p in b['positions']), short(m.last))
            # all pairs at once: block of four: 0 rock,1 scissors,2 scissors,3 rock → multiple clashes; who is where does not matter
            dround(t, ('hold', 'hold', 'rock'), ('hold', 'hold', 'paper'), ('hold', 'hold', 'scissors'), ('hold', 'hold', 'rock'))
            ck('dance-battle: several clashes in one beat (model)', len(m.last['beats'][2]['clashes']) >= 2, short(m.last))
        else:
            SKIPS.append('dance-chain: rotation not reached: ' + short([(a['x'], a['y'], a['alive']) for a in m.ag]))
    n = 0
    while not m.done and n < 31:
        n += 1
        dround(t, *[rplan(m, s) if m.ag[s]['alive'] or random.random() < .5 else None for s in range(4)])
    t.finish()


@scen
def dance_random():
    for k in range(5):
        t = Table('dance-battle')
        m = t.model
        while not m.done:
            dround(t, *[rplan(m, s) if m.ag[s]['alive'] or random.random() < .4 else None for s in range(4)])
        note('dance-random: game ended by %s after %d rounds' % (m.reason, m.resolved))
        t.finish()


# ------------------------------------------------------------------ resource-rush

def bfs(g, a, goal):
    """First directions of a shortest path from a to a cell where goal(x,y,value)."""
    prev = {a: None}
    q = collections.deque([a])
    while q:
        c = q.popleft()
        if goal(c[0], c[1], g[c[1]][c[0]]):
            out = []
            while prev[c]:
                c, d = prev[c]
                out.append(d)
            return out[::-1]
        for d, (dx, dy) in models.NSEW.items():
            n = (c[0] + dx, c[1] + dy)
            if 0 <= n[0] < 100 and 0 <= n[1] < 100 and n not in prev and g[n[1]][n[0]] not in (5, 6):
                prev[n] = (c, d)
                q.append(n)
    return None


@scen
def rush():
    t = Table('resource-rush')
    m = t.model
    g = t.map0
    # ---- the map
    ck('resource-rush: grid is 100×100 of codes 0–7', len(g) == 100 and all(len(r) == 100 and all(INT(v) and 0 <= v <= 7 for v in r) for r in g))
    ck('resource-rush: map is point-symmetric', all(g[y][x] == g[99 - y][99 - x] for y in range(100) for x in range(100)))
    ck('resource-rush: exactly two stations at (10,10) and (89,89)', [(x, y) for y in range(100) for x in range(100) if g[y][x] == 7] == [(10, 10), (89, 89)])
    ck('resource-rush: 5×5 around the pads is grass', all(g[y][x] == 0 or (x, y) in ((10, 10), (89, 89)) for y in range(100) for x in range(100) if models.near(x, y)))
    re_ = models.reach(g)
    ck('resource-rush: the other pad and all gold are reachable', (89, 89) in re_ and all((x, y) in re_ for y in range(100) for x in range(100) if g[y][x] == 3))
    cn = models.counts(g)
    ck('resource-rush: gold lies in 2–3 veins (≤ 46 tiles)', 0 < cn[3] <= 46 and cn[3] % 2 == 0, str(cn))
    ck('resource-rush: at most 320 water and 240 mountain tiles', cn[5] <= 320 and cn[6] <= 240, str(cn))
    t.fast = []
    # ---- rejections
    bad = [{}, {'action': 'fly'}, {'action': 'move'}, {'action': 'move', 'direction': 'up'}, {'action': 'move', 'direction': 'North'}, {'action': 'harvest'}, {'action': 'Wait'}, {'action': None},
           {'action': 'move', 'direction': 'toString'}, {'action': 'constructor'},
           {'action': 'wait', 'memory': []}, {'action': 'wait', 'memory': 'x'}, {'action': 'wait', 'memory': 5}, {'action': 'wait', 'memory': {'a': 'x' * 10233}},
           {'action': 'wait', 'memory': {'a': 'é' * 5117}}]
    bad_moves(t, 0, bad)
    t.move(0, {'action': 'wait', 'thought': 'first', 'memory': {'a': 'x' * 10232}})        # exactly 10 240 bytes
    t.reject(0, {'action': 'wait'}, 'You already submitted a move this round.')
    t.specs[0].send(type='subscribe_game', gameId=t.gid)
    t.check_state(t.specs[0].nxt(), None)
    t.move(1, {'action': 'wait', 'thought': '😀' * 120, 'memory': {'a': 'é' * 5116}})
    t.move(1, {'action': 'wait', 'thought': 'b' * 101})
    t.move(0, {'action': 'wait'})           # thought cleared, memory kept
    t.move(0, {'action': 'wait', 'thought': '', 'memory': {}})
    t.move(1, {'action': 'wait', 'memory': {'goal': [46, 51], 'deep': {'a': [1, {'b': None}], 'ü': '😀'}}})
    # ---- reconnect of a player: fog and memory
    t.pl[1].connect()
    t.check_state(t.pl[1].c.nxt(), 1)
    t.your_turn(1)
    t.pl[1].c.barrier('reconnect: no second matched')
    # ---- a player who subscribes gets his own view
    t.pl[0].c.send(type='subscribe_game', gameId=t.gid)
    t.check_state(t.pl[0].c.nxt(), 0)
    t.your_turn(0)
    times = []
    phase = {0: 'meet', 1: 'meet'}
    # meeting tile: a resource whose distances from both allow arrival together
    tried_block, ties, saw, lost = [0], [], [0, 0], 0
    walls = 0
    meet = None

    def dist_from(a):
        d = {a: 0}
        q = collections.deque([a])
        while q:
            c = q.popleft()
            for dx, dy in models.NSEW.values():
                n = (c[0] + dx, c[1] + dy)
                if 0 <= n[0] < 100 and 0 <= n[1] < 100 and n not in d and m.g[n[1]][n[0]] not in (5, 6):
                    d[n] = d[c] + 1
                    q.append(n)
        return d
    want_par = 0
    while not m.done:
        mv = [None, None]
        if len(ties) < 4 and m.round < 330:
            if meet is None:
                d0, d1 = dist_from(m.pos[0]), dist_from(m.pos[1])
                res = [(x, y) for y in range(100) for x in range(100) if m.g[y][x] in models.RES and (x, y) in d0]
                meet = min(res, key=lambda p: max(d0[p], d1[p]) + (d0[p] + d1[p]) / 1000) if res else None
            if meet:
                for s in (0, 1):
                    if m.pos[s] != meet:
                        d = bfs(m.g, m.pos[s], lambda x, y, v: (x, y) == meet)
                        mv[s] = {'action': 'move', 'direction': d[0]}
                if mv == [None, None]:
                    tick = m.round - 1
                    if tick % 2 != want_par:
                        mv = [{'action': 'wait'}, {'action': 'wait', 'thought': 'waiting for the other parity'}]
                    else:
                        mv = [{'action': 'harvest', 'thought': 'mine'}, {'action': 'harvest', 'thought': 'no, mine'}]
                        ties.append(tick % 2)
                        want_par ^= 1
                        meet = None
                else:
                    for s in (0, 1):
                        if mv[s] is None:
                            mv[s] = {'action': 'wait'}
        for s in (0, 1):
            if mv[s] is None:
                x, y = m.pos[s]
                if m.g[y][x] in models.RES:
                    mv[s] = {'action': 'harvest'}
                else:
                    d = bfs(m.g, m.pos[s], lambda x, y, v: v in models.RES and (s == 0 or v == 3)) or bfs(m.g, m.pos[s], lambda x, y, v: v in models.RES)
                    mv[s] = {'action': 'move', 'direction': d[0]} if d else {'action': 'wait'}
            if random.random() < .2:
                mv[s]['thought'] = 'tick %d from seat %d' % (m.round, s)
            if random.random() < .1:
                mv[s]['memory'] = {'r': m.round, 's': s}
        # impassable neighbours, off-map
        for s in (0, 1):
            if walls < 25:
                x, y = m.pos[s]
                for d, (dx, dy) in models.NSEW.items():
                    u, v = x + dx, y + dy
                    if not (0 <= u < 100 and 0 <= v < 100) or m.g[v][u] in (5, 6):
                        walls += 1
                        t.reject(s, {'action': 'move', 'direction': d}, name='resource-rush: Invalid move. for stepping onto water, mountain or off the map')
                        break
        if not m.sees(0):
            saw[0] += 1
        else:
            saw[1] += 1
        o = [0, 1]
        random.shuffle(o)
        ts = time.monotonic()
        for s in o:
            t.move(s, mv[s])
        times.append(ts)
    ck('resource-rush: tie rule seen on even and odd ticks (script)', 0 in ties and 1 in ties, str(ties))
    ck('resource-rush: both out of sight and in sight were seen (script)', saw[0] > 5 and saw[1] > 5, str(saw))
    best = max((sum(1 for u in times if a <= u < a + 10) for a in times[::10]), default=0)
    if best > 200:
        ck('§5 4029 does not count accepted moves (more than 200 in 10 s)', True)
    else:
        SKIPS.append('accepted moves against 4029: my play was too slow (%d per 10 s)' % best)
    note('resource-rush: %d accepted moves per player in the busiest 10 s; scores %s' % (best, m.scores))
    t.finish()
    ok, why, seed = models.recover_map_state(g)
    ck('§6/§9 the map is reproduced by my own generator (state solved from the spectator grid)', ok, why)
    note('resource-rush map: ' + why)
    if ok:
        note('DESIGN: the seed, "kept secret until the game ends", follows from the spectator grid within 0.1 s; and any player can open a second, anonymous socket and see the true grid')


@scen
def rush_edge():
    """Off-map steps in the four corners' direction and a draw of 0–0: 500 ticks of walking and waiting."""
    t = Table('resource-rush')
    m = t.model
    d0 = bfs(m.g, (10, 10), lambda x, y, v: y == 0) or bfs(m.g, (10, 10), lambda x, y, v: x == 0) or []
    inv = {'north': 'south', 'south': 'north', 'east': 'west', 'west': 'east'}
    for d in d0:
        t.move(0, {'action': 'move', 'direction': d})
        t.move(1, {'action': 'move', 'direction': inv[d]})
    if d0:
        x, y = m.pos[0]
        t.reject(0, {'action': 'move', 'direction': 'north' if y == 0 else 'west'}, name='resource-rush: Invalid move. for stepping off the map')
        t.reject(1, {'action': 'move', 'direction': 'south' if y == 0 else 'east'}, name='resource-rush: Invalid move. for stepping off the map')
    while not m.done:
        t.move(0, {'action': 'wait'})
        t.move(1, {'action': 'wait'})
    ck('resource-rush: 0–0 is a draw (model)', m.draw())
    t.finish()


# ------------------------------------------------------------------ timeouts

def until_over(t, c, deadline):
    """Reads to game_over; -> (list of messages, time of game_over)."""
    out = []
    while True:
        o = c.nxt(max(1, deadline - time.monotonic()), what='game_over by timeout')
        out.append(o)
        if o['type'] == 'game_over':
            return out, c.last_t


def timed_end(t, name, start, secs, order, draw, rounds):
    """Everybody must see a game_over with reason timeout `secs` after `start`."""
    for c, v in t.everyone():
        msgs, at = until_over(t, c, start + secs + 25)
        el = at - start
        ck('§5 clock: %s ends after %s s' % (name, secs), secs - .3 <= el <= secs + 2, '%.2f s' % el)
        c.back.insert(0, msgs[-1])
        t.game_over(c, 'timeout', order, draw, rounds)
        kinds = [(o['type'], o.get('status')) for o in msgs]
        if ('game_state', 'completed') in kinds:
            st = next(o for o in msgs if o['type'] == 'game_state')
            note('timeout: a completed game_state (round %s after %d resolved) comes before game_over (%s)' % (st.get('round'), rounds, t.game))
            if rounds:
                ck('§3 round of a completed game_state is the last one resolved (timeout)', st.get('round') == rounds, '%s after %d resolved rounds (%s)' % (st.get('round'), rounds, t.game))
            ck('§3 nobody is thinking in a completed game_state (timeout)', not any(p.get('thinking') for p in st.get('players', [])), short(st.get('players')))
            if t.game == 'dance-battle':
                mr = st['publicState'].get('matchResult') or {}
                ck('dance-battle: matchResult.reason is timeout', mr.get('reason') == 'timeout', short(mr))
                ck('dance-battle: matchResult agrees with game_over', mr.get('draw') is bool(draw) and [q.get('agentId') for q in mr.get('rankings', [])] == [t.model.ids[s] for s in order], short(mr))
        else:
            note('timeout: no completed game_state before game_over (%s): %s' % (t.game, kinds))
    for c, _ in t.everyone():
        c.barrier('nothing follows game_over')
    t.shut()


@scen
def timeouts():
    if ARGS.first is None or ARGS.move is None:
        SKIPS.append('timeouts: needs --first and --move')
        return
    F, M = ARGS.first, ARGS.move
    # one late on the first move; neither a rejected move nor a reconnect resets the clock
    t = Table('echo')
    st = t.t0
    t.move(0, {'number': 5})
    time.sleep(F * .4)
    t.reject(1, {'number': 77})
    time.sleep(F * .3)
    t.pl[1].connect()
    t.check_state(t.pl[1].c.nxt(), 1)
    t.your_turn(1)
    timed_end(t, 'first move, one late (rejected move and reconnect on the way)', st, F, [0, 1], False, 0)
    # both late
    t = Table('echo')
    timed_end(t, 'first move, both late', t.t0, F, [0, 1], True, 0)
    # later move: the leader is late and loses although ahead
    t = Table('echo')
    t.move(0, {'number': 9})
    t.move(1, {'number': 2})
    st = time.monotonic()
    t.move(1, {'number': 3})
    timed_end(t, 'later move, one late', st, M, [1, 0], False, 1)
    # later move both late, with a score
    t = Table('blotto')
    t.move(0, {'allocation': [2, 2, 2, 2, 2]})
    t.move(1, {'allocation': [4, 3, 3, 0, 0]})
    st = time.monotonic()
    # every player timed out: ranked by result, still a draw
    timed_end(t, 'later move, both late', st, M, [1, 0], True, 1)
    # gomoku: White's own first move has the long clock, Black's second the short one
    t = Table('skill-gomoku')
    gm(t, place(7, 7))
    st = time.monotonic()
    timed_end(t, "gomoku, White's first move", st, F, [0, 1], False, 1)
    t = Table('skill-gomoku')
    gm(t, place(7, 7))
    gm(t, place(8, 8))
    st = time.monotonic()
    timed_end(t, "gomoku, Black's second move", st, M, [1, 0], False, 2)
    t = Table('resource-rush')
    t.move(1, {'action': 'wait'})
    timed_end(t, 'resource-rush, one late', t.t0, F, [1, 0], False, 0)
    # a disconnected player times out too
    t = Table('echo')
    t.move(1, {'number': 4})
    gone = t.pl[0]
    gone.c.ws.drop()
    time.sleep(.2)
    timed_end(t, 'echo, the late player is disconnected', t.t0, F, [1, 0], False, 0)
    a = gone.connect()
    join(a, 'echo', 1)
    a.c.close()
    # dance-battle: all late, three late, one late goes on
    t = Table('dance-battle')
    timed_end(t, 'dance-battle, all late', t.t0, F, [0, 1, 2, 3], True, 0)
    t = Table('dance-battle')
    t.move(2, plan(*HOLD))
    st = t.t0
    msgs, at = until_over(t, t.pl[2].c, st + F + 25)
    o = msgs[-1]
    ck('§7 three of four late: reason timeout, the fourth first', o.get('reason') == 'timeout' and o['rankings'][0]['agentId'] == t.pl[2].id, short(o))
    t.shut()
    t = Table('dance-battle')
    m = t.model
    for s in (0, 1, 3):
        t.move(s, plan(*HOLD))
    st = t.t0
    c = t.pl[0].c
    seq = []
    while True:
        o = c.nxt(F + 25, what='round resolved without the late player')
        seq.append(o)
        if o['type'] in ('your_turn', 'game_over'):
            break
    el = c.last_t - st
    ck('§7 one late: the round resolves at the deadline and the game continues', o['type'] == 'your_turn' and o.get('round') == 2 and F - .3 <= el <= F + 2, '%.2f s %s' % (el, short([x['type'] for x in seq])))
    gs = [x for x in seq if x['type'] == 'game_state']
    if gs:
        ag = gs[-1]['publicState']['agents'][2]
        ck('§7 one late: eliminated on the spot', ag['alive'] is False, short(ag))
        ck('§7 one late: players[].thinking is never true for the forfeited', gs[-1]['players'][2]['thinking'] is False, short(gs[-1]['players']))
        ck('§7 one late: eliminatedAt is {round, beatIndex}', isinstance(ag['eliminatedAt'], dict) and ag['eliminatedAt'].get('round') == 1 and INT(ag['eliminatedAt'].get('beatIndex')), short(ag))
    note('dance-battle, one late, messages: %s' % [x['type'] for x in seq])
    # round 2 resolves with three plans; seat 2 is not waited for
    for s in (0, 1, 3):
        t.send_move(s, plan(*HOLD))
    ok = False
    end = time.monotonic() + M * .6
    while time.monotonic() < end:
        try:
            o = c.nxt(max(.05, end - time.monotonic()))
        except Broken:
            break
        if o['type'] == 'turn_update' and o['round'] == 2:
            ok = True
            a = {q['agentId']: q['action'] for q in o['moves']}
            ck('§7 forfeited player shows —', a.get(t.pl[2].id, '—') == '—', short(a))
            break
    ck('§7 one late: the next round does not wait for the forfeited', ok)
    o2 = [None]
    end = time.monotonic() + M + 25       # then everybody stops: all three expire together
    msgs, at = until_over(t, c, end)
    o = msgs[-1]
    ck('§7 then all others late: reason timeout', o.get('reason') == 'timeout', short(o))
    ck('§4 rankings: every player timed out → draw', o.get('draw') is True, short(o))
    t.shut()


# ------------------------------------------------------------------ slow: pings and pongs

@scen
def slow_liveness():
    if not ARGS.slow:
        SKIPS.append('slow-liveness: needs --slow')
        return
    a = Agent().connect()
    an = Conn('anonymous')
    mute = Conn('mute', auto_pong=False)
    t = time.monotonic()
    dead = None
    while time.monotonic() - t < 128:
        time.sleep(.5)
        if mute.closed and dead is None:
            dead = mute.closed[2] - t
    for c, w in ((a.c, 'logged-in'), (an, 'anonymous')):
        while True:
            try:
                x = c.q.get_nowait()
            except queue.Empty:
                break
            if x[1] == 'msg':
                ck('§5 an idle socket gets nothing but pongs', x[2]['type'] == 'pong', short(x[2]))
                ck('§5 unsolicited pong has timestamp', INT(x[2].get('timestamp')), short(x[2]))
                c.pongs.append(x[0])
        gaps = [b - y for y, b in zip(c.pongs, c.pongs[1:])]
        ck('§5 unsolicited pong every 30 s (%s)' % w, len(c.pongs) >= 4 and all(27 <= g <= 33 for g in gaps) and c.pongs[0] - t < 33, str([round(p - t, 1) for p in c.pongs]))
        gaps = [b - y for y, b in zip(c.pings, c.pings[1:])]
        ck('§5 RFC 6455 ping every 30 s (%s)' % w, len(c.pings) >= 4 and all(27 <= g <= 33 for g in gaps) and c.pings[0] - t < 33, str([round(p - t, 1) for p in c.pings]))
        ck('§5 a socket that answers pings stays open (%s)' % w, not c.closed, str(c.closed))
    ck('§5 a socket is terminated after two unanswered pings', dead is not None and 40 <= dead <= 100, 'closed after %s; pings at %s' % (dead, [round(p - t, 1) for p in mute.pings]))
    a.c.close()
    an.close()


@scen
def finished_expiry():
    """Finished games stay subscribable ten minutes, then Game not found."""
    if not ARGS.very_slow:
        SKIPS.append('finished-expiry: needs --very-slow (about 11 minutes)')
        return
    signal.alarm(800)
    t = Table('echo')
    while not t.model.done:
        t.move(0, {'number': 10 if t.model.round % 2 else 9})
        t.move(1, {'number': 3 if t.model.round % 2 else 2})
    over = time.monotonic()
    for c, _ in t.everyone():
        c.close()
    time.sleep(570)
    c = Conn('late subscriber')
    c.send(type='subscribe_game', gameId=t.gid)
    o, o2 = c.nxt(), c.nxt()
    ck('§4.5 finished game is subscribable after 9:30', o['type'] == 'game_state' and o2['type'] == 'game_over', short([o, o2]))
    time.sleep(max(0, over + 645 - time.monotonic()))
    c.send(type='subscribe_game', gameId=t.gid)
    c.error('Game not found.', '§4.5 finished game is Game not found. after 10:45')
    c.close()


# ------------------------------------------------------------------ several clients at once (client.py)

@scen
def client_bots():
    """The outside client plays all five games at the same time."""
    res = {}

    def job(g):
        res[g] = client.play_many(API, g, client.GAMES[g], 1)
    ts = [threading.Thread(target=job, args=(g,), daemon=True) for g in client.GAMES]
    for x in ts:
        x.start()
    end = time.monotonic() + 240
    for x in ts:
        x.join(max(.1, end - time.monotonic()))
    for g in client.GAMES:
        out, errs = res.get(g, ([], ['did not end in 240 s']))
        ck('client.py plays %s to the end' % g, len(out) == client.GAMES[g] and not errs, '; '.join(errs))
        rej = sum(o[2] for o in out)
        ck('client.py: no move of %s was rejected' % g, rej == 0, '%d rejected' % rej)
        if out:
            rk = [json.dumps(o[1], sort_keys=True) for o in out]
            ck('§3 game_over is the same for all players (%s)' % g, len(set(rk)) == 1, rk[0])
            ck('§3 game_over without reason (%s)' % g, not out[0][1].get('reason'), rk[0])


# ------------------------------------------------------------------ main

def main():
    global ARGS, API
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('base', nargs='?', default='http://127.0.0.1:8090/loa')
    ap.add_argument('--first', type=float)
    ap.add_argument('--move', type=float)
    ap.add_argument('--slow', action='store_true')
    ap.add_argument('--very-slow', action='store_true', help='the ten minutes of finished games')
    ap.add_argument('--only', help='scenario names or prefixes, comma-separated')
    ap.add_argument('--list', action='store_true')
    ap.add_argument('-v', '--verbose', action='store_true')
    ap.add_argument('--seed', type=int, help='seed of my own random choices')
    ARGS = ap.parse_args()
    if ARGS.list:
        print('\n'.join(SCEN))
        return 0
    seed = ARGS.seed if ARGS.seed is not None else int(time.time())
    random.seed(seed)
    API = client.Api(ARGS.base)
    models.selftest()
    ck('self-test: PRNG and map check vectors of §6 and §9 hold in my models', True)
    for name, f in SCEN.items():
        if ARGS.only and not any(name == o or name.startswith(o) for o in ARGS.only.split(',')):
            continue
        CUR[0] = name
        t = time.monotonic()
        print('· %s' % name, end=' ', flush=True)
        n = sum(e[1] for e in R.values())
        def late(*_):
            raise Broken('watchdog: the scenario took more than 420 s')
        signal.signal(signal.SIGALRM, late)
        signal.alarm(420)
        try:
            f()
            ck('scenario %s runs to its end' % name, True)
        except Broken as e:
            ck('scenario %s runs to its end' % name, False, str(e))
        except Exception as e:
            ck('scenario %s runs to its end' % name, False, traceback.format_exc()[-1500:] + (CONNS[-1].tail() if CONNS else ''))
        signal.alarm(0)
        for c in CONNS:
            if not c.closed:
                try:
                    c.ws.drop()
                except Exception:
                    pass
        guarantees()
        print('%.1f s%s' % (time.monotonic() - t, ', FAILURES' if sum(e[1] for e in R.values()) > n else ''), flush=True)
    print()
    for name, (p, f, d) in R.items():
        if f == 0:
            print('PASS %s%s' % (name, ' ×%d' % p if p > 1 else ''))
    for s in SKIPS:
        print('SKIP %s' % s)
    for s, n in NOTES.items():
        print('NOTE %s%s' % (s, ' ×%d' % n if n > 1 else ''))
    bad = 0
    for name, (p, f, d) in R.items():
        if f:
            bad += 1
            print('FAIL %s (%d of %d)' % (name, f, p + f))
            for x in d:
                print('      ' + x)
    print('my random seed: %d' % seed)
    print('%d passed, %d failed' % (len(R) - bad, bad))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
