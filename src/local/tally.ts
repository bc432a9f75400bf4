import type { PlayedMatch } from './contest.ts'

/** How one contestant fared. */
export interface Score {
  /** Alone in the first place; first with others; and the rest. */
  readonly wins: number
  readonly draws: number
  readonly losses: number
  /** For each match the share of its opponents that it left behind, where an equal place is half. For two: wins and half of the draws. */
  readonly points: number
  /** Matches that it lost by a fault of its own. */
  readonly forfeits: { readonly illegal: number; readonly late: number; readonly gone: number }
}

/** The scores of a contest. */
export class Tally {
  #matches = 0
  #scores: readonly Score[]
  readonly #pairs = [0, 0, 0, 0, 0]
  #halfPair = 0

  constructor(contestants: number) {
    this.#scores = Array.from({ length: contestants }, () => ({
      wins: 0,
      draws: 0,
      losses: 0,
      points: 0,
      forfeits: { illegal: 0, late: 0, gone: 0 },
    }))
  }

  get matches(): number {
    return this.#matches
  }

  get scores(): readonly Score[] {
    return this.#scores
  }

  /**
   * Of two contestants: how many pairs of matches, with the seats exchanged, brought the first one 0, ½, 1, 1½ and 2 points.
   * The two matches of a pair are not independent, so a test counts pairs.
   */
  get pairs(): readonly number[] {
    return this.#pairs
  }

  add({ record, seats }: PlayedMatch): void {
    const places = record.players.map(({ place }) => place!)
    const points = this.#scores.map((_, i) => pointsOf(places, seats.indexOf(i)))
    this.#scores = this.#scores.map((score, i) => {
      const seat = seats.indexOf(i)
      const isFirst = places[seat] === 1
      const isAlone = places.filter(place => place === 1).length === 1
      const fault = record.players[seat]!.fault
      return {
        wins: score.wins + (isFirst && isAlone ? 1 : 0),
        draws: score.draws + (isFirst && !isAlone ? 1 : 0),
        losses: score.losses + (isFirst ? 0 : 1),
        points: score.points + points[i]!,
        forfeits:
          fault === null || fault === 'resigned'
            ? score.forfeits
            : { ...score.forfeits, [fault]: score.forfeits[fault] + 1 },
      }
    })
    if (this.#matches++ % 2 === 0) this.#halfPair = points[0]!
    else if (seats.length === 2) this.#pairs[2 * (this.#halfPair + points[0]!)]!++
  }
}

const pointsOf = (places: readonly number[], seat: number): number => {
  const own = places[seat]!
  const others = places.filter((_, other) => other !== seat)
  const points = others.map((place): number => (place > own ? 1 : place === own ? 0.5 : 0))
  return points.reduce((sum, part) => sum + part, 0) / others.length
}
