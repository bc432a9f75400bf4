import { linesOf, notate, notationOf } from '../store/export.ts'
import type { KeptMoves } from '../store/kept-moves.ts'
import type { MatchRecord } from '../store/matches.ts'

/** A match as text to copy, in pieces: in the notation that other programs read, or else line by line as JSON. */
export const exportOf = (match: MatchRecord, moves: KeptMoves, site: string): Iterable<string> =>
  notationOf(match.game) === null ? linesOf(match, moves) : notate(match, moves, site)
