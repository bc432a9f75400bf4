import { expect, it } from 'vitest'
import { farm } from '../../test/support/farm.ts'
import { c4 } from '../games/c4.ts'
import { pairings } from './suspects.ts'

it('pairs are listed by what one gained from the other, with how it came about', async () => {
  const { store, ratings } = await farm({
    game: c4,
    helpers: 2,
    movesOf: n => (n % 2 ? 1 : 4),
    perDay: 30,
  })
  const pairs = pairings(store.db, 0)
  expect(pairs).toHaveLength(2)
  const gained = pairs.reduce((sum, pair) => sum + pair.gained, 0)
  expect(1500 + gained).toBeCloseTo(ratings[0]![0]!, 6)
  for (const pair of pairs) {
    expect(pair).toMatchObject({
      ladder: 'c4',
      gainer: { name: 'farmer' },
      sameOwner: false,
      ofLoser: 1,
    })
    expect(pair.matches + pair.capped + pair.copies).toBe(30)
    expect(pair.capped).toBeGreaterThan(0)
    expect(pair.wins).toBe(pair.matches)
    expect(pair.quick).toBeGreaterThan(2)
    expect(pair.quick).toBeLessThan(pair.matches)
  }
  const [first, second] = pairs
  expect(first!.gained).toBeGreaterThanOrEqual(second!.gained)

  // Accounts of one owner by now, and a match with another owner.
  store.users.setOwner(store.users.byId(second!.loser.id)!, store.users.find('farmer')!)
  expect(pairings(store.db, 0).map(({ sameOwner }) => sameOwner)).toEqual([false, true])
  expect(pairings(store.db, Date.UTC(2100, 0, 1))).toEqual([])
  await store.close()
})
