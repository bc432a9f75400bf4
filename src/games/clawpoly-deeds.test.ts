// Rent, buildings and mortgages: rules 1.2 and 3.5 of Clawpoly, each by a position.

import { describe, expect, it } from 'vitest'
import {
  moneyOf,
  move,
  owned,
  played,
  position,
  refusal,
  throwing,
} from '../../test/support/clawpoly-position.ts'
import { board, groups } from './clawpoly-board.ts'
import { buildable, mortgageable, rentOf, sellable, unmortgageable } from './clawpoly-deeds.ts'
import { actionsOf } from './clawpoly-moves.ts'

describe('rent', () => {
  const coral = (more = {}) => position({ squares: owned(1, [11, 13, 14], more) })

  it('is that of the level, and twice the base without buildings on a whole group', () => {
    expect(rentOf(position({ squares: owned(1, [13]) }), 13, 7)).toBe(10)
    const rents = [0, 1, 2, 3, 4, 5].map(level => rentOf(coral({ level }), 13, 7))
    expect(rents).toEqual([20, 50, 150, 450, 625, 750])
  })

  it('is paid to the owner by the visitor', () => {
    const start = position({
      dice: throwing(1, 2),
      players: [{ position: 10 }],
      squares: owned(1, [11, 13, 14], { level: 3 }),
    })
    const { state, events } = move(start, 'roll_dice')
    expect(moneyOf(state)).toEqual([1050, 1950, 1500])
    expect(events.at(-1)).toEqual({
      kind: 'rent_paid',
      turn: 1,
      seat: 0,
      to: 1,
      amount: 450,
      square: 13,
    })
  })

  it.each([
    [1, 25],
    [2, 50],
    [3, 100],
    [4, 200],
  ])('of %i currents is %i', (count, toll) => {
    expect(rentOf(position({ squares: owned(2, [5, 15, 25, 35].slice(0, count)) }), 5, 7)).toBe(
      toll,
    )
  })

  it('of a utility is 4 times the throw, and 10 times for both', () => {
    expect(rentOf(position({ squares: owned(2, [12]) }), 12, 9)).toBe(36)
    expect(rentOf(position({ squares: owned(2, [12, 28]) }), 12, 9)).toBe(90)
    const start = position({
      dice: throwing(2, 3),
      players: [{ position: 7 }],
      squares: owned(2, [12, 28]),
    })
    expect(moneyOf(move(start, 'roll_dice').state)).toEqual([1450, 1500, 1550])
  })

  it('is nothing on a mortgaged square, which still counts towards its group', () => {
    const one = {
      ...coral(),
      squares: coral().squares.with(11, { owner: 1, level: 0, mortgaged: true }),
    }
    expect([11, 13].map(square => rentOf(one, square, 7))).toEqual([0, 20])
    const currents = position({
      squares: { ...owned(1, [5]), ...owned(1, [15], { mortgaged: true }) },
    })
    expect([5, 15].map(square => rentOf(currents, square, 7))).toEqual([50, 0])
    const both = position({
      squares: { ...owned(1, [12]), ...owned(1, [28], { mortgaged: true }) },
    })
    expect(rentOf(both, 12, 7)).toBe(70)
  })

  it("is due while the owner is in the pot, and never on a square of one's own", () => {
    const visit = (owner: number) =>
      position({
        dice: throwing(1, 2),
        players: [{}, { inPot: true, position: 10 }],
        squares: owned(owner, [3]),
      })
    expect(moneyOf(move(visit(1), 'roll_dice').state)).toEqual([1496, 1504, 1500])
    expect(moneyOf(move(visit(0), 'roll_dice').state)).toEqual([1500, 1500, 1500])
  })
})

