// What happens in a match of Clawpoly. Every Shell that moves is in one of these.

import type { DeckName } from './clawpoly-cards.ts'
import type { Seat } from './game.ts'

/** What changes hands in a trade. */
export type Bundle = {
  /** In ascending order. */
  readonly properties: readonly number[]
  readonly money: number
  readonly escapeCards: number
}

/** What a debt is for. */
export type Dues = 'rent' | 'tax' | 'card' | 'pot'

type Told = {
  /** The number of the turn. */
  readonly turn: number
  /** Who did it, or whom it happened to. */
  readonly seat: Seat
}

type Happening =
  | { readonly kind: 'turn_start' }
  | { readonly kind: 'turn_end' }
  | {
      readonly kind: 'dice_rolled'
      readonly dice: readonly [number, number]
      /** For a move, for the way out of the pot, or for the rent of a utility. */
      readonly for: 'move' | 'escape' | 'rent'
    }
  | {
      readonly kind: 'player_moved'
      readonly from: number
      readonly to: number
      readonly by: 'dice' | 'card'
    }
  /** The bank pays. */
  | { readonly kind: 'set_sail_bonus'; readonly amount: number }
  | { readonly kind: 'property_bought'; readonly square: number; readonly amount: number }
  /** `asked`: it had the money and passed. */
  | { readonly kind: 'property_passed'; readonly square: number; readonly asked: boolean }
  | {
      readonly kind: 'card_drawn'
      readonly deck: DeckName
      /** Counted from 1. */
      readonly card: number
      readonly title: string
      readonly text: string
    }
  /** The bank pays what a card says. */
  | { readonly kind: 'card_money'; readonly amount: number }
  /** The money is short: the player has to raise it. */
  | {
      readonly kind: 'debt'
      readonly to: Seat | null
      readonly amount: number
      readonly why: Dues
    }
  | {
      readonly kind: 'rent_paid'
      readonly to: Seat
      readonly amount: number
      readonly square: number
    }
  | { readonly kind: 'tax_paid'; readonly amount: number; readonly square: number }
  /** What a card says, to the bank or to another player. */
  | { readonly kind: 'card_paid'; readonly to: Seat | null; readonly amount: number }
  /** For the way out of the pot, to the bank. */
  | { readonly kind: 'pot_fee_paid'; readonly amount: number }
  | {
      readonly kind: 'outpost_built' | 'fortress_built'
      readonly square: number
      readonly amount: number
      readonly level: number
    }
  /** `level` is what is left. */
  | {
      readonly kind: 'building_sold'
      readonly square: number
      readonly amount: number
      readonly level: number
    }
  | {
      readonly kind: 'mortgaged' | 'unmortgaged'
      readonly square: number
      readonly amount: number
    }
  | {
      readonly kind: 'trade_proposed' | 'trade_accepted'
      readonly id: number
      readonly to: Seat
      readonly giving: Bundle
      readonly requesting: Bundle
    }
  /** `stale`: it was accepted, and one of the two no longer holds its part. `withdrawn`: one of the two went bankrupt. */
  | {
      readonly kind: 'trade_rejected'
      readonly id: number
      readonly to: Seat
      readonly why: 'refused' | 'stale' | 'withdrawn'
    }
  | { readonly kind: 'lobster_pot_in'; readonly by: 'net' | 'card' | 'doubles' }
  | {
      readonly kind: 'lobster_pot_out'
      readonly by: 'pay' | 'card' | 'doubles' | 'third_try'
    }
  | {
      readonly kind: 'bankrupt'
      /** Who gets all; the bank if null. */
      readonly to: Seat | null
      /** What the bank paid for the buildings and lent on the squares. */
      readonly sold: number
      readonly mortgages: number
      /** The money that went over, those two included. */
      readonly amount: number
      readonly properties: readonly number[]
      readonly escapeCards: number
    }

export type ClawpolyEvent = Told & Happening
/** Without what is the same of every event. */
export type ClawpolyHappening = Happening
