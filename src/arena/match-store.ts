import type { Json, Seed, Setup } from '../games/game.ts'
import type { AccountId } from './account.ts'
import type { Fault, Outcome } from './ending.ts'
import type { Ladder } from './ladder.ts'
import type { Notes } from './note.ts'
import type { SeatPoints } from './points.ts'
import type { EloChange } from './room-elo.ts'
import type { RoomId } from './room-setup.ts'
import type { Unrated } from './unrated.ts'

/** What the arena and its matchmakers ask of the database. src/store implements it. */
export interface MatchStore {
  /**
   * Fetches what pairing asks of these accounts in a game, and keeps it current until it is released. Null where all of
   * it is known already. Rejects when it cannot be read; then nothing is held.
   */
  hold(accounts: readonly AccountId[], game: string): Promise<void> | null
  /** To be called once for each account and each time that it was held. */
  release(accounts: readonly AccountId[]): void
  // Pairing asks these all the time, of accounts that are held.
  standing(account: AccountId, ladder: Ladder): Standing
  /** The rating of an account in a room. */
  elo(account: AccountId, room: RoomId): number
  /** How often the first account had seat 0 against the second on this ladder. */
  firsts(ladder: Ladder, account: AccountId, against: AccountId): number
  /** How many rated matches these two accounts have begun on a ladder today. */
  ratedToday(ladder: Ladder, a: AccountId, b: AccountId): number
  /** The owner of an account, or the account itself. Accounts of one owner never meet in a rated match. */
  family(account: AccountId): AccountId
  /** Why the account may play only practice; null where it is not paused. */
  pause(account: AccountId): OwnedPause | null
  /** A number for a match that is told before it begins; throws where none could be reserved on disk. It is never given again. */
  reserve(): MatchId
  /** Gives a new match of accounts that are held its number. Its record is on disk moments later, as live. */
  begin(match: NewMatch): MatchId
  /** Saves the moves of a live match so far, with their notes, so that a crash does not lose them. */
  progress(match: MatchId, moves: readonly Played[], notes?: Notes): void
  /**
   * Saves a result with its moves and ratings in one transaction. Resolves once it is on disk, with each seat's rating
   * change, and why the match changed no rating, if it did not. Rejects when nothing could be saved; with `Unkept` if
   * the database is the reason, not the match. `unrated`: why a match that began as rated changes no rating after all;
   * the store may have further reasons.
   */
  finish(
    match: MatchId,
    outcome: Outcome,
    moves: readonly Played[],
    unrated?: Unrated | null,
    notes?: Notes,
  ): Promise<Finished>
  /**
   * Closes a match without a result. Resolves once that is on disk, or once the database turns out to be slow, so that
   * players are told without delay.
   */
  abort(match: MatchId, why: string, moves: readonly Played[], notes?: Notes): Promise<void>
}

/** Why an account may play only practice. Only the operator can end a pause that the operator has set. */
export interface Pause {
  readonly reason: string
  readonly by: 'host' | 'operator'
}

/** A pause, with who can ask the host to end it: the owner of the account, or the account itself. */
export interface OwnedPause extends Pause {
  readonly owner: string
}

/** The database accepts no writes at present. This is logged once for all matches. */
export class Unkept extends Error {}

export type MatchId = number

export interface Standing {
  /** The number that the ladder counts: a rating, points, or a sum of scores. */
  readonly rating: number
  /** What the newest fit of the ladder says; null while it does not have the account. */
  readonly strength: number | null
  /** How much more often the account has had seat 0 on this ladder than other seats. */
  readonly lead: number
}

export interface NewMatch {
  /** The number that was reserved for it; the next one unless given. */
  readonly id?: MatchId
  readonly game: string
  readonly seed: Seed
  /** The options of the rules; left out or null for the oldest rules. */
  readonly setup?: Setup | null
  /** The accounts, by seat. */
  readonly accounts: readonly AccountId[]
  /** The protocol that each seat came by, as `Player` names it. Left out where no seat has one. */
  readonly protocols?: readonly (string | null)[]
  /** Why the match is unrated; null for a rated match. */
  readonly unrated: Unrated | null
  /** The ladder on which it counts; left out for the agents' ladder of the game. */
  readonly ladder?: Ladder
  /** The event that it is a match of, and which one there: `ROUND.BOARD.LEG`. */
  readonly event?: { readonly id: string; readonly board: string } | null
  /** Whether a house player has a seat: then it does not count who had seat 0. */
  readonly practice?: boolean
  readonly startedAt: number
}

/**
 * One recorded move: the seat, the move, and how many milliseconds it took. An entry with a fault is no move: the seat
 * was out from this point on, and the others kept playing.
 */
export type Played = readonly [seat: number, move: Json, ms: number, fault?: Fault]

/** What a saved result changed. */
export interface Finished {
  /** The rating changes, by seat. */
  readonly changes: readonly Change[]
  /** Why the match changed no rating. A cap of the day or on duplicates may be the reason, which is known only now. */
  readonly unrated: Unrated | null
  /** By seat; null for a match that was not at a table of a room. */
  readonly points: readonly SeatPoints[] | null
  /** The ratings in the room of the match, by seat; null where it changed none: it was at no table of a room, or unrated. */
  readonly elo: readonly EloChange[] | null
}

/** What a seat has on the ladder after a match, and the change by the match: a rating, points, or a sum of scores. */
export interface Change {
  readonly rating: number
  readonly change: number
}
