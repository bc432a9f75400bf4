import { describe, expect, it } from 'vitest'
import { fc } from '../../test/support/properties.ts'
import { eloChanges, initialElo, RoomElo, roomEloDelta } from './room-elo.ts'

const win = [1, 2] as const
const loss = [2, 1] as const
const draw = [1, 1] as const

describe('the Elo of a room', () => {
  it.each([
    [[1200, 1200], win, 16],
    [[1200, 1200], loss, -16],
    [[1200, 1200], draw, 0],
    [[1216, 1184], win, 15],
    [[1216, 1184], loss, -17],
    [[1216, 1184], draw, -1],
    [[1184, 1216], draw, 1],
    [[1600, 1200], win, 3],
    [[1600, 1200], loss, -29],
    [[1204, 1200], draw, 0],
    [[3000, 1200], win, 0],
  ] as const)('of %j with places %j changes by %i', (before, places, delta) => {
    // Not -0 for +0.
    expect(roomEloDelta(before, places)).toBe(delta)
    const [one, two] = eloChanges(before, delta)
    expect(one).toEqual({ rating: before[0] + delta, change: delta })
    expect(two).toEqual({ rating: before[1] - delta, change: 0 - delta })
  })

  it('goes from result to result in whole numbers, and adds nothing to the sum', () => {
    const account = fc.integer({ min: 1, max: 5 })
    const result = fc
      .tuple(account, account, fc.constantFrom(win, loss, draw))
      .filter(([one, two]) => one !== two)
    fc.assert(
      fc.property(fc.array(result, { maxLength: 200 }), results => {
        const room = new RoomElo()
        for (const [one, two, places] of results) {
          const { before, delta } = room.take({ accounts: [one, two], places })
          expect(before.concat(delta).every(Number.isInteger)).toBe(true)
          expect(Math.abs(delta)).toBeLessThanOrEqual(32)
          expect([room.rating(one), room.rating(two)]).toEqual([
            before[0] + delta,
            before[1] - delta,
          ])
        }
        const all = [...room.accounts]
        const sum = all.reduce((sum, account) => sum + room.rating(account), 0)
        expect(sum).toBe(all.length * initialElo)
      }),
    )
  })
})
