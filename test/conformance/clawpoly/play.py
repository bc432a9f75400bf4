"""A room and its agents: each agent checks every message it gets, and plays by its style."""
import collections
import queue
import random
import re
import time
import urllib.parse

from client import Refused, Socket, request
from model import BOARD, MEMBERS, Follower, chain, flat, group_of, kind_of, sale, step_cost, whole_number
from shapes import (BOOL, COUNT, DICT, EVENTS, INT, KNOWN, LIST, OPTIONAL, PATIENCE, PROMPTS, SQUARES, TEXT, TEXTS, TIME, check_board, check_event)
from spite import RARE, off_turn, wrongs

STYLES = {
    # buy: chance to buy; keep: money kept when buying and building; build, offer, mortgage, lift, sell: chances; accept: chance; give: gives money away
    'buyer': dict(buy=1.0, keep=150, build=.5, offer=.15, mortgage=.03, lift=.5, sell=.02, accept=.4, escape='pay'),
    'builder': dict(buy=1.0, keep=0, build=1.0, offer=.7, mortgage=.0, lift=.8, sell=.0, accept=.9, escape='card'),
    'trader': dict(buy=.8, keep=50, build=.7, offer=.9, mortgage=.05, lift=.3, sell=.05, accept=.6, escape='roll'),
    'miser': dict(buy=1.0, keep=0, build=.8, offer=.1, mortgage=.3, lift=.3, sell=.3, accept=.3, escape='roll'),
    'spite': dict(buy=.9, keep=0, build=.9, offer=.4, mortgage=.1, lift=.4, sell=.1, accept=.5, escape='roll', wrong=.35),
    'donor': dict(buy=1.0, keep=0, build=1.0, offer=.3, mortgage=.0, lift=.1, sell=.0, accept=1.0, escape='card', give=.25),
    'seller': dict(buy=1.0, keep=0, build=1.0, offer=.0, mortgage=.02, lift=.8, sell=.12, accept=.0, escape='pay'),
    'rogue': dict(buy=1.0, keep=0, build=1.0, offer=.1, mortgage=.03, lift=.7, sell=.1, accept=.5, escape='pay', wrong=.5),
    'walker': dict(buy=.0, keep=0, build=.0, offer=.0, mortgage=.0, lift=.0, sell=.0, accept=1.0, escape='card'),
    'wastrel': dict(buy=1.0, keep=0, build=.0, offer=.8, mortgage=.9, lift=.0, sell=.0, accept=.0, escape='roll', give=.95, owning=4),
    'passer': dict(buy=0.0, keep=0, build=.0, offer=.0, mortgage=.0, lift=.0, sell=.0, accept=.0, escape='roll'),
    'legacy': dict(buy=1.0, keep=300, build=1.0, offer=.0, mortgage=.0, lift=.0, sell=.0, accept=.0, escape='pay'),
}


