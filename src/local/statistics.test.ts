import { describe, expect, it } from 'vitest'
import { eloOf, logLikelihoodRatio, scoreInterval, sprtBound } from './statistics.ts'

describe('the log-likelihood ratio', () => {
  // Tests of fishtest, as the commit messages of Stockfish quote them: pairs by their points, 0 to 2, and the ratio.
  it.each([
    [[3830, 27202, 55496, 27596, 3896], [-0.5, 1.5], 2.95],
    [[1745, 23126, 74824, 23928, 1788], [0.25, 1.75], 2.94],
    [[193, 3703, 13252, 3649, 245], [-1.5, 0.5], 2.94],
    [[292, 5905, 28939, 6129, 299], [-0.25, 1.25], 2.95],
    [[5, 418, 6043, 506, 12], [0.25, 1.25], 2.92],
    [[973, 13954, 48333, 14418, 1030], [0.25, 1.25], 2.97],
    [[55, 1033, 5020, 1140, 52], [-1.25, 0.25], 2.95],
    [[13, 1176, 17184, 1178, 21], [0.25, 1.25], -3.0],
    [[25, 1383, 19438, 1408, 26], [0.25, 1.25], -2.96],
  ] as const)('of the pairs %j for %j is the published one', (pairs, [elo0, elo1], published) => {
    expect(logLikelihoodRatio(elo0, elo1, pairs).toFixed(2)).toBe(published.toFixed(2))
  })

  // What the code of fishtest computes for these.
  it.each([
    [[0, 0, 1, 9, 30], 1.134718962927289],
    [[10, 20, 30], 0.8291213438037737],
    [[0, 0, 5], 0.14183996009493285],
  ])('of few results %j is that of fishtest', (results, expected) => {
    expect(logLikelihoodRatio(0, 10, results)).toBeCloseTo(expected, 6)
  })

  it('of opposite results has the opposite sign', () => {
    const ratio = logLikelihoodRatio(-5, 5, [3, 8, 20, 10, 7])
    expect(logLikelihoodRatio(-5, 5, [7, 10, 20, 8, 3])).toBeCloseTo(-ratio, 9)
    expect(ratio).toBeGreaterThan(0)
  })

  it('decides beyond 2.94, as published', () => {
    expect(sprtBound.toFixed(2)).toBe('2.94')
  })
})

describe('the interval of a score', () => {
  // Wilson (1927), as tables of the method give it.
  it.each([
    [0.5, 10, 0.2366, 0.7634],
    [0, 10, 0, 0.2775],
    [1, 10, 0.7225, 1],
    [0.81, 100, 0.7222, 0.8749],
  ])('%f of %i is from %f to %f', (score, matches, low, high) => {
    const interval = scoreInterval(score, matches)
    expect(interval[0]).toBeCloseTo(low, 3)
    expect(interval[1]).toBeCloseTo(high, 3)
  })

  it.each([1, 4, 7, 100])('of %i matches that are all won ends at 1', matches => {
    expect(scoreInterval(1, matches)[1]).toBe(1)
    expect(scoreInterval(0, matches)[0]).toBe(0)
  })

  it('of no match is everything', () => {
    expect(scoreInterval(0, 0)).toEqual([0, 1])
  })
})

it('a score of 64 % is 100 points of Elo, and one of 100 % has no number', () => {
  expect(eloOf(0.64)).toBeCloseTo(100, 0)
  expect(eloOf(0.5)).toBeCloseTo(0, 9)
  expect(eloOf(1)).toBe(Number.POSITIVE_INFINITY)
  expect(eloOf(0)).toBe(Number.NEGATIVE_INFINITY)
})
