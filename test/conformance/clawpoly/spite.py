"""Actions that must be refused, with the codes that the reference allows."""
from model import BOARD, group_of

A, P, F, N = 'INVALID_ACTION', 'INVALID_PROPERTY', 'INSUFFICIENT_FUNDS', 'NOT_YOUR_TURN'

RARE = {'sell_building of a foreign square', 'mortgage of square 7', 'sell_building of square 4', 'unmortgage of square 7', 'build of square 7', 'build of a foreign square',
        'uneven sale', 'uneven building', 'mortgage in a group with buildings', 'unmortgage without money', 'sale without building',
        'trade of a square of a group with buildings', 'trade with a bankrupt agent', 'build of the wrong type', 'build without a whole group',
        'mortgage of a mortgaged square', 'buy of another square', 'mortgage of a foreign square', 'answer to another trade'}


def act(kind, data=None):
    return {'type': 'action:' + kind, 'data': data or {}}


def malformed():
    return [('not JSON', 'hello', {A}, None), ('half JSON', '{"type":', {A}, None), ('an array', '[1,2]', {A}, None), ('null', 'null', {A}, None),
            ('no type', {'data': {}}, {A}, None), ('type not a string', {'type': 5, 'data': {}}, {A}, None),
            ('unknown type', act('fly'), {A}, None), ('a type of the server', {'type': 'agent:your_turn', 'data': {}}, {A}, None),
            ('type without action:', {'type': 'roll_dice', 'data': {}}, {A}, None)]


def off_turn():
    return [('unknown type off turn', act('fly'), {A}), ('not JSON off turn', '{', {A}),
            ('roll off turn', act('roll_dice'), {N}), ('buy off turn', act('buy', {'squareIndex': 1}), {N}), ('pass off turn', act('pass'), {N}),
            ('mortgage off turn', act('mortgage', {'squareIndex': 99}), {N}), ('end_turn off turn', act('end_turn'), {N}),
            ('build off turn', act('build', {'squareIndex': 1, 'type': 'outpost'}), {N}), ('escape off turn', act('escape_pay'), {N}),
            ('trade off turn', act('trade_offer', {'toId': 'nobody', 'offering': {}, 'requesting': {}}), {N}),
            ('trade_respond off turn', act('trade_respond', {'tradeId': 'none', 'accept': True}), {N})]


