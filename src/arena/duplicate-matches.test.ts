import { expect, it } from 'vitest'
import { strictTerms } from '../../test/support/played.ts'
import { ttt } from '../games/ttt.ts'
import { DuplicateMatches } from './duplicate-matches.ts'
import { agentsLadder } from './ladder.ts'
import type { PastMatch, Played } from './match-store.ts'
import type { Deal } from './table.ts'

const deal: Deal = {
  game: ttt,
  seed: 1,
  setup: null,
  players: [1, 2].map(id => ({
    account: { id, name: `agent-${id}`, kind: 'player' },
    terms: strictTerms,
    tell: () => {},
  })),
  unrated: null,
  ladder: agentsLadder('ttt'),
}
const moves: readonly Played[] = [
  [0, '4', 10],
  [1, '0', 20],
]
const pastMatch: PastMatch = { outcome: { ending: 'resigned', places: [1, 2] }, moves }

/** The check for a pair with many rated matches today, none of them in memory, and a cap of one. */
const checkWithCapOne = () =>
  new DuplicateMatches({ ratedToday: () => 50, playedToday: () => [] }, 1)

it('a match that is unrated after all is not counted as a duplicate', () => {
  const check = checkWithCapOne()
  for (const match of [1, 2, 3]) {
    expect(check.isOneTooMany(match, deal, pastMatch, 0)).toBe(false)
    check.settled(match, false)
  }
  expect(check.isOneTooMany(4, deal, pastMatch, 0)).toBe(false)
  check.settled(4, true)
  expect(check.isOneTooMany(5, deal, pastMatch, 0)).toBe(true)
  // A match over the cap was not counted, so settling it changes no count.
  check.settled(5, false)
  expect(check.isOneTooMany(6, deal, pastMatch, 0)).toBe(true)
})

it.each<[string, PastMatch, boolean]>([
  ['the same with other times', { ...pastMatch, moves: moves.map(([s, m]) => [s, m, 99]) }, true],
  ['another ending', { ...pastMatch, outcome: { ending: 'gone', places: [1, 2] } }, false],
  ['another winner', { ...pastMatch, outcome: { ending: 'resigned', places: [2, 1] } }, false],
  [
    'another move',
    {
      ...pastMatch,
      moves: [
        [0, '4', 10],
        [1, '2', 20],
      ],
    },
    false,
  ],
  ['a move fewer', { ...pastMatch, moves: moves.slice(0, 1) }, false],
  ['a seat that fell', { ...pastMatch, moves: [moves[0]!, [1, null, 0, 'gone']] }, false],
])('two matches are duplicates if moves and end are equal: %s', (_, other, isDuplicate) => {
  const check = checkWithCapOne()
  expect(check.isOneTooMany(1, deal, pastMatch, 0)).toBe(false)
  expect(check.isOneTooMany(2, deal, other, 0)).toBe(isDuplicate)
})
