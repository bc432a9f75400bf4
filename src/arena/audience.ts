import type { Game } from '../games/game.ts'
import type { Outcome } from './ending.ts'
import type { Change, Played } from './match-store.ts'
import type { Table } from './table.ts'
import type { Unrated } from './unrated.ts'

/** What happens at the tables, told to those who only look on, after the players have been told. */
export type Happened =
  | { readonly kind: 'began'; readonly table: Table }
  | { readonly kind: 'moved'; readonly table: Table; readonly ply: number; readonly move: Played }
  | {
      readonly kind: 'ended'
      readonly table: Table
      readonly outcome: Outcome
      readonly changes: readonly Change[]
      /** Why it changed no rating, which a rated match may come to at its end. */
      readonly unrated: Unrated | null
      /** Somebody fell so early that the others gained only a share. */
      readonly quick: boolean
    }
  | { readonly kind: 'aborted'; readonly table: Table; readonly detail: string }

/** Called in the middle of a match: it takes note and returns, and does its work later. */
export type Watcher = (event: Happened) => void

/**
 * Whether those who only look on may be told a move as soon as it is made. Where all move at once, or each sees
 * something else, what one played could help another who looks on while playing.
 */
export const isOpen = (game: Game): boolean =>
  game.facts.turns === 'alternate' && !game.facts.secrets
