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
