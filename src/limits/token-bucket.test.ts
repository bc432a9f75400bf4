import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { fc } from '../../test/support/properties.ts'
import { type Rate, TokenBucket, TokenBuckets } from './token-bucket.ts'

const rates: fc.Arbitrary<Rate> = fc.record({
  perSecond: fc.constantFrom(1 / 60, 0.5, 2, 3, 20, 2048),
  burst: fc.integer({ min: 1, max: 100 }),
})
const uses = fc.array(fc.record({ after: fc.nat(20_000), tokens: fc.integer({ min: 1, max: 50 }) }))

describe('a token bucket', () => {
  it('never gives out more in any time than its burst and what came back in that time', () => {
    fc.assert(
      fc.property(rates, uses, (rate, uses) => {
        const clock = new FakeClock()
        const bucket = new TokenBucket(clock, rate)
        const given: { at: number; tokens: number }[] = []
        for (const { after, tokens } of uses) {
          clock.pass(after)
          const wanted = Math.min(tokens, rate.burst)
          if (bucket.take(tokens) === 0) given.push({ at: clock.elapsed(), tokens: wanted })
        }
        for (const [first, { at }] of given.entries()) {
          let sum = 0
          for (const use of given.slice(first)) {
            sum += use.tokens
            const seconds = (use.at - at) / 1000
            expect(sum).toBeLessThanOrEqual(rate.burst + seconds * rate.perSecond + 1e-3)
          }
        }
      }),
    )
  })

  it('has what was asked for after the seconds that it named, and not a second earlier', () => {
    fc.assert(
      fc.property(rates, uses, (rate, uses) => {
        const clock = new FakeClock()
        const bucket = new TokenBucket(clock, rate)
        for (const { after, tokens } of uses) {
          clock.pass(after)
          const seconds = bucket.take(tokens)
          if (seconds === 0) continue
          clock.pass((seconds - 1) * 1000)
          expect(bucket.wait(tokens)).toBe(1)
          clock.pass(1000)
          expect(bucket.take(tokens)).toBe(0)
        }
      }),
    )
  })

  it('gives its whole burst at once, and is full again when all of it has come back', () => {
    fc.assert(
      fc.property(rates, rate => {
        const clock = new FakeClock()
        const bucket = new TokenBucket(clock, rate)
        for (let i = 0; i < rate.burst; i++) expect(bucket.take()).toBe(0)
        expect(bucket.take()).toBeGreaterThan(0)
        expect(bucket.isFull).toBe(false)
        clock.pass((rate.burst / rate.perSecond) * 1000 + 1)
        expect(bucket.isFull).toBe(true)
      }),
    )
  })

  it('that takes nothing for want of tokens keeps those that it has', () => {
    const bucket = new TokenBucket(new FakeClock(), { perSecond: 1, burst: 10 })
    expect([bucket.take(7), bucket.take(4), bucket.take(3)]).toEqual([0, 1, 0])
  })

  it('gives all it holds to a request for more when it is full', () => {
    const bucket = new TokenBucket(new FakeClock(), { perSecond: 2, burst: 10 })
    expect([bucket.take(100), bucket.take(1), bucket.take(100)]).toEqual([0, 1, 5])
  })

  it('has a whole token when all its parts have come back one by one', () => {
    const clock = new FakeClock()
    const bucket = new TokenBucket(clock, { perSecond: 100, burst: 1 })
    bucket.take()
    for (let ms = 0; ms < 10; ms++) {
      expect(bucket.wait(1)).toBe(1)
      clock.pass(1)
    }
    expect(bucket.take()).toBe(0)
  })

  it('pays debts back before it gives anything', () => {
    const clock = new FakeClock()
    const bucket = new TokenBucket(clock, { perSecond: 10, burst: 20 })
    bucket.spend(70)
    expect([bucket.wait(), bucket.wait(1)]).toEqual([5, 6])
    clock.pass(5_000)
    expect([bucket.wait(), bucket.wait(1)]).toEqual([0, 1])
  })
})

describe('token buckets', () => {
  it('each act as if there were no others', () => {
    const acts = fc.array(
      fc.record({ after: fc.nat(5_000), key: fc.constantFrom('a', 'b', 'c'), tokens: fc.nat(50) }),
    )
    fc.assert(
      fc.property(rates, acts, (rate, acts) => {
        const clock = new FakeClock()
        const together = new TokenBuckets(clock, rate)
        const alone = Object.fromEntries(
          ['a', 'b', 'c'].map(key => [key, new TokenBucket(clock, rate)]),
        )
        for (const { after, key, tokens } of acts) {
          clock.pass(after)
          expect(together.wait(key, tokens)).toBe(alone[key]!.wait(tokens))
          expect(together.take(key, tokens)).toBe(alone[key]!.take(tokens))
        }
      }),
    )
  })

  it('forget the one that was used longest ago, and not one that was only asked', () => {
    const buckets = new TokenBuckets(new FakeClock(), { perSecond: 1, burst: 1 }, 2)
    for (const key of ['a', 'b']) buckets.spend(key, 2)
    buckets.spend('a', 1)
    buckets.wait('b')
    buckets.spend('c', 2)
    expect(['a', 'b', 'c'].map(key => buckets.wait(key))).toEqual([2, 0, 1])
  })
})
