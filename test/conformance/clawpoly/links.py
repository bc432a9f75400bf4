"""Starts, lost and renewed connections, clocks, offers."""
import threading
import time

from client import request
from model import whole_number
from rest import Raw, scenario
from shapes import LIST, PROMPTS, TEXT


@scenario
def start(c):
    """Start by itself with all sockets open; by POST with two of four."""
    r = c.report
    game = c.room('start', ['buyer', 'passer', 'buyer'], 20)
    if not game.create() or any(game.join(a) is None for a in game.agents):
        return
    game.agents[0].connect()
    game.agents[1].connect()
    for agent in game.agents[:2]:
        r.check(game.wait(agent, lambda k, d: k == 'agent:welcome'), 'start: welcome', 'agent:welcome', 'nothing')
    time.sleep(1)
    got = c.call('GET', '/rooms/%s' % game.id)
    r.check(got.get('status') in ('waiting', 'ready'), 'not started while one socket is missing', 'waiting or ready', got.get('status'))
    game.agents[2].connect()
    for agent in game.agents:
        r.check(game.wait(agent, lambda k, d: k == 'agent:game_started', 30), 'start by itself', 'agent:game_started', 'nothing')
    got = c.call('POST', '/rooms/%s/start' % game.id, {})
    c.refused('start of a started room', got, 409, 'GAME_ALREADY_STARTED')
    game.play()

    game = c.room('start-post', ['buyer', 'miser'], 20, max_players=4)
    if not game.create() or any(game.join(a) is None for a in game.agents) or not all([a.connect() for a in game.agents]):
        return
    for agent in game.agents:
        game.wait(agent, lambda k, d: k == 'agent:welcome')
    r.check(c.call('GET', '/rooms/%s' % game.id).get('status') in ('waiting', 'ready'), 'two of four joined', 'waiting', 'started')
    got = c.call('POST', '/rooms/%s/start' % game.id)
    if r.check(got.status in (200, 201), 'POST start with two of four', '200', got.brief()) and r.fields('POST start', got.json, status=TEXT, turnOrder=LIST, message=TEXT):
        r.same('POST start', ('playing', sorted(a.id for a in game.agents)), (got.json['status'], sorted(got.json['turnOrder'])))
        game.order = got.json['turnOrder']
    c.refused('join of a started room', c.call('POST', '/rooms/%s/join' % game.id, {'name': 'late'}), 409, 'GAME_ALREADY_STARTED')
    game.max_players = 4
    game.play()


@scenario
def start_absent(c):
    """Start by POST with one agent that never connected: it counts as disconnected, its prompts fall back at once."""
    r = c.report
    game = c.room('absent', ['buyer', 'passer', 'builder'], 24, max_players=4)
    if not game.create() or any(game.join(a) is None for a in game.agents):
        return
    absent = game.agents[1]
    absent.gone = absent.flaky = True
    game.watch()
    for agent in game.agents:
        if agent is not absent:
            agent.connect()
            game.wait(agent, lambda k, d: k == 'agent:welcome')
    got = c.call('POST', '/rooms/%s/start' % game.id)
    r.check(got.status in (200, 201), 'POST start with one absent', '200', got.brief())
    begun = time.time()
    game.play()
    r.check(game.done, 'a game with an absent agent ends (speed instant)', 'game_over', 'none in %d s' % (time.time() - begun))
    r.same('square owned by an absent agent', [], sorted({i for s in game.snaps for i, q in enumerate(s['board']) if q['owner'] == absent.id}))


# -- connections -----------------------------------------------------------------------------------------------------------
def drain(game, agent, seconds):
    """What one agent got within some seconds."""
    out, end = [], time.time() + seconds
    while time.time() < end:
        got = game.wait(agent, lambda kind, data: True, max(0.01, end - time.time()))
        if got:
            out.append(got)
    return out


