#!/usr/bin/env python3
"""Strict checker of a host of league.v2, written from the text of the protocol alone.
  python3 check.py BASE COMMAND... [--only NAME[,NAME]]
BASE: e.g. http://127.0.0.1:8090/league . COMMAND: how to run agentbbs beside that host, e.g. `agentbbs` (it makes leagues).
Exit 1 on failures."""
import calendar, concurrent.futures, http.client, http.server, itertools, json, re, subprocess, sys, threading, time, traceback, urllib.parse

BASE, COMMAND, ONLY = '', [], []
PASSED, FAILED, LOCK = [0], [], threading.Lock()
NAMES = {'E001': 'TIMEOUT_ERROR', 'E003': 'MISSING_REQUIRED_FIELD', 'E004': 'INVALID_PARITY_CHOICE', 'E005': 'PLAYER_NOT_REGISTERED',
         'E009': 'CONNECTION_ERROR', 'E011': 'AUTH_TOKEN_MISSING', 'E012': 'AUTH_TOKEN_INVALID', 'E021': 'INVALID_TIMESTAMP'}
CODES = {'E001': -32000, 'E003': -32602, 'E004': -32602, 'E005': -32000, 'E009': -32000, 'E011': -32001, 'E012': -32001, 'E021': -32602}
TOOL = {'GAME_INVITATION': 'handle_game_invitation', 'CHOOSE_PARITY_CALL': 'choose_parity', 'GAME_OVER': 'notify_match_result',
        'ROUND_ANNOUNCEMENT': 'notify_round', 'ROUND_COMPLETED': 'notify_round_completed', 'LEAGUE_STANDINGS_UPDATE': 'update_standings',
        'LEAGUE_COMPLETED': 'notify_league_completed', 'GAME_ERROR': 'notify_game_error'}
NO_ANSWER, MISSING = object(), object()


def ck(what, good, expected='', got=''):
    with LOCK:
        if good:
            PASSED[0] += 1
        else:
            show = lambda v: v if isinstance(v, str) else json.dumps(v, default=repr, ensure_ascii=False)
            FAILED.append(what)
            print('FAIL %s: expected %s … got %s' % (what, show(expected)[:400], show(got)[-900:]), flush=True)
    return good


def eq(what, got, expected):
    return ck(what, got == expected and type(got) == type(expected), expected, got)


def at(obj, *keys):
    for key in keys:
        try:
            obj = obj[key]
        except (KeyError, IndexError, TypeError):
            return None
    return obj


def now(form='%Y-%m-%dT%H:%M:%SZ'):
    return time.strftime(form, time.gmtime())


def until(met, seconds, step=0.05):
    end = time.time() + seconds
    while time.time() < end:
        if met():
            return True
        time.sleep(step)
    return bool(met())


# ------------------------------------------------------------------ to the host

NUMBERS = itertools.count(1)
PORTS = itertools.count(10000 + int(time.time() * 7) % 20000)


def post(path, body, headers=None):
    """Status, JSON or None, raw bytes."""
    url = urllib.parse.urlsplit(BASE + path)
    con = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        con.request('POST', url.path, data, {'Content-Type': 'application/json', **(headers or {})})
        answer = con.getresponse()
        raw = answer.read()
        try:
            return answer.status, json.loads(raw), raw
        except ValueError:
            return answer.status, None, raw
    except OSError as wrong:
        return 0, None, repr(wrong).encode()
    finally:
        con.close()


def env(kind, from_whom, **more):
    message = {'protocol': 'league.v2', 'message_type': kind, 'sender': from_whom, 'timestamp': now(),
               'conversation_id': 'conv-%d' % next(NUMBERS), **more}
    return {key: value for key, value in message.items() if value is not MISSING}


def rpc(message, league='', method=None, id=None):
    """The whole JSON-RPC answer, after the checks that hold for each."""
    id = next(NUMBERS) if id is None else id
    status, answer, raw = post('/%s/mcp' % league if league else '/mcp',
                               {'jsonrpc': '2.0', 'method': method or str(message.get('message_type')).lower(), 'params': message, 'id': id})
    kind = message.get('message_type')
    eq('%s: HTTP status' % kind, status, 200)
    ck('%s: JSON-RPC envelope' % kind, at(answer, 'jsonrpc') == '2.0' and ('result' in (answer or {})) != bool(at(answer, 'error')),
       'jsonrpc 2.0 with one of result and error', answer or raw[:200].decode('utf8', 'replace'))
    eq('%s: id is echoed' % kind, at(answer, 'id'), id)
    if at(answer, 'result') is not None:
        base('answer to %s' % kind, answer['result'], r'league_manager(:LM01)?|referee:REF\d\d')
        if message.get('conversation_id'):
            eq('answer to %s copies conversation_id' % kind, at(answer, 'result', 'conversation_id'), message.get('conversation_id'))
    return answer or {}


def base(what, message, sender):
    """The five base fields."""
    ck(what + ': is an object', isinstance(message, dict), 'object', message)
    eq(what + ': protocol', at(message, 'protocol'), 'league.v2')
    ck(what + ': message_type', re.fullmatch('[A-Z_]+', str(at(message, 'message_type'))), 'upper case', at(message, 'message_type'))
    ck(what + ': sender', re.fullmatch(sender, str(at(message, 'sender'))), sender, at(message, 'sender'))
    ck(what + ': timestamp', re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ', str(at(message, 'timestamp'))),
       'UTC with Z and no fraction', at(message, 'timestamp'))
    ck(what + ': conversation_id', isinstance(at(message, 'conversation_id'), str) and message['conversation_id'], 'a string', message)


def refused(what, answer, code, player=None, original=None, sender='league_manager'):
    """An answer that is a JSON-RPC error: an E-code with its LEAGUE_ERROR, or a bare JSON-RPC code."""
    error = at(answer, 'error')
    if isinstance(code, int):
        return eq(what + ': JSON-RPC code', at(error, 'code'), code) and eq(what + ': no E-code', at(error, 'data', 'error_code'), None)
    if not eq(what + ': E-code', at(error, 'data', 'error_code'), code):
        return ck(what + ': whole answer', False, code, answer)
    data = error['data']
    eq(what + ': JSON-RPC code of ' + code, error.get('code'), CODES[code])
    eq(what + ': message', error.get('message'), NAMES[code])
    base(what, data, sender)
    eq(what + ': message_type', data.get('message_type'), 'LEAGUE_ERROR')
    eq(what + ': error_description', data.get('error_description'), NAMES[code])
    ck(what + ': action_required', isinstance(data.get('action_required'), str) and data['action_required'], 'a message type', data)
    ck(what + ': affected_player', isinstance(data.get('affected_player'), str), 'a string', data)
    if player is not None:
        eq(what + ': affected_player', data.get('affected_player'), player)
    if original is not None and 'original_message_type' in data:
        eq(what + ': original_message_type', data['original_message_type'], original)


# ------------------------------------------------------------------ agents that are servers

