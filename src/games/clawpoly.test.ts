// The start, the end and the words of Clawpoly: rules 3.1 and 3.7.

import { describe, expect, it } from 'vitest'
import {
  holding,
  move,
  owned,
  played,
  position,
  throwing,
} from '../../test/support/clawpoly-position.ts'
import { clawpoly } from './clawpoly.ts'
import { historyStep, reasonOf, standingsOf, wealthOf } from './clawpoly-state.ts'
import { isIllegal } from './game.ts'

const seed = (n: number) => n.toString(16).padStart(32, '0')

describe('the start', () => {
  it.each([2, 3, 4, 5, 6])('gives %i players 1500 Shells at Set Sail, and no square', seats => {
    const { players, squares, phase, turnNumber, turnLimit } = clawpoly.start(seed(1), seats)
    expect(players).toEqual(
      Array(seats).fill({
        money: 1500,
        position: 0,
        inPot: false,
        potTurns: 0,
        escapeCards: 0,
        bankruptAt: null,
      }),
    )
    expect(squares).toEqual(Array(40).fill({ owner: null, level: 0, mortgaged: false }))
    expect([phase, turnNumber, turnLimit]).toEqual(['roll', 1, 200])
  })

  it('has every order of turns equally often, with each seat in it once', () => {
    const counts = new Map<string, number>()
    for (let n = 0; n < 6000; n++) {
      const { order, current } = clawpoly.start(seed(n), 3)
      expect([order.toSorted(), current]).toEqual([[0, 1, 2], order[0]])
      counts.set(order.join(''), (counts.get(order.join('')) ?? 0) + 1)
    }
    expect(counts.size).toBe(6)
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })

  it('takes a limit of turns from the setup, and leaves other options alone', () => {
    const limit = (turnLimit: never) =>
      clawpoly.start(seed(1), 2, { turnLimit, table: 'x' }).turnLimit
    expect(limit(30 as never)).toBe(30)
    for (const odd of [0, -3, 2.5, '30', null]) expect(limit(odd as never)).toBe(200)
  })
})

describe('the end', () => {
  it('comes when the turn of the limit is over, not before', () => {
    const last = position({ phase: 'build', turnNumber: 199, turnLimit: 200 })
    const next = move(last, 'end_turn').state
    expect(next).toMatchObject({ turnNumber: 200, phase: 'roll' })
    const over = move({ ...next, phase: 'build' }, 'end_turn')
    expect(over.events).toEqual([{ kind: 'turn_end', turn: 200, seat: 1 }])
    expect(over.state).toMatchObject({ phase: 'over', turnNumber: 200 })
    expect(reasonOf(over.state)).toBe('turn_limit')
    expect(clawpoly.status(over.state)).toEqual({
      places: [1, 2, 3],
      scores: [1500, 1500, 1500],
      because: 'turn limit of 200, wealthiest with 1500 Shells',
    })
    expect(isIllegal(clawpoly.play(over.state, 2, { action: 'roll_dice' }))).toBe(true)
    expect(clawpoly.listed!(over.state, 2)).toEqual([])
  })

  it('comes after the bonus throws of the last turn', () => {
    const start = position({ turnNumber: 200, dice: throwing(5, 5, 4, 6) })
    const again = move(start, 'roll_dice').state
    expect(again).toMatchObject({ phase: 'roll', turnNumber: 200 })
    expect(played(again, 'roll_dice', 'end_turn').phase).toBe('over')
  })

  it('comes, too, when the last turn ends in the pot', () => {
    const start = position({ turnNumber: 200, dice: throwing(3, 4), players: [{ position: 23 }] })
    expect(move(start, 'roll_dice').state.phase).toBe('over')
  })
})

describe('wealth', () => {
  it('is money, prices, mortgage values, and half of what the buildings cost', () => {
    const state = position({
      players: [{ money: 7 }],
      squares: {
        ...owned(0, [5]),
        ...owned(0, [12], { mortgaged: true }),
        ...owned(0, [11, 13], { level: 4 }),
        ...owned(0, [14], { level: 5 }),
      },
    })
    const buildings = (4 * 150) / 2 + (4 * 150) / 2 + (4 * 150 + 750) / 2
    expect(wealthOf(state, 0)).toBe(7 + 200 + 75 + 140 + 140 + 160 + buildings)
  })

  it('decides the places; then money, squares, and the order of turns', () => {
    const places = (...parts: Parameters<typeof position>) =>
      standingsOf(position(...parts)).map(({ seat }) => seat)
    expect(places({ players: [{ money: 1 }, { money: 3 }, { money: 2 }] })).toEqual([1, 2, 0])
    // 1500 each, of different money.
    const alike = {
      players: [{ money: 1300 }, { money: 1400 }],
      squares: { ...owned(0, [5]), ...owned(1, [6]) },
    }
    expect(places(alike)).toEqual([2, 1, 0])
    const squares = {
      players: [{ money: 1400 }, { money: 1400 }, { money: 0 }],
      squares: {
        ...owned(0, [6]),
        ...owned(1, [1], { mortgaged: true }),
        ...owned(1, [14], { mortgaged: true }),
      },
    }
    // 1510 each: 1410 and 100, or 1400 and mortgages of 30 and 80.
    expect(places({ ...squares, players: [{ money: 1410 }, { money: 1400 }] })).toEqual([0, 1, 2])
    expect(places({ order: [2, 1, 0] })).toEqual([2, 1, 0])
  })

  it('counts more squares where wealth and money are equal', () => {
    const state = position({
      players: [{ money: 0 }, { money: 0 }, { money: 0 }],
      squares: {
        ...owned(0, [14], { mortgaged: true }),
        ...owned(1, [1], { mortgaged: true }),
        ...owned(1, [6], { mortgaged: true }),
      },
    })
    expect(standingsOf(state).map(({ seat, wealth }) => [seat, wealth])).toEqual([
      [1, 80],
      [0, 80],
      [2, 0],
    ])
  })

  it('ranks the bankrupt below all others, the later the better', () => {
    const state = position({
      seats: 4,
      players: [
        { bankruptAt: 9, money: 0 },
        { money: 1 },
        { bankruptAt: 9, money: 0 },
        { money: 2 },
      ],
      out: [2, 0],
    })
    expect(standingsOf(state).map(({ seat, place }) => [seat, place])).toEqual([
      [3, 1],
      [1, 2],
      [0, 3],
      [2, 4],
    ])
    expect(clawpoly.standings!(state)).toMatchObject({ places: [3, 2, 4, 1] })
  })
})

