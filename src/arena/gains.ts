import { type Parts, ratingParts } from './rating.ts'
import type { Unrated } from './unrated.ts'

/** An opponent rated this many points below or more counts as weaker: a win over it shows little. */
const weakerBy = 200

/** Ratings and gains of the day before a match. */
export interface Today {
  /** Rating points that one seat has gained from another today, minus those that it has lost to it. */
  gained(seat: number, other: number): number
  /** The rating of a seat at the beginning of the day. */
  began(seat: number): number
}

/** The rating points that a match would move between its seats, for the daily caps. */
export class Gains {
  readonly #parts: Parts
  readonly #ratings: readonly number[]

  constructor(places: readonly number[], ratings: readonly number[], quick: readonly boolean[]) {
    this.#parts = ratingParts(places, ratings, quick)
    this.#ratings = ratings
  }

  /** What one seat gains from another; a negative number is what the other gains from it. */
  from(seat: number, other: number): number {
    const part = this.#parts[seat]![other]!
    return part > 0 ? part : -this.#parts[other]![seat]!
  }

  /**
   * Why the match must stay unrated, or null. `cap` bounds what one account gains from another in a day, and also how
   * far wins over weaker opponents lift an account above its rating at the beginning of the day. A loser always loses in
   * full, so that no order of wins and losses brings more.
   */
  objection(today: Today, cap: number): Unrated | null {
    for (const [seat, rating] of this.#ratings.entries()) {
      const after = rating + this.#parts[seat]!.reduce((sum, part) => sum + part, 0)
      for (const [other, theirs] of this.#ratings.entries()) {
        const gain = this.#parts[seat]![other]!
        if (gain <= 0) continue
        if (today.gained(seat, other) + gain > cap)
          return 'one has gained enough from the other today'
        if (rating - theirs >= weakerBy && after > today.began(seat) + cap)
          return 'one has risen enough today for a win over a weaker opponent'
      }
    }
    return null
  }
}
