import { describe, expect, it } from 'vitest'
import { verified, wrongRatings } from '../src/commands/verify.ts'
import { c4 } from '../src/games/c4.ts'
import { type Farm, farm } from './support/farm.ts'

/** The farmer's rating after each day, calculated from the stored matches. */
const harvest = async (given: Partial<Farm>): Promise<readonly number[]> => {
  const { ratings, store } = await farm({ game: c4, ...given })
  expect(wrongRatings(store)).toEqual([])
  await store.close()
  return ratings.map(([farmer]) => farmer!)
}

const givingUpAfter =
  (moves: number): Farm['movesOf'] =>
  () =>
    moves

describe('an account that moves at random', () => {
  it('takes hundreds of points from accounts that give up against it, if no cap is set', async () => {
    expect((await harvest({ movesOf: givingUpAfter(3), gainCap: 0 }))[0]).toBeGreaterThan(1800)
  })

  it.each([0, 1, 2, 3, 5])(
    'takes no more than the cap a day from one that gives up after %i moves',
    async moves => {
      expect((await harvest({ movesOf: givingUpAfter(moves) }))[0]).toBeLessThanOrEqual(1600)
    },
  )

  it('takes no more if all those matches end at the same moment', async () => {
    const [rating] = await harvest({ movesOf: givingUpAfter(3), atOnce: 100 })
    expect(rating).toBeGreaterThan(1570)
    expect(rating).toBeLessThanOrEqual(1600)
  })

  it.each([
    [5, 0, 1680],
    [5, 9, 1680],
    [5, 4, 1680],
    [20, 0, 1710],
  ])(
    'takes little more from %i of them, and nothing more by giving up every %ith match itself (0 for none)',
    async (helpers, losesEvery, most) => {
      const [rating] = await harvest({ movesOf: givingUpAfter(3), helpers, losesEvery, perDay: 50 })
      expect(rating).toBeLessThan(most)
    },
  )

  it('gains again on the next day, as slowly', async () => {
    const days = await harvest({ movesOf: givingUpAfter(4), days: 3, perDay: 30 })
    expect(days[1]! - days[0]!).toBeGreaterThan(50)
    for (const [n, rating] of days.entries())
      expect(rating).toBeLessThanOrEqual(1500 + 100 * (n + 1))
  })
})

describe('two accounts that play each other all day', () => {
  it('reach the ratings that follow from their results within days', async () => {
    // Nine of ten: 382 points apart.
    const [, , , last] = await harvest({ movesOf: givingUpAfter(4), losesEvery: 10, days: 4 })
    expect(2 * (last! - 1500)).toBeGreaterThan(330)
  })
})

describe('a match that would bring more than the cap', () => {
  it('changes no rating, and both are told why; a match that gives points back counts', async () => {
    const { ends, store } = await farm({
      game: c4,
      movesOf: givingUpAfter(4),
      losesEvery: 20,
      perDay: 40,
    })
    const why = 'one has gained enough from the other today'
    const capped = ends.filter(({ unrated }) => unrated === why)
    expect(capped.length).toBeGreaterThan(10)
    for (const { change } of capped) expect(change.change).toBe(0)
    for (const [n, { unrated }] of ends.entries()) expect(unrated).toBe(ends[n ^ 1]!.unrated)
    const given = ends.filter(
      ({ seat, outcome, unrated }) => unrated === null && outcome.places[seat] === 2,
    )
    expect(given.length).toBeGreaterThan(ends.length / 2 - capped.length / 2 - 1)
    await store.close()
  })

  it('is told apart from a win over a weaker opponent', async () => {
    const { ends, store } = await farm({
      game: c4,
      movesOf: givingUpAfter(3),
      helpers: 6,
      perDay: 20,
    })
    const reasons = new Set(ends.map(({ unrated }) => unrated))
    expect(reasons).toContain('one has risen enough today for a win over a weaker opponent')
    await store.close()
  })
})

describe('a match given up early', () => {
  it('counts in full if an older version stored it without the mark', async () => {
    const { store } = await farm({ game: c4, movesOf: givingUpAfter(1), perDay: 1 })
    const { file } = store.db
    file.exec('update match_seats set quick = 0')
    expect(wrongRatings(store)).toHaveLength(2)
    file.exec(`update match_seats set rating_after = 1516 where place = 1;
      update ratings set rating = 1516 where wins = 1`)
    expect(wrongRatings(store)).toEqual([])
    file.exec('update match_seats set quick = 1 where place = 1')
    expect(verified(store).differences).toEqual([
      expect.stringMatching(/^match 1: seat \d is stored as quick, but was not out early$/),
      expect.stringMatching(/^match 1: it is not as it was sealed/),
    ])
    await store.close()
  })

  it.each([
    [2, 0.25],
    [3, 1],
  ])(
    'after %i moves of its own brings the other this share of what is lost: %d',
    async (moves, share) => {
      const { ends, store } = await farm({ game: c4, movesOf: givingUpAfter(moves), perDay: 1 })
      const changes = ends.map(({ change }) => change.change).sort((a, b) => a - b)
      expect(changes).toEqual([-16, 16 * share])
      for (const { quick } of ends) expect(quick).toBe(share < 1)
      expect(wrongRatings(store)).toEqual([])
      await store.close()
    },
  )
})
