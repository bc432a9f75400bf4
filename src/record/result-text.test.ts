import { describe, expect, it } from 'vitest'
import {
  faultsText,
  type MatchResult,
  outcomeText,
  placesText,
  ratedText,
  scoreText,
  versusText,
} from './result-text.ts'

const names = ['anna', 'bob', 'cat', 'dan']

const match = (
  places: readonly (number | null)[],
  end: MatchResult['end'],
  faults: readonly MatchResult['players'][number]['fault'][] = [],
): MatchResult => ({
  end,
  players: places.map((place, seat) => ({
    name: names[seat]!,
    place,
    fault: faults[seat] ?? null,
    quick: faults[seat] === 'late',
  })),
})

const byRules = { ending: 'rules', detail: 'three in a row' } as const

describe('the result of a match', () => {
  it.each([
    [match([1, 2], byRules), '1-0', 'anna won, three in a row'],
    [match([2, 1], byRules), '0-1', 'bob won, three in a row'],
    [match([1, 1], { ending: 'rules', detail: 'full' }), '1/2-1/2', 'draw, full'],
    [match([3, 1, 2], byRules), '3,1,2', 'bob won, three in a row'],
    [match([1, 1, 3], byRules), '1,1,3', 'anna, bob share the first place, three in a row'],
    [match([1, 1, 1], byRules), '1,1,1', 'draw, three in a row'],
    [
      match([1, 2], { ending: 'late', detail: '' }),
      '1-0',
      'anna won, late: a seat did not move in time',
    ],
    [
      match([1, 2], { ending: 'late', detail: 'no move within 15 s' }),
      '1-0',
      'anna won, late: no move within 15 s',
    ],
    [
      match([null, null], { ending: 'aborted', detail: 'a bug' }),
      'aborted',
      'no result, aborted: a bug',
    ],
    [match([null, null], null), 'live', 'live, still being played'],
  ])('%j has the score %s and reads "%s"', (result, score, outcome) => {
    expect(scoreText(result)).toBe(score)
    expect(outcomeText(result)).toBe(outcome)
  })

  it('lists players and faults by seat, and places in order', () => {
    const result = match([2, 1, 2, 4], byRules, [null, null, 'gone', 'late'])
    expect(versusText(result)).toBe('anna – bob – cat – dan')
    expect(placesText(result)).toBe('1. bob, 2. anna, 2. cat, 4. dan')
    expect(faultsText(result)).toEqual(['cat: gone', 'dan: late early'])
  })
})

it.each([
  [null, null, 'rated'],
  ['a casual match', null, 'unrated: a casual match'],
  ['voided', { at: 0, reason: 'one person ran both' }, 'voided: one person ran both'],
  ['voided', { at: 0, reason: null }, 'voided'],
] as const)(
  'a match that is unrated for %j and voided by %j is called so',
  (unrated, voided, text) => {
    expect(ratedText({ unrated, voided })).toBe(text)
  },
)