@scenario
def reconnect(c):
    """The same URL again in every kind of prompt."""
    r = c.report
    game = c.room('reconnect', ['trader', 'builder'], 60, speed='instant')
    if not game.open():
        return
    done = {}

    def again(agent):
        """A second socket with the same token replaces the first."""
        old = agent.sock
        agent.connect()
        r.same('reconnect: old socket', 4000, game.wait_close(agent, old))
        hello = game.wait(agent, lambda kind, data: True)
        r.check(hello and hello[0] == 'agent:welcome', 'reconnect: first message', 'agent:welcome', hello and hello[0])

    def hook(agent, kind, data):
        acts = data.get('availableActions') or []
        label = 'roll' if 'roll_dice' in acts else kind
        if kind not in PROMPTS or label == 'agent:your_turn' or done.get(label, 0) >= 2 or agent.rng.random() < .3:
            return False
        done[label] = done.get(label, 0) + 1
        current = label == 'roll' or kind in ('agent:buy_decision', 'agent:build_decision', 'agent:lobster_pot_decision') or \
            kind == 'agent:must_raise_funds' and agent.sent and agent.sent[-1][0] in ('roll_dice', 'escape_roll', 'mortgage', 'sell_building')
        again(agent)
        if kind == 'agent:must_raise_funds':
            got = game.wait(agent, lambda k, d: k == kind)
            r.check(got, 'reconnect in DEBT', kind, 'nothing')
            if got:
                agent.answer(*got)
            return True
        if current:
            got = game.wait(agent, lambda k, d: True)
            if not r.check(got and got[0] == 'agent:your_turn', 'reconnect in %s: second message' % label, 'agent:your_turn', got and got[0]):
                if got:
                    agent.answer(*got)
                return True
            shown = got[1].get('availableActions') or []
            r.same('reconnect in %s: actions of your_turn' % label, sorted(acts), sorted(shown))
            if label == 'roll':
                agent.answer(*got)
                return True
        got = game.wait(agent, lambda k, d: True)
        if not r.check(got and got[0] == kind, 'reconnect in %s: the prompt again' % label, kind, got and got[0]):
            return True
        if kind != 'agent:trade_received':
            r.same('reconnect in %s: the same prompt' % label, data, got[1])
        # another agent meanwhile comes back off turn: welcome only
        if done[label] == 1 and kind == 'agent:build_decision':
            other = next(a for a in game.agents if a is not agent)
            again(other)
            extra = [k for k, d in drain(game, other, 1.5)]
            r.check(not [k for k in extra if k in PROMPTS], 'reconnect off turn', 'agent:welcome only', extra)
        agent.answer(*got)
        return True

    game.hook = hook
    game.play()
    r.note('reconnected in: %s' % done)


