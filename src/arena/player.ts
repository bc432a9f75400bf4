// What the arena and whoever sits at its tables say to each other. Dialects turn it into their own words.

import type { Game, Json, Seat, View } from '../games/game.ts'
import type { Account } from './account.ts'
import type { Code, Refusal } from './codes.ts'
import type { Outcome } from './ending.ts'
import type { Change, MatchId } from './match-store.ts'
import type { Terms } from './terms.ts'
import type { Unrated } from './unrated.ts'

/** Whoever can sit at a table: an agent on a line, a person, a house player. The referee cannot tell them apart. */
export interface Player {
  readonly account: Account
  readonly terms: Terms
  /** By what name the log knows the connection; left out by players of the house. */
  readonly connection?: string
  /** A person at a keyboard. */
  readonly isPerson?: true
  tell(news: News): void
}

/** A player's place at a table, and all it can do there. What comes too late or out of turn is refused, not kept. */
export interface Chair {
  /** With the turn of the board it answers, where seats may act out of turn and the player says so. */
  move(move: Json | undefined, turn?: Json): void
  resign(): void
  /**
   * The player's line is lost; `back` ends the absence, where the terms allow one. Whoever the house has sent away for a
   * cause does not come back, and the others are told of it.
   */
  lost(cause?: Code): void
  back(): void
  /** The next move is one at random, because the player of the house could not think: all are told, and it is kept. */
  atRandom(): void
  /**
   * The state of the game, for players of the house, who sit inside it, and for people's boards. In a game with secrets
   * it is one that the seat cannot tell from the true state; each time another.
   */
  position(): unknown
}

export type News =
  | Seated
  | Shown
  | ({ readonly kind: 'refused' } & Refusal)
  /** A player of the house moves at random, as the detail says in words. */
  | { readonly kind: 'at-random'; readonly seat: Seat; readonly detail: string }
  | { readonly kind: 'strike'; readonly strikes: number; readonly of: number }
  | Ended
  | { readonly kind: 'aborted'; readonly match: MatchId; readonly detail: string }
  /** Nobody to play with turned up in time, or none but agents of the same owner: the player waits no longer. */
  | { readonly kind: 'unmatched'; readonly onlyOwn: boolean }
  /** A waiting player is sent away, and waits no longer. */
  | ({ readonly kind: 'dismissed' } & Refusal)
  /** The house closes: a waiting player waits no longer. */
  | { readonly kind: 'closing' }

export interface Seated {
  readonly kind: 'seated'
  readonly chair: Chair
  readonly match: MatchId
  readonly game: Game
  readonly seat: Seat
  /** All who sit at the table, by seat. */
  readonly accounts: readonly Account[]
  readonly unrated: Unrated | null
}

/** The board as it now stands, before a move. */
export interface Shown {
  readonly kind: 'shown'
  readonly sight: Sight
  /** Grows with every state shown in a match. */
  readonly turn: number
  readonly yourTurn: boolean
  /** Nothing is owed, but a move would be taken. */
  readonly mayAct: boolean
  /** Milliseconds left for a move that is owed. */
  readonly timeLeft: number | null
}

/**
 * What a player may see. Players who may see the same are given the same object, so that what is made of it
 * can be made once.
 */
export type Sight = View & {
  /** The seat to move; in games where all move together the seats that owe a move; −1 once it is over. */
  readonly toMove: Seat | readonly Seat[]
  /** The moves that will be taken, where a game can list them. */
  readonly legal?: readonly string[]
}

export interface Ended {
  readonly kind: 'ended'
  readonly match: MatchId
  readonly seat: Seat
  readonly outcome: Outcome
  readonly sight: Sight
  readonly unrated: Unrated | null
  /** Somebody fell so early that the others gain only a share. */
  readonly quick: boolean
  readonly change: Change
}
