// Ratings as text for people. Rounded numbers add up: the rating before a match plus the change is the rating after it.
// The wire and the API send unrounded numbers.

import { isProvisional } from '../arena/counting.ts'
import type { Ladder } from '../arena/ladder.ts'
import type { Change } from '../arena/match-store.ts'

export const ratingText = (rating: number): string => rating.toFixed(0)

/** A rating on a ladder: a question mark says that it is provisional. */
export const standingText = (
  { rating, games }: { rating: number; games: number },
  ladder: Ladder,
): string => `${ratingText(rating)}${isProvisional(ladder, games) ? '?' : ''}`

/** What the numbers of a ladder are called. */
export const countingName = ({ counts }: Ladder): 'Rating' | 'Points' | 'Score' =>
  counts.by === 'elo' ? 'Rating' : counts.by === 'points' ? 'Points' : 'Score'

/** How a ladder is ordered that counts points or scores. */
export const tieBreakText = 'Equal points or scores: the account with more wins comes first.'

/** The difference between two ratings as they are written: "+19", "−4", "±0". */
export const changeText = ({ before, after }: Ratings): string => {
  const change = Number(ratingText(after)) - Number(ratingText(before))
  return change === 0 ? '±0' : `${change < 0 ? '−' : '+'}${Math.abs(change)}`
}

/** "1504 → 1523 (+19)". */
export const ratingChangeText = (ratings: Ratings): string =>
  `${ratingText(ratings.before)} → ${ratingText(ratings.after)} (${changeText(ratings)})`

/** A rating before and after a match, from the change that the arena reports. */
export const ratingsOf = ({ rating, change }: Change): Ratings => ({
  before: rating - change,
  after: rating,
})

interface Ratings {
  readonly before: number
  readonly after: number
}