class Agent:
    """A player or referee. `how`: form (which methods it knows), unknown (HTTP status beside -32601), shape of replies, choice, accept,
    stamp, own (the id it says it has), sleep {type: s}, raw {type: function(agent, body) -> (status, bytes) or NO_ANSWER}."""

    def __init__(self, name, **how):
        self.name, self.how, self.got, self.id, self.token, self.league = name, how, [], None, None, ''
        agent = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get('Content-Length') or 0))
                try:
                    agent.serve(self, body)
                except OSError:
                    pass

            def do_GET(self):
                agent.got.append((time.time(), {'message_type': 'GET'}, {}, self.path))
                self.send_response(200), self.send_header('Content-Length', '0'), self.end_headers()

            def log_message(self, *_):
                pass

        while not hasattr(self, 'server'):  # A port that was never used: the host remembers endpoints that failed.
            try:
                self.server = http.server.ThreadingHTTPServer(('127.0.0.1', next(PORTS)), Handler)
            except OSError:
                pass
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        self.url = 'http://127.0.0.1:%d/mcp' % self.server.server_port

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def register(self, league, sender=None, kind='player', **meta):
        self.league = league
        end = 0 if league in KNOWN else time.time() + 8
        while True:  # The host looks for new events now and then.
            answer = rpc(registration(self, kind, sender, **meta), league)
            if at(answer, 'result', 'status') == 'ACCEPTED' or time.time() > end:
                break
            time.sleep(0.3)
        KNOWN.add(league)
        self.id, self.token = at(answer, 'result', kind + '_id'), at(answer, 'result', 'auth_token')
        self.kind = kind
        return answer

    def send(self, kind, **more):
        message = {'auth_token': self.token, 'league_id': self.league, **more}
        return rpc(env(kind, '%s:%s' % (self.kind, self.id), **message), self.league)

    def query(self, type, **more):
        return self.send('LEAGUE_QUERY', query_type=type, **more)

    def all(self, kind):
        return [message for _, message, _, _ in list(self.got) if message.get('message_type') == kind]

    def heard(self, kind, seconds=30):
        until(lambda: self.all(kind), seconds)
        return (self.all(kind) or [None])[-1]

    def serve(self, http, raw):
        body = json.loads(raw)
        message, kind, how = body.get('params') or {}, at(body, 'params', 'message_type'), self.how
        self.got.append((time.time(), message, body, http.path))
        self.inspect(http, body, message, kind)
        odd = how.get('raw', {}).get(kind) or how.get('raw', {}).get('*')
        if odd:
            answer = odd(self, body)
            if answer is NO_ANSWER:
                http.close_connection = True
                return
            if answer is not None:
                return self.reply(http, *answer)
        knows = how.get('form', 'any')
        form = {'seed': str(kind).lower(), 'tool': TOOL.get(kind), 'upper': kind}.get(knows)
        if knows != 'any' and body.get('method') != form:
            return self.reply(http, how.get('unknown', 200), {'jsonrpc': '2.0', 'id': body['id'], 'error': {'code': -32601, 'message': 'Method not found'}})
        time.sleep(how.get('sleep', {}).get(kind, 0))
        if how.get('before'):
            how['before'](self, message)
        shape = how.get('shape', 'result')
        said = self.say(kind, message)
        wrap = {'jsonrpc': '2.0', 'id': how.get('rpc_id', lambda id: id)(body['id'])}
        if shape == 'pushed' and kind in ('GAME_INVITATION', 'CHOOSE_PARITY_CALL'):
            def push():
                time.sleep(0.1)
                self.pushed = rpc(said, how.get('push_to', ''))
            threading.Thread(target=push, daemon=True).start()
            return self.reply(http, 200, {**wrap, 'result': {'status': 'received'}})
        if shape == 'twice' and kind == 'CHOOSE_PARITY_CALL':
            self.reply(http, 200, {**wrap, 'result': said})
            return rpc({**said, 'parity_choice': 'odd'})
        if shape == 'request' and said:
            return self.reply(http, 200, {'jsonrpc': '2.0', 'id': 4711, 'method': said.get('message_type', 'ack'), 'params': said})
        if shape == 'bare':
            return self.reply(http, 200, said)
        if shape == 'null':
            wrap['error'] = None
        self.reply(http, how.get('status', 200), {**wrap, 'result': said})

    def say(self, kind, message):
        how, own = self.how, self.how.get('own', self.id)
        reply = {'protocol': 'league.v2', 'sender': 'player:%s' % own, 'timestamp': how.get('stamp', now)(),
                 'conversation_id': how.get('conversation', message.get('conversation_id')), 'match_id': how.get('match', message.get('match_id')), 'player_id': own}
        if kind == 'GAME_INVITATION':
            accept = how.get('accept', True)
            said = {**reply, 'message_type': 'GAME_JOIN_ACK', 'arrival_timestamp': how.get('stamp', now)()}
            return {**said, **({'accept': accept} if accept is not None else {'status': 'ACCEPTED'})}
        if kind == 'CHOOSE_PARITY_CALL':
            choice = how.get('choice', 'even')
            choice = choice(self) if callable(choice) else choice
            said = {**reply, 'message_type': 'CHOOSE_PARITY_RESPONSE'}
            return {**said, **(choice if isinstance(choice, dict) else {'parity_choice': choice})}
        return {'status': 'ok'}

    @staticmethod
    def reply(http, status, body, headers=None):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        http.send_response(status)
        for key, value in {'Content-Type': 'application/json', 'Content-Length': str(len(data)), **(headers or {})}.items():
            http.send_header(key, value)
        http.end_headers()
        http.wfile.write(data)

    def inspect(self, http, body, message, kind):
        """What holds for all that the host sends."""
        what = '%s from the host' % kind
        ck(what + ': path', http.path == '/mcp', '/mcp', http.path)
        ck(what + ': Content-Type', http.headers.get('Content-Type', '').startswith('application/json'), 'application/json', http.headers.get('Content-Type'))
        eq(what + ': jsonrpc', body.get('jsonrpc'), '2.0')
        ck(what + ': integer id', type(body.get('id')) is int, 'an integer', body.get('id'))
        ck(what + ': method', body.get('method') in (str(kind).lower(), TOOL.get(kind), kind), 'a form of §12', body.get('method'))
        of_match = kind in ('GAME_INVITATION', 'CHOOSE_PARITY_CALL', 'GAME_OVER', 'GAME_ERROR')
        base(what, message, r'referee:REF\d\d' if of_match else 'league_manager(:LM01)?')
        if not self.how.get('throwaway'):
            ck(what + ': no token', not message.get('auth_token'), 'none', message.get('auth_token'))


def registration(agent, kind='player', sender=None, **meta):
    said = {'display_name': agent.name, 'version': '1.0.0', 'game_types': ['even_odd'], 'contact_endpoint': agent.url, **meta}
    return env({'player': 'LEAGUE_REGISTER_REQUEST', 'referee': 'REFEREE_REGISTER_REQUEST'}[kind], sender or '%s:%s' % (kind, agent.name),
               **{kind + '_meta': {key: value for key, value in said.items() if value is not MISSING}})


KNOWN = set()
RUN = str(int(time.time()))[-6:]


