// A match as text for other programs: what the command, the hub and the pages hand out.

import type { Played } from '../arena/keeper.ts'
import { pgnPieces } from '../games/notation/pgn.ts'
import type { GameRecord, Result } from '../games/notation/record.ts'
import { hasSgf, sgfPieces } from '../games/notation/sgf.ts'
import { jsonText } from './json-text.ts'
import type { MatchRecord } from './matches.ts'
import { recordOf } from './record.ts'

export type Notation = 'pgn' | 'sgf'

/** The notation in which programs that know this game read it, if there is one. */
export const notationOf = (game: string): Notation | null =>
  game === 'chess' ? 'pgn' : hasSgf(game) ? 'sgf' : null

/** In pieces, as long texts are made. Only for games that have a notation. */
export const notate = (
  match: MatchRecord,
  moves: Iterable<Played>,
  site: string,
): Iterable<string> => {
  const [first, second] = match.players.map(({ name }) => name)
  const record: GameRecord = {
    game: match.game,
    event: `Match ${match.id}${match.voided === null ? '' : ' (voided)'}`,
    site,
    date: new Date(match.startedAt).toISOString().slice(0, 10),
    players: [first!, second!],
    moves: movesIn(moves),
    result: resultOf(match),
  }
  return notationOf(match.game) === 'pgn' ? pgnPieces(record) : sgfPieces(record)
}

function* movesIn(moves: Iterable<Played>): Iterable<string> {
  for (const [, move, , fault] of moves) if (fault === undefined) yield String(move)
}

/** A match as NDJSON: its record, a line a move, and one about its end. */
export function* linesOf(match: MatchRecord, moves: Iterable<Played>): Iterable<string> {
  const line = (value: object) => `${jsonText(value)}\n`
  yield line({ type: 'match', ...recordOf(match) })
  let ply = 0
  for (const [seat, move, ms, fault] of moves)
    yield line({
      type: fault === undefined ? 'move' : 'out',
      ply: ++ply,
      seat,
      move,
      ms,
      ...(fault === undefined ? {} : { fault }),
    })
  yield line({ type: 'end', match: match.id, ...match.end })
}

const resultOf = ({ end, players }: MatchRecord): Result | null => {
  if (end === null || end.ending === 'aborted') return null
  const winners = players.flatMap(({ place }, seat) => (place === 1 ? [seat] : []))
  const scores = players.map(({ score }) => score)
  return {
    winner: winners.length === 1 ? winners[0]! : null,
    how: end.ending,
    ...(scores.every(score => score !== null) ? { scores } : {}),
  }
}
