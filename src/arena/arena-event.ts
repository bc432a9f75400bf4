import type { Game, GameEvent } from '../games/game.ts'
import type { Outcome } from './ending.ts'
import type { Change, Played } from './match-store.ts'
import type { Table } from './table.ts'
import type { Unrated } from './unrated.ts'

/** An event of a live match, for spectators, log and metrics. It follows after the players have been told. */
export type ArenaEvent =
  | { readonly kind: 'began'; readonly table: Table }
  | {
      readonly kind: 'moved'
      readonly table: Table
      readonly ply: number
      readonly move: Played
      /** What the move caused, as far as spectators may know of it. */
      readonly events: readonly GameEvent[]
    }
  | {
      readonly kind: 'ended'
      readonly table: Table
      readonly outcome: Outcome
      readonly changes: readonly Change[]
      /** Why the match changed no rating. Even a match that began as rated may end so. */
      readonly unrated: Unrated | null
      /** A seat was faulted so early that the others gained only a share. */
      readonly quick: boolean
    }
  | { readonly kind: 'aborted'; readonly table: Table; readonly detail: string }

/** Called in the middle of a match, so it has to return at once and do its work later. */
export type ArenaListener = (event: ArenaEvent) => void

/**
 * Whether spectators may see a move as soon as it is made. In a game with simultaneous moves or with secrets, a player
 * could watch its own match and learn what it must not know.
 */
export const hasLiveMoves = (game: Game): boolean =>
  game.facts.turns === 'alternate' && !game.facts.secrets
