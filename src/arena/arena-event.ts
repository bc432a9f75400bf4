import type { Game, GameEvent } from '../games/game.ts'
import type { Outcome } from './ending.ts'
import type { Change, Played } from './match-store.ts'
import type { SeatPoints } from './points.ts'
import type { Reaction } from './reactions.ts'
import type { EloChange } from './room-elo.ts'
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
      /** By seat; null for a match that was not at a table of a room. */
      readonly points: readonly SeatPoints[] | null
      /** The ratings in the room of the match, by seat; null where it changed none. */
      readonly elo: readonly EloChange[] | null
    }
  | { readonly kind: 'aborted'; readonly table: Table; readonly detail: string }
  /** A vote of the audience has begun, or has opened somewhat later: `Table.vote`. */
  | { readonly kind: 'voting'; readonly table: Table }
  /** One more agent has voted. */
  | { readonly kind: 'voted'; readonly table: Table }
  | { readonly kind: 'reacted'; readonly table: Table; readonly reaction: Reaction }

/** Called in the middle of a match, so it has to return at once and do its work later. */
export type ArenaListener = (event: ArenaEvent) => void

/**
 * Whether spectators may see a move as soon as it is made. In a game with simultaneous moves or with secrets, a player
 * could watch its own match and learn what it must not know.
 */
export const hasLiveMoves = (game: Game): boolean =>
  game.facts.turns === 'alternate' && !game.facts.secrets
