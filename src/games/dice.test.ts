import { describe, expect, it } from 'vitest'
import { Dice } from './dice.ts'

describe('dice', () => {
  it.each([
    [1, [995718018, 2953714646, 501788652]],
    [42, [774534234, 1954645322, 3241413790]],
  ])('seed %i gives the published numbers', (seed, expected) => {
    const dice = Dice.fromSeed(seed)
    expect([dice.step(), dice.step(), dice.step()]).toEqual(expected)
  })

  it('with 128 bits throws what SHA-256 over the seed and a counter says', () => {
    const dice = Dice.fromSeed('000102030405060708090a0b0c0d0e0f')
    expect([dice.step(), dice.step()]).toEqual([0x855d3b82, 0xb0864542])
  })

  it('refuses a seed of any other length', () => {
    for (const seed of ['', '0', 'g'.repeat(32), '0'.repeat(33)])
      expect(() => Dice.fromSeed(seed)).toThrow('32 hex digits')
  })

  it.each([7, 'f'.repeat(32)])(
    'goes on from a kept state as if never interrupted, seed %s',
    seed => {
      const dice = Dice.fromSeed(seed)
      dice.step()
      const resumed = Dice.resume(JSON.parse(JSON.stringify(dice.state)))
      expect([resumed.step(), resumed.roll(6)]).toEqual([dice.step(), dice.roll(6)])
    },
  )

  it('starts even from the seed that would leave nothing but zero', () => {
    expect(Dice.fromSeed(0x9e3779b9).step()).toBeGreaterThan(0)
  })
})