describe('what is kept for spectators', () => {
  it('is the last twelve events', () => {
    let state = position({ squares: owned(0, [1]) })
    const told = []
    for (let n = 0; n < 8; n++)
      for (const action of ['mortgage', 'unmortgage']) {
        const next = move(state, { action, square: 1 })
        told.push(...next.events)
        state = next.state
      }
    expect(state.recent).toEqual(told.slice(-12))
  })

  it('is the money after every turn, or after every so many of a long match', () => {
    const turns = (turnLimit: number) =>
      Array.from({ length: 6 }).reduce<ReturnType<typeof position>>(
        state => move({ ...state, phase: 'build' }, 'end_turn').state,
        position({ turnLimit }),
      )
    expect(turns(200).history).toHaveLength(7)
    expect(turns(600).history).toHaveLength(3)
    expect([1, 200, 201, 1000].map(turnLimit => historyStep({ turnLimit }))).toEqual([1, 1, 2, 5])
  })
})

describe('moves in words', () => {
  const trade = {
    action: 'trade_offer',
    to: 2,
    giving: { properties: [5], money: 50 },
    requesting: { properties: [13], escapeCards: 1 },
  }

  it.each([
    ['roll', { action: 'roll_dice' }],
    [' BUY ', { action: 'buy' }],
    ['end', { action: 'end_turn' }],
    ['build 13', { action: 'build', square: 13 }],
    ['sell 13', { action: 'sell_building', square: 13 }],
    ['lift 5', { action: 'unmortgage', square: 5 }],
    ['accept', { action: 'trade_respond', accept: true }],
    ['no', { action: 'trade_respond', accept: false }],
    ['trade 2: 5 $50 for 13 and card', trade],
    ['trade 2: poseid $50 for coral and card', trade],
    [
      'trade 1 nothing for $7',
      { action: 'trade_offer', to: 1, giving: {}, requesting: { money: 7 } },
    ],
  ])('are typed: %s', (text, made) => {
    const state = position()
    expect(clawpoly.read!(state, 0, clawpoly.typing!.read(text))).toEqual(made)
  })

  it('that are not known are refused with what was typed', () => {
    const refused = clawpoly.play(position(), 0, clawpoly.typing!.read('sail away'))
    expect(isIllegal(refused) && refused.reason).toBe(
      '"action" is a word such as roll_dice, got "sail away"',
    )
    const odd = clawpoly.play(position(), 0, clawpoly.typing!.read('trade 1: gold for 5'))
    expect(isIllegal(odd) && odd.reason).toContain('got "gold"')
  })

  it.each([
    [{ action: 'buy' }, 'buys Tidal Pool Flats'],
    [{ action: 'build', square: 13 }, 'builds on Coral Triangle'],
    [{ action: 'roll_dice' }, 'throws'],
    [trade, 'offers player 2 a trade'],
    [{ action: 'unmortgage', square: 31 }, "lifts mortgage of Abyssal Kraken's Lair"],
    [{ action: 'trade_respond', accept: false }, 'refuses the trade'],
  ])('are told: %j', (made, words) => {
    expect(clawpoly.label!(position({ players: [{ position: 1 }] }), made)).toBe(words)
  })
})

it('shows everything but what is still to come', () => {
  const state = holding(position({ squares: owned(1, [37, 39], { level: 1 }) }), 'tide', 2)
  const view = clawpoly.view(state, 0) as { readonly [field: string]: unknown } & {
    readonly squares: readonly unknown[]
  }
  expect(view.squares[39]).toEqual({
    name: "Claw Emperor's Domain",
    group: "Emperor's Realm",
    price: 400,
    owner: 1,
    level: 1,
    mortgaged: false,
    rent: 200,
  })
  for (const hidden of ['dice', 'decks', 'recent', 'history'])
    expect(view).not.toHaveProperty(hidden)
})
