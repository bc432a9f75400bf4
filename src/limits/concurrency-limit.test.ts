import { describe, expect, it } from 'vitest'
import { fc } from '../../test/support/properties.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'

const keys = ['a', 'b', 'c'] as const
const entries = fc.array(
  fc.record({
    leaves: fc.boolean(),
    key: fc.constantFrom(...keys, undefined),
    amount: fc.integer({ min: 1, max: 4 }),
  }),
)

describe('a concurrency limit', () => {
  it('is never exceeded, in all or for one key, by those that ask before they enter', () => {
    const limits = fc.record({
      inAll: fc.integer({ min: 1, max: 20 }),
      perKey: fc.integer({ min: 1, max: 10 }),
    })
    fc.assert(
      fc.property(limits, entries, ({ inAll, perKey }, acts) => {
        const limit = new ConcurrencyLimit<string>({ inAll, perKey })
        let present: { key: string | undefined; amount: number }[] = []
        const sum = (key?: string) =>
          present
            .filter(one => key === undefined || one.key === key)
            .reduce((total, { amount }) => total + amount, 0)
        for (const { leaves, key, amount } of acts) {
          const going = leaves ? present[0] : undefined
          if (going !== undefined) {
            present = present.slice(1)
            limit.leave(going.key, going.amount)
          } else {
            const before = key === undefined ? 0 : sum(key)
            const isFull = sum() + amount > inAll
            const isFullFor = key !== undefined && before + amount > perKey
            expect(limit.isFull(amount)).toBe(isFull)
            expect(limit.isFullFor(key, amount)).toBe(isFullFor)
            if (!isFull && !isFullFor) {
              limit.enter(key, amount)
              present = [...present, { key, amount }]
            }
          }
          expect(limit.total).toBe(sum())
          expect(keys.map(key => limit.of(key))).toEqual(keys.map(sum))
          expect(limit.total).toBeLessThanOrEqual(inAll)
          const counts = keys.map(sum)
          expect(counts.every(count => count <= perKey)).toBe(true)
          expect(limit.keyCount).toBe(counts.filter(count => count > 0).length)
          expect(limit.largest === undefined ? 0 : limit.of(limit.largest)).toBe(
            Math.max(...counts),
          )
        }
      }),
    )
  })

  it('that is not given limits nothing', () => {
    const limit = new ConcurrencyLimit<string>({})
    limit.enter('a', 1_000_000)
    expect([limit.isFull(1_000_000), limit.isFullFor('a', 1_000_000)]).toEqual([false, false])
  })

  it('counts a client without a key in all alone', () => {
    const limit = new ConcurrencyLimit<string>({ inAll: 2, perKey: 1 })
    limit.enter(undefined)
    limit.enter(undefined)
    expect([limit.isFull(), limit.isFullFor(undefined), limit.isFullFor('a')]).toEqual([
      true,
      false,
      false,
    ])
  })
})
