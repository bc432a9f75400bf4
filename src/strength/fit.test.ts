import { describe, expect, it } from 'vitest'
import { Dice } from '../games/dice.ts'
import { anchorsOf } from './anchors.ts'
import { type FitStart, fitStrengths } from './fit.ts'
import { Outcomes } from './outcomes.ts'
import { pointsPerUnit } from './scale.ts'

const cold: FitStart = { strength: () => 1500, first: 0, anchor: () => undefined }

const counted = (
  results: readonly (readonly [
    accounts: readonly number[],
    places: readonly number[],
    n: number,
  ])[],
) => {
  const outcomes = new Outcomes()
  for (const [accounts, places, n] of results)
    for (let i = 0; i < n; i++) outcomes.add({ accounts, places })
  return outcomes
}

/** Account with seat 0, the other, and how often the first won, drew and lost. */
const matches = (
  [first, second]: readonly [number, number],
  wins: number,
  draws: number,
  losses: number,
) =>
  [
    [[first, second], [1, 2], wins],
    [[first, second], [1, 1], draws],
    [[first, second], [2, 1], losses],
  ] as const

const ofTwo = [
  ...matches([1, 2], 14, 3, 5),
  ...matches([2, 1], 9, 2, 8),
  ...matches([1, 3], 20, 1, 2),
  ...matches([3, 1], 4, 0, 11),
  ...matches([2, 3], 12, 4, 9),
  ...matches([3, 4], 15, 2, 3),
  ...matches([4, 3], 2, 1, 9),
  ...matches([4, 5], 6, 6, 6),
  ...matches([5, 4], 8, 5, 3),
  ...matches([5, 6], 30, 0, 10),
  ...matches([6, 1], 1, 0, 12),
  ...matches([2, 6], 7, 1, 0),
]

const ofMore = [
  [[1, 2, 3, 4], [1, 2, 3, 4], 5],
  [[4, 3, 2, 1], [2, 1, 3, 4], 4],
  [[5, 6, 1], [2, 2, 1], 3],
  [[6, 5, 4, 3], [1, 1, 1, 4], 2],
  [[2, 4, 6, 5], [4, 1, 1, 1], 2],
  [[3, 1, 5, 2], [3, 1, 4, 2], 6],
] as const

describe('a fit', () => {
  // From scipy.optimize.minimize (BFGS), on a likelihood written down from the text of docs/ratings.md, with every order of ties.
  it.each([
    ['of two seats', ofTwo, [1753.95, 1641.07, 1570.64, 1352.26, 1407.92, 1274.16], 50.21],
    ['of more seats', ofMore, [1657.88, 1558.34, 1471.65, 1462.92, 1357.13, 1492.08], 40.43],
    [
      'of both',
      [...ofTwo, ...ofMore],
      [1712.95, 1598.34, 1529.76, 1387.19, 1433.03, 1338.7],
      53.65,
    ],
  ] as const)('%s is that of an independent program', (_, results, strengths, first) => {
    const fit = fitStrengths(counted(results), cold)
    const byAccount = new Map(fit.strengths.map(({ account, strength }) => [account, strength]))
    for (const [i, strength] of strengths.entries())
      expect(byAccount.get(i + 1)).toBeCloseTo(strength, 1)
    expect(fit.first).toBeCloseTo(first, 1)
  })

  it('gives 400 points for odds of ten to one', () => {
    // One account wins twice as often in either seat; each brings one virtual draw.
    const fit = fitStrengths(
      counted([...matches([1, 2], 200, 0, 20), ...matches([2, 1], 20, 0, 200)]),
      cold,
    )
    const [winner, loser] = fit.strengths.map(({ strength }) => strength)
    expect(winner! - loser!).toBeCloseTo(400 * Math.log10(401 / 41), 1)
    expect(fit.first).toBe(0)
    expect((winner! + loser!) / 2).toBeCloseTo(1500, 3)
  })

  it('is the same from any start, and to the last digit from the same one', () => {
    const outcomes = counted([...ofTwo, ...ofMore])
    const fit = fitStrengths(outcomes, cold)
    const again = fitStrengths(outcomes, {
      ...cold,
      strength: account => 900 + 250 * account,
      first: -80,
    })
    expect(fitStrengths(outcomes, cold)).toEqual(fit)
    for (const [i, { strength }] of fit.strengths.entries())
      expect(again.strengths[i]!.strength).toBeCloseTo(strength, 2)
  })

  it('ends where one account has won every match', () => {
    const fit = fitStrengths(counted(matches([1, 2], 1_000, 0, 0)), cold)
    const [winner, loser] = fit.strengths
    expect(winner!.strength - loser!.strength).toBeGreaterThan(500)
    expect(winner!.error).toBeGreaterThan(100)
  })

  it('holds anchors where they are, and does not list them', () => {
    const fit = fitStrengths(counted(matches([1, 9], 50, 0, 50)), {
      ...cold,
      anchor: account => (account === 9 ? 1900 : undefined),
    })
    expect(fit.strengths.map(({ account }) => account)).toEqual([1])
    expect(fit.strengths[0]!.strength).toBeCloseTo(1900, -1)
  })

  it('does not claim to know accounts that have met no other than each other', () => {
    const fit = fitStrengths(counted([...ofTwo, ...matches([7, 8], 20, 0, 20)]), cold)
    const apart = fit.strengths.filter(({ account }) => account > 6)
    expect(average(apart.map(({ strength }) => strength))).toBeCloseTo(1500, 0)
    for (const { error } of apart) expect(error).toBeGreaterThan(1_000)
    for (const { error } of fit.strengths.slice(0, 6)) expect(error).toBeLessThan(250)
  })

  it('of nothing but draws says that they are equal, and that a few draws do not prove it', () => {
    const errorAfter = (n: number) =>
      fitStrengths(counted(matches([1, 2], 0, n, 0)), cold).strengths[0]!
    expect(errorAfter(10).strength).toBe(1500)
    expect(errorAfter(10).error).toBeGreaterThan(errorAfter(100).error)
    expect(errorAfter(10).error).toBeGreaterThan(25)
  })
})

