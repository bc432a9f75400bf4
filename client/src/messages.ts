// The messages of the host, as in docs/protocol.md.

import type { Listing, Observation } from './games.ts'

export interface Hello {
  /** Your seat. */
  readonly player: number
  readonly game: string
  readonly opponent: string
  /** All names by seat, if there are more than two. */
  readonly players?: readonly string[]
  readonly match: number
  /** Seconds for a move. */
  readonly moveTimeout: number
  /** Seconds for all moves together, beside `moveTimeout` for each; only in a thinking match. */
  readonly bank?: number
  /** Seconds of each seat for its first move, for later ones and in its bank, by seat; only if they have different times. */
  readonly timeouts?: readonly {
    readonly first: number
    readonly move: number
    readonly bank?: number
  }[]
  /** Only if the match is not fast and open. */
  readonly speed?: 'fast' | 'thinking'
  readonly ladder?: Listing
  readonly rated: boolean
  /** Why the match is not rated. */
  readonly unrated?: string
}

export interface Turn {
  /** How the match began: your seat, the opponent, the time for a move. */
  readonly hello: Hello
  /** Milliseconds left for this move; undefined if no move is owed. */
  readonly timeLeft: number | undefined
  /** The same for each seat, by seat; undefined if all have the same times for their moves. */
  readonly clocks: readonly (number | null)[] | undefined
  /** A note on the last move, such as that a house player moved at random. */
  readonly note: string | undefined
  /** On a blind ladder: why your last move was refused, which cost a strike. */
  readonly refused: string | undefined
  /** Your illegal moves of this match. */
  readonly strikes: number
}

export interface Result<G extends string = string, L extends Listing = 'open'> {
  /** The winner's seat, −1 for a draw. */
  readonly winner: number
  readonly outcome: 'win' | 'loss' | 'draw'
  /** Your new rating, and how the match changed it. The rating is NaN after an unrated match that ended while there was no connection. */
  readonly rating: number
  readonly change: number
  /** The fault, if the match was forfeited. */
  readonly reason?: string
  readonly detail: string
  readonly match: number
  readonly places?: readonly number[]
  readonly scores?: readonly number[]
  readonly rated: boolean
  readonly unrated?: string
  readonly note?: string
  /** The last board; if the match ended while there was no connection, the last one that came. */
  readonly observation: Observation<G, L>
}

export interface State<G extends string = string, L extends Listing = 'open'> {
  readonly observation: Observation<G, L>
  readonly yourTurn: boolean
  readonly mayAct?: boolean
  readonly timeLeft?: number
  readonly clocks?: readonly (number | null)[]
  readonly note?: string
  /** If the answer repeats it, the host refuses the answer after the board has changed. */
  readonly turn?: number
}

export type Message<G extends string = string, L extends Listing = 'open'> =
  | ({ readonly type: 'hello' } & Hello)
  | ({ readonly type: 'state' } & State<G, L>)
  | ({ readonly type: 'result' } & Result<G, L>)
  | {
      readonly type: 'error'
      readonly error: string
      readonly code?: string
      readonly retryAfter?: number
      /** How many illegal moves have been made on a blind ladder; the move is still owed. */
      readonly strikes?: number
    }
  | { readonly type: 'queued' | 'pong' }
