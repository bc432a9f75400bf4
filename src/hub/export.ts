import type { Played } from '../arena/keeper.ts'
import { pgnOf } from '../games/notation/pgn.ts'
import type { GameRecord } from '../games/notation/record.ts'
import { hasSgf, sgfOf } from '../games/notation/sgf.ts'
import type { MatchRecord } from '../store/matches.ts'
import { dayText, moveText } from './words.ts'

/** A match as text to copy: in the notation that other programs read, or else its moves as JSON. */
export const exportOf = (match: MatchRecord, moves: readonly Played[], site: string): string => {
  if (match.game === 'chess') return pgnOf(recordOf(match, moves, site))
  if (hasSgf(match.game)) return sgfOf(recordOf(match, moves, site))
  const { id, game, seed, players } = match
  const head = { match: id, game, seed, players: players.map(({ name }) => name) }
  return [JSON.stringify(head), ...moves.map(move => JSON.stringify(move))].join('\n')
}

const recordOf = (match: MatchRecord, moves: readonly Played[], site: string): GameRecord => {
  const [a, b] = match.players
  const { end } = match
  const result: GameRecord['result'] =
    end === null || end.ending === 'aborted'
      ? null
      : {
          winner: a!.place === b!.place ? null : a!.place === 1 ? 0 : 1,
          how: end.ending,
          ...(a!.score === null || b!.score === null ? {} : { scores: [a!.score, b!.score] }),
        }
  return {
    game: match.game,
    event: `Match ${match.id}`,
    site,
    date: dayText(match.startedAt),
    players: [a!.name, b!.name],
    moves: moves.flatMap(([, move, , fault]) => (fault === undefined ? [moveText(move)] : [])),
    result,
  }
}
