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

  it('goes on from a kept state as if never interrupted', () => {
    const dice = Dice.fromSeed(7)
    dice.step()
    const resumed = Dice.resume(dice.state)
    expect([resumed.step(), resumed.roll(6)]).toEqual([dice.step(), dice.roll(6)])
  })

  it('starts even from the seed that would leave nothing but zero', () => {
    expect(Dice.fromSeed(0x9e3779b9).step()).toBeGreaterThan(0)
  })
})
