import { linesOf, notate, notationOf } from '../store/export.ts'
import type { KeptMoves } from '../store/kept-moves.ts'
import type { MatchRecord } from '../store/matches.ts'

/** A match as text to copy, in pieces: in the notation that other programs read, or else line by line as JSON. */
export const exportOf = (match: MatchRecord, moves: KeptMoves, site: string): Iterable<string> => {
  if (notationOf(match.game) !== null) return notate(match, moves, site)
  const { id, game, seed, setup, players, unrated, voided } = match
  const names = players.map(({ name }) => name)
  const head = { match: id, game, seed, setup, players: names, unrated, voided }
  return linesOf(match, moves, head)
}
