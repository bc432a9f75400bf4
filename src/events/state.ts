import type { AccountId } from '../arena/account.ts'
import type { Board, Entry, Numbered } from './entry.ts'
import type { EventPlan } from './plan.ts'

export const eventStatuses = ['open', 'running', 'paused', 'finished', 'cancelled'] as const
export type EventStatus = (typeof eventStatuses)[number]

/** What the log of an event amounts to. */
export interface EventState {
  readonly plan: EventPlan
  readonly status: EventStatus
  /** How many entries it is made of. */
  readonly entries: number
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** Why it was cancelled; null where it was not. */
  readonly cancelled: string | null
  /** Since when it is paused; null where it is not. */
  readonly pausedAt: number | null
  /** For how many milliseconds it was paused before that. */
  readonly pausedFor: number
  /** How many have ever entered. */
  readonly entered: number
  /** In the order in which they entered; from the start on by seeding, with late ones last. */
  readonly entrants: readonly Entrant[]
  readonly rounds: readonly Round[]
}

export interface Entrant {
  /** In the order in which they entered, from 1. No other entrant of the event ever has it. */
  readonly number: number
  readonly account: AccountId
  readonly name: string
  /** The number in the id that its protocol has granted it; null for none. */
  readonly granted: number | null
  /** At the start, or when it entered late. */
  readonly rating: number
  readonly checkedIn: boolean
  /** How many boards it has missed. */
  readonly missed: number
  /** It gets no more boards, for it has withdrawn or missed two. In a round robin of pairs it loses them. */
  readonly withdrawn: boolean
}

export interface Round {
  readonly round: number
  readonly drawnAt: number
  readonly boards: readonly BoardState[]
  readonly byes: readonly AccountId[]
}

/**
 * A board that is over without a match and without being settled is a walkover: its loser had withdrawn before the round
 * was drawn.
 */
export interface BoardState extends Board {
  readonly round: number
  readonly legs: readonly Leg[]
  readonly settled: Extract<Entry, { kind: 'settled' }> | null
  /** In the order of `accounts`, once the board is over; null where it is not, or does not count. */
  readonly places: readonly number[] | null
  readonly isOver: boolean
}

export type Leg = Extract<Numbered, { kind: 'played' }>
