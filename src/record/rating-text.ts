// Ratings as text for people. Rounded numbers add up: the rating before a match plus the change is the rating after it.
// The wire and the API send unrounded numbers.

import { isProvisional } from '../arena/counting.ts'
import type { Ladder } from '../arena/ladder.ts'
import type { Change } from '../arena/match-store.ts'
import type { Strength } from '../arena/strength.ts'

export const ratingText = (rating: number): string => rating.toFixed(0)

/** A rating on a ladder: a question mark says that it is provisional. */
export const standingText = (
  { rating, games }: { rating: number; games: number },
  ladder: Ladder,
): string => `${ratingText(rating)}${isProvisional(ladder, games) ? '?' : ''}`

/** "1612 ± 45"; a dash where no fit has the account. */
const strengthText = (strength: Strength | null): string =>
  strength === null ? '–' : `${ratingText(strength.value)} ± ${ratingText(strength.error)}`

/** The same as a cell of 10 columns, in which digits stand below digits. */
export const strengthCell = (strength: Strength | null): string =>
  strength === null
    ? '–'.padStart(4).padEnd(10)
    : `${ratingText(strength.value).padStart(4)} ± ${ratingText(strength.error).padEnd(3)}`

/** Where there is room for one number: the strength of an account, or what its ladder counts. */
export const placeText = (
  { strength, ...standing }: { strength: Strength | null; rating: number; games: number },
  ladder: Ladder,
): string => {
  if (ladder.counts.by !== 'elo') return standingText(standing, ladder)
  if (strength === null) return `Elo ${standingText(standing, ladder)}`
  return `${strengthText(strength)}${isProvisional(ladder, standing.games) ? '?' : ''}`
}

/** What the numbers of a ladder are called. */
export const countingName = ({ counts }: Ladder): 'Elo' | 'Points' | 'Score' =>
  counts.by === 'elo' ? 'Elo' : counts.by === 'points' ? 'Points' : 'Score'

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
