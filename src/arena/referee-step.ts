import type { GameEvent, Json, Seat } from '../games/game.ts'
import { oneLine } from '../games/words.ts'
import type { AccountId } from './account.ts'
import type { Code } from './codes.ts'
import type { Fault, Outcome } from './ending.ts'
import { isOver, type Match } from './live-match.ts'
import type { Retries } from './player.ts'

export type RefereeEvent =
  | {
      readonly kind: 'move'
      readonly seat: Seat
      readonly move: Json | undefined
      /** The turn that the move answers, if the player names it. Only checked where seats may act out of turn. */
      readonly turn?: Json | undefined
      /** What the player wrote beside it. Kept if the move is. */
      readonly note?: string | undefined
      readonly at: number
    }
  /** A move of this seat caused an internal error: the seat loses as by an illegal move. */
  | {
      readonly kind: 'forfeit'
      readonly seat: Seat
      readonly detail: string
      readonly at: number
    }
  | { readonly kind: 'resign'; readonly seat: Seat; readonly words?: string; readonly at: number }
  | {
      readonly kind: 'lost'
      readonly seat: Seat
      /** Why the host ended the connection, if it did. */
      readonly cause?: string | undefined
      /** Which connection it was, the newest unless given. Losing one that a newer one has replaced means nothing. */
      readonly connection?: number
      readonly at: number
    }
  /** The seat has a new connection, with this number. It ends an absence, or replaces a connection that is still open. */
  | {
      readonly kind: 'back'
      readonly seat: Seat
      readonly connection?: number
      readonly at: number
    }
  /** An agent votes for a seat, in place of any vote that it has given before. Without effect while no vote is open. */
  | { readonly kind: 'vote'; readonly voter: AccountId; readonly seat: Seat; readonly at: number }
  /** The host stops all clocks, and refuses moves until it resumes the match. */
  | { readonly kind: 'pause' | 'resume'; readonly at: number }
  | { readonly kind: 'tick'; readonly at: number }

export type Effect =
  | MoveRecord
  /** Record that this seat is out from here on, while the others keep playing, and tell every seat. */
  | ({ readonly kind: 'drop'; readonly fault: Fault } & Fall)
  /** Tell every seat that this one is out: by the rules, or by a fault that ends the match. */
  | ({ readonly kind: 'fell'; readonly fault: Fault | null } & Fall)
  /** Show the current board to every seat, or to one that is back. */
  | { readonly kind: 'show'; readonly seat?: Seat }
  | {
      readonly kind: 'refuse'
      readonly seat: Seat
      readonly code: Code
      readonly detail: string
      /** Of an illegal move that may be retried. */
      readonly retries?: Retries
    }
  /** A late move that does not lose yet. */
  | { readonly kind: 'strike'; readonly seat: Seat; readonly strikes: number }
  /** Tell the other seats that this one is absent, and loses in so many milliseconds. */
  | { readonly kind: 'away'; readonly seat: Seat; readonly grace: number }
  /** Tell the other seats that this one is back. */
  | { readonly kind: 'back'; readonly seat: Seat }
  /** Tell every seat that the clocks run again, stand still, or that the match is paused. */
  | { readonly kind: 'clocks'; readonly play: 'runs' | 'stands' | 'paused' }
  /** Tell every seat of the vote that has begun or opened, or one that is back. */
  | { readonly kind: 'voting'; readonly seat?: Seat }
  /** One more agent has voted. */
  | { readonly kind: 'voted' }
  | { readonly kind: 'end'; readonly outcome: Outcome }

/** Record this move and the time it took, and tell of it: the mover that it was accepted, then every seat what happened. */
export interface MoveRecord {
  readonly kind: 'record'
  readonly seat: Seat
  readonly move: Json
  readonly ms: number
  /** The turn of the board that the move answered. */
  readonly turn: number
  /** The state before the move. */
  readonly from: unknown
  readonly isTurn: boolean
  /** Whether the referee made it for the seat. */
  readonly isFallback: boolean
  readonly events: readonly GameEvent[]
  /** What the player wrote beside it. No seat is told of it. */
  readonly note?: string | undefined
}

interface Fall {
  readonly seat: Seat
  /** Why, in words. */
  readonly detail: string
  /** What a seat that resigned said. */
  readonly words?: string
  /** What followed in the game. */
  readonly events: readonly GameEvent[]
}

export type Step = readonly [Match, readonly Effect[]]

/** Goes on with the next rule, unless the match is over. */
export const andThen = ([match, effects]: Step, next: (match: Match) => Step): Step => {
  if (isOver(match)) return [match, effects]
  const [after, more] = next(match)
  return [after, [...effects, ...more]]
}

export const refuse = (
  seat: Seat,
  code: Code,
  detail: string,
): Extract<Effect, { kind: 'refuse' }> => ({
  kind: 'refuse',
  seat,
  code,
  detail: oneLine(detail),
})
