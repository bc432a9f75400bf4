import type { Notes } from '../../arena/note.ts'
import type { Seat } from '../../games/game.ts'

/** The input of a notation: a match of two. */
export type GameRecord = {
  /** The id of the game. */
  readonly game: string
  readonly event: string
  /** Which match of the event it is. */
  readonly round?: string
  readonly site: string
  /** As in 2026-11-05. */
  readonly date: string
  readonly players: readonly [string, string]
  /** The moves with which it began, before those of its players. */
  readonly opening: readonly string[]
  /** As the `play` of the game takes them. */
  readonly moves: Iterable<string>
  /** They become comments. */
  readonly notes: Notes
  /** Null for a live or aborted match. */
  readonly result: Result | null
}

export type Result = {
  /** Null for a draw. */
  readonly winner: Seat | null
  readonly how: 'rules' | 'resigned' | 'late' | 'illegal' | 'gone' | 'limit'
  readonly scores?: readonly number[]
}
