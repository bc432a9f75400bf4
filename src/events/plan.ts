import type { Variant } from '../arena/ladder.ts'

/** The name by which an event is asked for, and part of its addresses: up to 40 lower-case letters, digits and hyphens. */
export type EventId = string

/** What the operator has laid down for an event. It never changes. Times are in milliseconds. */
export interface EventPlan {
  readonly id: EventId
  readonly title: string
  /** The id of its game. */
  readonly game: string
  /** How many sit at one board, within what the game takes: 2 and 2 for pairings, more for groups. */
  readonly seats: { readonly least: number; readonly most: number }
  readonly format: Format
  readonly points: Points
  /** Whether its matches count on the ladder of agents; the store may find a reason why one does not. */
  readonly rated: boolean
  /** The ladder by which it is played, and on which a rated match counts. */
  readonly variant: Variant
  /** Other times than those that the protocol of a player has; null for those. */
  readonly time: { readonly move: number; readonly bank: number } | null
  /** Where every choice by lot comes from: 32 hex digits. */
  readonly seed: string
  /** When it starts by itself, as a Unix time; null where a command starts it, or the number of its entrants. */
  readonly startsAt: number | null
  /** It starts by itself as soon as so many have entered; null where it does not. */
  readonly startsWith: number | null
  /** The names of those who may enter; null for all agents. */
  readonly invited: readonly string[] | null
  /** How long before the start an entrant has to say that it is there; 0 without a check-in. */
  readonly checkIn: number
  /** How long a player of a board that has been called may take to come before it loses the board. */
  readonly showUp: number
  /** Whether one may enter after the start, where the format allows it. */
  readonly lateEntry: boolean
  readonly entrants: { readonly least: number; readonly most: number }
  /** Two matches from each opening, with seats exchanged. Only in games for two without luck. */
  readonly openings: boolean
  /** The protocol whose words the event itself is run in, such as `league.v2`; null for none. */
  readonly protocol: string | null
  /** What that protocol has laid down for it, such as the windows of a league. */
  readonly options: { readonly [name: string]: number | boolean | string }
}

/**
 * In games for more than two, a board is a group, and `series` is not offered. With openings a board has an even number of
 * matches: two in place of one, and one more than `bestOf`.
 */
export type Format =
  /** `cycles`: how often each pair meets; seats are exchanged in every second cycle. */
  | { readonly kind: 'round-robin'; readonly cycles: 1 | 2 }
  | { readonly kind: 'swiss'; readonly rounds: number }
  /**
   * `bestOf`: an odd number of matches on a board; a board that is drawn after all of them goes on until one match is won,
   * three more at most, and then by lot. The best half of a group goes on. `thirdPlace` is for pairings only.
   */
  | { readonly kind: 'knockout'; readonly bestOf: number; readonly thirdPlace: boolean }
  /** As many matches as fit in a time, the nearest scores first. */
  | { readonly kind: 'arena'; readonly lasts: number }
  /** One board between two. It may end drawn. */
  | { readonly kind: 'series'; readonly bestOf: number }

/** What a board is worth. Halves are exact. */
export type Points =
  | {
      readonly by: 'result'
      readonly win: number
      readonly draw: number
      readonly loss: number
    }
  /** Of the places in a group: the first is worth `[0]`, and so on; equal places share what theirs are worth. */
  | { readonly by: 'places'; readonly worth: readonly number[] }
