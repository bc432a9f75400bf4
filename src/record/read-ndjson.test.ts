import { expect, it } from 'vitest'
import type { Played } from '../arena/match-store.ts'
import { ndjsonLines } from './export.ts'
import type { MatchRecord, PlayerRecord } from './match-record.ts'
import { readNdjson } from './read-ndjson.ts'

const player = (seat: number, more: Partial<PlayerRecord>): PlayerRecord => ({
  ...{ seat, account: seat + 1, name: `agent-${seat}`, kind: 'player', protocol: 'agentgames' },
  ...{ place: 1 + seat, fault: null, quick: false, score: null, rating: null },
  ...more,
})

const match: MatchRecord = {
  id: 12,
  game: 'ttt',
  ladder: 'ttt',
  seed: 7,
  setup: { size: 3 },
  unrated: 'voided',
  voided: { at: Date.UTC(2026, 10, 3), reason: 'a test' },
  event: { id: 'spring-cup', round: 2, board: 1, leg: 1 },
  startedAt: Date.UTC(2026, 10, 1, 12),
  end: { at: Date.UTC(2026, 10, 1, 13), ending: 'gone', detail: 'left' },
  moveCount: 2,
  order: 3,
  seal: {
    ...{ number: 3, hash: 'b', previous: 'a' },
    ratings: [{ before: 1500, after: 1516 }, null],
  },
  players: [
    player(0, { rating: { before: 1500, after: 1516 }, score: 2.5 }),
    player(1, { fault: 'gone', quick: true }),
  ],
}
const moves: Played[] = [
  [0, '4', 12],
  [1, { x: [1] }, 13],
  [1, null, 0, 'gone'],
]
const notes = { 1: 'the centre', 2: '"quoted" \\ {}' }
const text = [...ndjsonLines(match, moves, notes)].join('')

it('what is written as NDJSON is read as it was', () => {
  expect(readNdjson(text)).toEqual({ match, moves, notes })
})

it.each([
  ['', /line 1 is not JSON/],
  [text.replace('"type":"match"', '"type":"x"'), /begin with a match/],
  [text.slice(0, text.trimEnd().lastIndexOf('\n')), /finish with its end/],
  [text.slice(0, -10), /line 5 is not JSON/],
])('%# text that is no whole match is refused', (other, why) => {
  expect(() => readNdjson(other)).toThrow(why)
})
