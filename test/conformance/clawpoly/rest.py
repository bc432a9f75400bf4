"""REST, agents, sockets: what can be checked without a game, or after a short one."""
import queue
import random
import re
import time

from client import Refused, Socket, request
from play import Room
from shapes import BOOL, COUNT, DICT, INT, LIST, NUMBER, TEXT, TIME, TOKENS, Report

SCENARIOS = {}


def scenario(function):
    SCENARIOS[function.__name__.replace('_', '-')] = function
    return function


class Context:
    def __init__(self, base, seed, until):
        self.base, self.api, self.seed, self.until = base, base + '/api/v1', seed, until
        self.ws, self.report = 'ws' + base[4:], Report()

    def call(self, method, path, body=None, raw=None):
        return request(method, self.api + path, body, raw)

    def room(self, name, styles, turn_limit=40, **more):
        return Room(self.base, self.report, name, styles, turn_limit, seed=self.seed, until=self.until, **more)

    def refused(self, what, got, status, code=None):
        """An error answer: { error: text, code: CODE }."""
        allowed = status if isinstance(status, tuple) else (status,)
        r = self.report
        if r.check(got.status in allowed, what, '/'.join(map(str, allowed)), got.brief()):
            r.check(TEXT[0](got.get('error')) and TEXT[0](got.get('code')), what + ' body', '{ error: text, code: CODE }', got.brief())
            if code:
                r.check(got.get('code') in (code if isinstance(code, tuple) else (code,)), what + ' code', code, got.get('code'))


class Raw:
    """A bare socket that keeps what comes."""
    def __init__(self, url):
        self.inbox, self.refused, self.sock = queue.Queue(), None, None
        try:
            self.sock = Socket(url, lambda sock, kind, value: self.inbox.put((kind, value)))
        except Refused as error:
            self.refused = error.status
        except OSError as error:
            self.refused = repr(error)

    def all(self, seconds=20.0):
        """Everything until the socket closes."""
        out, end = [], time.time() + seconds
        while time.time() < end:
            try:
                item = self.inbox.get(timeout=max(0.01, end - time.time()))
            except queue.Empty:
                break
            out.append(item)
            if item[0] == 'close':
                break
        return out

    def until(self, kind, seconds=25.0):
        end = time.time() + seconds
        while time.time() < end:
            try:
                item = self.inbox.get(timeout=max(0.01, end - time.time()))
            except queue.Empty:
                return None
            if item[0] == 'message' and isinstance(item[1], dict) and item[1].get('type') == kind:
                return item[1]
            if item[0] == 'close':
                return None
        return None