def cli(*args):
    done = subprocess.run([*COMMAND, *args], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError('%s: %s' % (' '.join(args), done.stderr))


def league(*options, **sets):
    name = 'lc%s-%d' % (RUN, next(NUMBERS))
    sets = {'join': 2000, 'choice': 3000, **sets}
    cli('event', 'create', name, '--format', 'round-robin', '--game', 'even-odd', '--protocol', 'league.v2', *options,
        *[word for key, value in sets.items() for word in ('--set', '%s=%s' % (key.replace('_', '-'), json.dumps(value)))])
    return name


def start(name):
    cli('event', 'start', name)


def player(**how):
    return Agent('bot%s%d' % (RUN, next(NUMBERS)), **how)


def duel(*, sets=None, wait=60, **how):
    """A league of two: an agent of this kind, and an exemplary one that chooses odd. Returns both when it is over."""
    name = league(**(sets or {}))
    odd, good = player(**how), player(choice='odd', throwaway=how.get('throwaway'))
    odd.register(name), good.register(name)
    start(name)
    ck('league of two ends (%s)' % how, good.heard('LEAGUE_COMPLETED', wait), 'LEAGUE_COMPLETED', [m[1].get('message_type') for m in good.got])
    odd.heard('LEAGUE_COMPLETED', 5)  # Each is told on its own; one that failed too often is not told at all.
    return odd, good


# ------------------------------------------------------------------ scenarios

def registering():
    name = league()
    first, second, third = player(), player(), player()
    answer = first.register(name)
    result = answer.get('result') or {}
    eq('registration: message_type', result.get('message_type'), 'LEAGUE_REGISTER_RESPONSE')
    eq('registration: status', result.get('status'), 'ACCEPTED')
    eq('registration: first id', result.get('player_id'), 'P01')
    eq('registration: league_id', result.get('league_id'), name)
    ck('registration: token', re.fullmatch(r'tok_[A-Za-z0-9]+_[\w-]{22,}', str(result.get('auth_token'))), 'tok_<id>_<128 bits>', result.get('auth_token'))
    ck('registration: sender', result.get('sender') == 'league_manager', 'league_manager', result)
    second.register(name, 'player:P03')
    eq('registration: a free id is granted', second.id, 'P03')
    third.register(name, 'player:P03')
    ck('registration: a taken id is not granted', third.id == 'P02', 'P02', third.id)
    old = third.token
    again = third.register(name)
    eq('registration again: same id', at(again, 'result', 'player_id'), 'P02')
    ck('registration again: fresh token', third.token and third.token != old, 'another token', third.token)
    refused('old token is void', rpc(env('LEAGUE_QUERY', 'player:P02', auth_token=old, league_id=name, query_type='GET_STANDINGS'), name), 'E012', 'P02', 'LEAGUE_QUERY')
    eq('new token holds', at(third.query('GET_STANDINGS'), 'result', 'success'), True)
    fourth = player()
    fourth.register(name)
    ck('registration: counter goes on', fourth.id == 'P04', 'P04', fourth.id)
    ref = player()
    answer = ref.register(name, kind='referee')
    eq('referee: message_type', at(answer, 'result', 'message_type'), 'REFEREE_REGISTER_RESPONSE')
    eq('referee: status', at(answer, 'result', 'status'), 'ACCEPTED')
    eq('referee: first id', ref.id, 'REF01')
    eq('referee: league_id', at(answer, 'result', 'league_id'), name)
    ck('referee: token', re.fullmatch(r'tok_[A-Za-z0-9]+_[\w-]{22,}', str(ref.token)), 'tok_…', ref.token)
    other = player()
    other.register(name, 'referee:REF05', kind='referee')
    eq('referee: a free id is granted', other.id, 'REF05')
    for kind in ('player', 'referee'):
        fields = ['display_name', 'version', 'game_types', 'contact_endpoint']
        for field in fields:
            for value, how in ((MISSING, 'absent'), (None, 'null')):
                refused('%s without %s (%s)' % (kind, field, how), rpc(registration(player(), kind, **{field: value}), name), 'E003')
        whole = registration(player(), kind)
        del whole[kind + '_meta']
        refused('%s without meta' % kind, rpc(whole, name), 'E003')

        def rejected(what, message):
            answer = rpc(message, name)
            eq('%s %s: status' % (kind, what), at(answer, 'result', 'status'), 'REJECTED')
            eq('%s %s: id is empty' % (kind, what), at(answer, 'result', kind + '_id'), '')
            ck('%s %s: reason' % (kind, what), at(answer, 'result', 'reason'), 'a reason', answer)
            ck('%s %s: no token' % (kind, what), not at(answer, 'result', 'auth_token'), 'none', answer)
        rejected('of another game', registration(player(), kind, game_types=['chess']))
        rejected('of no game', registration(player(), kind, game_types=[]))
        for url in ('ftp://127.0.0.1:9/mcp', 'file:///etc/passwd', 'http://10.0.0.1:8101/mcp', 'http://169.254.169.254/mcp'):
            rejected('at ' + url, registration(player(), kind, contact_endpoint=url))
    for field in ('sender', 'timestamp', 'conversation_id'):
        message = registration(player())
        del message[field]
        refused('registration without ' + field, rpc(message, name), 'E003')
    for kind, seed, tool in (('player', 'league_register_request', 'register_player'), ('referee', 'referee_register_request', 'register_referee')):
        for method in (seed, tool, seed.upper(), 'nonsense'):
            message = registration(player(), kind)
            if method != 'nonsense':
                del message['message_type']
            eq('registration by method %s' % method, at(rpc(message, name, method=method), 'result', 'status'), 'ACCEPTED')
    start(name)
    late = registration(player())
    answer = rpc(late, name)
    eq('after the start: REJECTED', at(answer, 'result', 'status'), 'REJECTED')
    eq('after the start: id is empty', at(answer, 'result', 'player_id'), '')
    eq('same endpoint after the start, no token', at(rpc(registration(third), name), 'result', 'status'), 'REJECTED')
    with_token = {**registration(third, sender='player:P02'), 'auth_token': third.token}
    answer = rpc(with_token, name)
    eq('same endpoint after the start with the token', at(answer, 'result', 'status'), 'ACCEPTED')
    eq('same endpoint after the start keeps its id', at(answer, 'result', 'player_id'), 'P02')
    cli('event', 'cancel', name)
    full = league('--most', '2')
    for count in range(3):
        answer = player().register(full)
    eq('full league: REJECTED', at(answer, 'result', 'status'), 'REJECTED')
    lenient = league(lenient=True)
    player().register(lenient)
    for field in ('sender', 'timestamp', 'conversation_id'):
        message = registration(player())
        del message[field]
        eq('lenient: registration without ' + field, at(rpc(message, lenient), 'result', 'status'), 'ACCEPTED')
    eq('lenient: query without token', at(rpc(env('LEAGUE_QUERY', 'player:P01', league_id=lenient, query_type='GET_STANDINGS'), lenient), 'result', 'success'), True)


def checking():
    """Transport, and the order of §10."""
    name = league()
    one, two = player(), player()
    one.register(name), two.register(name)

    def q(**more):
        return env('LEAGUE_QUERY', 'player:P01', **{'auth_token': one.token, 'league_id': name, 'query_type': 'GET_STANDINGS', **more})
    path = '/%s/mcp' % name
    request = lambda **more: {'jsonrpc': '2.0', 'method': 'league_query', 'params': q(), 'id': 1, **more}

    def raw(what, body, code, id=MISSING):
        status, answer, seen = post(path, body)
        eq(what + ': code', at(answer, 'error', 'code'), code)
        eq(what + ': status', status, 200)
        eq(what + ': jsonrpc', at(answer, 'jsonrpc'), '2.0')
        if id is not MISSING:
            eq(what + ': id', at(answer, 'id'), id)
    raw('no JSON', b'{"jsonrpc": "2.0",', -32700, None)
    raw('empty body', b'', -32700, None)
    raw('batch', [request()], -32600, None)
    raw('empty batch', [], -32600, None)
    raw('a number', b'7', -32600, None)
    raw('no id', {k: v for k, v in request().items() if k != 'id'}, -32600)
    raw('no jsonrpc', {k: v for k, v in request().items() if k != 'jsonrpc'}, -32600)
    raw('jsonrpc 1.0', request(jsonrpc='1.0'), -32600)
    raw('unknown message type', request(params=q(message_type='LEAGUE_DANCE')), -32601, 1)
    eq('string id is echoed', at(rpc(q(), name, id='abc-7'), 'id'), 'abc-7')
    eq('method is ignored', at(rpc(q(), name, method='register_player'), 'result', 'query_type'), 'GET_STANDINGS')
    mute = q()
    del mute['message_type']
    eq('method counts where message_type is absent', at(rpc(mute, name, method='league_query'), 'result', 'query_type'), 'GET_STANDINGS')
    eq('league from league_id at /mcp', at(rpc(q()), 'result', 'success'), True)
    pad = lambda n: (lambda m: m + b' ' * (n - len(m)))(json.dumps(request()).encode())
    status, answer, _ = post(path, pad(65536))
    eq('64 KiB are taken', at(answer, 'result', 'success'), True)
    status, answer, seen = post(path, pad(65537))
    ck('more than 64 KiB are not', at(answer, 'result') is None, 'no result', (status, seen[:200]))
    eq('unknown fields are ignored', at(rpc(q(colour='red'), name), 'result', 'success'), True)
    refused('other protocol', rpc(q(protocol='league.v1'), name), -32602)
    eq('no protocol', at(rpc(q(protocol=MISSING, auth_token=MISSING), name), 'error', 'code'), -32602)
    for field in ('sender', 'timestamp', 'conversation_id'):
        refused('no ' + field, rpc(q(**{field: MISSING}), name), 'E003')
        refused('null ' + field, rpc(q(**{field: None}), name), 'E003')
    good = ['%Y-%m-%dT%H:%M:%SZ', '%Y-%m-%dT%H:%M:%S+00:00', '%Y-%m-%dT%H:%M:%S.123456Z', '%Y-%m-%dT%H:%M:%S.5+00:00']
    bad = ['%Y-%m-%dT%H:%M:%S+02:00', '%Y-%m-%dT%H:%M:%S', '%Y%m%dT%H%M%SZ', 'yesterday', '%Y-%m-%dT%H:%M:%S-05:00', '2025-13-01T10:00:00Z', '2025-12-01T25:00:00Z', '']
    for form in good:
        eq('timestamp %s' % form, at(rpc(q(timestamp=now(form)), name), 'result', 'success'), True)
    for form in bad:
        answer = rpc(q(timestamp=now(form)), name)
        if form:
            refused('timestamp %s' % form, answer, 'E021', 'P01', 'LEAGUE_QUERY')
        else:
            ck('empty timestamp', at(answer, 'error', 'data', 'error_code') in ('E021', 'E003'), 'E021 or E003', answer)
    refused('no token', rpc(q(auth_token=MISSING), name), 'E011', 'P01', 'LEAGUE_QUERY')
    refused('null token', rpc(q(auth_token=None), name), 'E011', 'P01', 'LEAGUE_QUERY')
    leaked = rpc(q(auth_token='tok_p01_wrongwrongwrong'), name)
    refused('wrong token', leaked, 'E012', 'P01', 'LEAGUE_QUERY')
    ck('the offered token is not sent back', 'wrongwrong' not in json.dumps(leaked), 'no token', leaked)
    refused("another's token", rpc(q(auth_token=two.token), name), 'E012', 'P01', 'LEAGUE_QUERY')
    other = league()
    player().register(other)
    refused('token of another league', rpc(q(league_id=other), other), 'E012')
    # Each of two faults at once: the earlier one of the order is told.
    order = [({'protocol': 'x'}, -32602), ({'conversation_id': MISSING}, 'E003'), ({'timestamp': 'noon'}, 'E021'),
             ({'auth_token': MISSING}, 'E011'), ({'query_type': MISSING}, 'E003')]
    for (first, code), (second, later) in itertools.combinations(order, 2):
        refused('%s before %s' % (code, later), rpc(q(**second, **first), name), code)
    refused('E012 before E003', rpc(q(auth_token='tok_p01_x', query_type=MISSING), name), 'E012')
    refused('E012 before E005', rpc(q(auth_token='tok_p01_x', query_type='GET_PLAYER_STATS', query_params={'player_id': 'P77'}), name), 'E012')
    refused('query without query_type', rpc(q(query_type=MISSING), name), 'E003', 'P01')
    refused('query of unknown type', rpc(q(query_type='GET_RICH'), name), -32602)
    refused('query of unknown player', rpc(q(query_type='GET_PLAYER_STATS', query_params={'player_id': 'P77'}), name), 'E005')
    # Before the start.
    rows = at(one.query('GET_STANDINGS'), 'result', 'data', 'standings')
    ck('standings before the start', isinstance(rows, list), 'a list', rows)


SCHEDULE = {2: [['P01-P02']], 4: [['P01-P04', 'P02-P03'], ['P01-P03', 'P04-P02'], ['P01-P02', 'P03-P04']],
            5: [['P02-P05', 'P03-P04'], ['P01-P05', 'P02-P03'], ['P01-P04', 'P05-P03'], ['P01-P03', 'P04-P02'], ['P01-P02', 'P04-P05']]}


def game_over(what, message, a, b, expected, choices):
    """The fields of GAME_OVER; `expected` WIN also stands for a draw where the choices give one."""
    result = at(message, 'game_result') or {}
    eq(what + ': game_type', at(message, 'game_type'), 'even_odd')
    eq(what + ': choices', result.get('choices'), choices)
    ck(what + ': winner_player_id is there', 'winner_player_id' in result, 'an id or null', result)
    if expected == 'TECHNICAL_LOSS':
        eq(what + ': status', result.get('status'), expected)
        eq(what + ': drawn_number', result.get('drawn_number'), 0)
        return eq(what + ': number_parity', result.get('number_parity'), 'even')
    number = result.get('drawn_number')
    ck(what + ': drawn_number', type(number) is int and 1 <= number <= 10, '1 to 10', result)
    parity = 'odd' if type(number) is int and number % 2 else 'even'
    eq(what + ': number_parity', result.get('number_parity'), parity)
    right = [one for one in (a, b) if choices.get(one) == parity]
    winner = right[0] if len(right) == 1 else None
    eq(what + ': status', result.get('status'), 'WIN' if winner else 'DRAW')
    eq(what + ': winner', result.get('winner_player_id'), winner)


def table(players, results):
    """Standings from [(a, b, winner or None or 'BOTH')]."""
    rows = {one.id: dict(rank=0, player_id=one.id, display_name=one.name, played=0, wins=0, draws=0, losses=0, points=0) for one in players}
    for a, b, winner in results:
        for one in (a, b):
            row = rows[one]
            row['played'] += 1
            end = 'draws' if winner is None else 'wins' if winner == one else 'losses'
            row[end] += 1
            row['points'] += {'draws': 1, 'wins': 3, 'losses': 0}[end]
    ordered = sorted(rows.values(), key=lambda row: (-row['points'], -row['wins'], row['player_id']))
    for rank, row in enumerate(ordered, 1):
        row['rank'] = rank
    return ordered


def same_rows(what, got, expected):
    ck(what + ': rows', isinstance(got, list) and [{key: at(row, key) for key in expected[0]} for row in got] == expected, expected, got)


def queries(agent, seen, n, manager='league_manager'):
    """In round 2, by the agent whose choice is being asked."""
    for alias, type in (('standings', 'GET_STANDINGS'), ('schedule', 'GET_SCHEDULE'), ('next_match', 'GET_NEXT_MATCH'), ('player_stats', 'GET_PLAYER_STATS')):
        short, whole = agent.query(alias), agent.query(type)
        eq('%s: message_type' % type, at(whole, 'result', 'message_type'), 'LEAGUE_QUERY_RESPONSE')
        eq('%s: query_type' % type, at(whole, 'result', 'query_type'), type)
        eq('%s: success' % type, at(whole, 'result', 'success'), True)
        ck('%s: same by its alias' % type, at(short, 'result', 'data') == at(whole, 'result', 'data') is not None, at(whole, 'result', 'data'), short)
        seen[type] = at(whole, 'result', 'data')
    seen['other'] = at(agent.query('GET_PLAYER_STATS', query_params={'player_id': 'P02'}), 'result', 'data', 'stats')
    eq('next_match of another', at(agent.query('GET_NEXT_MATCH', query_params={'player_id': 'P04'}), 'result', 'success'), True)
    refused('query of P99', agent.query('GET_NEXT_MATCH', query_params={'player_id': 'P99'}), 'E005', agent.id, sender=manager)


def season(n, **sets):
    """A whole league of good players that make different choices."""
    def slow(agent, message):
        if message['message_type'] != 'CHOOSE_PARITY_CALL':
            return
        second = at(message, 'context', 'round_id') == 2
        if agent.id != 'P01' and second:
            asked.wait(8)
        if agent.id == 'P01':
            if second:
                queries(agent, seen, n, 'league_manager:LM01' if sets.get('strict_sender') else 'league_manager')
                asked.set()
            if at(message, 'context', 'round_id') == 5:
                eq('GET_NEXT_MATCH: null if none is left', at(agent.query('GET_NEXT_MATCH', query_params={'player_id': 'P03'}), 'result', 'data'), {'next_match': None})
            time.sleep(1.2)
            agent.answered = {**getattr(agent, 'answered', {}), message['match_id']: time.time()}
    name, seen, asked = league(**sets), {}, threading.Event()
    choice = lambda agent: 'even' if int(agent.id[1:]) % 3 else 'odd'
    players = [player(before=slow, choice=choice, throwaway=sets.get('throwaway_token')) for _ in range(n)]
    for one in players:
        one.register(name)
    eq('ids in order of arrival', [one.id for one in players], ['P%02d' % k for k in range(1, n + 1)])
    start(name)
    for one in players:
        ck('league of %d ends' % n, one.heard('LEAGUE_COMPLETED', 60), 'LEAGUE_COMPLETED', [m[1].get('message_type') for m in one.got])
    rounds, results = SCHEDULE[n], []
    total = n * (n - 1) // 2
    by_id = {one.id: one for one in players}
    for number, pairs in enumerate(rounds, 1):
        announced = None
        for one in players:
            said = [m for m in one.all('ROUND_ANNOUNCEMENT') if m.get('round_id') == number]
            what = 'ROUND_ANNOUNCEMENT %d of %d' % (number, n)
            if not ck(what + ': once to each', len(said) == 1, 1, len(said)):
                continue
            announced = said[0]
            eq(what + ': league_id', announced.get('league_id'), name)
            eq(what + ': total_rounds', announced.get('total_rounds'), len(rounds))
            eq(what + ': pairs', ['%s-%s' % (m.get('player_A_id'), m.get('player_B_id')) for m in announced.get('matches', [])], pairs)
            for k, match in enumerate(announced.get('matches', []), 1):
                eq(what + ': match_id', match.get('match_id'), 'R%dM%d' % (number, k))
                eq(what + ': game_type', match.get('game_type'), 'even_odd')
                ck(what + ': referee_id', re.fullmatch(r'REF\d\d', str(match.get('referee_id'))), 'REF…', match)
                ck(what + ': referee_endpoint', re.match('https?://', str(match.get('referee_endpoint'))), 'a URL', match)
                ck(what + ': no endpoints of players', 'player_A_endpoint' not in match and 'player_B_endpoint' not in match, 'none', match)
        standing, in_round = {row['player_id']: row for row in table(players, results)}, []
        for k, pair in enumerate(pairs, 1):
            a, b = pair.split('-')
            match_id, calls, overs = 'R%dM%d' % (number, k), {}, {}
            for one, other, role in ((a, b, 'PLAYER_A'), (b, a, 'PLAYER_B')):
                of = {m['message_type']: (t, m) for t, m, _, _ in by_id[one].got if m.get('match_id') == match_id}
                kinds = [m['message_type'] for _, m, _, _ in by_id[one].got if m.get('match_id') == match_id]
                eq('messages of a match', kinds, ['GAME_INVITATION', 'CHOOSE_PARITY_CALL', 'GAME_OVER'])
                if len(of) < 3:
                    continue
                invited, called, over = of['GAME_INVITATION'][1], of['CHOOSE_PARITY_CALL'][1], of['GAME_OVER'][1]
                calls[one], overs[one] = of['CHOOSE_PARITY_CALL'], of['GAME_OVER']
                for field, value in dict(league_id=name, round_id=number, game_type='even_odd', role_in_match=role, opponent_id=other).items():
                    eq('GAME_INVITATION: ' + field, invited.get(field), value)
                eq('CHOOSE_PARITY_CALL: player_id', called.get('player_id'), one)
                eq('CHOOSE_PARITY_CALL: game_type', called.get('game_type'), 'even_odd')
                eq('CHOOSE_PARITY_CALL: opponent_id', at(called, 'context', 'opponent_id'), other)
                eq('CHOOSE_PARITY_CALL: round_id', at(called, 'context', 'round_id'), number)
                mine = at(called, 'context', 'your_standings') or {}
                eq('CHOOSE_PARITY_CALL: your_standings', {key: mine.get(key) for key in ('wins', 'losses', 'draws')},
                   {key: standing[one][key] for key in ('wins', 'losses', 'draws')})
                deadline = re.fullmatch(r'(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z', str(called.get('deadline')))
                ck('CHOOSE_PARITY_CALL: deadline', deadline, 'ISO-8601 in UTC', called.get('deadline'))
                if deadline:
                    left = calendar.timegm(time.strptime(deadline[1], '%Y-%m-%dT%H:%M:%S')) - calls[one][0]
                    ck('CHOOSE_PARITY_CALL: deadline is the window ahead', 0.5 <= left <= 4.1, 3, left)
                for other_id, agent in by_id.items():
                    if other_id != one:
                        ck('conversation_id is the own one of a player', invited['conversation_id'] not in
                           [m.get('conversation_id') for m in agent.all('GAME_INVITATION')], 'another', invited['conversation_id'])
                ck('conversation_id cannot be guessed', len(invited['conversation_id']) >= 16, 'long', invited['conversation_id'])
                choices = {who: choice(by_id[who]) for who in (a, b)}
                game_over('GAME_OVER', over, a, b, 'WIN', choices)
                ck('nothing of the other choice before both are in', not any(
                    key in json.dumps(calls[one][1]) for key in ('parity_choice', '"choices"', 'drawn_number')), 'nothing', calls[one][1])
            if len(calls) == 2 and len(overs) == 2:
                ck('both are called at once', abs(calls[a][0] - calls[b][0]) < 1, '1 s at most', calls[a][0] - calls[b][0])
                both = [overs[one][1].get('game_result') for one in (a, b)]
                eq('GAME_OVER is the same for both', both[0], both[1])
                answered = getattr(players[0], 'answered', {}).get(match_id)
                if answered:
                    ck('no GAME_OVER before both choices', min(overs[a][0], overs[b][0]) >= answered - 0.01, answered, overs[a][0])
                in_round.append((a, b, both[0].get('winner_player_id')))
        results += in_round
        for one in players:
            done = [m for m in one.all('ROUND_COMPLETED') if m.get('round_id') == number]
            if ck('ROUND_COMPLETED: once', len(done) == 1, 1, len(done)):
                draws = sum(1 for r in in_round if r[2] is None)
                eq('ROUND_COMPLETED: matches_completed', done[0].get('matches_completed'), len(pairs))
                eq('ROUND_COMPLETED: league_id', done[0].get('league_id'), name)
                ck('ROUND_COMPLETED: next_round_id is there', 'next_round_id' in done[0], 'integer or null', done[0])
                eq('ROUND_COMPLETED: next_round_id', done[0].get('next_round_id'), number + 1 if number < len(rounds) else None)
                eq('ROUND_COMPLETED: summary', done[0].get('summary'), dict(total_matches=len(pairs), wins=len(pairs) - draws, draws=draws, technical_losses=0))
            stood = [m for m in one.all('LEAGUE_STANDINGS_UPDATE') if m.get('round_id') == number]
            if ck('LEAGUE_STANDINGS_UPDATE: once', len(stood) == 1, 1, len(stood)):
                eq('LEAGUE_STANDINGS_UPDATE: league_id', stood[0].get('league_id'), name)
                same_rows('LEAGUE_STANDINGS_UPDATE', stood[0].get('standings'), table(players, results))
        if number == 1 and seen:
            first = table(players, results)
            same_rows('GET_STANDINGS', at(seen, 'GET_STANDINGS', 'standings'), first)
            rows = {row['player_id']: row for row in first}
            same_rows('GET_PLAYER_STATS', [at(seen, 'GET_PLAYER_STATS', 'stats')], [rows['P01']])
            same_rows('GET_PLAYER_STATS of another', [seen['other']], [rows['P02']])
    final = table(players, results)
    for one in players:
        end = one.all('LEAGUE_COMPLETED')
        eq('LEAGUE_COMPLETED: once', len(end), 1)
        if end:
            eq('LEAGUE_COMPLETED: league_id', end[0].get('league_id'), name)
            eq('LEAGUE_COMPLETED: total_rounds', end[0].get('total_rounds'), len(rounds))
            eq('LEAGUE_COMPLETED: total_matches', end[0].get('total_matches'), total)
            eq('LEAGUE_COMPLETED: champion', {key: at(end[0], 'champion', key) for key in ('player_id', 'display_name', 'points')},
               {key: final[0][key] for key in ('player_id', 'display_name', 'points')})
            same_rows('LEAGUE_COMPLETED', end[0].get('final_standings'), final)
        order = [(m['round_id'], m['message_type']) for _, m, _, _ in one.got if m['message_type'] in ('ROUND_ANNOUNCEMENT', 'ROUND_COMPLETED', 'LEAGUE_STANDINGS_UPDATE')]
        first = {(m['message_type'], m.get('round_id')): k for k, (_, m, _, _) in reversed(list(enumerate(one.got)))}
        for k in range(1, len(rounds) + 1):
            invited = first.get(('GAME_INVITATION', k))
            ck('ROUND_ANNOUNCEMENT comes before the invitations of its round', invited is None or first.get(('ROUND_ANNOUNCEMENT', k), 999) < invited,
               'ROUND_ANNOUNCEMENT %d first' % k, [(m['message_type'], m.get('round_id')) for _, m, _, _ in one.got])
        eq('rounds run one after another', order, [(k, kind) for k in range(1, len(rounds) + 1) for kind in ('ROUND_ANNOUNCEMENT', 'ROUND_COMPLETED', 'LEAGUE_STANDINGS_UPDATE')])
    time.sleep(0.5)
    for one in players:
        eq('LEAGUE_COMPLETED is the last message', at(one.got[-1][1], 'message_type'), 'LEAGUE_COMPLETED')
    schedule = seen.get('GET_SCHEDULE') or {}
    eq('GET_SCHEDULE: total_rounds', schedule.get('total_rounds'), len(rounds))
    eq('GET_SCHEDULE: current_round', schedule.get('current_round'), 2)
    eq('GET_SCHEDULE: pairs', [['%s-%s' % (m.get('player_A_id'), m.get('player_B_id')) for m in r.get('matches', [])] for r in schedule.get('schedule', [])], rounds)
    eq('GET_SCHEDULE: rounds', [r.get('round_id') for r in schedule.get('schedule', [])], list(range(1, len(rounds) + 1)))
    ck('GET_SCHEDULE: status', all(isinstance(m.get('status'), str) for r in schedule.get('schedule', []) for m in r['matches']), 'strings', schedule)
    following = at(seen, 'GET_NEXT_MATCH', 'next_match')
    ck('GET_NEXT_MATCH: fields', isinstance(following, dict) and following.get('round_id') in (2, 3) and re.fullmatch(r'R[23]M\d', str(following.get('match_id')))
       and following.get('opponent_id') in by_id and re.match('http', str(following.get('referee_endpoint'))), 'a match of P01', following)
    refused('token after the end of the league', players[0].query('GET_STANDINGS'), 'E012')
    return players


def even():
    season(4)


def odd():
    season(5)


def senders():
    """The forms that are switched on for strict clients."""
    for one in season(4, strict_sender=True, throwaway_token=True):
        for _, message, _, _ in one.got:
            if not message['sender'].startswith('referee:'):
                eq('strict-sender: sender', message['sender'], 'league_manager:LM01')
            ck('throwaway-token: some token', isinstance(message.get('auth_token'), str) and message['auth_token'], 'a token', message)
            ck('throwaway-token: it is not the real one', message.get('auth_token') != one.token, 'another', message)


def huge(agent, body):
    return 200, b'{"jsonrpc":"2.0","id":%d,"result":{"accept":true,"pad":"%s"}}' % (body['id'], b'x' * 5_000_000)


def hang(agent, body):
    time.sleep(6)
    return NO_ANSWER


def kinds():
    both = lambda answer: {'GAME_INVITATION': answer, 'CHOOSE_PARITY_CALL': answer}
    micro = lambda: now('%Y-%m-%dT%H:%M:%S.123456Z')
    wrong_until = lambda n, value: lambda agent: value if len(agent.all('CHOOSE_PARITY_CALL')) <= n else 'even'
    lenient = {'lenient': True}
    answering = lambda value: (lambda agent, body: (200, value))
    # What it does, whether it plays, and whether its failure comes after both have joined.
    table = [(dict(form=form, unknown=status), True, '') for form in ('seed', 'tool', 'upper') for status in (200, 400, 404)]
    table += [(dict(shape=shape), True, '') for shape in ('result', 'request', 'bare', 'pushed', 'null', 'twice')]
    table += [(dict(stamp=micro), True, ''), (dict(stamp=lambda: now('%Y-%m-%dT%H:%M:%S+00:00')), True, ''), (dict(rpc_id=str), True, ''),
              (dict(accept=None), True, ''), (dict(status=400), True, ''), (dict(status=500), True, ''), (dict(shape='pushed', push_to='ID'), True, '')]
    table += [(dict(choice=wrong_until(n, value)), True, '') for n in (1, 3) for value in ('EVEN', {}, {'parity_choice': None}, 7)]
    table += [(dict(choice=wrong_until(4, 'Even')), False, 'choice'), (dict(choice={'parity_choice': None}), False, 'choice'),
              (dict(choice={'choice': 'even'}), False, 'choice'), (dict(own='P77'), False, 'choice'), (dict(match='R9M9'), False, ''),
              (dict(accept=False), False, 'join'), (dict(sleep={'GAME_INVITATION': 3}), False, 'join'), (dict(sleep={'CHOOSE_PARITY_CALL': 4}), False, 'choice'),
              (dict(raw=both(hang)), False, 'join'), (dict(raw={'CHOOSE_PARITY_CALL': hang}), False, 'choice'), (dict(raw=both(huge)), False, 'join'),
              (dict(raw={'*': answering(b'nonsense')}), False, 'join'), (dict(raw={'*': answering(b'')}), False, 'join'),
              (dict(raw={'*': answering(b'[1,2]')}), False, 'join'), (dict(raw={'*': answering(b'null')}), False, 'join'),
              (dict(shape='pushed', conversation='conv-guessed'), False, 'join')]
    table += [({'sets': lenient, 'choice': {'choice': 'even'}}, True, ''), ({'sets': lenient, 'own': 'P77'}, True, '')]

    def one(row):
        how, plays, when = row
        what = 'player %d, %s' % (table.index(row), re.sub(r'<function (\S+) at \w+>', r'\1', repr(how)))
        try:
            if how.get('push_to'):
                how = {**how, 'push_to': ''}
            odd, good = duel(**how)
            over = (good.all('GAME_OVER') or [{}])[0]
            chose = {'P01': 'even' if plays else None, 'P02': None if when == 'join' else 'odd'}
            if when == '' and not plays:
                chose['P02'] = at(over, 'game_result', 'choices', 'P02')
            game_over(what, over, 'P01', 'P02', 'WIN' if plays else 'TECHNICAL_LOSS', chose)
            rows = at((good.all('LEAGUE_COMPLETED') or [{}])[0], 'final_standings') or []
            if not plays:
                eq(what + ': winner', at(over, 'game_result', 'winner_player_id'), 'P02')
                eq(what + ': standings', [[row.get(key) for key in ('player_id', 'played', 'wins', 'losses', 'points')] for row in rows],
                   [['P02', 1, 1, 0, 3], ['P01', 1, 0, 1, 0]])
                done = (good.all('ROUND_COMPLETED') or [{}])[0]
                eq(what + ': summary', done.get('summary'), dict(total_matches=1, wins=0, draws=0, technical_losses=1))
            if 'form' in how:
                met = lambda kind: [body['method'] for _, m, body, _ in odd.got if m['message_type'] == kind]
                ways = lambda kind: [kind.lower(), TOOL[kind], kind][:1 + ['seed', 'tool', 'upper'].index(how['form'])]
                until(lambda: ways('LEAGUE_COMPLETED')[-1] in met('LEAGUE_COMPLETED'), 10)
                eq(what + ': methods are tried in order', met('ROUND_ANNOUNCEMENT'), ways('ROUND_ANNOUNCEMENT'))
                eq(what + ': what it knows is remembered', met('LEAGUE_COMPLETED'), ways('LEAGUE_COMPLETED')[-1:])
            if 'choice' in how and not how.get('sets'):
                calls, errors = odd.all('CHOOSE_PARITY_CALL'), odd.all('GAME_ERROR')
                wrong = len(calls) - plays
                ck(what + ': asked again, three times at most', 2 <= len(calls) <= 4 and (plays or len(calls) == 4), '2 to 4 calls', len(calls))
                ck(what + ': GAME_ERROR for each', len(errors) in (wrong, 3), wrong, len(errors))
                deadlines = {call.get('deadline') for call in calls}
                ck(what + ': the same window', len(deadlines) == 1, 'one deadline', sorted(deadlines))
                first = how['choice'](type('x', (), {'all': lambda *_: []})) if callable(how['choice']) else how['choice']
                code = 'E003' if isinstance(first, dict) else 'E004'
                for k, error in enumerate(errors):
                    eq(what + ': error_code', error.get('error_code'), code)
                    eq(what + ': error_description', error.get('error_description'), NAMES[code])
                    eq(what + ': affected_player', error.get('affected_player'), 'P01')
                    ck(what + ': action_required', error.get('action_required') == ('CHOOSE_PARITY_RESPONSE' if k < 3 else 'GAME_OVER'), 'what comes next', error)
                    eq(what + ': match_id', error.get('match_id'), 'R1M1')
                    ck(what + ': max_retries', at(error, 'retry_info', 'max_retries') in (3, None), 3, error)
        except Exception:
            ck(what, False, 'an end', traceback.format_exc())
    with concurrent.futures.ThreadPoolExecutor(5) as pool:
        list(pool.map(one, table))



def outside():
    """A referee from elsewhere: it holds its match of round 1 itself, and reports a draw, a wrong winner and nothing later on."""
    name = league(report=4000)
    heard = threading.Event()

    def note(agent, message):
        if message['message_type'] == 'ROUND_ANNOUNCEMENT':
            heard.set()
    ref = player(before=note)
    ref.register(name, kind='referee', max_concurrent_matches=3)
    players = [player(choice=lambda agent: 'even' if int(agent.id[1:]) % 2 else 'odd') for _ in range(4)]
    for one in players:
        one.register(name)
    by_id = {one.id: one for one in players}
    start(name)
    if not ck('referee hears of round 1', heard.wait(20), 'ROUND_ANNOUNCEMENT', ref.got):
        return
    said = ref.all('ROUND_ANNOUNCEMENT')[0]
    mine = [m for m in said['matches'] if m.get('referee_endpoint') == ref.url]
    ck('referees take turns', len(mine) == 1 and len(said['matches']) == 2, 'one of two matches', said)
    eq('referee_id is that of the registration', [m.get('referee_id') for m in mine], ['REF01'])
    for match in said['matches']:
        for side in 'AB':
            eq('player_%s_endpoint for referees' % side, match.get('player_%s_endpoint' % side), by_id[match['player_%s_id' % side]].url)
    match = mine[0]
    other = [m for m in said['matches'] if m is not match][0]
    a, b = match['player_A_id'], match['player_B_id']
    stranger = other['player_A_id']
    time.sleep(1)

    def report(**more):
        message = dict(round_id=1, match_id=match['match_id'], game_type='even_odd',
                       result={'status': 'WIN', 'winner': a, 'score': {a: 1, b: 0}, 'details': {}})
        return ref.send('MATCH_RESULT_REPORT', **{**message, **more})
    refused('report without token', report(auth_token=MISSING), 'E011', 'REF01', 'MATCH_RESULT_REPORT')
    refused('report with a wrong token', report(auth_token='tok_ref01_nonsense'), 'E012', 'REF01', 'MATCH_RESULT_REPORT')
    refused("report with a player's token", report(auth_token=players[0].token), 'E012', 'REF01')
    for field in ('match_id', 'result', 'round_id'):
        refused('report without ' + field, report(**{field: MISSING}), 'E003', 'REF01')
    fails = lambda what, answer: ck(what, at(answer, 'error', 'code') is not None and at(answer, 'result') is None, 'an error', answer)
    fails('report of a match of another referee', report(match_id=other['match_id'], result={'status': 'WIN', 'winner': stranger}))
    fails('report of a match that is not', report(match_id='R1M9'))
    fails('report with another round', report(round_id=2))
    fails('report of a match of a round to come', report(round_id=2, match_id='R2M2'))
    fails('report with a winner from another match', report(result={'status': 'WIN', 'winner': stranger, 'score': {}, 'details': {}}))
    fails('report with an unknown winner', report(result={'status': 'WIN', 'winner': 'P77', 'score': {}, 'details': {}}))
    fails('report of a player', players[0].send('MATCH_RESULT_REPORT', round_id=1, match_id=match['match_id'], game_type='even_odd',
                                                result={'status': 'WIN', 'winner': a, 'score': {}, 'details': {}}))
    ck('round 1 waits for the report', not players[0].all('ROUND_COMPLETED'), 'no ROUND_COMPLETED', players[0].all('ROUND_COMPLETED'))
    eq('referee may query', at(ref.query('GET_STANDINGS'), 'result', 'success'), True)
    answer = report()
    eq('report: MATCH_RESULT_ACK', at(answer, 'result', 'message_type'), 'MATCH_RESULT_ACK')
    eq('report: status', at(answer, 'result', 'status'), 'recorded')
    eq('report: match_id', at(answer, 'result', 'match_id'), match['match_id'])
    again = report()
    eq('repeat: acked', at(again, 'result', 'message_type'), 'MATCH_RESULT_ACK')
    fails('contradicting repeat', report(result={'status': 'WIN', 'winner': b, 'score': {}, 'details': {}}))
    until(lambda: len(ref.all('ROUND_ANNOUNCEMENT')) > 1, 20)
    second = [m for m in ref.all('ROUND_ANNOUNCEMENT')[-1]['matches'] if m['referee_endpoint'] == ref.url]
    players[0].heard('LEAGUE_STANDINGS_UPDATE')
    rows = {row['player_id']: row for row in (players[0].all('LEAGUE_STANDINGS_UPDATE') or [{}])[0].get('standings', [])}
    eq('a repeat is not counted again', [at(rows, a, key) for key in ('played', 'wins', 'points')], [1, 1, 3])
    eq('the first report stands', [at(rows, b, key) for key in ('played', 'losses', 'points')], [1, 1, 0])
    if ck('round 2 has a match of the referee', len(second) == 1, 1, second):
        fails('report of a match of the round before', report(result={'status': 'WIN', 'winner': b, 'score': {}, 'details': {}}))
        drawn = ref.send('MATCH_RESULT_REPORT', round_id=2, match_id=second[0]['match_id'], game_type='even_odd',
                         result={'winner': 'DRAW', 'score': {}, 'details': {}})
        eq('winner DRAW without a status', at(drawn, 'result', 'status'), 'recorded')
        until(lambda: len(players[0].all('LEAGUE_STANDINGS_UPDATE')) > 1, 20)
        later = {row['player_id']: row for row in players[0].all('LEAGUE_STANDINGS_UPDATE')[-1].get('standings', [])}
        for one in (second[0]['player_A_id'], second[0]['player_B_id']):
            eq('a draw is one point, computed by the LM', [at(later, one, key) - at(rows, one, key) for key in ('draws', 'points')], [1, 1])
    until(lambda: len(ref.all('ROUND_ANNOUNCEMENT')) > 2, 20)
    begun = time.time()
    third = [m for m in ref.all('ROUND_ANNOUNCEMENT')[-1]['matches'] if m['referee_endpoint'] == ref.url]
    ck('the league ends without the report', players[0].heard('LEAGUE_COMPLETED', 20), 'LEAGUE_COMPLETED', players[0].got)
    ck('the report is waited for', 3 < time.time() - begun < 15, '4 s', time.time() - begun)
    rows = {row['player_id']: row for row in (players[0].all('LEAGUE_COMPLETED') or [{}])[0].get('final_standings', [])}
    for one in by_id:
        gone = third and one in (third[0]['player_A_id'], third[0]['player_B_id'])
        eq('a void match is not counted as played', at(rows, one, 'played'), 2 if gone else 3)
    ck('LEAGUE_COMPLETED to referees', ref.heard('LEAGUE_COMPLETED', 5), 'LEAGUE_COMPLETED', ref.got)
    kinds = {m['message_type'] for _, m, _, _ in ref.got}
    eq('what referees are sent', sorted(kinds), ['LEAGUE_COMPLETED', 'ROUND_ANNOUNCEMENT'])


def retrying():
    """1 + 3 tries with 1, 2 and 4 s between; in a match inside the window; none after a JSON-RPC error."""
    failing = lambda status, body=b'': (lambda agent, request: (status, body))
    error = lambda status: (lambda agent, request: (status, {'jsonrpc': '2.0', 'id': request['id'], 'error': {'code': -32000, 'message': 'no'}}))
    slow = lambda agent, request: (time.sleep(12), NO_ANSWER)[1]

    def one(row):
        what, kind, answer, sets, gaps = row
        try:
            odd, _ = duel(raw={kind: answer}, sets=sets)
            until(lambda: len([1 for m in odd.all(kind)]) >= len(gaps) + 1, sum(gaps) + 5)
            time.sleep(3)
            tries = [(t, m, body) for t, m, body, _ in odd.got if m['message_type'] == kind]
            seen = [round(y[0] - x[0], 1) for x, y in zip(tries, tries[1:])]
            ck('retries, %s' % what, len(seen) == len(gaps) and all(-0.3 < x - y < max(2.5, 0.3 * y) for x, y in zip(seen, gaps)), gaps, seen)
            ck('retries, %s: same id and conversation_id' % what, len({(body['id'], m['conversation_id']) for _, m, body in tries}) == 1, 'one', len(tries))
            if kind == 'GAME_INVITATION':
                ck('retries, %s: inside the window' % what, tries[-1][0] - tries[0][0] < 5.2, '5 s', tries[-1][0] - tries[0][0])
                result = at(odd.heard('GAME_OVER', 3), 'game_result') or {}
                eq('retries, %s: status' % what, result.get('status'), 'TECHNICAL_LOSS')
        except Exception:
            ck('retries, ' + what, False, 'an end', traceback.format_exc())
    rows = [('503 to ROUND_COMPLETED', 'ROUND_COMPLETED', failing(503), {}, [1, 2, 4]),
            ('connection lost at ROUND_COMPLETED', 'ROUND_COMPLETED', lambda *_: NO_ANSWER, {}, [1, 2, 4]),
            ('timeout of ROUND_COMPLETED', 'ROUND_COMPLETED', slow, {}, [11, 12, 14]),
            ('JSON-RPC error to ROUND_COMPLETED', 'ROUND_COMPLETED', error(200), {}, []),
            ('JSON-RPC error with 503', 'ROUND_COMPLETED', error(503), {}, []),
            ('400 to ROUND_COMPLETED', 'ROUND_COMPLETED', failing(400), {}, []),
            ('503 to GAME_INVITATION', 'GAME_INVITATION', failing(503), {'join': 5000}, [1, 2]),
            ('JSON-RPC error to GAME_INVITATION', 'GAME_INVITATION', error(200), {'join': 5000}, [])]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(one, rows))