describe('the 95 % intervals', () => {
  /** The share of true strengths that they hold, over pools of 40 with so many matches each. */
  const coverage = ({ spread, rounds, near, draws = 0, seats = 2 }: Pool): number => {
    const dice = Dice.fromSeed(7)
    let [covered, all] = [0, 0]
    for (let pool = 0; pool < 25; pool++) {
      const truths = Array.from({ length: 40 }, () => (normal(dice) * spread) / pointsPerUnit)
      const outcomes = new Outcomes()
      for (let round = 0; round < rounds; round++)
        for (const accounts of tables(dice, truths, near, seats))
          outcomes.add({ accounts, places: placesOf(dice, accounts, truths, draws) })
      const { strengths } = fitStrengths(outcomes, cold)
      const mean = average(strengths.map(({ strength }) => strength))
      const trueMean = average(truths)
      for (const { account, strength, error } of strengths) {
        const truth = (truths[account]! - trueMean) * pointsPerUnit
        if (Math.abs(strength - mean - truth) <= error) covered++
        all++
      }
    }
    return covered / all
  }

  it.each<[string, Pool]>([
    ['a narrow pool', { spread: 50, rounds: 50, near: 0 }],
    ['a wide pool that is paired by strength', { spread: 496, rounds: 50, near: 200 }],
    ['a wide pool that is paired by chance', { spread: 496, rounds: 50, near: 0 }],
    ['a pool with many draws', { spread: 200, rounds: 100, near: 0, draws: 0.6 }],
    ['a game for four', { spread: 300, rounds: 50, near: 200, seats: 4 }],
  ])('hold 93 to 97 % of the true strengths in %s', (_, pool) => {
    const share = coverage(pool)
    expect(share).toBeGreaterThanOrEqual(0.93)
    expect(share).toBeLessThanOrEqual(0.97)
  })

  it('of more than 400 accounts are estimated, close to the exact ones', () => {
    const dice = Dice.fromSeed(3)
    const truths = Array.from({ length: 400 }, () => normal(dice))
    const outcomes = new Outcomes()
    for (let round = 0; round < 20; round++)
      for (const accounts of tables(dice, truths, 200, 2))
        outcomes.add({ accounts, places: placesOf(dice, accounts, truths, 0) })
    const exact = fitStrengths(outcomes, cold)
    // One more, that has met a single account of them, makes them too many.
    outcomes.add({ accounts: [0, 400], places: [1, 2] })
    const estimated = fitStrengths(outcomes, cold)
    const ratios = exact.strengths.map(({ error }, i) => estimated.strengths[i]!.error / error)
    expect(average(ratios)).toBeCloseTo(1, 1)
    expect(Math.max(...ratios)).toBeLessThan(1.15)
    expect(Math.min(...ratios)).toBeGreaterThan(0.87)
    expect(estimated.firstError).toBeCloseTo(exact.firstError, 1)
  })
})

