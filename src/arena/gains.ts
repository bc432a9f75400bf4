import { type Parts, ratingParts } from './rating.ts'
import type { Unrated } from './unrated.ts'

/** From this many points below on an opponent is weaker: a win over it shows little. */
const weakerBy = 200

/** What the day has brought before a match. */
export interface Today {
  /** Points of rating that one seat has gained from another, less what it has lost to it. */
  gained(seat: number, other: number): number
  /** The rating with which a seat began the day. */
  began(seat: number): number
}

/** What a match would do to ratings, as it is counted for the day. */
export class Gains {
  readonly #parts: Parts
  readonly #ratings: readonly number[]

  constructor(places: readonly number[], ratings: readonly number[], quick: readonly boolean[]) {
    this.#parts = ratingParts(places, ratings, quick)
    this.#ratings = ratings
  }

  /** What one seat gains from another; below zero, what the other gains from it. */
  from(seat: number, other: number): number {
    const part = this.#parts[seat]![other]!
    return part > 0 ? part : -this.#parts[other]![seat]!
  }

  /**
   * Why the match may not count. What one account gains from another in a day is bounded by `cap`; and wins over weaker
   * opponents, however many those are, lift nobody further than that above the rating with which the day began. Whoever
   * loses always loses in full, so that no order of wins and losses brings more.
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
