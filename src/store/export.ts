// A match as text for other programs: what the command, the hub and the pages hand out.

import type { Played } from '../arena/keeper.ts'
import { pgnOf } from '../games/notation/pgn.ts'
import type { GameRecord, Result } from '../games/notation/record.ts'
import { hasSgf, sgfOf } from '../games/notation/sgf.ts'
import type { MatchRecord } from './matches.ts'

export type Notation = 'pgn' | 'sgf'

/** The notation in which programs that know this game read it, if there is one. */
export const notationOf = (game: string): Notation | null =>
  game === 'chess' ? 'pgn' : hasSgf(game) ? 'sgf' : null

/** Only for games that have a notation. */
export const notate = (match: MatchRecord, moves: readonly Played[], site: string): string => {
  const [first, second] = match.players.map(({ name }) => name)
  const record: GameRecord = {
    game: match.game,
    event: `Match ${match.id}${match.voided === null ? '' : ' (voided)'}`,
    site,
    date: new Date(match.startedAt).toISOString().slice(0, 10),
    players: [first!, second!],
    moves: moves.flatMap(([, move, , fault]) => (fault === undefined ? [String(move)] : [])),
    result: resultOf(match),
  }
  return notationOf(match.game) === 'pgn' ? pgnOf(record) : sgfOf(record)
}

/** A line about the match, one a move, and one about its end. */
export const linesOf = (match: MatchRecord, moves: readonly Played[], head: object): string =>
  [
    { type: 'match', ...head },
    ...moves.map(([seat, move, ms, fault], i) => ({
      type: fault === undefined ? 'move' : 'out',
      ply: i + 1,
      seat,
      move,
      ms,
      ...(fault === undefined ? {} : { fault }),
    })),
    { type: 'end', match: match.id, ...match.end },
  ]
    .map(line => `${JSON.stringify(line)}\n`)
    .join('')

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