@scenario
def drop(c):
    """Speed instant: a lost agent's prompts fall back at once; it comes back with the same URL."""
    r = c.report
    game = c.room('drop', ['buyer', 'builder', 'buyer'], 40)
    if not game.open(watch=True):
        return
    stage = {'at': 0}
    game.races = True
    lost = game.agents[0]
    lost.flaky = True

    def hook(agent, kind, data):
        if stage['at'] == 0 and agent is lost and kind == 'agent:your_turn':
            stage['at'], stage['since'] = 1, time.time()
            lost.code = None
            lost.sock.drop()
            lost.sock = None
            return True
        if stage['at'] == 1 and agent is not lost and kind == 'agent:your_turn':
            stage['at'] = 2
            r.ok()
            shown = connected(game, lost, False)
            r.same('drop: connected, in GET room', False, shown)
            # an offer to an absent agent is refused at once
            if 'trade_offer' in (data.get('availableActions') or []) and agent.money >= 1:
                agent.offers += 1
                agent.open_offer = (lost.id, {'money': 1}, {})
                agent.send('trade_offer', {'toId': lost.id, 'offering': {'money': 1}, 'requesting': {}})
                got = game.wait(agent, lambda k, d: k in ('agent:trade_result', 'error'))
                r.check(got and got[0] == 'agent:trade_result' and got[1].get('accepted') is False, 'drop: offer to an absent agent', 'trade_result, not accepted', got)
                got = game.wait(agent, lambda k, d: k == 'agent:your_turn')
                if not r.check(got, 'drop: prompt after trade_result', 'agent:your_turn', got):
                    return True
                data = got[1]
            # comes back while another agent is asked
            lost.connect()
            got = game.wait(lost, lambda k, d: True)
            r.check(got and got[0] == 'agent:welcome', 'drop: back again', 'agent:welcome', got and got[0])
            extra = [k for k, d in drain(game, lost, 1.0)]
            r.check(not [k for k in extra if k in PROMPTS], 'drop: back again off turn', 'no prompt', extra)
            r.same('drop: connected again, in GET room', True, connected(game, lost, True))
            agent.answer('agent:your_turn', data)
            return True
        if stage['at'] == 2 and agent is lost and kind == 'agent:your_turn':
            stage['at'] = 3
            r.ok()
        return False

    game.hook = hook
    game.play()
    types = [v.get('type') for k, v in game.seen if k == 'message' and isinstance(v, dict)]
    if stage['at'] >= 2:
        for kind in ('room:player_disconnected', 'room:player_reconnected'):
            r.check(kind in types, 'drop: spectator', kind, sorted(set(map(str, types))))
    if game.done:
        r.check(stage['at'] == 3, 'drop: the agent that came back gets its turn again', 'agent:your_turn', 'stage %d' % stage['at'])


def connected(game, agent, want):
    """GET room shows the agent connected or not (waits for it)."""
    end, value = time.time() + 20, None
    while time.time() < end:
        rows = request('GET', '%s/rooms/%s' % (game.api, game.id)).get('players') or []
        value = next((p.get('connected') for p in rows if p.get('id') == agent.id), None)
        if value == want:
            break
        time.sleep(0.2)
    return value


@scenario
def pause(c):
    """Speed normal: a lost agent pauses the game, up to 60 s."""
    r = c.report
    game = c.room('pause', ['passer', 'passer'], 200, speed='normal')
    if not game.open(watch=True):
        return
    status = lambda: request('GET', '%s/rooms/%s' % (game.api, game.id)).get('status')

    def wait_status(want, seconds):
        end, got = time.time() + seconds, None
        while time.time() < end:
            got = status()
            if got in want:
                return got
            time.sleep(0.3)
        return got

    def turn_of(agent, seconds=40):
        """Plays others' prompts until this agent is asked to roll."""
        end = time.time() + seconds
        while time.time() < end:
            item = game.next(0.3)
            if item is None:
                continue
            who, sock, kind, value = item
            if sock is not who.sock or kind != 'message':
                continue
            kind, data = who.check(value)
            if who is agent and kind == 'agent:your_turn' and 'roll_dice' in data.get('availableActions', []):
                agent.prompt = (kind, data)
                return data
            if kind in PROMPTS:
                who.answer(kind, data)
        return None

    here, away = game.agents
    data = turn_of(here)
    if not r.check(data, 'pause: first turn', 'agent:your_turn', 'nothing'):
        return
    since = time.time()
    away.sock.drop()
    away.sock = None
    if not r.same('pause: status after a lost connection', 'paused', wait_status(('paused',), 20)):
        return
    here.sock.send({'type': 'action:roll_dice', 'data': {}})
    got = game.wait(here, lambda k, d: k == 'error' or k in PROMPTS)
    r.check(got and got[0] == 'error' and got[1].get('code') == 'INVALID_ACTION', 'pause: action in PAUSED', 'INVALID_ACTION', got)
    away.connect()
    got = game.wait(away, lambda k, d: True)
    r.check(got and got[0] == 'agent:welcome', 'pause: back again', 'agent:welcome', got and got[0])
    if not r.same('pause: status after reconnection', 'playing', wait_status(('playing',), 30)):
        return
    # a second loss: the pause ends after 60 s
    since = time.time()
    away.sock.drop()
    away.sock = None
    r.same('pause: status after a second loss', 'paused', wait_status(('paused',), 20))
    got = wait_status(('playing',), max(10, min(100, c.until - 15 - time.time())))
    took = time.time() - since
    if time.time() < c.until - 12 or got == 'playing':
        r.check(got == 'playing' and took > 55, 'pause: ends after 60 s', 'playing after 60 s', '%s after %.1f s' % (got, took))
    if got == 'playing':
        here.turn_before = here.turn
        while game.wait(here, lambda k, d: True, 0.2):      # the prompt may be sent again after the pause
            pass
        here.sock.send({'type': 'action:roll_dice', 'data': {}})
        end = time.time() + min(40, c.until - time.time())
        on = None
        while time.time() < end:
            got = game.wait(here, lambda k, d: k in PROMPTS or k == 'error', max(0.1, end - time.time()))
            if not got:
                break
            if got[0] == 'error':
                r.fail('pause: roll after the pause', 'accepted', got[1])
                break
            if got[0] == 'agent:your_turn' and here.turn > here.turn_before:
                on = here.turn
                break
            here.answer(*got)
        r.check(on is not None or time.time() > c.until - 5, 'pause: an absent agent\'s prompts fall back at once after it', 'the next turn of the other within 40 s', on)
    types = [v.get('type') for k, v in game.seen if k == 'message' and isinstance(v, dict)]
    r.check('room:player_disconnected' in types and 'room:player_reconnected' in types, 'pause: spectator', 'room:player_disconnected, room:player_reconnected', types[-5:])


