import type { Json } from '../games/game.ts'
import type { AccountId } from './account.ts'
import type { Fault, Outcome } from './ending.ts'

/** What the arena needs to have kept. The store is the one that keeps it. */
export interface Keeper {
  standing(account: AccountId, game: string): Standing
  /** How often the first account had seat 0 against the second in this game. */
  firsts(game: string, account: AccountId, against: AccountId): number
  /** Gives a new match its number and has its record on disk within moments, as live. */
  begin(match: NewMatch): MatchId
  /** The moves of a live match so far: what a crash leaves behind. */
  progress(match: MatchId, moves: readonly Played[]): void
  /**
   * Writes a result with its moves and ratings, whole or not at all. Resolves once it is on disk, with each
   * seat's new standing; rejects when it could not be kept, and then nothing of it was: with `Unkept` where that is
   * no fault of the match.
   */
  finish(match: MatchId, outcome: Outcome, moves: readonly Played[]): Promise<readonly Change[]>
  /**
   * Closes a match that had no result, through a fault of ours. Resolves once that is on disk, or once it turns out
   * that it will take longer: nobody has to wait to be told that there is no result.
   */
  abort(match: MatchId, why: string, moves: readonly Played[]): Promise<void>
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
  readonly seed: number
  /** One account a seat. */
  readonly accounts: readonly AccountId[]
  /** Why no rating will change, in words; null for a rated match. */
  readonly unrated: string | null
  /** The ladder that it counts on: left out for that of the game. */
  readonly ladder?: string
  readonly startedAt: number
}

/**
 * One move as it is kept: who, what, and how many milliseconds it took. With a fault it is no move: the seat fell out
 * of the match at this point, and the others played on.
 */
export type Played = readonly [seat: number, move: Json, ms: number, fault?: Fault]

/** A rating after a match, and by how much the match changed it. */
export interface Change {
  readonly rating: number
  readonly change: number
}
