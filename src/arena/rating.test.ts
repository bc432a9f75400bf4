import { describe, expect, it } from 'vitest'
import { fc } from '../../test/support/properties.ts'
import { ratingChanges } from './rating.ts'

describe('ratings', () => {
  it.each([
    [
      [1, 2],
      [1500, 1500],
      [16, -16],
    ],
    [
      [1, 1],
      [1500, 1500],
      [0, 0],
    ],
    [
      [2, 1],
      [1900, 1500],
      [-29.090909090909093, 29.090909090909093],
    ],
  ])('places %j change the ratings %j by %j', (places, ratings, expected) => {
    const changes = ratingChanges(places, ratings)
    for (const [seat, change] of changes.entries()) expect(change).toBeCloseTo(expected[seat]!, 10)
  })

  it('ratings of four seats are pairwise Elo, with K divided by three', () => {
    expect(ratingChanges([1, 2, 3, 4], [1500, 1500, 1500, 1500])).toEqual([
      16,
      expect.closeTo(16 / 3, 10),
      expect.closeTo(-16 / 3, 10),
      -16,
    ])
  })

  it('rating changes sum to zero', () => {
    const seat = fc.tuple(
      fc.integer({ min: 1, max: 6 }),
      fc.double({ min: 0, max: 3000, noNaN: true }),
    )
    fc.assert(
      fc.property(fc.array(seat, { minLength: 2, maxLength: 6 }), seats => {
        const changes = ratingChanges(
          seats.map(([place]) => place),
          seats.map(([, rating]) => rating),
        )
        expect(changes.reduce((sum, change) => sum + change, 0)).toBeCloseTo(0, 6)
      }),
    )
  })
})
