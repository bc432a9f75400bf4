// Debts and bankruptcy: rule 3.6 of Clawpoly, each by a position.

import { describe, expect, it } from 'vitest'
import {
  asked,
  dropped,
  holding,
  kindsOf,
  moneyOf,
  move,
  onTop,
  owned,
  played,
  position,
  refusal,
  throwing,
} from '../../test/support/clawpoly-position.ts'
import { clawpoly } from './clawpoly.ts'
import { actionsOf } from './clawpoly-moves.ts'
import { reasonOf } from './clawpoly-state.ts'

/** Seat 0 comes to the Fishing Tax of 200 with this money. */
const taxed = (money: number, squares = {}, more = {}) =>
  position({ dice: throwing(1, 3), players: [{ money }], squares, ...more })

/** Seat 0 comes to Claw Emperor's Domain with a fortress of seat 1, and owes 2000. */
const visiting = (money: number, squares = {}, more = {}) =>
  position({
    dice: throwing(1, 2),
    players: [{ position: 36, money }],
    squares: { ...owned(1, [37, 39], { level: 5 }), ...squares },
    ...more,
  })

const mortgage = (square: number) => ({ action: 'mortgage', square })
const sell = (square: number) => ({ action: 'sell_building', square })

describe('a debt', () => {
  it('is paid at once where the money is there, to the last Shell', () => {
    const { state, events } = move(taxed(200), 'roll_dice')
    expect(moneyOf(state)[0]).toBe(0)
    expect(events.at(-1)).toEqual({ kind: 'tax_paid', turn: 1, seat: 0, amount: 200, square: 4 })
    expect(state).toMatchObject({ phase: 'build', debt: null })
  })

  it('asks its debtor to raise the money, where what it owns is enough', () => {
    const next = move(taxed(100, owned(0, [35])), 'roll_dice')
    expect(next.events.at(-1)).toEqual({
      kind: 'debt',
      turn: 1,
      seat: 0,
      to: null,
      amount: 200,
      why: 'tax',
    })
    expect(next.state).toMatchObject({
      phase: 'debt',
      debt: { debtor: 0, creditor: null, amount: 200 },
    })
    expect(moneyOf(next.state)[0]).toBe(100)
    expect(actionsOf(next.state, 0)).toEqual(['mortgage', 'raise'])
    expect(clawpoly.listed!(next.state, 0)).toEqual([mortgage(35), { action: 'raise' }])
  })

  it('is paid the moment there is enough, and the turn goes on from there', () => {
    const owing = played(taxed(100, owned(0, [3, 35])), 'roll_dice')
    const first = move(owing, mortgage(3))
    expect(first.state).toMatchObject({ phase: 'debt' })
    expect(moneyOf(first.state)[0]).toBe(130)
    const second = move(first.state, mortgage(35))
    expect(kindsOf(second)).toEqual(['mortgaged', 'tax_paid'])
    expect(moneyOf(second.state)[0]).toBe(30)
    expect(second.state).toMatchObject({ phase: 'build', debt: null, current: 0 })
  })

  it('leaves the bonus throw of doubles', () => {
    const owing = played(taxed(100, owned(0, [35]), { dice: throwing(2, 2) }), 'roll_dice')
    expect(played(owing, mortgage(35))).toMatchObject({ phase: 'roll', turnNumber: 1 })
  })

  it('takes mortgages and sales, and nothing else', () => {
    const owing = played(
      taxed(100, {
        ...owned(0, [1, 3], { level: 1 }),
        ...owned(0, [35]),
        ...owned(0, [5], { mortgaged: true }),
      }),
      'roll_dice',
    )
    expect(actionsOf(owing, 0)).toEqual(['mortgage', 'sell_building', 'raise'])
    for (const made of [
      { action: 'unmortgage', square: 5 },
      { action: 'trade_offer', to: 1, giving: { money: 1 } },
      { action: 'build', square: 1 },
      { action: 'end_turn' },
    ])
      expect(refusal(owing, made)).toMatchObject({ why: 'action' })
    expect(refusal(owing, mortgage(1))).toMatchObject({ why: 'rule' })
    expect(moneyOf(played(owing, sell(1)))[0]).toBe(150)
  })

  it('may strike a player out of turn, whose turn it is waits', () => {
    const start = onTop(
      position({
        dice: throwing(3, 4),
        players: [{ position: 10 }, { money: 5 }],
        squares: owned(1, [1]),
      }),
      'chest',
      9,
    )
    const owing = move(start, 'roll_dice').state
    expect(clawpoly.status(owing)).toEqual({ toMove: [1], held: [0] })
    expect(owing).toMatchObject({
      current: 0,
      debt: { debtor: 1, creditor: 0, amount: 10, why: 'card' },
    })
    expect(owing.dues).toHaveLength(1)
    const paid = played(owing, mortgage(1))
    expect(moneyOf(paid)).toEqual([1520, 25, 1490])
    expect(paid).toMatchObject({ phase: 'build', current: 0, dues: [] })
  })

  it('counts half of all buildings and every mortgage as means: one Shell less is bankruptcy', () => {
    // 50 for an outpost each and 30 for a mortgage each.
    const built = owned(0, [1, 3], { level: 1 })
    expect(move(taxed(40, built), 'roll_dice').state.phase).toBe('debt')
    const short = move(taxed(39, built), 'roll_dice')
    expect(kindsOf(short)).not.toContain('debt')
    expect(short.state.players[0]!.bankruptAt).toBe(1)
  })
})