def wrongs(agent, kind, data):
    """[(label, message, allowed codes, square in context or None)] for an agent with this prompt."""
    out = malformed()
    acts = data.get('availableActions') or []
    samples = {'roll_dice': None, 'buy': None, 'pass': None, 'end_turn': None, 'escape_roll': None, 'escape_pay': None, 'escape_card': None,
               'build': {'squareIndex': 1, 'type': 'outpost'}, 'mortgage': {'squareIndex': 1}, 'unmortgage': {'squareIndex': 1},
               'sell_building': {'squareIndex': 1}, 'trade_respond': {'tradeId': 'none', 'accept': True},
               'trade_offer': {'toId': agent.id, 'offering': {'money': 1}, 'requesting': {}}}
    for name, body in samples.items():
        if name not in acts:
            out.append(('%s not listed' % name, act(name, body), {A}, None))
    if agent.board is None or kind == 'agent:your_turn' and 'roll_dice' not in acts:
        return out
    fresh = kind == 'agent:your_turn'       # what this agent knows of the board is true now
    mine = agent.mine()
    theirs = [i for i in range(40) if BOARD[i].price and agent.board[i]['owner'] not in (None, agent.id)]
    for name in ('mortgage', 'unmortgage', 'sell_building', 'build'):
        if name not in acts:
            continue
        extra = {'type': 'outpost'} if name == 'build' else {}
        for square in (40, -1, 1000, 0, 10, 7, 4):
            out.append(('%s of square %d' % (name, square), act(name, dict(extra, squareIndex=square)), {P}, square))
        if theirs and (fresh or kind == 'agent:must_raise_funds' and agent.board_turn == agent.turn):
            out.append(('%s of a foreign square' % name, act(name, dict(extra, squareIndex=theirs[0])), {P}, theirs[0]))
        for value in ('1', 1.5, None, [1], True):
            out.append(('%s with squareIndex %r' % (name, value), act(name, dict(extra, squareIndex=value)), {P, A}, None))
        out.append(('%s with data that is no object' % name, {'type': 'action:' + name, 'data': 5}, {P, A}, None))
    if fresh:
        for i in mine:
            board = agent.board[i]
            if 'mortgage' in acts:
                if board['mortgaged']:
                    out.append(('mortgage of a mortgaged square', act('mortgage', {'squareIndex': i}), {A, P}, None))
                elif not agent.bare(i):
                    out.append(('mortgage in a group with buildings', act('mortgage', {'squareIndex': i}), {A}, None))
            if 'unmortgage' in acts:
                if not board['mortgaged']:
                    out.append(('unmortgage of a square not mortgaged', act('unmortgage', {'squareIndex': i}), {A, P}, None))
                elif agent.money < BOARD[i].lift:
                    out.append(('unmortgage without money', act('unmortgage', {'squareIndex': i}), {F}, i))
            if 'sell_building' in acts:
                if not agent.level(i):
                    out.append(('sale without building', act('sell_building', {'squareIndex': i}), {A, P}, None))
                elif agent.level(i) < max(agent.level(j) for j in group_of(i)):
                    out.append(('uneven sale', act('sell_building', {'squareIndex': i}), {A}, None))
    if kind == 'agent:build_decision':
        rows = {r['index']: r for r in data['buildableProperties']}
        for i, row in rows.items():
            wrong = 'outpost' if row['canBuildFortress'] else 'fortress'
            codes = {A} if data['yourMoney'] >= BOARD[i].fortress else {A, F}
            out.append(('build of the wrong type', act('build', {'squareIndex': i, 'type': wrong}), codes, None))
            out.append(('build of a castle', act('build', {'squareIndex': i, 'type': 'castle'}), {A}, None))
            for j in group_of(i):
                if j not in rows:
                    codes = {A} if data['yourMoney'] >= BOARD[j].fortress else {A, F}
                    out.append(('uneven building', act('build', {'squareIndex': j}), codes, None))
        if 'build' in acts and agent.board_turn == agent.turn and agent.s['offer'] < .2:
            apart = [i for i in mine if not all(agent.board[j]['owner'] == agent.id for j in group_of(i))]
            if apart and data['yourMoney'] >= 300:
                out.append(('build without a whole group', act('build', {'squareIndex': apart[0]}), {A, P}, None))
    if 'trade_offer' in acts:
        others = agent.others()
        offer = lambda to, giving, asking: act('trade_offer', {'toId': to, 'offering': giving, 'requesting': asking})
        out += [('trade with oneself', offer(agent.id, {'money': 1}, {}), {A}, None), ('trade with nobody', offer('nobody', {'money': 1}, {}), {A}, None),
                ('trade with toId 5', offer(5, {'money': 1}, {}), {A}, None), ('trade without toId', act('trade_offer', {'offering': {'money': 1}, 'requesting': {}}), {A}, None)]
        if others:
            to = others[0]
            out += [('trade with two empty sides', offer(to, {}, {}), {A}, None),
                    ('trade with two empty sides, spelt out', offer(to, {'properties': [], 'money': 0, 'escapeCards': 0}, {'money': 0}), {A}, None),
                    ('trade of too much money', offer(to, {'money': 10 ** 7}, {}), {A, F}, None),
                    ('trade for too much money', offer(to, {}, {'money': 10 ** 7}), {A, F}, None),
                    ('trade of negative money', offer(to, {'money': -5}, {}), {A}, None), ('trade of half money', offer(to, {'money': 1.5}, {}), {A}, None),
                    ('trade of money as text', offer(to, {'money': '5'}, {}), {A}, None), ('trade of squares as text', offer(to, {'properties': 'all'}, {}), {A, P}, None),
                    ('trade of square 0', offer(to, {'properties': [0]}, {}), {A, P}, None), ('trade of square 99', offer(to, {'properties': [99]}, {}), {A, P}, None),
                    ('trade of three escape cards', offer(to, {'escapeCards': 3}, {}), {A}, None), ('trade of -1 escape cards', offer(to, {'escapeCards': -1}, {}), {A}, None),
                    ('trade for three escape cards', offer(to, {}, {'escapeCards': 3}), {A}, None),
                    ('trade with sides of wrong type', offer(to, 5, 'x'), {A}, None)]
            if theirs and fresh:
                out.append(('trade of a foreign square', offer(to, {'properties': theirs[:1]}, {}), {A, P}, None))
            if mine and fresh:
                out.append(('trade for a square of one\'s own', offer(to, {}, {'properties': mine[:1]}), {A, P}, None))
                built = [i for i in mine if not agent.bare(i)]
                if built:
                    out.append(('trade of a square of a group with buildings', offer(to, {'properties': built[:1]}, {}), {A}, None))
            broke = [o['id'] for o in agent.opponents if o.get('isBankrupt')]
            if broke:
                out.append(('trade with a bankrupt agent', offer(broke[0], {'money': 1}, {}), {A}, None))
    if kind == 'agent:must_raise_funds':
        ways = {i['index'] for i in data['mortgageable']}, {i['index'] for i in data['sellableBuildings']}
        for name, listed, codes in (('mortgage', ways[0], {A, P}), ('sell_building', ways[1], {A, P})):
            for i in (set(mine) - listed if name in acts else ()):
                out.append(('in DEBT, %s of a square not listed' % name, act(name, {'squareIndex': i}), codes, None))
    if kind == 'agent:buy_decision':
        index = data['property']['index']
        out += [('buy of another square', act('buy', {'squareIndex': (index + 1) % 40}), {P}, (index + 1) % 40), ('buy of square 99', act('buy', {'squareIndex': 99}), {P}, 99),
                ('buy with squareIndex as text', act('buy', {'squareIndex': str(index)}), {P, A}, None)]
    if kind == 'agent:trade_received':
        out += [('answer to another trade', act('trade_respond', {'tradeId': 'none', 'accept': True}), {A}, None),
                ('answer that is no bool', act('trade_respond', {'tradeId': data['tradeId'], 'accept': 'yes'}), {A}, None),
                ('answer without accept', act('trade_respond', {'tradeId': data['tradeId']}), {A}, None)]
    return [w for w in out if w]
