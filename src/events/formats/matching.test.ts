import { expect, it } from 'vitest'
import { Dice } from '../../games/dice.ts'
import { matching } from './matching.ts'

type Cost = (a: number, b: number) => number | null

/** The most pairs and the least cost, by trying all matchings. */
const best = (left: readonly number[], cost: Cost): readonly [pairs: number, cost: number] => {
  const [first, ...rest] = left
  if (first === undefined) return [0, 0]
  return rest.reduce(
    (found, other) => {
      const price = cost(first, other)
      if (price === null) return found
      const [pairs, sum] = best(
        rest.filter(one => one !== other),
        cost,
      )
      const isBetter = pairs + 1 > found[0] || (pairs + 1 === found[0] && sum + price < found[1])
      return isBetter ? ([pairs + 1, sum + price] as const) : found
    },
    best(rest, cost),
  )
}

it('a matching has the most pairs, and of those the least cost, on any graph', () => {
  const dice = Dice.fromSeed(1)
  for (let number = 0; number < 600; number++) {
    const count = dice.roll(10)
    const spread = 2 ** (1 + dice.roll(44))
    const costs = Array.from({ length: count }, () =>
      Array.from({ length: count }, () => (dice.roll(4) === 0 ? null : dice.roll(spread))),
    )
    const cost: Cost = (a, b) => costs[Math.min(a, b)]![Math.max(a, b)]!
    const pairs = matching(count, cost)
    const sum = pairs.reduce((total, [a, b]) => total + cost(a, b)!, 0)
    expect([pairs.length, sum]).toEqual(best([...costs.keys()], cost))
    expect(new Set(pairs.flat()).size).toBe(2 * pairs.length)
  }
})
