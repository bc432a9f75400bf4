import { quickShare } from './quick.ts'

export const initialRating = 1500
const k = 32

/** For each seat the rating points that it gets from each other seat. */
export type Parts = readonly (readonly number[])[]

/**
 * Elo, pairwise over the places: each pair of seats is a match of its own with K divided by the number of opponents. For
 * two seats this is the plain formula. The changes sum to zero, except that from a seat that was faulted early (`quick`)
 * the others gain only a share of what it loses.
 */
export const ratingParts = (
  places: readonly number[],
  ratings: readonly number[],
  quick: readonly boolean[] = [],
): Parts =>
  places.map((place, seat) =>
    places.map((otherPlace, other) => {
      if (other === seat) return 0
      const score = place < otherPlace ? 1 : place === otherPlace ? 0.5 : 0
      const expected = 1 / (1 + 10 ** ((ratings[other]! - ratings[seat]!) / 400))
      const part = (k / (places.length - 1)) * (score - expected)
      return score === 1 && quick[other] === true ? part * quickShare : part
    }),
  )

/** The rating change of each seat. */
export const ratingChanges = (
  places: readonly number[],
  ratings: readonly number[],
  quick: readonly boolean[] = [],
): readonly number[] =>
  ratingParts(places, ratings, quick).map(parts => parts.reduce((sum, part) => sum + part, 0))

/** Below this many rated matches a rating says little, and is marked as provisional. */
export const provisionalBelow = 20

/**
 * The 95 % uncertainty of a rating after this many matches. It follows from Elo itself: against an equal opponent each match
 * removes a share of the rating's error and adds the luck of one result. So the error shrinks from that of a newcomer
 * towards the error that K alone sustains.
 */
export const uncertaintyOf = (games: number): number => {
  const kept = 1 - k * steepness
  const floor = (k ** 2 * varianceOfResult) / (1 - kept ** 2)
  return 1.96 * Math.sqrt(floor + kept ** (2 * games) * (newcomerSpread ** 2 - floor))
}

/** How much one rating point changes the expected score of a match between equals. */
const steepness = Math.LN10 / 1600
const varianceOfResult = 0.25
const newcomerSpread = 350
