import { isOpen } from '../arena/audience.ts'
import type { Table } from '../arena/table.ts'
import { gameOf } from '../games/index.ts'
import { longest } from '../producer.ts'
import type { MatchRecord } from '../record/match-record.ts'
import type { Matches } from '../store/matches.ts'
import type { Course } from './replay.ts'

/** A match on its way, from the table where it is played. */
export const liveCourse = ({ deal, moves }: Table): Course => ({
  game: deal.game,
  seed: deal.seed,
  setup: deal.setup,
  seats: deal.players.length,
  moves,
  size: 0,
  open: isOpen(deal.game),
  viewer: 'audience',
})

/** A match from the archive; undefined for a game that is no longer played here, and where it is too long to be shown. */
export const keptCourse = (match: MatchRecord, matches: Matches): Course | undefined => {
  const game = gameOf(match.game)
  if (game === undefined) return undefined
  const moves = matches.keptMoves(match.id)
  const { size } = moves
  if (size > longest) return undefined
  const { seed, setup, players } = match
  const isOver = match.end !== null
  const viewer = isOver ? 'replay' : 'audience'
  return { game, seed, setup, seats: players.length, moves, size, open: isOver, viewer }
}
