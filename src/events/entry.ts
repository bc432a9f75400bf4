import type { AccountId } from '../arena/account.ts'
import type { MatchId } from '../arena/match-store.ts'
import type { EventPlan } from './plan.ts'

/**
 * One entry of the log of an event. The log is all that is kept of an event, and its state is made of it alone, so it
 * can be made again. Entries are numbered from 1 without a gap, and never changed.
 */
export type Entry =
  /** The first entry. */
  | { readonly kind: 'created'; readonly plan: EventPlan }
  /** The rating is the one at that moment: it seeds those who enter after the start. */
  | {
      readonly kind: 'entered'
      readonly account: AccountId
      readonly name: string
      readonly rating: number
      /** The number in the id that its protocol has granted it, such as 3 for P03. Not there unless it has. */
      readonly granted?: number
    }
  | { readonly kind: 'checked-in'; readonly account: AccountId }
  | { readonly kind: 'withdrew'; readonly account: AccountId; readonly why: Withdrawal }
  /** Those who play, the strongest first by their ratings at that moment, which are kept for seeding. */
  | { readonly kind: 'started'; readonly entrants: readonly Seeded[] }
  /** A round is drawn. In an arena each drawing is one, of as many boards as can be had. */
  | {
      readonly kind: 'drawn'
      readonly round: number
      readonly boards: readonly Board[]
      /**
       * Those who have no board in this round. In a Swiss a bye is worth a win, in a round robin it is a rest and worth
       * nothing, in a knockout its holder goes on, and in an arena its holder waits for the next drawing.
       */
      readonly byes: readonly AccountId[]
    }
  /** A match of a board has its result. One entry a match: a repeat is no entry. */
  | {
      readonly kind: 'played'
      readonly round: number
      readonly board: number
      /** Which match of the board it was, from 1. */
      readonly leg: number
      /** Null for a match that a referee from elsewhere has held. */
      readonly match: MatchId | null
      /** By seat of that match. */
      readonly accounts: readonly AccountId[]
      readonly places: readonly number[]
      readonly scores: readonly (number | null)[]
    }
  /** A board ends otherwise: an entrant did not show up, or the operator has decided it. It overrides what was played. */
  | {
      readonly kind: 'settled'
      readonly round: number
      readonly board: number
      /** In the order of `Board.accounts`, `[2, 2]` where both have lost; null for a board that does not count at all. */
      readonly places: readonly number[] | null
      /** The entrants that did not show up: after two missed boards they are withdrawn. */
      readonly absent: readonly AccountId[]
      /** In words. */
      readonly reason: string
    }
  | { readonly kind: 'paused' }
  | { readonly kind: 'resumed' }
  | { readonly kind: 'cancelled'; readonly reason: string }
  | { readonly kind: 'finished' }

type Withdrawal = 'by itself' | 'by the operator' | 'two boards missed' | 'not checked in'

/** An entry as it is kept. */
export type Numbered = Entry & { readonly number: number; readonly at: number }

interface Seeded {
  readonly account: AccountId
  readonly name: string
  readonly rating: number
}

/** A pairing, or a group in games for more than two. */
export interface Board {
  /** From 1 in each round. */
  readonly board: number
  /** By seat in the first match. */
  readonly accounts: readonly AccountId[]
}
