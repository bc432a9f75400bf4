import type { Json, Seed, Setup } from '../games/game.ts'
import type { AccountId } from './account.ts'
import type { Fault, Outcome } from './ending.ts'
import type { Unrated } from './unrated.ts'

/** What the arena needs to have kept. The store is the one that keeps it. */
export interface MatchStore {
  standing(account: AccountId, game: string): Standing
  /** How often the first account had seat 0 against the second in this game. */
  firsts(game: string, account: AccountId, against: AccountId): number
  /** How many rated matches these two have begun on a ladder today. */
  ratedToday(ladder: string, a: AccountId, b: AccountId): number
  /** Those of them that have a result, with the first account in seat 0. */
  playedToday(ladder: string, first: AccountId, second: AccountId): Iterable<PastMatch>
  /** The account that this one belongs to, or itself: who is of one family never meets rated. */
  family(account: AccountId): AccountId
  /** Null unless the account plays nothing but practice for now. */
  pause(account: AccountId): Pause | null
  /** Gives a new match its number and has its record on disk within moments, as live. */
  begin(match: NewMatch): MatchId
  /** The moves of a live match so far: what a crash leaves behind. */
  progress(match: MatchId, moves: readonly Played[]): void
  /**
   * Writes a result with its moves and ratings, whole or not at all. Resolves once it is on disk, with each
   * seat's new standing and why it changed no rating, if it did not; rejects when it could not be kept, and then nothing of it was: with `Unkept` where that is
   * no fault of the match. `unrated` says why a match that began as a rated one changes no rating after all.
   */
  finish(
    match: MatchId,
    outcome: Outcome,
    moves: readonly Played[],
    unrated?: Unrated | null,
  ): Promise<Finished>
  /**
   * Closes a match that had no result, through a fault of ours. Resolves once that is on disk, or once it turns out
   * that it will take longer: nobody has to wait to be told that there is no result.
   */
  abort(match: MatchId, why: string, moves: readonly Played[]): Promise<void>
}

/** Why an account plays nothing but practice. What the operator has paused, the operator alone lets back in. */
export interface Pause {
  readonly reason: string
  readonly by: 'host' | 'operator'
}

/** Nothing can be kept for now, and the operator has been told so, once for all matches. */
export class Unkept extends Error {}

export type MatchId = number

export interface Standing {
  readonly rating: number
  /** How much more often the account had seat 0 in this game than another. */
  readonly lead: number
}

export interface NewMatch {
  readonly game: string
  readonly seed: Seed
  /** The options of its rules; left out or null for the oldest rules. */
  readonly setup?: Setup | null
  /** One account a seat. */
  readonly accounts: readonly AccountId[]
  /** Why no rating will change; null for a rated match. */
  readonly unrated: Unrated | null
  /** The ladder that it counts on: left out for that of the game. */
  readonly ladder?: string
  readonly startedAt: number
}

/**
 * One move as it is kept: who, what, and how many milliseconds it took. With a fault it is no move: the seat fell out
 * of the match at this point, and the others played on.
 */
export type Played = readonly [seat: number, move: Json, ms: number, fault?: Fault]

/** How a match went, without the times. */
export interface PastMatch {
  readonly outcome: Pick<Outcome, 'ending' | 'places'>
  readonly moves: readonly Played[]
}

/** What a result came to. */
export interface Finished {
  /** By seat. */
  readonly changes: readonly Change[]
  /** By the account of the day it may be unrated, though nothing was against it before. */
  readonly unrated: Unrated | null
}

/** A rating after a match, and by how much the match changed it. */
export interface Change {
  readonly rating: number
  readonly change: number
}
