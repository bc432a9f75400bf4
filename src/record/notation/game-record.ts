import type { Seat } from '../../games/game.ts'

/** What an export needs to know of a match of two. */
export type GameRecord = {
  /** The id of the game. */
  readonly game: string
  readonly event: string
  readonly site: string
  /** As in 2026-11-05. */
  readonly date: string
  readonly players: readonly [string, string]
  /** As `play` takes them. */
  readonly moves: Iterable<string>
  /** Null while a match runs, and for one that was aborted. */
  readonly result: Result | null
}

export type Result = {
  /** Null for a draw. */
  readonly winner: Seat | null
  readonly how: 'rules' | 'resigned' | 'late' | 'illegal' | 'gone'
  readonly scores?: readonly number[]
}
