// A match as text for other programs, in pieces. Commands, the hub, the pages and the API export the same text.

import type { Played } from '../arena/match-store.ts'
import type { Notes } from '../arena/note.ts'
import { openingOf } from '../arena/opening.ts'
import { jsonText } from './json-text.ts'
import { type MatchRecord, publicRecord } from './match-record.ts'
import type { GameRecord } from './notation/game-record.ts'
import { pgnPieces } from './notation/pgn.ts'
import { hasSgf, sgfPieces } from './notation/sgf.ts'
import { winnersOf } from './result-text.ts'
import { dayText } from './time-text.ts'

export type Notation = 'pgn' | 'sgf'

/** The standard notation of a game, if it has one. */
export const notationOf = (game: string): Notation | null =>
  game === 'chess' ? 'pgn' : hasSgf(game) ? 'sgf' : null

/** A match in the notation of its game, or as NDJSON if the game has none. */
export const exportPieces = (
  match: MatchRecord,
  moves: Iterable<Played>,
  notes: Notes,
  site: string,
): Iterable<string> =>
  notationOf(match.game) === null
    ? ndjsonLines(match, moves, notes)
    : notationPieces(match, moves, notes, site)

/** A match as PGN or SGF. Only for games that have a notation. */
export const notationPieces = (
  match: MatchRecord,
  moves: Iterable<Played>,
  notes: Notes,
  site: string,
  of: Pick<GameRecord, 'event' | 'round'> = { event: `Match ${match.id}` },
): Iterable<string> => {
  const [first, second] = match.players.map(({ name }) => name)
  const record: GameRecord = {
    game: match.game,
    ...of,
    event: `${of.event}${match.voided === null ? '' : ' (voided)'}`,
    site,
    date: dayText(match.startedAt),
    players: [first!, second!],
    opening: openingOf(match.setup) ?? [],
    moves: playedMoves(moves),
    notes,
    result: resultOf(match),
  }
  return notationOf(match.game) === 'pgn' ? pgnPieces(record) : sgfPieces(record)
}

/** In a match of two a fault ends the match: no move follows it. */
function* playedMoves(moves: Iterable<Played>): Iterable<string> {
  for (const [, move, , fault] of moves) if (fault === undefined) yield String(move)
}

const resultOf = (match: MatchRecord): GameRecord['result'] => {
  const { end, players } = match
  const winners = winnersOf(match)
  if (winners === null || end === null || end.ending === 'aborted') return null
  const scores = players.map(({ score }) => score)
  return {
    winner: winners.length === 1 ? winners[0]! : null,
    how: end.ending,
    ...(scores.every(score => score !== null) ? { scores } : {}),
  }
}

/** A match as NDJSON: a line for its record, one for each move, and one for its end. */
export function* ndjsonLines(
  match: MatchRecord,
  moves: Iterable<Played>,
  notes: Notes,
): Iterable<string> {
  const line = (value: object) => `${jsonText(value)}\n`
  yield line({ type: 'match', ...publicRecord(match) })
  let ply = 0
  for (const [seat, move, ms, fault] of moves) {
    const note = notes[++ply]
    yield line({
      type: fault === undefined ? 'move' : 'out',
      ply,
      seat,
      move,
      ms,
      ...(fault === undefined ? {} : { fault }),
      ...(note === undefined ? {} : { note }),
    })
  }
  yield line({ type: 'end', match: match.id, ...match.end })
}
