import { type Game, isFinal, type Seat, type Status } from '../games/game.ts'
import type { Fault } from './ending.ts'
import type { Opening } from './opening.ts'
import type { Pace } from './pace.ts'
import type { Terms } from './terms.ts'
import type { LiveVote, VotingTimes } from './voting.ts'

/** A match under way, as the referee knows it. A value: each step makes a new one. */
export interface Match {
  readonly game: Game
  /** The moves with which it began; null for the start that the rules have. */
  readonly opening: Opening | null
  readonly state: unknown
  readonly status: Status
  readonly seatStates: readonly SeatState[]
  /** Grows with every state that is shown. */
  readonly turn: number
  /** Seats that are out, in the order in which they fell: faulted, or eliminated by the rules. */
  readonly fallen: readonly (readonly Seat[])[]
  /** Since when all clocks stand still, and whether moves are refused meanwhile; null while the clocks run. */
  readonly stopped: { readonly since: number; readonly play: 'stands' | 'paused' } | null
  /** Since when the host has paused the match. */
  readonly paused: number | null
  /** The limit on the whole match; null where there is none. It is no limit on a vote. */
  readonly limit: MatchLimit | null
  /** The vote of the audience; null while there is none. */
  readonly vote: LiveVote | null
  readonly voting: VotingTimes
  /** Null for a match whose boards are shown at once. */
  readonly pace: Pace | null
  /** When the board is shown that the last moves have led to; null once it is. */
  readonly shownAt: number | null
}

interface MatchLimit {
  readonly time: number
  readonly at: number
  readonly result: 'standings' | 'forfeit'
}

/** What the referee knows of one seat. */
export interface SeatState {
  readonly terms: Terms
  /** Since when a move is owed, and until when; null while none is owed. */
  readonly owes: Owed | null
  /** The move that the seat owed when another seat's debt interrupted its turn, and when that was. */
  readonly held: (Owed & { readonly from: number }) | null
  readonly moved: boolean
  /** What is left of the bank of its terms, in milliseconds. A move that it owes may use all of it: `owes.until` says so. */
  readonly bank: number
  /** Late moves, in a row or in all. */
  readonly strikes: number
  /** Illegal moves, since the last accepted move or in all. */
  readonly illegalMoves: number
  /**
   * Earlier states in which this seat could act, changed since by other seats, newest last. A move that was legal in one
   * of them is stale, not illegal. Each excuses one move.
   */
  readonly overtaken: readonly unknown[]
  /** Its absence; null while it is connected. */
  readonly away: Absence | null
  /** How often it has been absent. */
  readonly absences: number
  /** The number of its newest connection. */
  readonly connection: number
  readonly fault: Fault | null
  /** Eliminated by the rules of the game. */
  readonly eliminated: boolean
}

interface Owed {
  readonly since: number
  readonly until: number
}

interface Absence {
  readonly since: number
  /** The stage of its terms, counted from 0. */
  readonly stage: number
  /** Whether the other seats have been told. */
  readonly told: boolean
}

/** Whether the seat still plays for its place. */
export const isIn = ({ fault, eliminated }: SeatState): boolean => fault === null && !eliminated

export const isOver = ({ status }: Match): boolean => isFinal(status)

export const withSeat = (match: Match, seat: Seat, change: Partial<SeatState>): Match => ({
  ...match,
  seatStates: match.seatStates.with(seat, { ...match.seatStates[seat]!, ...change }),
})