# -- REST ------------------------------------------------------------------------------------------------------------------
@scenario
def rest(c):
    r = c.report
    # rooms
    got = c.call('POST', '/rooms', {'name': 'checker rest'})
    r.same('POST /rooms with a name only', 201, got.status)
    room = got.json or {}
    r.fields('POST /rooms', room, roomId=TEXT, roomCode=TEXT, name=TEXT, status=TEXT, maxPlayers=INT, createdAt=(lambda v: v is not None, 'time'))
    r.same('POST /rooms status, maxPlayers, name', ('waiting', 4, 'checker rest'), (room.get('status'), room.get('maxPlayers'), room.get('name')))
    code = str(room.get('roomCode'))
    r.check(len(code) == 6 and all(x in 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789' for x in code), 'roomCode', '6 of A-Z without I O, and 2-9', code)
    path = '/rooms/%s' % room.get('roomId')
    got = c.call('GET', path)
    r.same('GET room', 200, got.status)
    if r.fields('GET room', got.json, roomId=TEXT, roomCode=TEXT, name=TEXT, status=TEXT, config=DICT, players=LIST):
        r.same('GET room config by default', (4, 200, 'normal'), tuple(got.json['config'].get(n) for n in ('maxPlayers', 'turnLimit', 'gameSpeed')))
        r.same('GET room players', [], got.json['players'])
        r.same('GET room: alias id', room.get('roomId'), got.json.get('id', room.get('roomId')))
    listed = c.call('GET', '/rooms')
    r.check(listed.status == 200 and isinstance(listed.get('rooms'), list), 'GET /rooms', '200 { rooms: [...] }', listed.brief())
    row = next((x for x in listed.get('rooms') or [] if isinstance(x, dict) and x.get('roomId') == room.get('roomId')), None)
    if r.check(row, 'GET /rooms lists the new room', room.get('roomId'), 'not there'):
        r.fields('GET /rooms row', row, roomId=TEXT, roomCode=TEXT, name=TEXT, status=TEXT, players=COUNT, maxPlayers=COUNT, spectators=COUNT, id=TEXT, playerCount=COUNT)
        r.same('GET /rooms aliases', (row.get('roomId'), row.get('players')), (row.get('id'), row.get('playerCount')))
    # join: tokens, aliases
    secret = []
    for i, (body, want) in enumerate([({'name': 'Ann', 'token': 'octopus'}, 'octopus'), ({'agentName': 'Bob'}, 'lobster'), ({'name': 'Cid', 'token': 'octopus'}, 'crab'),
                                      ({'name': 'Dot', 'token': 'whale'}, 'seahorse')]):
        got = c.call('POST', path + '/join', body)
        if r.check(got.status in (200, 201), 'join %s' % body, '200', got.brief()) and r.fields(
                'join', got.json, agentToken=TEXT, playerId=TEXT, roomId=TEXT, roomCode=TEXT, assignedToken=TEXT, token=TEXT, color=TEXT):
            j = got.json
            secret.append(j['agentToken'])
            r.same('join %s assignedToken' % body, want, j['assignedToken'])
            r.same('join alias token', j['assignedToken'], j['token'])
            r.same('join roomId, roomCode', (room.get('roomId'), code), (j['roomId'], j['roomCode']))
            colors = dict(zip(TOKENS, ['#e74c3c', '#e67e22', '#9b59b6', '#2ecc71', '#3498db', '#95a5a6']))
            names = dict(zip(TOKENS, ['red', 'orange', 'purple', 'green', 'blue', 'grey']))
            r.check(j['color'] in (colors[want], names[want]), 'join color of ' + want, colors[want], j['color'])
            r.check(j['playerId'].startswith('agent-') and j['playerId'][6:].isdigit(), 'join playerId', 'agent-<slot>', j['playerId'])
            r.check(re.match(r'^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', j['agentToken']), 'join agentToken', 'uuid', j['agentToken'])
    c.refused('join a full room', c.call('POST', path + '/join', {'name': 'Eve'}), 409, 'ROOM_FULL')
    got = c.call('GET', path)
    if r.same('GET room with four: names', ['Ann', 'Bob', 'Cid', 'Dot'], [p.get('name') for p in got.get('players') or []]):
        for p in got.json['players']:
            r.fields('GET room player', p, id=TEXT, name=TEXT, token=TEXT, money=COUNT, position=COUNT, connected=BOOL)
            r.same('GET room player not connected, at the start', (False, 1500, 0), (p.get('connected'), p.get('money'), p.get('position')))
    for text in (got.text, c.call('GET', '/rooms').text, c.call('GET', path + '/state').text, c.call('GET', path + '/log').text):
        r.check(not any(t in text for t in secret), 'answers show no agent tokens', 'none', text[:200])
    # before the start
    for what in ('state', 'log'):
        got = c.call('GET', path + '/' + what)
        if got.status != 200:
            c.refused('GET %s before the start' % what, got, 409, 'GAME_NOT_STARTED')
        else:
            r.ok()
    # unknown
    for method, tail, body in (('GET', '', None), ('POST', '/join', {'name': 'x'}), ('POST', '/start', {}), ('GET', '/state', None), ('GET', '/log', None)):
        c.refused('%s of an unknown room%s' % (method, tail), c.call(method, '/rooms/no-such-room' + tail, body), 404, 'ROOM_NOT_FOUND')
    # bad bodies
    free = '/rooms/%s' % c.call('POST', '/rooms', {'name': 'checker bodies', 'maxPlayers': 6}).get('roomId')
    for body in ({}, {'name': 5}, {'name': None}, {'name': ['x']}, {'name': {'a': 1}}, [], 'x', 5, None, {'token': 'crab'}):
        c.refused('join with body %r' % (body,), c.call('POST', free + '/join', raw='null' if body is None else None, body=body), 400)
    for raw in ('{', 'name=x', ''):
        c.refused('join with raw body %r' % raw, c.call('POST', free + '/join', raw=raw), 400)
    got = c.call('POST', free + '/join', {'name': 'x', 'token': 5})
    r.check(got.status in (200, 201, 400), 'join with token 5', 'first free token, or 400', got.brief())
    r.same('refused joins take no slot', int(got.status < 300), len(c.call('GET', free).get('players') or []))
    for body in ({'name': 'x', 'maxPlayers': 1}, {'name': 'x', 'maxPlayers': 7}, {'name': 'x', 'maxPlayers': '4'}, {'name': 'x', 'maxPlayers': 2.5},
                 {'name': 'x', 'maxPlayers': [3]}, {'name': 'x', 'turnLimit': 0}, {'name': 'x', 'turnLimit': -3}, {'name': 'x', 'turnLimit': 'ten'},
                 {'name': 'x', 'turnLimit': 1.5}, {'name': 'x', 'gameSpeed': 'warp'}, {'name': 'x', 'gameSpeed': 3}, {'name': 5}, {'name': {}},
                 {'name': 'x', 'mode': 'casino'}, [], 'x'):
        c.refused('POST /rooms with %r' % (body,), c.call('POST', '/rooms', body), 400)
    c.refused('POST /rooms with raw {', c.call('POST', '/rooms', raw='{'), 400)
    for speed in ('slow', 'normal', 'fast', 'instant'):
        got = c.call('POST', '/rooms', {'name': 'checker ' + speed, 'gameSpeed': speed, 'maxPlayers': 2, 'turnLimit': 30})
        if r.same('POST /rooms, gameSpeed ' + speed, 201, got.status):
            config = c.call('GET', '/rooms/' + got.json['roomId']).get('config') or {}
            r.same('config of the room', (2, 30, speed), (config.get('maxPlayers'), config.get('turnLimit'), config.get('gameSpeed')))
    # premium
    got = c.call('POST', '/rooms', {'name': 'checker premium', 'mode': 'premium', 'entryFee': {'amount': 5, 'token': 'USDC', 'chain': 'base'}})
    if got.status == 201:
        r.fields('POST premium room', got.json, mode=TEXT, entryFee=DICT, depositAddress=TEXT)
    else:
        c.refused('POST premium room', got, (400, 402, 403, 404, 409, 422, 501))
    got = c.call('POST', free + '/verify-payment', {'agentId': 'a', 'txHash': '0x1', 'payoutAddress': '0x2'})
    if got.status == 200:
        r.fields('verify-payment', got.json, verified=BOOL, confirmations=COUNT, message=TEXT)
    else:
        c.refused('verify-payment in a free room', got, (400, 402, 403, 404, 409, 422, 501))
    # too few to start
    few = '/rooms/%s' % c.call('POST', '/rooms', {'name': 'checker few', 'maxPlayers': 3, 'gameSpeed': 'instant', 'turnLimit': 20}).get('roomId')
    c.refused('start with none', c.call('POST', few + '/start', {}), (400, 409))
    c.call('POST', few + '/join', {'name': 'one'})
    c.refused('start with one', c.call('POST', few + '/start', {}), (400, 409))
    r.same('status after refused starts', 'waiting', c.call('GET', few).get('status'))
    got = c.call('GET', '/no-such-path')
    r.same('unknown path', 404, got.status)


@scenario
def agents(c):
    """Registration, stats after a game, leaderboards."""
    r = c.report
    tag = '%08x' % random.SystemRandom().randrange(1 << 32)
    ids = ['checker-%s-%s' % (tag, x) for x in 'ab']
    for one in ids:
        got = c.call('POST', '/agents/register', {'agentId': one, 'name': 'Reg ' + one[-1] + tag[:4], 'description': 'for the checker'})
        if r.check(got.status in (200, 201), 'register', '200 or 201', got.brief()):
            r.same('register answer', (one, 'Reg ' + one[-1] + tag[:4], True, {'gamesPlayed': 0, 'wins': 0, 'elo': 1200}),
                   (got.get('agentId'), got.get('name'), got.get('registered'), {k: (got.get('stats') or {}).get(k) for k in ('gamesPlayed', 'wins', 'elo')}))
    for body in ({}, {'agentId': 5, 'name': 'x', 'description': ''}, {'agentId': 'a' + tag, 'name': 5, 'description': 'd'}, {'name': 'x', 'description': 'd'},
                 {'agentId': 'b' + tag, 'description': 'd'}, [], 'x'):
        c.refused('register with %r' % (body,), c.call('POST', '/agents/register', body), 400)
    got = c.call('GET', '/agents/no-such-agent-' + tag)
    c.refused('GET unknown agent', got, 404)
    got = c.call('GET', '/agents/' + ids[0])
    r.check(got.status == 200 and isinstance(got.json, dict), 'GET agent', '200', got.brief())
    game = c.room('agents', ['buyer', 'passer'], 20)
    if not game.create():
        return
    for agent, one in zip(game.agents, ids):
        agent.name = 'Reg ' + one[-1] + tag[:4]         # whether a registered agent can join by another name is open
        if game.join(agent, agentId=one) is None:
            return
        r.same('playerId of a registered agent', 'agent-', str(agent.id)[:6])
    if not all([a.connect() for a in game.agents]):
        return
    game.play()
    if not game.done:
        return
    winner = game.agents[0].over.get('winnerId')
    for agent, one in zip(game.agents, ids):
        stats, end = {}, time.time() + 20
        while time.time() < end:
            got = c.call('GET', '/agents/' + one)
            stats = got.get('stats') if isinstance(got.get('stats'), dict) else got.json or {}
            if stats.get('gamesPlayed') == 1:
                break
            time.sleep(0.5)
        r.same('stats after one game', (1, int(agent.id == winner)), (stats.get('gamesPlayed'), stats.get('wins')))
        elo = stats.get('elo')
        r.check(isinstance(elo, (int, float)) and (elo > 1200 if agent.id == winner else elo < 1200), 'elo after one game',
                'above 1200 for the winner, below for the loser', elo)
    boards = [c.call('GET', p + '?limit=100') for p in ('/leaderboard', '/agents/leaderboard')]
    for got, path in zip(boards, ('/leaderboard', '/agents/leaderboard')):
        rows = got.get('leaderboard')
        if not r.check(got.status == 200 and isinstance(rows, list), 'GET ' + path, '200 { leaderboard }', got.brief()):
            continue
        for row in rows[:5]:
            r.fields('GET %s row' % path, row, rank=INT, agentId=TEXT, name=TEXT, elo=NUMBER, wins=COUNT, gamesPlayed=COUNT)
        elos = [row.get('elo') for row in rows if isinstance(row, dict)]
        r.check(elos == sorted(elos, reverse=True), 'GET %s by elo' % path, 'falling', elos[:10])
        r.same('GET %s ranks' % path, list(range(1, len(rows) + 1)), [row.get('rank') for row in rows])
        if len(rows) < 100:
            r.check(any(row.get('agentId') == ids[0] for row in rows), 'GET %s shows the winner or loser' % path, ids[0], 'not there')
    if boards[0].status == boards[1].status == 200:
        r.check(set(map(str, boards[0].json)) == set(map(str, boards[1].json)), 'both leaderboards', 'same shape', boards[1].brief())
    r.check(len(c.call('GET', '/leaderboard?limit=1').get('leaderboard') or []) <= 1, 'leaderboard limit=1', 'one row', 'more')
    got = c.call('GET', '/agents')
    if r.same('GET /agents', 200, got.status):
        r.fields('GET /agents', got.json, agents=LIST, total=COUNT, page=COUNT, limit=COUNT, pages=COUNT)
    got = c.call('GET', '/agents?page=1&limit=1')
    r.check(got.status == 200 and len(got.get('agents') or []) == 1, 'GET /agents?page=1&limit=1', 'one agent', got.brief())
    for path in ('/leaderboard?limit=x', '/leaderboard?limit=-1', '/agents?page=zero', '/leaderboard?limit=999999999'):
        got = c.call('GET', path)
        r.check(got.status in (200, 400), 'GET ' + path, '200 or 400', got.brief())
    # the log, by pages
    path = '/rooms/%s/log' % game.id
    whole = c.call('GET', path + '?from=0&limit=60')
    first = c.call('GET', path)
    r.check(first.status == 200 and (first.get('from'), first.get('limit')) == (0, 50), 'GET log without query', 'from 0, limit 50', (first.get('from'), first.get('limit')))
    r.check(len(first.get('events') or []) <= 50, 'GET log without query', 'at most 50', len(first.get('events') or []))
    r.same('GET log from, limit', (0, 60), (whole.get('from'), whole.get('limit')))
    numbers = [e.get('sequence') for e in whole.get('events') or []]
    page = c.call('GET', path + '?from=10&limit=7')
    part = [e.get('sequence') for e in page.get('events') or []]
    r.check(len(part) == 7 and any(part == numbers[i:i + 7] for i in (9, 10, 11)), 'GET log?from=10&limit=7', numbers[10:17], part)
    r.same('GET log page from, limit', (10, 7), (page.get('from'), page.get('limit')))
    got = c.call('GET', path + '?from=1000000&limit=5')
    r.check(got.status == 200 and got.get('events') == [], 'GET log past its end', 'no events', got.brief())
    for query in ('?from=x', '?limit=x', '?from=-1', '?limit=-1', '?limit=0', '?from=1.5'):
        got = c.call('GET', path + query)
        r.check(got.status in (200, 400), 'GET log' + query, '200 or 400', got.brief())
    # after the end
    c.refused('join after the end', c.call('POST', '/rooms/%s/join' % game.id, {'name': 'late'}), 409, ('GAME_ALREADY_STARTED', 'ROOM_FULL'))
    c.refused('start after the end', c.call('POST', '/rooms/%s/start' % game.id, {}), 409, 'GAME_ALREADY_STARTED')
    dead = Raw('%s/ws/agent?roomId=%s&agentToken=%s' % (c.ws, game.id, game.agents[0].token))
    if dead.refused is None:
        items = dead.all()
        r.same('agentToken after the end', [('error', 'INVALID_TOKEN'), 4001],
               [(v.get('type'), (v.get('data') or {}).get('code')) if k == 'message' and isinstance(v, dict) else v for k, v in items])


@scenario
def sockets(c):
    """Refusals and close codes."""
    r = c.report
    made = c.call('POST', '/rooms', {'name': 'checker sockets', 'maxPlayers': 3, 'gameSpeed': 'instant', 'turnLimit': 20})
    room, code = made.get('roomId'), made.get('roomCode')
    one = c.call('POST', '/rooms/%s/join' % room, {'name': 'One'})
    token = one.get('agentToken')
    other = c.call('POST', '/rooms', {'name': 'checker other', 'maxPlayers': 3}).get('roomId')
    for query in ('', '?roomId=%s' % room, '?agentToken=%s' % token, '?roomId=&agentToken='):
        got = Raw(c.ws + '/ws/agent' + query)
        r.same('ws/agent%s' % query.replace(str(token), 'TOKEN').replace(str(room), 'ROOM'), 400, got.refused if got.refused is not None else 'upgrade')
        if got.sock:
            got.sock.close()
    for query, name, number in (('?roomId=no-such-room&agentToken=%s' % token, 'ROOM_NOT_FOUND', 4004), ('?roomId=%s&agentToken=wrong' % room, 'INVALID_TOKEN', 4001),
                                ('?roomId=%s&agentToken=00000000-0000-4000-8000-000000000000' % room, 'INVALID_TOKEN', 4001),
                                ('?roomId=%s&agentToken=%s' % (other, token), 'INVALID_TOKEN', 4001)):
        got = Raw(c.ws + '/ws/agent' + query)
        if r.check(got.refused is None, 'socket for ' + name, 'upgrade, then error', got.refused):
            items = got.all()
            errors = [v for k, v in items if k == 'message']
            r.check(len(errors) == 1 and isinstance(errors[0], dict) and errors[0].get('type') == 'error' and (errors[0].get('data') or {}).get('code') == name
                    and TIME[0](errors[0].get('timestamp')), 'socket for %s: message' % name, 'error ' + name, errors)
            r.same('socket for %s: close code' % name, number, next((v for k, v in items if k == 'close'), None))
    # lobby
    url = '%s/ws/agent?roomId=%s&agentToken=%s' % (c.ws, room, token)
    first = Raw(url)
    hello = first.until('agent:welcome')
    if r.check(hello, 'welcome in the lobby', 'agent:welcome', hello):
        r.same('welcome', (one.get('playerId'), room, {'maxPlayers': 3, 'turnLimit': 20, 'gameSpeed': 'instant'}),
               (hello['data'].get('playerId'), hello['data'].get('roomId'), {k: (hello['data'].get('gameConfig') or {}).get(k) for k in ('maxPlayers', 'turnLimit', 'gameSpeed')}))
        for message in ({'type': 'action:roll_dice', 'data': {}}, 'garbage', {'type': 'action:fly'}):
            first.sock.send(message)
            got = first.until('error')
            codes = ('NOT_YOUR_TURN', 'INVALID_ACTION') if isinstance(message, dict) and 'roll' in message['type'] else ('INVALID_ACTION',)
            r.check(got and (got.get('data') or {}).get('code') in codes, 'in the lobby: %s' % (message,), codes, got)
    second = Raw(url)
    r.check(second.until('agent:welcome'), 'welcome on a second socket', 'agent:welcome', 'nothing')
    r.same('first socket, once replaced', 4000, next((v for k, v in first.all() if k == 'close'), None))
    players = c.call('GET', '/rooms/%s' % room).get('players') or [{}]
    r.same('connected, after replacement', True, players[0].get('connected'))
    if second.sock:
        second.sock.close()
    # spectators of a waiting room, by code; in small letters or unknown it is open
    seen = Raw('%s/ws/spectator?roomCode=%s' % (c.ws, code))
    if r.check(seen.refused is None, 'spectator', 'upgrade', seen.refused):
        kind, value = seen.inbox.get(timeout=25)
        r.check(kind == 'message' and isinstance(value, dict) and isinstance(value.get('data'), dict), 'spectator: first message', 'the full state', value)
        c.call('POST', '/rooms/%s/join' % room, {'name': 'Two'})
        r.check(seen.until('room:player_joined'), 'spectator', 'room:player_joined', 'nothing')
        seen.sock.close()
    got = Raw(c.ws + '/ws/spectator')
    r.check(got.refused in (400, 404) or got.refused is None and any(k == 'close' for k, v in got.all()), 'ws/spectator without query', 'refused or closed', got.refused)
    got = Raw(c.ws + '/ws/spectator?roomCode=ZZZZZZ')
    if got.refused is None:
        r.check(any(k == 'close' for k, v in got.all()), 'spectator of an unknown room', 'closed', 'open')