def redirecting():
    """Redirects are not followed."""
    def away(agent, body):
        return 302, b'', {'Location': agent.url.replace('/mcp', '/elsewhere')}
    odd, good = duel(raw={'*': away})
    game_over('redirect', good.heard('GAME_OVER'), 'P01', 'P02', 'TECHNICAL_LOSS', {'P01': None, 'P02': None})
    eq('redirect: not followed', {path for _, _, _, path in odd.got}, {'/mcp'})


def both_fail():
    name = league()
    two = [player(accept=False), player(accept=False)]
    for one in two:
        one.register(name)
    start(name)
    end = two[0].heard('LEAGUE_COMPLETED', 20)
    over = two[0].heard('GAME_OVER', 5)
    game_over('both fail', over, 'P01', 'P02', 'TECHNICAL_LOSS', {'P01': None, 'P02': None})
    eq('both fail: no winner', at(over, 'game_result', 'winner_player_id'), None)
    eq('both fail: a loss and no point for each', [[row.get(key) for key in ('player_id', 'played', 'losses', 'points')] for row in at(end, 'final_standings') or []],
       [['P01', 1, 1, 0], ['P02', 1, 1, 0]])


def breaking():
    """A server that always fails is left alone after five failures, for 60 s; then one trial."""
    down = [True]
    odd = player(raw={'*': lambda agent, body: (503, b'') if down[0] else None})

    def play(what, joined):
        name, good = league(join=5000), player(choice='odd')
        odd.register(name), good.register(name)
        start(name)
        result = at(good.heard('GAME_OVER', 20), 'game_result') or {}
        times = [t for t, m, _, _ in good.got if m['message_type'] in ('GAME_INVITATION', 'GAME_OVER')]
        eq(what, result.get('status'), 'WIN' if joined else 'TECHNICAL_LOSS')
        good.heard('LEAGUE_COMPLETED', 20)
        return result, times[-1] - times[0]
    play('a server that fails', False)
    until(lambda: len(odd.got) >= 5, 8)
    opened = odd.got[-1][0]
    ck('circuit opens after 5 failures', 5 <= len(odd.got) <= 6, '5 calls, or one more that was under way', len(odd.got))
    count = len(odd.got)
    result, took = play('open circuit', False)
    ck('open circuit: E009 at once', took < 4, 'no waiting for the window', took)
    ck('open circuit: E009 is the reason', re.search('E009|CONNECTION_ERROR', str(result.get('reason'))), 'E009', result)
    eq('open circuit: no call', len(odd.got), count)
    time.sleep(max(0, opened + 57 - time.time()))
    eq('open circuit: no call for 60 s', len(odd.got), count)
    down[0] = False
    time.sleep(max(0, opened + 62 - time.time()))
    name, good = league(), player(choice='odd')
    odd.register(name), good.register(name)
    start(name)
    good.heard('LEAGUE_COMPLETED', 20)
    ck('after 60 s a trial', until(lambda: len(odd.got) > count, 5), 'a call', 'none')
    play('a trial that succeeds closes the circuit', True)


