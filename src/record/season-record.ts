import type { LadderId } from '../arena/ladder.ts'
import type { RestartRule } from '../arena/season.ts'
import { isoTime } from './time-text.ts'

/** A season of a ladder that is closed. Its table is kept as it was then. */
export interface Season {
  readonly ladder: LadderId
  /** From 1 on each ladder. */
  readonly number: number
  readonly title: string
  /** How the ratings went on after it. */
  readonly rule: RestartRule
  readonly closedAt: number
  /** Results after this place in the order of all results count for a later season. */
  readonly lastOrder: number
  /** How many matches counted in it. */
  readonly matches: number
  readonly seal: { readonly number: number; readonly hash: string }
}

/** A row of the table of a season, in the order of that table. */
export interface SeasonRow {
  readonly account: number
  readonly name: string
  /** Null for an account that was provisional. */
  readonly rank: number | null
  readonly rating: number
  /** With half the width of its interval of 95 %; both null where none had been calculated. */
  readonly strength: number | null
  readonly error: number | null
  readonly games: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
}

/** A season as JSON: commands and the API give the same. */
export const seasonJson = ({ closedAt, lastOrder, ...season }: Season) => ({
  ...season,
  closedAt: isoTime(closedAt),
  lastOrder,
})

export const seasonRowJson = ({ account: _, rank, ...row }: SeasonRow) => ({
  rank,
  provisional: rank === null,
  ...row,
})

/** What the ratings do after a season. */
export const restartText = (rule: RestartRule): string =>
  rule === 'kept' ? 'Ratings went on as they were.' : 'Ratings went half way back to 1500.'

/** The first of a season or of an event. */
export interface Champion {
  readonly at: number
  readonly title: string
  /** Equal ones share the title. */
  readonly names: readonly string[]
  readonly of:
    | { readonly kind: 'season'; readonly ladder: LadderId; readonly number: number }
    | { readonly kind: 'event'; readonly game: string; readonly id: string }
}

export const championJson = ({ at, of, ...champion }: Champion) => ({
  ...of,
  ...champion,
  at: isoTime(at),
})
