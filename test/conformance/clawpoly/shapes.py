"""The report, and the shapes of what a server sends."""
import collections
import re
import threading

from model import BOARD, whole_number

TOKENS = ['lobster', 'crab', 'octopus', 'seahorse', 'dolphin', 'shark']
STAMP = re.compile(r'^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$')
EVENTS = set('''started turn_start dice_rolled player_moved property_bought property_passed rent_paid tax_paid card_drawn outpost_built
    fortress_built building_sold mortgaged unmortgaged trade_proposed trade_accepted trade_rejected lobster_pot_in lobster_pot_out bankrupt
    set_sail_bonus turn_end finished'''.split())
PROMPTS = {'agent:your_turn', 'agent:buy_decision', 'agent:build_decision', 'agent:lobster_pot_decision', 'agent:must_raise_funds',
           'agent:trade_received'}
KNOWN = PROMPTS | {'agent:welcome', 'agent:game_started', 'agent:game_over', 'agent:trade_result', 'error'}
OPTIONAL = ('mortgage', 'unmortgage', 'sell_building', 'trade_offer')
PATIENCE = 25.0
NUMBER = (lambda v: whole_number(v) or (isinstance(v, float) and v == v), 'number')
INT = (whole_number, 'int')
COUNT = (lambda v: whole_number(v) and v >= 0, 'int >= 0')
TEXT = (lambda v: isinstance(v, str) and v != '', 'non-empty string')
BOOL = (lambda v: isinstance(v, bool), 'bool')
LIST = (lambda v: isinstance(v, list), 'list')
DICT = (lambda v: isinstance(v, dict), 'object')
SQUARES = (lambda v: isinstance(v, list) and all(whole_number(x) and 0 <= x < 40 for x in v), 'list of squares')
TEXTS = (lambda v: isinstance(v, list) and all(isinstance(x, str) for x in v), 'list of strings')
TIME = (lambda v: isinstance(v, str) and bool(STAMP.match(v)), 'ISO-8601 time')


class Report:
    def __init__(self):
        self.lock, self.passed, self.failed, self.kinds, self.notes = threading.Lock(), 0, 0, collections.Counter(), []
        self.silent, self.cover = False, collections.Counter()

    def ok(self, count=1):
        with self.lock:
            self.passed += count

    def fail(self, what, expected, got):
        with self.lock:
            if self.silent:
                return
            self.failed += 1
            kind = re.sub(r'\d+', '#', what)
            self.kinds[kind] += 1
            if self.kinds[kind] <= 4:
                print('FAIL %s: expected %s … got %s' % (what, str(expected)[:400], str(got)[:400].replace('\n', ' ')), flush=True)
            elif self.kinds[kind] == 5:
                print('(more like it: %s)' % what[:120], flush=True)

    def note(self, text):
        with self.lock:
            self.notes.append(text)

    def check(self, good, what, expected='', got=''):
        if good:
            self.ok()
        else:
            self.fail(what, expected, got)
        return bool(good)

    def same(self, what, expected, got):
        return self.check(expected == got, what, expected, got)

    def fields(self, what, value, **spec):
        """Every field of spec is in value, with its type."""
        if not isinstance(value, dict):
            self.fail(what, 'object', value)
            return False
        good = True
        for name, (test, label) in spec.items():
            if name not in value:
                good = False
                self.fail('%s.%s' % (what, name), label, 'field missing in %s' % sorted(value))
            elif not test(value[name]):
                good = False
                self.fail('%s.%s' % (what, name), label, value[name])
            else:
                self.ok()
        return good


def check_board(report, where, board, fresh=False):
    """Square[40] with the figures of the table."""
    if not report.check(isinstance(board, list) and len(board) == 40, where + ': board', '40 squares', type(board)):
        return False
    good, colors = True, {}
    for deep, square in zip(BOARD, board):
        at = '%s: square %d' % (where, deep.index)
        if not isinstance(square, dict):
            report.fail(at, 'object', square)
            return False
        want = {'index': deep.index, 'name': deep.name, 'type': deep.type, 'price': deep.price, 'mortgageValue': deep.mortgage,
                'outpostCost': deep.outpost, 'fortressCost': deep.fortress}
        if deep.type in ('property', 'current') or not deep.price:
            want['rent'] = deep.rent
        for name, value in want.items():
            if name not in square or square[name] != value:
                good = False
                report.fail('%s %s' % (at, name), value, square.get(name, 'missing'))
        for name in ('colorGroup', 'rent', 'owner', 'outposts', 'fortress', 'mortgaged'):
            if name not in square:
                good = False
                report.fail('%s %s' % (at, name), 'present', 'missing')
        if deep.group is None:
            if square.get('colorGroup') is not None:
                good = False
                report.fail(at + ' colorGroup', None, square.get('colorGroup'))
        else:
            colors.setdefault(deep.group, set()).add(str(square.get('colorGroup')))
        if deep.price:
            level = square.get('outposts')
            if not (whole_number(level) and 0 <= level <= 4 and isinstance(square.get('fortress'), bool) and isinstance(square.get('mortgaged'), bool)
                    and (square.get('owner') is None or isinstance(square.get('owner'), str))):
                good = False
                report.fail(at + ' owner, outposts, fortress, mortgaged', 'id or null, 0-4, bool, bool', square)
        if fresh and deep.price and (square.get('owner') is not None or square.get('outposts') or square.get('fortress') or square.get('mortgaged')):
            good = False
            report.fail(at + ' at the start', 'unowned and bare', square)
    if any(len(names) != 1 for names in colors.values()) or len({min(names) for names in colors.values()}) != 8:
        good = False
        report.fail(where + ': colour groups', '8 groups', colors)
    if good:
        report.ok(40)
    return good


def check_event(report, where, event):
    if not isinstance(event, dict):
        report.fail(where + ': event', 'object', event)
        return False
    bad = [name for name, test in (('sequence', INT[0]), ('turnNumber', INT[0]), ('type', TEXT[0]), ('timestamp', TIME[0])) if not test(event.get(name))]
    if 'data' not in event or 'playerId' not in event or not (event['playerId'] is None or isinstance(event['playerId'], str)):
        bad.append('data/playerId')
    return report.check(not bad, where + ': event fields', '{ sequence, turnNumber, type, playerId, data, timestamp }', '%s bad in %s' % (bad, event))
