import { initialRating, provisionalBelow, ratingChanges } from './rating.ts'

/**
 * What a ladder counts for each account: an Elo rating, the points of its results, or the sum of its scores. One number
 * in each case; a higher one comes first. A match changes it for every seat, and the match keeps it before and after.
 */
export type Counting =
  | { readonly by: 'elo' }
  /** Whole numbers. A shared first place is a draw. */
  | { readonly by: 'points'; readonly win: number; readonly draw: number; readonly loss: number }
  /** A seat without a score gets 0. */
  | { readonly by: 'scores' }

export const elo: Counting = { by: 'elo' }

/** What a match brought, as far as a ladder counts it. By seat. */
export interface Counted {
  readonly places: readonly number[]
  readonly scores: readonly (number | null)[]
  /** Whether it resigned or forfeited early. */
  readonly quick: readonly boolean[]
}

/** What an account has before its first match. */
export const startOf = ({ by }: Counting): number => (by === 'elo' ? initialRating : 0)

/** By how much a match changes the number of each seat. */
export const changesBy = (
  counts: Counting,
  { places, scores, quick }: Counted,
  before: readonly number[],
): readonly number[] => {
  switch (counts.by) {
    case 'elo':
      return ratingChanges(places, before, quick)
    case 'points': {
      const drawn = isShared(places)
      return places.map(place => (place > 1 ? counts.loss : drawn ? counts.draw : counts.win))
    }
    case 'scores':
      return scores.map(score => score ?? 0)
  }
}

/** Whether more than one seat has the first place. */
export const isShared = (places: readonly number[]): boolean =>
  places.filter(place => place === 1).length > 1

/** From this many matches on, an account is ranked. Points and scores are what they are after the first match. */
export const rankedFrom = ({ counts }: Counts): number =>
  counts.by === 'elo' ? provisionalBelow : 1

/** Whether so few matches say little yet. */
export const isProvisional = (ladder: Counts, games: number): boolean => games < rankedFrom(ladder)

/** What decides between equal numbers, before accounts share a rank. */
export const tieBreakOf = ({ counts }: Counts): TieBreak => (counts.by === 'elo' ? 'none' : 'wins')

export type TieBreak = 'none' | 'wins'

interface Counts {
  readonly counts: Counting
}