describe('the bank raises money', () => {
  it('by mortgages of what is free of buildings, the cheapest first', () => {
    const owing = played(
      taxed(100, { ...owned(0, [39, 1, 12]), ...owned(0, [31, 32, 34], { level: 1 }) }),
      'roll_dice',
    )
    const { state, events } = move(owing, 'raise')
    expect(
      events.map(event => ('square' in event ? [event.kind, event.square] : event.kind)),
    ).toEqual([
      ['mortgaged', 1],
      ['mortgaged', 12],
      ['tax_paid', 4],
    ])
    expect(moneyOf(state)[0]).toBe(5)
    expect(state.phase).toBe('build')
  })

  it('then by sales from the highest level down, with mortgages of what becomes free', () => {
    const squares = {
      ...owned(0, [1], { level: 1 }),
      ...owned(0, [3]),
      ...owned(0, [6], { level: 1 }),
      ...owned(0, [8, 9], { level: 2 }),
    }
    const owing = played(visiting(1640, squares), 'roll_dice')
    expect(owing.phase).toBe('debt')
    const { events } = move(owing, 'raise')
    expect(
      events.map(event => ('square' in event ? [event.kind, event.square] : event.kind)),
    ).toEqual([
      ['building_sold', 8],
      ['building_sold', 9],
      ['building_sold', 1],
      ['mortgaged', 1],
      ['mortgaged', 3],
      ['building_sold', 6],
      ['building_sold', 8],
      ['building_sold', 9],
      ['rent_paid', 39],
    ])
  })
})

describe('bankruptcy', () => {
  it('to a player hands over all money, all squares mortgaged, and the escape cards', () => {
    const start = holding(
      visiting(100, {
        ...owned(0, [1, 3], { level: 2 }),
        ...owned(0, [5]),
        ...owned(0, [12], { mortgaged: true }),
      }),
      'chest',
      0,
    )
    const { state, events } = move(start, 'roll_dice')
    // 200 for four outposts, 160 for three mortgages.
    expect(events).toContainEqual({
      kind: 'bankrupt',
      turn: 1,
      seat: 0,
      to: 1,
      sold: 200,
      mortgages: 160,
      amount: 460,
      properties: [1, 3, 5, 12],
      escapeCards: 1,
    })
    expect(moneyOf(state)).toEqual([0, 1960, 1500])
    for (const square of [1, 3, 5, 12])
      expect(state.squares[square]).toEqual({ owner: 1, level: 0, mortgaged: true })
    expect(state.players.map(({ escapeCards }) => escapeCards)).toEqual([0, 1, 0])
    expect(state.decks.chest.holder).toBe(1)
    expect(state).toMatchObject({ current: 1, turnNumber: 2, out: [0] })
    expect(clawpoly.status(state)).toEqual({ toMove: [1], eliminated: [0] })
  })

  it('to the bank frees the squares, returns the cards and takes the money', () => {
    const start = holding(taxed(10, owned(0, [1, 3], { mortgaged: true })), 'tide', 0)
    const { state, events } = move(start, 'roll_dice')
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'bankrupt', to: null, amount: 10, properties: [1, 3] }),
    )
    expect(moneyOf(state)).toEqual([0, 1500, 1500])
    expect([1, 3].map(square => state.squares[square])).toEqual(
      Array(2).fill({ owner: null, level: 0, mortgaged: false }),
    )
    expect(state.decks.tide).toMatchObject({ seen: [8], holder: null })
  })

  it('ends the match at once when one player is left', () => {
    const two = move(taxed(10, {}, { seats: 2 }), 'roll_dice')
    expect(kindsOf(two).at(-1)).toBe('bankrupt')
    expect(two.state).toMatchObject({ phase: 'over', turnNumber: 1 })
    expect(reasonOf(two.state)).toBe('last_standing')
    expect(clawpoly.status(two.state)).toEqual({
      places: [2, 1],
      scores: [0, 1500],
      because: 'last standing in turn 1',
    })
  })

  it('stops what the payer still had to pay to others', () => {
    const start = onTop(
      position({ dice: throwing(3, 4), seats: 4, players: [{ money: 120 }] }),
      'tide',
      15,
    )
    const { state, events } = move(start, 'roll_dice')
    expect(events.flatMap(event => (event.kind === 'card_paid' ? [event.to] : []))).toEqual([1, 2])
    expect(events).toContainEqual(expect.objectContaining({ kind: 'bankrupt', to: 3, amount: 20 }))
    expect(moneyOf(state)).toEqual([0, 1550, 1550, 1520])
  })

  it('can strike three in a row by one card, and their heir wins', () => {
    const start = onTop(
      position({
        dice: throwing(3, 4),
        seats: 4,
        players: [{ position: 10 }, { money: 5 }, { money: 9 }, { money: 0 }],
        squares: { ...owned(1, [1], { mortgaged: true }), ...owned(3, [12], { mortgaged: true }) },
      }),
      'chest',
      9,
    )
    const { state, events } = move(start, 'roll_dice')
    const broken = events.flatMap(event =>
      event.kind === 'bankrupt' ? [[event.seat, event.to, event.amount]] : [],
    )
    expect(broken).toEqual([
      [1, 0, 5],
      [2, 0, 9],
      [3, 0, 0],
    ])
    expect(moneyOf(state)).toEqual([1514, 0, 0, 0])
    expect([1, 12].map(square => state.squares[square]!.owner)).toEqual([0, 0])
    expect(clawpoly.status(state)).toMatchObject({ places: [1, 4, 3, 2] })
  })

  it('can follow from debt to debt: one raises money, the next is bankrupt, the third raises money', () => {
    const start = onTop(
      position({
        dice: throwing(3, 4),
        seats: 4,
        players: [{ position: 10 }, { money: 5 }, { money: 5 }, { money: 5 }],
        squares: { ...owned(1, [1]), ...owned(3, [12]) },
      }),
      'chest',
      9,
    )
    const first = move(start, 'roll_dice').state
    expect(asked(first)).toBe(1)
    const second = move(first, 'raise')
    expect(kindsOf(second)).toEqual(['mortgaged', 'card_paid', 'bankrupt', 'debt'])
    expect(asked(second.state)).toBe(3)
    const third = move(second.state, mortgage(12)).state
    expect(moneyOf(third)).toEqual([1525, 25, 0, 70])
    expect(third).toMatchObject({ phase: 'build', current: 0, out: [2] })
  })
})

