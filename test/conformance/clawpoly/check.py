#!/usr/bin/env python3
"""Checks a Clawpoly server against the reference: python3 check.py http://HOST:PORT/clawpoly [--only NAME,...] [--seed N]"""
import argparse
import os
import random
import sys
import threading
import time
import traceback

import links                            # registers its checks
from model import BOARD, buildings_half
from rest import SCENARIOS, Context, scenario


# -- games -----------------------------------------------------------------------------------------------------------------
def play(c, name, styles, turn_limit, watch=False, **more):
    game, began = c.room(name, styles, turn_limit, **more), time.time()
    if game.open(watch):
        game.play()
        if not game.done and all(a.turn == 0 for a in game.agents) and time.time() - began > 40:
            c.report.fail(name + ' starts', 'agent:your_turn', 'nothing')
    return game


@scenario
def game_builders(c):
    play(c, 'builders', ['builder', 'builder', 'builder'], 90, watch=True)


@scenario
def game_six(c):
    play(c, 'six', ['buyer', 'builder', 'trader', 'miser', 'spite', 'donor'], 60)


@scenario
def game_traders(c):
    play(c, 'traders', ['trader', 'trader', 'builder', 'donor'], 60, watch=True)


@scenario
def game_misers(c):
    play(c, 'misers', ['miser', 'builder', 'miser', 'donor'], 120)


@scenario
def game_spite(c):
    play(c, 'spite', ['spite', 'spite', 'builder', 'trader'], 36)


@scenario
def game_spite_two(c):
    play(c, 'spite-two', ['spite', 'donor', 'spite'], 60)


@scenario
def game_monopoly(c):
    play(c, 'monopoly', ['builder', 'passer'], 240)


@scenario
def game_seller(c):
    play(c, 'seller', ['seller', 'passer'], 300)


@scenario
def game_rogue(c):
    play(c, 'rogue', ['rogue', 'walker'], 120)
    play(c, 'rogues', ['rogue', 'rogue', 'walker'], 60)


@scenario
def game_walkers(c):
    """Nobody buys, so both decks go round."""
    play(c, 'walkers', ['walker', 'walker', 'walker'], 900)


@scenario
def game_wastrels(c):
    """Squares mortgaged, money given away: bankruptcies to the bank."""
    play(c, 'wastrels', ['wastrel', 'wastrel', 'walker', 'buyer'], 120)
    play(c, 'wastrels-two', ['wastrel', 'walker', 'walker'], 120)


@scenario
def game_finish(c):
    """The last agent makes the wealth of both nearly or quite the same, so that each part of it counts."""
    for number in range(6):
        if time.time() > c.until - 20:
            return
        game = c.room('finish-%d' % number, ['miser', 'seller'] if number % 2 else ['seller', 'seller'], 40 + number)
        bought = {}

        def hook(agent, kind, data, game=game, bought=bought):
            if kind == 'agent:buy_decision' and agent.turn == game.turn_limit:
                agent.prompt, agent.asked = (kind, data), time.time()
                bought[agent.id] = bought.get(agent.id, 0)
                agent.send('pass')
                return True
            if kind != 'agent:build_decision' or agent.turn != game.turn_limit or agent.board_turn != agent.turn or 'trade_offer' not in data['availableActions'] or agent.offers:
                return False
            agent.prompt, agent.asked = (kind, data), time.time()
            agent.offers += 1
            other = next(a for a in game.agents if a is not agent)
            rows = {p.get('id'): p.get('money') for p in c.call('GET', '/rooms/%s' % game.id).get('players') or []}

            def wealth(player):
                total = rows[player]
                for i, square in enumerate(agent.board):
                    if square['owner'] == player:
                        total += BOARD[i].mortgage if square['mortgaged'] else BOARD[i].price
                        total += buildings_half(i, agent.level(i))
                return total
            gap = wealth(agent.id) - wealth(other.id)
            want = agent.rng.choice([-1, 1] if gap % 2 else [0, 0, 2, -2])
            gift = (gap - want) // 2            # from this agent to the other
            giving, asking = ({'money': gift}, {}) if gift > 0 else ({}, {'money': -gift})
            if gift == 0 or gift > rows[agent.id] or -gift > rows[other.id]:
                return False
            agent.open_offer = (other.id, giving, asking)
            agent.send('trade_offer', {'toId': other.id, 'offering': giving, 'requesting': asking})
            got = game.wait(other, lambda k, d: k == 'agent:trade_received')
            if c.report.check(got, 'finish: target', 'agent:trade_received', got):
                game.verdicts[got[1]['tradeId']] = True
                other.send('trade_respond', {'tradeId': got[1]['tradeId'], 'accept': True})
                game.wait(agent, lambda k, d: k == 'agent:trade_result')
                got = game.wait(agent, lambda k, d: k == 'agent:build_decision')
                c.report.check(got, 'finish: prompt again', 'agent:build_decision', got)
                c.report.cover['close finish'] += 1
            agent.send('end_turn')
            return True

        game.hook = hook
        if game.open():
            game.play()


