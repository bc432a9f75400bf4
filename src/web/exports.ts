import { pgnOf } from '../games/notation/pgn.ts'
import type { GameRecord, Result } from '../games/notation/record.ts'
import { hasSgf, sgfOf } from '../games/notation/sgf.ts'
import type { MatchRecord } from '../store/matches.ts'
import type { Hall, Told } from './hall.ts'
import { titleOf } from './hall.ts'
import { day } from './words.ts'

export type Notation = 'pgn' | 'sgf'

export const hasNotation = (notation: Notation, { game }: MatchRecord): boolean =>
  notation === 'pgn' ? game === 'chess' : hasSgf(game)

/** A match for programs that know its game. */
export const notate = (notation: Notation, { host }: Hall, { match, course }: Told): string => {
  const [first, second] = match.players.map(({ name }) => name)
  const record: GameRecord = {
    game: match.game,
    event: `${titleOf(match.game)}, match ${match.id}`,
    site: `https://${host}/match/${match.id}`,
    date: day(match.startedAt),
    players: [first!, second!],
    moves: course.moves.map(([, move]) => String(move)),
    result: resultOf(match),
  }
  return notation === 'pgn' ? pgnOf(record) : sgfOf(record)
}

/** One line a move, after a line about the match. */
export const linesOf = ({ match, course }: Told, head: unknown): string =>
  [
    { type: 'match', ...(head as object) },
    ...course.moves.map(([seat, move, ms, fault], i) => ({
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