def refusing():
    """Nobody listens at the endpoint."""
    name, gone, good = league(), player(), player(choice='odd')
    gone.register(name), good.register(name)
    gone.close()
    start(name)
    result = at(good.heard('GAME_OVER', 20), 'game_result') or {}
    eq('nobody listens: status', result.get('status'), 'TECHNICAL_LOSS')
    ck('nobody listens: E009 is the reason', re.search('E009|CONNECTION_ERROR', str(result.get('reason'))), 'E009', result)



def main():
    global BASE, COMMAND, ONLY
    words = sys.argv[1:]
    if '--only' in words:
        place = words.index('--only')
        ONLY = words[place + 1].split(',')
        del words[place:place + 2]
    BASE, COMMAND = words[0].rstrip('/'), words[1:] or ['agentbbs']

    def run(scenario):
        try:
            scenario()
        except Exception:
            ck(scenario.__name__, False, 'an end', traceback.format_exc())
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        list(pool.map(run, [scenario for scenario in SCENARIOS if not ONLY or scenario.__name__ in ONLY]))
    print('%d passed, %d failed' % (PASSED[0], len(FAILED)))
    sys.stdout.flush()
    sys.exit(bool(FAILED))


SCENARIOS = [breaking, kinds, retrying, registering, checking, even, odd, senders, outside, redirecting, both_fail, refusing]

if __name__ == '__main__':
    main()