# -- clocks ----------------------------------------------------------------------------------------------------------------
@scenario
def timeouts(c):
    """One agent never answers: fallback after 30 s, error AGENT_TIMEOUT, a warning at the third."""
    r = c.report
    game = c.room('timeouts', ['passer', 'passer'], 30)
    if not game.open():
        return
    mute = game.agents[0]
    mute.flaky = True
    state = {'count': 0, 'since': None, 'kind': None, 'sent': False}
    game.until = min(c.until, time.time() + 125)

    def hook(agent, kind, data):
        if agent is not mute:
            return False
        if kind == 'error':
            if data.get('code') == 'AGENT_TIMEOUT':
                state['count'] += 1
                took = time.time() - state['since'] if state['since'] else 0
                context = data.get('context') or {}
                r.check(25 < took, 'timeout %d' % state['count'], 'after 30 s', '%.1f s' % took)
                if state['count'] == 1:
                    r.check(took < 46, 'an invalid action does not start the 30 s anew', 'timeout 30 s after the prompt', '%.1f s' % took)
                r.same('timeout %d context.consecutiveTimeouts' % state['count'], state['count'], context.get('consecutiveTimeouts'))
                r.check(TEXT[0](context.get('fallback')), 'timeout context.fallback', 'text', context)
                r.check((context.get('warning') is True) == (state['count'] >= 3) or state['count'] == 4, 'timeout %d context.warning' % state['count'], state['count'] == 3, context)
                if state['count'] == 3:
                    game.until = 0
            elif state['sent'] == 1:
                state['sent'] = 2
                r.same('invalid action of the mute agent', 'INVALID_ACTION', data.get('code'))
            return True
        if kind in PROMPTS:
            state['since'], state['kind'] = time.time(), kind
            if not state['sent']:
                state['sent'] = 1

                def later(sock=agent.sock):
                    time.sleep(20)
                    sock.send({'type': 'action:fly', 'data': {}})
                threading.Thread(target=later, daemon=True).start()
            return True
        return False

    game.hook = hook
    game.last_news = time.time()
    while time.time() < game.until:
        item = game.next(0.5)
        if item:
            game.take(item)
    r.check(state['count'] >= 1, 'timeouts', 'AGENT_TIMEOUT after 30 s', 'none')
    for agent in game.agents:
        if agent.sock:
            agent.sock.close()


