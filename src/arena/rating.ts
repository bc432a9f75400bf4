import { quickShare } from './quick.ts'

export const initialRating = 1500
const k = 32

/** What each seat's rating gets from each other seat. */
export type Parts = readonly (readonly number[])[]

/**
 * Elo, pairwise over the places: each pair of seats is a match of its own with K divided by the number of
 * opponents, so the changes sum to zero and for two seats this is the plain formula. From a seat that fell quickly
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

/** By how much a match changes each seat's rating. */
export const ratingChanges = (
  places: readonly number[],
  ratings: readonly number[],
  quick: readonly boolean[] = [],
): readonly number[] =>
  ratingParts(places, ratings, quick).map(parts => parts.reduce((sum, part) => sum + part, 0))

/** Below this many rated matches a rating says little, and stands apart. */
export const provisionalBelow = 20

/**
 * How far off a rating may be after so many matches: nineteen of twenty lie within this. It follows from Elo itself.
 * Against an equal opponent each match takes off a share of what the rating is wrong by, and adds the luck of one
 * result, so that the error shrinks from what is assumed of a newcomer to what K alone keeps alive.
 */
export const uncertaintyOf = (games: number): number => {
  const kept = 1 - k * steepness
  const floor = (k ** 2 * varianceOfResult) / (1 - kept ** 2)
  return 1.96 * Math.sqrt(floor + kept ** (2 * games) * (newcomerSpread ** 2 - floor))
}

/** By how much a point of rating changes the expected score of a match between equals. */
const steepness = Math.LN10 / 1600
const varianceOfResult = 0.25
const newcomerSpread = 350