describe('the share of a ladder that is not transitive', () => {
  it('is all of it for rock, paper and scissors', () => {
    const cycle = [
      ...matches([1, 2], 80, 0, 20),
      ...matches([2, 3], 80, 0, 20),
      ...matches([3, 1], 80, 0, 20),
    ]
    const rounds = [cycle, cycle.map(([[a, b], places, n]) => [[b, a], [...places].reverse(), n])]
    expect(fitStrengths(counted(rounds.flat() as never), cold).intransitivity).toBeCloseTo(1, 1)
  })

  it.each([
    [0, 0, 0.02],
    [1, 0.4, 0.6],
  ])('is found where %d of each true difference is a matter of the pair', (share, least, most) => {
    const dice = Dice.fromSeed(5)
    const truths = Array.from({ length: 20 }, () => normal(dice))
    const outcomes = new Outcomes()
    for (let a = 0; a < 20; a++)
      for (let b = 0; b < a; b++) {
        // As much variance as a difference of two strengths has.
        const odds = truths[a]! - truths[b]! + share * normal(dice) * Math.SQRT2
        for (let i = 0; i < 60; i++)
          outcomes.add({
            accounts: i % 2 === 0 ? [a, b] : [b, a],
            places: dice.next() < 1 / (1 + Math.exp(-odds)) === (i % 2 === 0) ? [1, 2] : [2, 1],
          })
      }
    const { intransitivity } = fitStrengths(outcomes, cold)
    expect(intransitivity).toBeGreaterThanOrEqual(least)
    expect(intransitivity).toBeLessThanOrEqual(most)
  })

  it('is not told where chance could have made it', () => {
    expect(fitStrengths(counted(matches([1, 2], 3, 0, 2)), cold).intransitivity).toBeNull()
  })
})

interface Pool {
  readonly spread: number
  readonly rounds: number
  /** How far apart opponents are, in points; 0 for chance. */
  readonly near: number
  readonly draws?: number
  readonly seats?: number
}

const average = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const normal = (dice: Dice) =>
  Math.sqrt(-2 * Math.log(1 - dice.next())) * Math.cos(2 * Math.PI * dice.next())

const picked = (dice: Dice, weights: readonly number[]): number => {
  let rest = dice.next() * average(weights) * weights.length
  for (const [i, weight] of weights.entries()) {
    rest -= weight
    if (rest < 0) return i
  }
  return weights.length - 1
}

/** Everybody in groups of so many, near in strength. */
const tables = (dice: Dice, truths: readonly number[], near: number, seats: number) => {
  const free = [...truths.keys()]
  const groups: number[][] = []
  while (free.length >= seats) {
    const group = free.splice(dice.roll(free.length), 1)
    while (group.length < seats) {
      const gaps = free.map(other => Math.abs(truths[other]! - truths[group[0]!]!) * pointsPerUnit)
      const at = picked(
        dice,
        gaps.map(gap => (near === 0 ? 1 : Math.exp(-gap / near))),
      )
      group.push(...free.splice(at, 1))
    }
    groups.push(group)
  }
  return groups
}

/** The first seat is worth a fifth of a unit. `draws`: the share of matches of two that two throws decide. */
const placesOf = (
  dice: Dice,
  accounts: readonly number[],
  truths: readonly number[],
  draws: number,
): readonly number[] => {
  const odds = accounts.map((account, seat) => Math.exp(truths[account]! + (seat === 0 ? 0.2 : 0)))
  const order = () => {
    const left = [...odds.keys()]
    const places = odds.map(() => 0)
    for (let place = 1; left.length > 0; place++) {
      const at = picked(
        dice,
        left.map(seat => odds[seat]!),
      )
      places[left.splice(at, 1)[0]!] = place
    }
    return places
  }
  const places = order()
  if (dice.next() >= draws || places[0] === order()[0]) return places
  return places.map(() => 1)
}

it('house players are anchors in the games in which they were measured, on every ladder of the game', () => {
  expect(anchorsOf('ttt+blind')).toEqual({
    'house-level-1': 1306,
    'house-level-2': 1537,
    'house-level-3': 1658,
  })
  expect(anchorsOf('c4')).toEqual({})
})