@scenario
def game_ruin(c):
    play(c, 'ruin', ['donor', 'donor', 'builder', 'donor'], 240, watch=True)


@scenario
def game_long(c):
    play(c, 'long', ['miser', 'builder', 'donor', 'spite', 'builder'], 160)


@scenario
def game_one_turn(c):
    play(c, 'one-turn', ['buyer', 'buyer'], 1)


@scenario
def game_more(c):
    """Rooms with agents by chance, as long as there is time."""
    styles, rng = ['buyer', 'builder', 'trader', 'miser', 'spite', 'donor', 'seller'], random.Random(c.seed)
    number = 0
    while time.time() < c.until - 70 and number < 12:
        number += 1
        play(c, 'more-%d' % number, [rng.choice(styles) for _ in range(rng.choice([2, 3, 3, 4]))], rng.choice([40, 60, 120]))


@scenario
def legacy(c):
    """A client of section 5.2: never rolls, never ends a turn."""
    r = c.report
    game = c.room('legacy', ['legacy', 'passer'], 100)
    began, late = time.time(), []

    def hook(agent, kind, data):
        if agent.legacy and kind == 'error' and data.get('code') == 'AGENT_TIMEOUT':
            if (agent.prompt or [None])[0] != 'agent:must_raise_funds':
                late.append(data)
            return True
        if agent.legacy and kind == 'agent:must_raise_funds':
            agent.prompt = (kind, data)
        return False

    game.hook = hook
    if not game.open():
        return
    game.play()
    a = game.agents[0]
    if game.done:
        r.check(not late, 'legacy client', 'no timeouts but in DEBT: the server rolls and ends turns', late[:2])
        r.check(a.received['buy'], 'legacy client', 'buy_decision', 'none in 100 turns')
    elif time.time() - began > 60:
        r.note('legacy: %s, %s' % (a.history[-5:], game.agents[1].turn))


# -- all -------------------------------------------------------------------------------------------------------------------
ORDER = ['pause', 'timeouts', 'timeout-reset', 'rest', 'sockets', 'start', 'agents', 'reconnect', 'drop', 'start-absent', 'offers', 'legacy', 'game-one-turn',
         'game-builders', 'game-six', 'game-traders', 'game-misers', 'game-spite', 'game-spite-two', 'game-monopoly', 'game-seller', 'game-rogue', 'game-walkers', 'game-wastrels', 'game-finish', 'game-ruin', 'game-long', 'game-more']
LONG = ['five-timeouts', 'five-minutes']        # only when named, with --seconds
CLOCKS = ['pause', 'timeouts', 'timeout-reset'] + LONG


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('base')
    parser.add_argument('--only', default='', help='names, with commas; "list" shows them')
    parser.add_argument('--seed', type=int, default=None)
    parser.add_argument('--seconds', type=int, default=140)
    parser.add_argument('--threads', type=int, default=5, help='games at the same time')
    options = parser.parse_args()
    if options.only == 'list':
        print('\n'.join(ORDER + LONG))
        return 0
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(10 ** 6)
    names = [n for n in ORDER + LONG if (n in options.only.split(',') if options.only else n in ORDER)]
    unknown = set(filter(None, options.only.split(','))) - set(ORDER + LONG)
    if unknown:
        print('no such check: %s' % ', '.join(sorted(unknown)))
        return 2
    began = time.time()
    context = Context(options.base.rstrip('/'), seed, began + options.seconds)
    report = context.report
    if context.call('GET', '/rooms').status == 0:
        report.fail('server', 'an answer at %s' % context.api, 'none')
        names = []
    times, gate = {}, threading.Semaphore(options.threads)

    def run(name):
        at = time.time()
        try:
            if name in CLOCKS:
                SCENARIOS[name](context)
            else:
                with gate:
                    at = time.time()
                    if at < context.until - 5:
                        SCENARIOS[name](context)
                    else:
                        report.note('%s: no time left' % name)
        except Exception:
            report.fail('%s: the checker stumbled' % name, 'no exception', traceback.format_exc()[-350:])
        times[name] = round(time.time() - at, 1)

    threads = []
    for name in names:
        thread = threading.Thread(target=run, args=(name,), daemon=True)
        thread.start()
        threads.append(thread)
        time.sleep(0.05)
    for thread in threads:
        thread.join(max(0.1, context.until + 8 - time.time()))
    for name in [n for n, t in zip(names, threads) if t.is_alive()]:
        report.note('%s did not end in time' % name)
    with report.lock:
        report.silent = True
        for note in report.notes:
            print('note: ' + note[:300])
        print('seen: ' + ', '.join('%s %d' % (kind.replace('prompt ', '', 1), count) for kind, count in sorted(report.cover.items())))
        print('seed %d, %.0f s; seconds: %s' % (seed, time.time() - began, ', '.join('%s %s' % pair for pair in sorted(times.items(), key=lambda p: -p[1]))))
        print('%d passed, %d failed' % (report.passed, report.failed), flush=True)
    sys.stdout.flush()
    os._exit(1 if report.failed or not report.passed else 0)


if __name__ == '__main__':
    sys.exit(main())