class Agent:
    def __init__(self, room, number, style, name=None):
        self.room, self.report, self.number, self.style, self.s = room, room.report, number, style, STYLES[style]
        self.name = name or '%s-%d' % (style, number)
        self.rng = random.Random('%s/%s/%d' % (room.seed, room.name, number))
        self.id = self.token = self.sock = None
        self.legacy = style == 'legacy'
        self.flaky = self.legacy        # prompts of the model may have been missed
        self.turn, self.offers, self.extra = 0, 0, 0
        self.you, self.board, self.opponents, self.money = None, None, [], 1500
        self.last_seq, self.received, self.prompt, self.asked = None, collections.defaultdict(list), None, 0
        self.started, self.over, self.code, self.history, self.welcomed = None, None, None, [], 0
        self.sent = collections.deque(maxlen=6)

    def where(self, kind):
        return '%s %s %s' % (self.room.name, self.name, kind)

    def connect(self):
        query = {'roomId': self.room.id, 'agentToken': self.token}
        if self.legacy:
            query['protocol'] = 'legacy'
        try:
            self.sock = Socket(self.room.ws + '/ws/agent?' + urllib.parse.urlencode(query), lambda sock, kind, value: self.room.queue.put((self, sock, kind, value)))
            return True
        except (OSError, Refused) as error:
            self.report.fail(self.where('connect'), 'upgrade', repr(error))
            return False

    def send(self, kind, data=None):
        message = {'type': 'action:' + kind}
        if data is not None or self.rng.random() < .5:      # missing data is read as {}
            message['data'] = data or {}
        self.sent.append((kind, data))
        self.sock.send(message)

    # -- checking ----------------------------------------------------------------------------------------------------
    def check(self, message):
        """Checks a message; gives its type and data."""
        if not isinstance(message, dict) or not isinstance(message.get('type'), str):
            self.report.fail(self.where('message'), '{ type, data, timestamp }', message)
            return None, {}
        kind, data = message['type'], message.get('data')
        self.report.check(TIME[0](message.get('timestamp')), self.where(kind + ' timestamp'), 'ISO-8601', message.get('timestamp'))
        if kind not in KNOWN:
            self.room.strange[kind] += 1
            return kind, data if isinstance(data, dict) else {}
        if not self.report.check(isinstance(data, dict), self.where(kind + ' data'), 'object', data):
            return kind, {}
        f, at = self.report.fields, self.where(kind)
        if kind == 'agent:welcome':
            if f(at, data, playerId=TEXT, roomId=TEXT, gameConfig=DICT):
                self.report.same(at + ' playerId, roomId', (self.id, self.room.id), (data['playerId'], data['roomId']))
                config = data['gameConfig']
                for name, value in (('turnLimit', self.room.turn_limit), ('gameSpeed', self.room.speed), ('maxPlayers', self.room.max_players)):
                    self.report.check(config.get(name) == value, '%s gameConfig.%s' % (at, name), value, config.get(name))
        elif kind == 'agent:game_started':
            if f(at, data, turnOrder=TEXTS, players=LIST, board=LIST):
                ids = sorted(a.id for a in self.room.agents if a.id)
                self.report.same(at + ' turnOrder', ids, sorted(data['turnOrder']))
                self.report.same(at + ' players', sorted((a.id, a.name, a.color) for a in self.room.agents if a.id),
                                 sorted((str(p.get('id')), str(p.get('name')), str(p.get('token'))) for p in data['players']))
                check_board(self.report, at, data['board'], True)
                self.started = data
                if self.room.order is None:
                    self.room.order = list(data['turnOrder'])
                self.report.same(at + ' turnOrder for all', self.room.order, data['turnOrder'])
        elif kind == 'agent:your_turn':
            self.check_turn(at, data)
        elif kind == 'agent:buy_decision':
            if f(at, data, property=DICT, yourMoney=COUNT, availableActions=TEXTS):
                got = data['property']
                index = got.get('index')
                if self.report.check(whole_number(index) and 0 <= index < 40 and BOARD[index].price, at + ' property.index', 'an ownable square', got):
                    deep = BOARD[index]
                    self.report.same(at + ' name, price', (deep.name, deep.price), (got.get('name'), got.get('price')))
                    if deep.type == 'utility':
                        if not self.legacy:
                            self.report.check('rent' not in got and 'colorGroup' not in got, at + ' of a utility', 'no rent, no colorGroup', got)
                    else:
                        self.report.same(at + ' rent', deep.rent, got.get('rent'))
                        self.report.check('colorGroup' in got and (isinstance(got['colorGroup'], str) == (deep.group is not None)), at + ' colorGroup',
                                          'a group for a property, null for a Current', got)
                    if not self.legacy:
                        self.report.same(at + ' availableActions', ['buy', 'pass'], data['availableActions'])
                    self.report.check(data['yourMoney'] >= deep.price, at, 'only with money >= price', data)
                    self.received['buy'].append((index, data['yourMoney']))
        elif kind == 'agent:build_decision':
            self.check_build(at, data)
        elif kind == 'agent:lobster_pot_decision':
            if f(at, data, turnsTrapped=COUNT, hasEscapeCard=BOOL, yourMoney=COUNT, availableActions=TEXTS):
                want = [n for n, can in (('escape_pay', data['yourMoney'] >= 50), ('escape_card', data['hasEscapeCard']), ('escape_roll', True)) if can]
                self.report.same(at + ' availableActions', want, data['availableActions'])
                self.report.check(data['turnsTrapped'] < 3, at + ' turnsTrapped', '0, 1 or 2', data['turnsTrapped'])
                self.received['pot'].append((data['turnsTrapped'], data['hasEscapeCard'], data['yourMoney']))
        elif kind == 'agent:must_raise_funds':
            if f(at, data, amount=COUNT, yourMoney=COUNT, mortgageable=LIST, sellableBuildings=LIST, availableActions=TEXTS):
                self.report.check(data['amount'] > data['yourMoney'], at + ' amount', 'the whole debt, more than the money', data)
                for item in data['mortgageable']:
                    if f(at + ' mortgageable', item, index=INT, name=TEXT, mortgageValue=INT):
                        deep = BOARD[item['index'] % 40]
                        self.report.same(at + ' mortgageable', (deep.name, deep.mortgage), (item['name'], item['mortgageValue']))
                for item in data['sellableBuildings']:
                    if f(at + ' sellableBuildings', item, index=INT, name=TEXT, type=TEXT, sellValue=INT):
                        level = 5 if item['type'] == 'fortress' else 1
                        deep = BOARD[item['index'] % 40]
                        self.report.check(item['type'] in ('outpost', 'fortress') and deep.outpost and (item['name'], item['sellValue']) == (deep.name, sale(deep.index, level)),
                                          at + ' sellableBuildings', 'name, type and half the cost', item)
                can = [n for n, have in (('mortgage', data['mortgageable']), ('sell_building', data['sellableBuildings'])) if have]
                self.report.check(set(can) <= set(data['availableActions']) <= {'mortgage', 'sell_building'}, at + ' availableActions', can, data['availableActions'])
                self.received['debt'].append((data['amount'], data['yourMoney'], tuple(sorted(i['index'] for i in data['mortgageable'])),
                                              tuple(sorted(i['index'] for i in data['sellableBuildings']))))
        elif kind == 'agent:trade_received':
            if f(at, data, tradeId=(lambda v: isinstance(v, (str, int)) and v != '', 'id'), fromId=TEXT, fromName=TEXT, offer=DICT, availableActions=TEXTS):
                self.report.same(at + ' availableActions', ['trade_respond'], data['availableActions'])
                offer = data['offer']
                if f(at + ' offer', offer, giving=DICT, requesting=DICT):
                    self.room.offers[data['tradeId']] = {'from': data['fromId'], 'to': self.id, 'giving': offer['giving'], 'requesting': offer['requesting']}
                    sender = self.room.by_id(data['fromId'])
                    if self.report.check(sender is not None and sender.name == data['fromName'], at + ' fromId, fromName', 'the offerer', data) and sender.open_offer:
                        clean = lambda b: (sorted(b.get('properties') or []), b.get('money') or 0, b.get('escapeCards') or 0)
                        to, giving, asking = sender.open_offer
                        self.report.same(at + ' offer', (to, clean(giving), clean(asking)), (self.id, clean(offer['giving']), clean(offer['requesting'])))
        elif kind == 'agent:trade_result':
            if f(at, data, tradeId=(lambda v: isinstance(v, (str, int)), 'id'), accepted=BOOL) and self.open_offer and self.board:
                to, giving, asking = self.open_offer
                for who, bundle in ((to, giving), (self.id, asking)):
                    for i in bundle.get('properties') or []:
                        if data['accepted']:
                            self.board[i] = dict(self.board[i], owner=who)
                other = self.room.by_id(to)
                if data['tradeId'] in self.room.verdicts and other:
                    self.report.same(at + ' accepted', self.room.verdicts[data['tradeId']], data['accepted'])
        elif kind == 'agent:game_over':
            f(at, data, winnerId=TEXT, reason=TEXT, finalStandings=LIST)
        elif kind == 'error':
            f(at, data, code=TEXT, message=TEXT)
            if 'context' in data and data['context'] is not None:
                self.report.check(isinstance(data['context'], dict), at + ' context', 'object', data['context'])
        return kind, data

    open_offer = None
    wrongs, wronged = 0.0, 0.0
    color = None

    def check_turn(self, at, data):
        f = self.report.fields
        if not f(at, data, gameState=DICT, availableActions=TEXTS):
            return
        game = data['gameState']
        if not f(at, game, turnNumber=INT, you=DICT, opponents=LIST, board=LIST, lastEvents=LIST):
            return
        you = game['you']
        if not f(at + ' you', you, id=TEXT, money=COUNT, position=COUNT, properties=SQUARES, inLobsterPot=BOOL, lobsterPotTurns=COUNT, escapeCards=COUNT):
            return
        self.report.same(at + ' you.id', self.id, you['id'])
        ids = []
        for other in game['opponents']:
            if not f(at + ' opponents', other, id=TEXT, name=TEXT, money=COUNT, position=COUNT, properties=SQUARES, inLobsterPot=BOOL):
                return
            ids.append(other['id'])
        order = self.room.order
        if order and self.id in order:
            i = order.index(self.id)
            self.report.check(ids in (order[:i] + order[i + 1:], order[i + 1:] + order[:i]), at + ' opponents', 'in turn order of %s' % order, ids)
        if not check_board(self.report, at, game['board']):
            return
        for who in [you] + game['opponents']:
            owned = [i for i, s in enumerate(game['board']) if s['owner'] == who['id']]
            self.report.same(at + ' properties of ' + who['id'], owned, sorted(who['properties']))
        turn = game['turnNumber']
        self.report.check(1 <= turn <= self.room.turn_limit and turn >= self.turn, at + ' turnNumber', '%d to %d' % (self.turn, self.room.turn_limit), turn)
        if turn != self.turn:
            self.turn, self.offers, self.extra = turn, 0, 0
        events = [e for e in game['lastEvents'] if check_event(self.report, at + ' lastEvents', e)]
        numbers = [e['sequence'] for e in events]
        self.report.check(len(numbers) <= 100 and all(a < b for a, b in zip(numbers, numbers[1:])), at + ' lastEvents', 'at most 100, in order of sequence', numbers)
        seq = numbers[-1] if numbers else self.last_seq
        self.room.windows.append((self, turn, self.last_seq, numbers))
        self.last_seq = seq
        self.board_turn, self.certain = turn, True
        self.you, self.board, self.opponents, self.money = you, game['board'], game['opponents'], you['money']
        acts = data['availableActions']
        if seq is not None:
            self.room.snaps.append(dict(seq=seq, viewer=self.id, turn=turn, you=you, opponents=game['opponents'], board=[dict(square) for square in game['board']], actions=acts))
        if 'roll_dice' in acts and not self.legacy:
            self.report.same(at + ' availableActions: mandatory first', 'roll_dice', acts[0])
            want = {'roll_dice'} | self.options()
            self.report.same(at + ' availableActions (turn %d, offers so far %d)' % (turn, self.offers), sorted(want), sorted(acts))

    def level(self, i):
        return 5 if self.board[i]['fortress'] else self.board[i]['outposts']

    def bare(self, i):
        return not any(self.level(j) for j in group_of(i))

    def mine(self):
        return [i for i in range(40) if self.board[i]['owner'] == self.id]

    def others(self):
        """Opponents that are still in and know trades."""
        return [o['id'] for o in self.opponents if not o.get('isBankrupt')]

    def options(self):
        out = set()
        for i in self.mine():
            if self.board[i]['mortgaged']:
                if self.money >= BOARD[i].lift:
                    out.add('unmortgage')
            elif self.bare(i):
                out.add('mortgage')
            if self.level(i):
                out.add('sell_building')
        if self.offers < 3 and self.others():
            out.add('trade_offer')
        return out

    def check_build(self, at, data):
        if not self.report.fields(at, data, buildableProperties=LIST, yourMoney=COUNT, availableActions=TEXTS):
            return
        rows = []
        for item in data['buildableProperties']:
            if not self.report.fields(at, item, index=INT, name=TEXT, currentOutposts=COUNT, canBuildOutpost=BOOL, canBuildFortress=BOOL, outpostCost=INT, fortressCost=INT):
                return
            deep = BOARD[item['index'] % 40]
            self.report.same(at + ' square', (deep.name, deep.outpost, deep.fortress), (item['name'], item['outpostCost'], item['fortressCost']))
            self.report.check(item['canBuildOutpost'] or item['canBuildFortress'], at + ' square', 'at least one flag true', item)
            rows.append((item['index'], item['currentOutposts'], item['canBuildOutpost'], item['canBuildFortress']))
        acts = data['availableActions']
        must = ['build', 'end_turn'] if rows else ['end_turn']
        if not self.legacy:
            self.report.same(at + ' availableActions: mandatory first', must, acts[:len(must)])
            self.report.check(set(acts) - set(must) <= set(OPTIONAL), at + ' availableActions', must + list(OPTIONAL), acts)
            if self.you and self.others():
                self.report.check(('trade_offer' in acts) == (self.offers < 3), at + ' trade_offer listed after %d offers' % self.offers, self.offers < 3, acts)
        else:
            if self.report.fields(at + ' (legacy)', data, buildableSquares=LIST, upgradeableSquares=LIST):
                for name, spec in (('buildableSquares', dict(index=INT, name=TEXT, outpostCost=INT, outposts=COUNT)), ('upgradeableSquares', dict(index=INT, name=TEXT, fortressCost=INT))):
                    for item in data[name]:
                        self.report.fields(at + ' ' + name, item, **spec)
                self.report.same(at + ' legacy fields', (sorted(r[0] for r in rows if r[2]), sorted(r[0] for r in rows if r[3])),
                                 (sorted(i.get('index') for i in data['buildableSquares']), sorted(i.get('index') for i in data['upgradeableSquares'])))
        self.money = data['yourMoney']
        self.received['build'].append((data['yourMoney'], tuple(sorted(rows)), tuple(sorted(a for a in acts if a in OPTIONAL and a != 'trade_offer'))))

    # -- playing -----------------------------------------------------------------------------------------------------
    def answer(self, kind, data):
        """Answers a prompt with one action."""
        self.prompt, self.asked = (kind, data), time.time()
        if kind in ('agent:lobster_pot_decision', 'agent:must_raise_funds', 'agent:trade_received'):
            self.certain = False
        if kind == 'agent:your_turn' and not self.legacy:
            acts = data.get('availableActions') or []
            if 'roll_dice' in acts:
                self.send(*(self.option(acts) or ('roll_dice', None)))
        elif kind == 'agent:buy_decision':
            square = data['property']
            if self.rng.random() < self.s['buy'] and data['yourMoney'] - square['price'] >= self.s['keep']:
                if self.board:
                    self.board[square['index']] = dict(self.board[square['index']], owner=self.id)
                self.send('buy', self.rng.choice([{}, {'squareIndex': square['index']}]) if not self.legacy else {})
            else:
                self.send('pass')
        elif kind == 'agent:build_decision':
            self.send(*self.build(data))
        elif kind == 'agent:lobster_pot_decision':
            acts = data['availableActions'] if not self.legacy else [n for n, can in (('escape_pay', data['yourMoney'] >= 50),
                                                                                    ('escape_card', data['hasEscapeCard']), ('escape_roll', True)) if can]
            self.room.look(self)
            wanted = 'escape_' + self.s['escape']
            action = wanted if wanted in acts and self.rng.random() < .7 else self.rng.choice(acts)
            self.room.choices[(self.id, self.turn)] = action
            self.send(action)
        elif kind == 'agent:must_raise_funds' and not self.legacy:
            ways = [('mortgage', i['index']) for i in data['mortgageable']] + [('sell_building', i['index']) for i in data['sellableBuildings']]
            if ways:
                way, index = self.rng.choice(ways)
                self.send(way, {'squareIndex': index})
        elif kind == 'agent:trade_received' and not self.legacy:
            accept = self.room.verdicts[data['tradeId']] = self.rng.random() < self.s['accept']
            self.send('trade_respond', {'tradeId': data['tradeId'], 'accept': accept})

    def option(self, acts):
        """An optional action, or nothing."""
        if not self.you or self.extra >= 5:
            return None
        self.extra += 1
        roll = self.rng.random
        mine = self.mine()
        if 'unmortgage' in acts and roll() < self.s['lift']:
            ways = [i for i in mine if self.board[i]['mortgaged'] and self.money >= BOARD[i].lift]
            if ways:
                return 'unmortgage', {'squareIndex': self.rng.choice(ways)}
        if 'mortgage' in acts and roll() < self.s['mortgage']:
            ways = [i for i in mine if not self.board[i]['mortgaged'] and self.bare(i)]
            if ways:
                return 'mortgage', {'squareIndex': self.rng.choice(ways)}
        if 'sell_building' in acts and roll() < self.s['sell']:
            ways = [i for i in mine if self.level(i) and self.level(i) == max(self.level(j) for j in group_of(i))]
            if ways:
                return 'sell_building', {'squareIndex': self.rng.choice(ways)}
        if 'trade_offer' in acts and roll() < self.s['offer']:
            offer = self.offer()
            if offer:
                self.offers += 1
                self.open_offer = offer
                to, giving, asking = offer
                return 'trade_offer', {'toId': to, 'offering': giving, 'requesting': asking}
        return None

    def offer(self):
        """A lawful trade, with what this agent knows to be true."""
        able = [o for o in self.opponents if not o.get('isBankrupt') and not self.room.by_id(o['id']).legacy]
        if not able:
            return None
        mine = [i for i in self.mine() if self.bare(i)]
        if self.s.get('give') and len(mine) >= self.s.get('owning', 0) and self.rng.random() < self.s['give'] and self.money > 60:
            return self.rng.choice(able)['id'], {'money': self.money - self.rng.randint(5, 50)}, {}
        if self.you['escapeCards'] and self.rng.random() < .3:
            other = self.rng.choice(able)
            return other['id'], {'escapeCards': 1}, {'money': min(20, other['money'])}
        for group, members in sorted(MEMBERS.items(), key=lambda pair: self.rng.random()):
            have = [i for i in members if i in mine]
            for other in able:
                lack = [i for i in members if i in other['properties'] and self.bare(i)]
                if have and lack and len(have) + len(lack) == len(members):
                    spare = [i for i in mine if i not in members]
                    giving = {'properties': [self.rng.choice(spare)]} if spare else {'money': min(self.money, 50)}
                    if spare and self.rng.random() < .5 and self.money >= 10:
                        giving['money'] = self.rng.randint(0, self.money // 3)
                    return other['id'], giving, {'properties': lack}
        other = self.rng.choice(able)
        theirs = [i for i in other['properties'] if self.bare(i)]
        kind = self.rng.random()
        if kind < .4 and mine and theirs:
            return other['id'], {'properties': [self.rng.choice(mine)]}, {'properties': [self.rng.choice(theirs)], 'money': min(10, other['money'])}
        if kind < .7 and mine and other['money'] >= 50:
            return other['id'], {'properties': [self.rng.choice(mine)], 'money': 0}, {'money': self.rng.randint(1, 50)}
        if theirs and self.money >= 60:
            return other['id'], {'money': self.rng.randint(1, 60), 'properties': []}, {'properties': [self.rng.choice(theirs)]}
        return None

    board_turn = 0      # the turn in which the board was last shown
    certain = False     # nothing of its own has changed since, but by its own choice

    def late_option(self, data):
        """An optional action in BUILD, with what is certain then."""
        acts, roll = data['availableActions'], self.rng.random
        if self.legacy or not self.you or not self.certain or self.board_turn != self.turn or self.extra >= 7 or roll() > .3:
            return None
        self.extra += 1
        apart = [i for i in self.mine() if not all(self.board[j]['owner'] == self.id for j in group_of(i)) or BOARD[i].group is None]
        if 'unmortgage' in acts and roll() < self.s['lift']:
            ways = [i for i in self.mine() if self.board[i]['mortgaged'] and self.money >= BOARD[i].lift]
            if ways:
                way = self.rng.choice(ways)
                self.board[way]['mortgaged'] = False
                return 'unmortgage', {'squareIndex': way}
        if 'mortgage' in acts and roll() < self.s['mortgage']:
            ways = [i for i in apart if not self.board[i]['mortgaged']]
            if ways:
                way = self.rng.choice(ways)
                self.board[way]['mortgaged'] = True
                return 'mortgage', {'squareIndex': way}
        able = [o['id'] for o in self.opponents if not o.get('isBankrupt') and o['money'] >= 60 and not self.room.by_id(o['id']).legacy]
        if 'trade_offer' in acts and able and roll() < self.s['offer'] and self.money >= 20:
            giving = {'money': self.rng.randint(1, 20)}
            if apart and roll() < .3:
                giving['properties'] = [self.rng.choice(apart)]
            self.offers += 1
            self.open_offer = (self.rng.choice(able), giving, {})
            return 'trade_offer', {'toId': self.open_offer[0], 'offering': giving, 'requesting': {}}
        return None

    def build(self, data):
        late = self.late_option(data)
        if late:
            return late
        rows = data['buildableProperties']
        if self.legacy:
            rows = data.get('upgradeableSquares') or []
            if rows:
                return 'upgrade', {'squareIndex': self.rng.choice(rows)['index']}
            rows = data.get('buildableSquares') or []
            if rows:
                return 'build', {'squareIndex': self.rng.choice(rows)['index']}
            return 'skip_build', None
        if rows and self.rng.random() < self.s['build']:
            ways = [r for r in rows if data['yourMoney'] - step_cost(r['index'], 4 if r['canBuildFortress'] else 0) >= self.s['keep']]
            if ways:
                way = self.rng.choice(ways)
                out = {'squareIndex': way['index']}
                if self.rng.random() < .7:          # omitted: next level
                    out['type'] = 'fortress' if way['canBuildFortress'] else 'outpost'
                return 'build', out
        return 'end_turn', None


class Room:
    def __init__(self, base, report, name, styles, turn_limit=40, speed='instant', max_players=None, seed=1, until=None):
        self.base, self.api, self.report, self.name, self.seed = base, base + '/api/v1', report, name, seed
        self.ws = 'ws' + base[4:]
        self.turn_limit, self.speed, self.max_players = turn_limit, speed, max_players or len(styles)
        self.queue, self.backlog = queue.Queue(), collections.deque()
        self.order, self.offers, self.choices, self.snaps, self.windows, self.verdicts = None, {}, {}, [], [], {}
        self.strange, self.id, self.code = collections.Counter(), None, None
        self.agents = [Agent(self, i, style) for i, style in enumerate(styles)]
        self.until = until or time.time() + 100
        self.hook, self.spectator, self.seen, self.last_news, self.looks = None, None, [], time.time(), 0
        self.races = False          # errors may come from races that this room makes itself
        self.done, self.tried = False, collections.Counter()

    def by_id(self, player):
        return next((a for a in self.agents if a.id == player), None)

    def create(self):
        got = request('POST', self.api + '/rooms', {'name': 'checker ' + self.name, 'maxPlayers': self.max_players, 'turnLimit': self.turn_limit, 'gameSpeed': self.speed})
        if not self.report.same('%s POST /rooms' % self.name, 201, got.status) or not isinstance(got.json, dict):
            self.report.note(got.brief())
            return False
        self.id, self.code = got.get('roomId'), got.get('roomCode')
        return self.report.check(isinstance(self.id, str), self.name + ' roomId', 'string', self.id)

    def join(self, agent, **extra):
        body = {'name': agent.name}
        body.update(extra)
        got = request('POST', '%s/rooms/%s/join' % (self.api, self.id), body)
        if not self.report.check(got.status in (200, 201) and isinstance(got.json, dict), '%s join' % self.name, '200 or 201', got.brief()):
            return None
        agent.id, agent.token, agent.color = got.get('playerId'), got.get('agentToken'), got.get('assignedToken')
        return got.json

    def watch(self):
        try:
            self.spectator = Socket(self.ws + '/ws/spectator?roomCode=%s' % self.code, lambda sock, kind, value: self.seen.append((kind, value)))
        except (OSError, Refused) as error:
            self.report.fail(self.name + ' spectator', 'upgrade', repr(error))
            return
        end = time.time() + PATIENCE
        while not self.seen and time.time() < end:
            time.sleep(0.02)

    def open(self, watch=False):
        """Creates, joins all, connects all: the game then starts by itself."""
        if not self.create():
            return False
        for agent in self.agents:
            if self.join(agent) is None:
                return False
        if watch:
            self.watch()
        return all([agent.connect() for agent in self.agents])

    def next(self, seconds):
        """The next thing that came: (agent, sock, kind, value), or None."""
        if self.backlog:
            return self.backlog.popleft()
        try:
            return self.queue.get(timeout=max(0.01, seconds))
        except queue.Empty:
            return None

    def wait(self, agent, test, seconds=PATIENCE):
        """Waits for a message of one agent; others are kept for later. Gives (type, data), checked, or None."""
        end = time.time() + seconds
        for i, (who, sock, kind, value) in enumerate(self.backlog):
            if who is agent and sock is agent.sock and kind == 'message' and isinstance(value, dict) and test(value.get('type'), value.get('data') or {}):
                del self.backlog[i]
                return agent.check(value)
        while time.time() < end:
            try:
                item = self.queue.get(timeout=max(0.01, end - time.time()))
            except queue.Empty:
                break
            who, sock, kind, value = item
            if who is agent and sock is agent.sock and kind == 'message' and isinstance(value, dict) and test(value.get('type'), value.get('data') or {}):
                return agent.check(value)
            self.backlog.append(item)
        return None

    def wait_close(self, agent, sock, seconds=PATIENCE):
        end = time.time() + seconds
        while not sock.closed and time.time() < end:
            time.sleep(0.02)
        return sock.code if sock.closed else None

    def look(self, agent):
        """GET room while this agent is asked, so that nothing moves."""
        got = request('GET', '%s/rooms/%s' % (self.api, self.id))
        at = '%s GET room while %s is asked' % (self.name, agent.name)
        if not self.report.same(at, 200, got.status):
            return
        if not self.report.fields(at, got.json, roomId=TEXT, roomCode=TEXT, status=TEXT, config=DICT, players=LIST, turnNumber=INT, currentPlayer=TEXT):
            return
        self.report.same(at + ' currentPlayer', agent.id, got.json['currentPlayer'])
        if agent.prompt and agent.prompt[0] == 'agent:your_turn':
            self.report.same(at + ' turnNumber', agent.turn, got.json['turnNumber'])
            money = {o['id']: (o['money'], o['position']) for o in agent.opponents if not o.get('isBankrupt')}
            money[agent.id] = (agent.you['money'], agent.you['position'])
            shown = {p.get('id'): (p.get('money'), p.get('position')) for p in got.json['players'] if isinstance(p, dict)}
            self.report.same(at + ' money and position', money, {k: v for k, v in shown.items() if k in money})
        elif got.json['turnNumber'] != agent.turn:
            agent.turn, agent.offers, agent.extra = got.json['turnNumber'], 0, 0
        self.secrets(at, got.text)
        state = request('GET', '%s/rooms/%s/state' % (self.api, self.id))
        self.report.check(state.status == 200 and isinstance(state.json, dict), self.name + ' GET state', '200 and an object', state.brief())
        self.secrets(self.name + ' GET state', state.text, state.json)

    def secrets(self, where, text, value=None):
        found = [a.name for a in self.agents if a.token and a.token in text]
        self.report.check(not found, where + ' shows no tokens', 'none', found)
        if value is not None:
            piles = {}
            for path, _ in flat(value):
                if re.search(r'(deck|pile)[^\[]*\[\]', path, re.I):
                    piles[path] = piles.get(path, 0) + 1
            self.report.check(not any(n >= 3 for n in piles.values()), where + ' shows no deck order', 'no list of cards', piles)

    # -- the loop ----------------------------------------------------------------------------------------------------
    def play(self):
        """Plays until all have game_over; then checks the whole game."""
        self.last_news = time.time()
        while time.time() < self.until and not all(a.over or a.gone for a in self.agents):
            item = self.next(0.5)
            if item is None:
                if time.time() - self.last_news > 75:
                    last = max((a for a in self.agents), key=lambda a: a.asked)
                    self.report.fail('%s goes on' % self.name, 'a message within 75 s', 'none; last asked %s with %s, sent %s' % (
                        last.name, str(last.prompt)[:150], list(last.sent)[-2:]))
                    return
                continue
            self.last_news = time.time()
            self.take(item)
        self.done = all(a.over or a.gone for a in self.agents)
        if not self.done:
            self.report.note('%s was not finished in time (turn %s)' % (self.name, max(a.turn for a in self.agents)))
        self.finish()

    def take(self, item):
        agent, sock, kind, value = item
        if sock is not agent.sock:
            return
        if kind == 'close':
            agent.code = value
            if not agent.over and not agent.gone:
                self.report.fail('%s socket of %s' % (self.name, agent.name), 'open until game_over', 'closed with %s' % value)
                agent.gone = True
            return
        kind, data = agent.check(value)
        if kind is None:
            return
        agent.history.append(kind)
        if kind == 'agent:game_over':
            agent.over = data
            return
        if self.hook and self.hook(agent, kind, data):
            return
        if kind == 'error':
            self.surprise(agent, data)
        elif kind in PROMPTS:
            if agent.s.get('wrong') and not agent.legacy:
                self.spite(agent, kind, data)
            if kind == 'agent:your_turn' and 'roll_dice' in (data.get('availableActions') or []) and not agent.legacy and self.looks < 6 and agent.rng.random() < .12:
                self.looks += 1
                agent.prompt = (kind, data)
                self.look(agent)
            agent.answer(kind, data)

    def surprise(self, agent, data):
        if data.get('code') == 'AGENT_TIMEOUT' and time.time() - agent.asked > 15 or self.races or agent.legacy:
            self.report.note('%s %s got %s' % (self.name, agent.name, data))
            return
        self.report.fail('%s %s: lawful action' % (self.name, agent.name), 'accepted', '%s after %s on %s' % (data, list(agent.sent)[-1:], str(agent.prompt)[:200]))
        kind, prompt = agent.prompt or (None, {})
        acts = prompt.get('availableActions') or []
        for name in ('roll_dice', 'pass', 'end_turn', 'escape_roll'):
            if name in acts:
                agent.sent.append((name, None))
                agent.sock.send({'type': 'action:' + name, 'data': {}})
                return
        if kind == 'agent:trade_received':
            agent.sock.send({'type': 'action:trade_respond', 'data': {'tradeId': prompt.get('tradeId'), 'accept': False}})

    def wrong(self, agent, label, message, codes, square=None):
        """Sends what must be refused; not as a flood, from which a server may protect itself."""
        agent.wrongs = max(0.0, agent.wrongs - 10 * (time.time() - agent.wronged)) + 1
        agent.wronged = time.time()
        if agent.wrongs > 60:
            time.sleep(0.3)
        agent.sock.send(message)
        at = '%s %s: %s (%s) with prompt %s' % (self.name, agent.name, label, str(message)[:140], (agent.prompt or ['none'])[0])
        got = self.wait(agent, lambda kind, data: kind == 'error' or kind in PROMPTS)
        if got is None:
            self.report.fail(at, 'error %s' % '/'.join(sorted(codes)), 'nothing')
        elif got[0] != 'error':
            self.report.fail(at, 'error %s' % '/'.join(sorted(codes)), got[0])
            return got
        elif self.report.check(got[1].get('code') in codes, at, '/'.join(sorted(codes)), '%s: %s' % (got[1].get('code'), got[1].get('message'))) and square is not None:
            self.report.same(at + ' context.squareIndex', square, (got[1].get('context') or {}).get('squareIndex'))
        return None

    def spite(self, agent, kind, data):
        agent.prompt, agent.asked = (kind, data), time.time()
        ways = wrongs(agent, kind, data)
        agent.rng.shuffle(ways)
        rare = [w for w in ways if w[0] in RARE and self.tried[w[0]] < 5][:2]     # what is seldom possible comes first
        some = ways[:1 + (agent.rng.random() < agent.s['wrong']) * 4] if agent.rng.random() < agent.s['wrong'] * 1.5 else []
        for label, message, codes, square in rare + some:
            self.tried[label] += 1
            self.report.cover['refused: ' + label] += label in RARE
            if self.wrong(agent, label, message, codes, square):
                return
        if agent.rng.random() < agent.s['wrong'] / 2:
            others = [a for a in self.agents if a is not agent and not a.legacy and not a.gone and not a.flaky]
            # during a trade or an off-turn debt the agent of the turn is left alone: its prompt only rests
            if others and kind not in ('agent:trade_received', 'agent:must_raise_funds'):
                other = agent.rng.choice(others)
                for label, message, codes in agent.rng.sample(off_turn(), 2):
                    self.wrong(other, label, message, codes)

    # -- the end -----------------------------------------------------------------------------------------------------
    def fetch_log(self):
        out, known = [], set()
        for _ in range(400):
            got = request('GET', '%s/rooms/%s/log?from=%d&limit=200' % (self.api, self.id, len(out)))
            if not self.report.check(got.status == 200 and isinstance(got.get('events'), list), self.name + ' GET log', '200 { events, from, limit }', got.brief()):
                return out
            self.secrets(self.name + ' GET log', got.text, got.json)
            fresh = [e for e in got.json['events'] if isinstance(e, dict) and e.get('sequence') not in known]
            for event in fresh:
                known.add(event.get('sequence'))
                out.append(event)
            if not fresh:
                return out
        return out

    def finish(self):
        r, name = self.report, self.name
        if self.done:
            for agent in self.agents:
                if agent.over and agent.sock:
                    r.same('%s %s socket after game_over' % (name, agent.name), 1000, self.wait_close(agent, agent.sock))
            got = request('GET', '%s/rooms/%s' % (self.api, self.id))
            r.same(name + ' status after the end', (200, 'finished'), (got.status, got.get('status')))
        events = self.fetch_log()
        if not r.check(events and all(check_event(r, name + ' log', e) for e in events), name + ' log', 'events', len(events)):
            return
        numbers = [e['sequence'] for e in events]
        r.check(all(a < b for a, b in zip(numbers, numbers[1:])), name + ' log', 'rising sequence', 'not so')
        turns = [e['turnNumber'] for e in events]
        r.check(all(a <= b for a, b in zip(turns, turns[1:])), name + ' log turnNumber', 'never falling', 'not so')
        if self.strange:
            r.note('%s: other messages %s' % (name, dict(self.strange)))
        for agent, turn, before, window in self.windows:
            if window and window[0] >= 0:
                want = [n for n in numbers if (before is None or n > before) and n <= window[-1]][-100:]
                r.check(window == want, '%s %s lastEvents of turn %d' % (name, agent.name, turn), 'events since the previous your_turn, at most 100: %s' % want[:3],
                        '%d events from %s to %s; last of the previous %s' % (len(window), window[0], window[-1], before))
        if self.order is None:
            return
        follower = Follower(self.order, self.offers, self.choices, lambda what, e, g: r.fail('%s %s' % (name, what), e, g), r.ok)
        follower.run(events, self.snaps, None)
        if not follower.seen.get('dice_rolled'):
            r.fail(name + ' log', 'events of the kinds of section 4.2', dict(follower.seen))
            return
        state = follower.states[0]
        for kind, count in follower.seen.items():
            r.cover[kind] += count
        for item in chain(state.log):
            r.cover['prompt ' + item[0]] += 1
        for deck, card in chain(state.draws):
            r.cover['card %s %s' % (deck, ' '.join(map(str, card)))] += 1
        r.cover['rooms followed'] += follower.followed
        if follower.followed:
            self.prompts(follower)
            if self.done:
                self.standings(follower)
        else:
            r.note('%s could not be followed to its end' % name)
        if self.spectator:
            self.spectated(events)

    def prompts(self, follower):
        """The prompts that came are those that had to come."""
        squeeze = lambda items: [x for i, x in enumerate(items) if i == 0 or items[i - 1] != x]
        problems = None
        for state in follower.states:
            found, count = [], 0
            expected = chain(state.log)
            for agent in self.agents:
                if agent.id not in self.order:
                    continue
                p = self.order.index(agent.id)
                for kind in ('buy', 'build', 'pot', 'debt'):
                    want = squeeze([item[2] for item in expected if item[0] == kind and item[1] == p])
                    got = squeeze(agent.received[kind])
                    if agent.legacy and kind == 'debt':
                        continue
                    if agent.legacy and kind == 'build':
                        want, got = squeeze([w[:2] for w in want]), squeeze([g[:2] for g in got])
                    if not self.done:
                        want = want[:len(got)]
                    count += len(got)
                    if agent.flaky:
                        rest = iter(want)
                        missing = [g for g in got if not any(g == w for w in rest)]
                        if missing:
                            found.append(('%s prompts of %s' % (kind, agent.name), 'only such as the rules give', missing[0]))
                    elif want != got:
                        at = next((i for i, (a, b) in enumerate(zip(want, got)) if a != b), min(len(want), len(got)))
                        found.append(('%s prompts of %s, number %d of %d' % (kind, agent.name, at, len(want)), want[at:at + 2], got[at:at + 2]))
            if problems is None or len(found) < len(problems):
                problems = found
            if not found:
                self.report.ok(count)
                break
        for what, expected, got in problems or []:
            self.report.fail('%s %s' % (self.name, what), expected, got)

    def standings(self, follower):
        over = next((a.over for a in self.agents if a.over), None)
        if over is None:
            return
        r, name = self.report, self.name
        for agent in self.agents:
            if agent.over:
                r.same('%s game_over of %s' % (name, agent.name), over, agent.over)
        best = None
        for state in follower.states:
            problems = []
            want = state.ranking()
            reason = 'last_standing' if len(state.alive()) < 2 else 'turn_limit'
            rows = {row.get('id'): row for row in over.get('finalStandings', []) if isinstance(row, dict)}
            if over.get('reason') != reason:
                problems.append(('reason', reason, over.get('reason')))
            if reason == 'turn_limit' and state.turn != self.turn_limit:
                problems.append(('last turn', self.turn_limit, state.turn))
            if over.get('winnerId') != self.order[want[0]]:
                problems.append(('winnerId', self.order[want[0]], over.get('winnerId')))
            for place, p in enumerate(want, 1):
                row = rows.get(self.order[p], {})
                if state.dead[p] is None:
                    expected = (place, state.money[p], len(state.squares(p)))
                    got = (row.get('placement'), row.get('money'), row.get('properties'))
                    label = 'placement, money, properties of %s (wealth %s)' % (self.order[p], [(self.order[q], state.wealth(q)) for q in state.alive()])
                else:
                    expected, got = (place, state.dead[p]), (row.get('placement'), row.get('bankruptAtTurn'))
                    label = 'placement, bankruptAtTurn of %s' % self.order[p]
                if expected != got:
                    problems.append((label, expected, got))
            if best is None or len(problems) < len(best):
                best = problems
        for what, expected, got in best:
            r.fail('%s game_over %s' % (name, what), expected, got)
        if not best:
            r.ok(1 + len(self.order))

    def spectated(self, events):
        r, name = self.report, self.name
        end = time.time() + PATIENCE
        types = lambda: [v.get('type') for k, v in list(self.seen) if k == 'message' and isinstance(v, dict)]
        while self.done and time.time() < end and 'game:finished' not in types():
            time.sleep(0.05)
        got = types()
        r.check(got, name + ' spectator', 'messages', 'none')
        first = next((v for k, v in self.seen if k == 'message'), {})
        r.check(isinstance(first.get('data'), dict) and self.code in str(first) or self.id in str(first), name + ' spectator: first message', 'the full state of the room', str(first)[:200])
        for kind, value in self.seen:
            if kind == 'message' and isinstance(value, dict):
                r.check(TIME[0](value.get('timestamp')), name + ' spectator timestamp', 'ISO-8601', str(value)[:100])
        strange = {t for t in got[1:] if not str(t).startswith(('game:', 'room:'))}
        r.check(not strange, name + ' spectator', 'game: and room: events', strange)
        if self.done:
            r.check('game:finished' in got, name + ' spectator', 'game:finished', got[-3:])
            for kind in sorted(EVENTS - {'started', 'finished', 'turn_start', 'turn_end'}):
                in_log = sum(kind_of(e) == kind for e in events)
                shown = got.count('game:' + kind)
                if in_log and name not in ('late',):
                    r.same('%s spectator: number of game:%s as in the log' % (name, kind), in_log, shown)
        text = str(self.seen)
        r.check(not any(a.token in text for a in self.agents if a.token), name + ' spectator sees no tokens', 'none', 'a token')


Agent.gone = False