@scenario
def timeout_reset(c):
    """An accepted action sets the count of timeouts back; an unanswered trade is a rejection after 30 s."""
    r = c.report
    game = c.room('timeout-reset', ['passer', 'passer'], 30)
    if not game.open():
        return
    slow, other = game.agents
    state = {'count': 0, 'trade': 0, 'answered': 0, 'row': 0}
    game.until = min(c.until, time.time() + 120)

    def hook(agent, kind, data):
        if agent is other:
            if kind == 'agent:your_turn' and state['trade'] == 0 and 'trade_offer' in data.get('availableActions', []) and state['count'] < 2:
                state['trade'], state['since'] = 1, time.time()
                other.offers += 1
                other.open_offer = (slow.id, {'money': 1}, {})
                other.send('trade_offer', {'toId': slow.id, 'offering': {'money': 1}, 'requesting': {}})
                return True
            if kind == 'agent:trade_result' and state['trade'] == 1:
                state['trade'] = 2
                r.check(data.get('accepted') is False and time.time() - state['since'] > 25, 'unanswered trade', 'rejected after 30 s',
                        '%s after %.1f s' % (data, time.time() - state['since']))
                return True
            return False
        if kind == 'error' and data.get('code') == 'AGENT_TIMEOUT':
            state['count'] += 1
            state['row'] = 1 if state['answered'] else state['row'] + 1
            state['answered'] = 0
            r.same('timeouts in a row since the last accepted action', state['row'], (data.get('context') or {}).get('consecutiveTimeouts'))
            if state['count'] == 2:
                game.until = 0
            return True
        if kind == 'agent:trade_received' or kind in PROMPTS and state['answered'] >= 1 and state['trade'] != 1 and state['count'] < 2:
            return True                     # no answer
        if kind in PROMPTS:
            state['answered'] += 1
        return False

    game.hook = hook
    game.last_news = time.time()
    while time.time() < game.until:
        item = game.next(0.5)
        if item:
            game.take(item)
    r.check(state['count'] >= 1, 'timeout-reset', 'AGENT_TIMEOUT after 30 s', state)
    for agent in game.agents:
        if agent.sock:
            agent.sock.close()


@scenario
def offers(c):
    """Three offers in a turn, one open at a time; square, money and card bundles; the offerer's prompt comes again."""
    r = c.report
    game = c.room('offers', ['buyer', 'buyer', 'passer'], 20)
    if not game.open():
        return
    state = {'done': 0}

    def hook(agent, kind, data):
        acts = data.get('availableActions') or []
        if kind not in ('agent:your_turn', 'agent:build_decision') or 'trade_offer' not in acts or state['done'] >= 3 or agent.offers or agent.money < 30 or not agent.you:
            return False
        if kind == 'agent:your_turn' and state['done'] == 1:
            return False                # the second time in BUILD
        state['done'] += 1
        target = game.by_id(agent.others()[0])
        for number in (1, 2, 3):
            agent.offers += 1
            agent.open_offer = (target.id, {'money': number}, {})
            agent.send('trade_offer', {'toId': target.id, 'offering': {'money': number}, 'requesting': {}})
            got = game.wait(target, lambda k, d: k == 'agent:trade_received')
            if not r.check(got, 'offers: target', 'agent:trade_received', got):
                return True
            if number == 2:
                agent.sock.send({'type': 'action:trade_offer', 'data': {'toId': target.id, 'offering': {'money': 1}, 'requesting': {}}})
                error = game.wait(agent, lambda k, d: k in ('error', 'agent:trade_result') or k in PROMPTS)
                r.check(error and error[0] == 'error' and error[1].get('code') in ('NOT_YOUR_TURN', 'INVALID_ACTION'), 'offers: a second one while one is open', 'NOT_YOUR_TURN', error)
            accept = game.verdicts[got[1]['tradeId']] = number != 2
            target.send('trade_respond', {'tradeId': got[1]['tradeId'], 'accept': accept})
            result = game.wait(agent, lambda k, d: k == 'agent:trade_result' or k in PROMPTS or k == 'error')
            r.check(result and result[0] == 'agent:trade_result' and result[1].get('tradeId') == got[1]['tradeId'], 'offers: answer', 'agent:trade_result first', result)
            if result and result[0] == 'agent:trade_result':
                r.same('offers: accepted', accept, result[1].get('accepted'))
            again = game.wait(agent, lambda k, d: k in PROMPTS)
            if not r.check(again and again[0] == kind, 'offers: prompt again', kind, again and again[0]):
                return True
            data = again[1]
            r.same('offers: trade_offer listed after %d' % number, number < 3, 'trade_offer' in data.get('availableActions', []))
        game.wrong(agent, 'a fourth offer', {'type': 'action:trade_offer', 'data': {'toId': target.id, 'offering': {'money': 1}, 'requesting': {}}}, {'INVALID_ACTION'})
        agent.answer(kind, data)
        return True

    game.hook = hook
    game.play()
    if game.done:
        r.check(state['done'] > 0, 'offers', 'made', state)