describe('building', () => {
  const building = (levels: readonly number[], more = {}) =>
    position({
      phase: 'build',
      squares: Object.fromEntries(
        [11, 13, 14].map((index, i) => [index, { owner: 0, level: levels[i]! }]),
      ),
      ...more,
    })
  const build = (square: number) => ({ action: 'build', square })

  it('adds an outpost for its cost, and the player may go on', () => {
    const { state, events } = move(building([0, 0, 0]), build(13))
    expect(state.squares[13]).toEqual({ owner: 0, level: 1, mortgaged: false })
    expect(moneyOf(state)[0]).toBe(1350)
    expect(state.phase).toBe('build')
    expect(events).toEqual([
      { kind: 'outpost_built', turn: 1, seat: 0, square: 13, amount: 150, level: 1 },
    ])
  })

  it('puts a fortress in the place of four outposts, for its full cost', () => {
    const { state, events } = move(building([4, 4, 4]), build(14))
    expect(state.squares[14]!.level).toBe(5)
    expect(moneyOf(state)[0]).toBe(750)
    expect(events).toMatchObject([{ kind: 'fortress_built', amount: 750, level: 5 }])
  })

  it('is even: only on a square with the fewest buildings of its group', () => {
    expect(refusal(building([1, 0, 0]), build(11))).toMatchObject({ why: 'rule' })
    expect(refusal(building([1, 0, 0]), build(13))).toBeNull()
    expect(buildable(building([5, 4, 5]))).toEqual([
      { square: 13, building: 'fortress', cost: 750 },
    ])
    expect(buildable(building([5, 5, 5]))).toEqual([])
  })

  it('has no limit of supply', () => {
    const all = Object.values(groups).flat()
    const state = position({
      phase: 'build',
      players: [{ money: 100_000 }],
      squares: owned(0, all, { level: 4 }),
    })
    expect(buildable(state)).toHaveLength(22)
    const built = played(state, ...all.map(build))
    expect(built.squares.filter(({ level }) => level === 5)).toHaveLength(22)
  })

  it('takes the whole group, and no mortgage in it', () => {
    const lacking = building([0, 0, 0])
    const other = {
      ...lacking,
      squares: lacking.squares.with(14, { owner: 1, level: 0, mortgaged: false }),
    }
    expect(refusal(other, build(13))).toMatchObject({ why: 'action' })
    const mortgaged = {
      ...lacking,
      squares: lacking.squares.with(14, { owner: 0, level: 0, mortgaged: true }),
    }
    expect(refusal(mortgaged, build(13))).toMatchObject({ why: 'action' })
    expect(actionsOf(mortgaged, 0)).not.toContain('build')
  })

  it('is only for one who has the money: too little for all is no action, for one a lack of money', () => {
    expect(refusal(building([0, 0, 0], { players: [{ money: 149 }] }), build(13))).toMatchObject({
      why: 'action',
    })
    const cheaper = building([4, 4, 4], { players: [{ money: 149 }] })
    const sandy = { ...cheaper, squares: cheaper.squares.with(1, own).with(3, own) }
    expect(refusal(sandy, build(13))).toMatchObject({ why: 'money' })
    expect(refusal(sandy, build(1))).toBeNull()
  })

  const own = { owner: 0, level: 0, mortgaged: false }

  it('looks at the square first, then at the money, then at the rules', () => {
    const start = building([1, 0, 0], { players: [{ money: 500 }] })
    const state = { ...start, squares: start.squares.with(39, own).with(1, { ...own, owner: 1 }) }
    for (const square of [1, 5, 10, 40, -1, 2.5])
      expect(refusal(state, build(square))).toMatchObject({ why: 'square' })
    expect(
      refusal(
        { ...state, players: state.players.with(0, { ...state.players[0]!, money: 299 }) },
        build(39),
      ),
    ).toMatchObject({ why: 'money' })
    expect(refusal(state, build(39))).toMatchObject({ why: 'rule' })
  })
})