describe('a player that leaves', () => {
  const everywhere = [
    ['before its throw', position()],
    ['in the pot', position({ phase: 'pot', players: [{ position: 10, inPot: true }] })],
    ['while it is asked to buy', position({ phase: 'buy', players: [{ position: 1 }] })],
    ['while it builds', position({ phase: 'build' })],
    ['in debt', played(taxed(100, owned(0, [35])), 'roll_dice')],
  ] as const

  it.each(everywhere)('is bankrupt to the bank, and its turn is over: %s', (_, state) => {
    const { state: next, events } = dropped(state, 0)
    expect(next.players[0]).toMatchObject({ money: 0, bankruptAt: 1, inPot: false })
    expect(next.squares.some(({ owner }) => owner === 0)).toBe(false)
    expect(events.map(({ kind }) => kind)).toEqual(['bankrupt', 'turn_end', 'turn_start'])
    expect(next).toMatchObject({ current: 1, turnNumber: 2, phase: 'roll', debt: null, dues: [] })
  })

  it.each(everywhere)('out of turn leaves the turn as it is: %s', (_, state) => {
    const { state: next } = dropped(state, 2)
    expect(next).toMatchObject({ current: 0, turnNumber: 1, phase: state.phase, out: [2] })
  })

  const collecting = onTop(
    position({
      dice: throwing(3, 4),
      seats: 4,
      players: [{ position: 10 }, { money: 5 }, { money: 5 }],
      squares: { ...owned(1, [1]), ...owned(2, [3]) },
    }),
    'chest',
    9,
  )

  it('as the debtor out of turn, has the next debt settled', () => {
    const owing = move(collecting, 'roll_dice').state
    const { state } = dropped(owing, 1)
    expect(state).toMatchObject({ phase: 'debt', current: 0, debt: { debtor: 2 }, out: [1] })
    expect(moneyOf(dropped(state, 2).state)).toEqual([1510, 0, 0, 1490])
    expect(dropped(state, 2).state).toMatchObject({ phase: 'build', current: 0 })
  })

  it('is owed nothing any more: by those that raise money for it', () => {
    const owing = move(collecting, 'roll_dice').state
    const { state } = dropped(owing, 0)
    expect(state).toMatchObject({ current: 1, phase: 'roll', debt: null, dues: [] })
    expect(moneyOf(state)).toEqual([0, 5, 5, 1500])
  })

  it('is owed no rent any more, and the debtor goes on', () => {
    const owing = played(visiting(1900, owned(0, [5])), 'roll_dice')
    expect(owing.phase).toBe('debt')
    const { state } = dropped(owing, 1)
    expect(state).toMatchObject({ phase: 'build', current: 0, debt: null })
    expect(moneyOf(state)).toEqual([1900, 0, 1500])
  })

  it('of the last two ends the match', () => {
    const { state } = dropped(position({ seats: 2 }), 1)
    expect(clawpoly.status(state)).toMatchObject({ places: [1, 2] })
    expect(dropped(state, 0).state).toBe(state)
  })
})