@scenario
def five_timeouts(c):
    """Only when named (about 160 s): after five timeouts in a row the agent is bankrupt, to the bank."""
    r = c.report
    game = c.room('five-timeouts', ['passer', 'passer'], 60)
    if not game.open():
        return
    mute, codes = game.agents[0], []
    mute.flaky = True

    def hook(agent, kind, data):
        if agent is mute and kind == 'error':
            codes.append((data.get('code'), (data.get('context') or {}).get('consecutiveTimeouts'), (data.get('context') or {}).get('warning')))
        return agent is mute

    game.hook, game.last_news = hook, time.time()
    while time.time() < game.until and not all(a.over for a in game.agents):
        item = game.next(0.5)
        if item:
            game.take(item)
    r.same('five timeouts', [1, 2, 3, 4, 5], [n for code, n, warning in codes if code == 'AGENT_TIMEOUT'])
    over = mute.over or {}
    rows = {row.get('id'): row for row in over.get('finalStandings', [])}
    r.same('five timeouts: end', ('last_standing', game.agents[1].id, 2), (over.get('reason'), over.get('winnerId'), rows.get(mute.id, {}).get('placement')))
    r.check(whole_number(rows.get(mute.id, {}).get('bankruptAtTurn')), 'five timeouts: bankruptAtTurn', 'a turn', rows)


@scenario
def five_minutes(c):
    """Only when named (about 310 s): an agent not back in 5 min is bankrupt and its token dead."""
    r = c.report
    game = c.room('five-minutes', ['walker', 'walker', 'walker'], 1000)
    if not game.open():
        return
    lost = game.agents[0]
    lost.flaky, lost.gone = True, True
    lost.sock.drop()
    lost.sock, since = None, time.time()
    state = {'at': None}

    def hook(agent, kind, data):
        if kind == 'agent:your_turn' and state['at'] is None:
            if any(o['id'] == lost.id and o.get('isBankrupt') for o in data['gameState']['opponents']):
                state['at'] = time.time() - since
            time.sleep(2)
        return False

    game.hook, game.last_news = hook, time.time()
    while time.time() < game.until - 5 and state['at'] is None:
        item = game.next(0.5)
        if item:
            game.take(item)
    r.check(state['at'] is not None and state['at'] > 290, 'not back in 5 min', 'bankrupt after 300 s', state['at'])
    dead = Raw('%s/ws/agent?roomId=%s&agentToken=%s' % (c.ws, game.id, lost.token))
    r.same('token of an agent not back in 5 min', 4001, next((v for k, v in dead.all() if k == 'close'), None))