describe('selling a building', () => {
  const sell = (square: number) => ({ action: 'sell_building', square })
  const built = (levels: readonly number[]) =>
    position({
      squares: Object.fromEntries(
        [26, 27, 29].map((index, i) => [index, { owner: 0, level: levels[i]! }]),
      ),
    })

  it('brings half of its cost', () => {
    const { state, events } = move(built([2, 2, 2]), sell(27))
    expect(moneyOf(state)[0]).toBe(1600)
    expect(state.squares[27]!.level).toBe(1)
    expect(events).toEqual([
      { kind: 'building_sold', turn: 1, seat: 0, square: 27, amount: 100, level: 1 },
    ])
  })

  it('brings half of a fortress, and leaves four outposts', () => {
    const { state } = move(built([5, 5, 5]), sell(26))
    expect(moneyOf(state)[0]).toBe(2000)
    expect(state.squares[26]!.level).toBe(4)
  })

  it('is even: only from a square with the most buildings of its group', () => {
    expect(sellable(built([3, 2, 3]), 0)).toEqual([
      { square: 26, building: 'outpost', value: 100 },
      { square: 29, building: 'outpost', value: 100 },
    ])
    expect(refusal(built([3, 2, 3]), sell(27))).toMatchObject({ why: 'rule' })
    expect(refusal(built([5, 4, 4]), sell(27))).toMatchObject({ why: 'rule' })
  })

  it("is of one's own alone", () => {
    expect(refusal(built([1, 1, 1]), sell(39))).toMatchObject({ why: 'square' })
    expect(refusal(built([0, 0, 0]), sell(26))).toMatchObject({ why: 'action' })
  })
})

describe('a mortgage', () => {
  const mortgage = (square: number) => ({ action: 'mortgage', square })
  const lift = (square: number) => ({ action: 'unmortgage', square })

  it.each(
    board.flatMap(square => ('price' in square ? [[square.index, square.price] as const] : [])),
  )('of square %i brings half of its price and costs 110 %% of that to lift', (square, price) => {
    const state = move(position({ squares: owned(0, [square]) }), mortgage(square)).state
    expect(state.squares[square]).toEqual({ owner: 0, level: 0, mortgaged: true })
    expect(moneyOf(state)[0]).toBe(1500 + price / 2)
    const lifted = move(state, lift(square)).state
    expect(lifted.squares[square]!.mortgaged).toBe(false)
    const cost = { 150: 83, 350: 193 }[price] ?? (price / 2) * 1.1
    expect(moneyOf(lifted)[0]).toBe(1500 + price / 2 - Math.round(cost))
  })

  it('is not of a square in whose group a building stands', () => {
    const state = position({
      squares: { ...owned(0, [1]), ...owned(0, [3], { level: 1 }), ...owned(0, [5]) },
    })
    expect(refusal(state, mortgage(1))).toMatchObject({ why: 'rule' })
    expect(mortgageable(state, 0)).toEqual([{ square: 5, value: 100 }])
  })

  it("is once, of one's own", () => {
    const state = position({
      squares: { ...owned(0, [1], { mortgaged: true }), ...owned(1, [3]), ...owned(0, [5]) },
    })
    expect(refusal(state, mortgage(1))).toMatchObject({ why: 'rule' })
    expect(refusal(state, mortgage(3))).toMatchObject({ why: 'square' })
    expect(refusal(state, lift(5))).toMatchObject({ why: 'rule' })
  })

  it('is lifted with the money for it', () => {
    const state = (money: number) =>
      position({ players: [{ money }], squares: owned(0, [1, 39], { mortgaged: true }) })
    expect(unmortgageable(state(33), 0)).toEqual([{ square: 1, cost: 33 }])
    expect(refusal(state(33), lift(39))).toMatchObject({ why: 'money' })
    expect(refusal(state(32), lift(1))).toMatchObject({ why: 'action' })
  })

  it('is free to make and lift before the throw and while building, and at no other time', () => {
    const at = (phase: 'roll' | 'build' | 'buy') =>
      position({ phase, players: [{ position: 6 }], squares: owned(0, [1]) })
    expect(refusal(at('roll'), mortgage(1))).toBeNull()
    expect(refusal(at('build'), mortgage(1))).toBeNull()
    expect(refusal(at('buy'), mortgage(1))).toMatchObject({ why: 'action' })
    expect(move(at('build'), mortgage(1)).state.phase).toBe('build')
  })
})
