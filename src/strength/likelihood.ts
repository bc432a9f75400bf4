// The model: Plackett and Luce's, which for two seats is that of Bradley and Terry. Seats of equal places are ranked in every
// possible order, each of equal weight: so a draw is half a win and half a loss.

import { Curvature } from './curvature.ts'
import type { Outcome, Outcomes } from './outcomes.ts'

/** The first and second derivatives of the likelihood of a ladder's results, with the prior, at given strengths. */
export class Likelihood {
  readonly curvature: Curvature
  /** The first derivatives: of each account, and of the first seat last. */
  readonly slope: Float64Array
  /** The part of `slope` that comes of the prior. */
  readonly pull: Float64Array
  /** For each account, what its matches alone say of it. */
  readonly known: Float64Array
  readonly #outcomes: Outcomes
  /** By pair: how many virtual draws it has. */
  readonly #draws: Float64Array
  /** Of the strength of each account, its exponential. */
  readonly #odds: Float64Array
  #lead = 1

  constructor(outcomes: Outcomes, fixed: Uint8Array) {
    const { accounts, pairs } = outcomes
    this.#outcomes = outcomes
    this.curvature = new Curvature(accounts.length, pairs, fixed)
    this.slope = new Float64Array(accounts.length + 1)
    this.pull = new Float64Array(accounts.length + 1)
    this.known = new Float64Array(accounts.length)
    this.#odds = new Float64Array(accounts.length)
    const met = new Float64Array(accounts.length)
    for (const pair of pairs) {
      met[pair.a]! += pair.met
      met[pair.b]! += pair.met
    }
    this.#draws = Float64Array.from(
      pairs,
      pair => fitTerms.draws * pair.met * (1 / met[pair.a]! + 1 / met[pair.b]!),
    )
  }

  /** `at`: the strength of each account, and the first seat's last. */
  derive(at: Float64Array): void {
    const { curvature, slope, pull, known } = this
    const accounts = known.length
    for (const part of [slope, pull]) part.fill(0)
    curvature.clear()
    for (let i = 0; i < accounts; i++) this.#odds[i] = Math.exp(at[i]!)
    this.#lead = Math.exp(at[accounts]!)
    for (const outcome of this.#outcomes.outcomes)
      if (outcome.ranking.length === 2) this.#addPair(outcome)
      else this.#addRanking(outcome)
    curvature.sumPairs()
    known.set(curvature.diagonal.subarray(0, accounts))
    this.#addPrior(at)
  }

  #addPair({ ranking, groups, first, pairs, count }: Outcome): void {
    const [best, other] = [ranking[0]!, ranking[1]!]
    const seats = first === 0 ? this.#lead : 1 / this.#lead
    const chance = (this.#odds[best]! * seats) / (this.#odds[best]! * seats + this.#odds[other]!)
    const gain = count * ((groups.length === 1 ? 0.5 : 1) - chance)
    this.slope[best]! += gain
    this.slope[other]! -= gain
    this.slope[this.known.length]! += first === 0 ? gain : -gain
    this.#addWeight(pairs[0]!, best, other, first, count * chance * (1 - chance))
  }

  #addRanking({ ranking, groups, first, pairs, count }: Outcome): void {
    const size = ranking.length
    const odds = ranking.map((account, i) => this.#odds[account]! * (i === first ? this.#lead : 1))
    for (const account of ranking) this.slope[account]! += count
    this.slope[this.known.length]! += count
    let start = 0
    for (const group of groups) {
      const below = ((1 << size) - 1) & ~((1 << (start + group)) - 1)
      // Any of these who are left of the group may be next, and all that are ranked below.
      for (let left = 1; left < 1 << group; left++)
        this.#addChoice(
          ranking,
          odds,
          first,
          pairs,
          below | (left << start),
          count / choose(group, left),
        )
      start += group
    }
  }

  /** One of a set is ranked before the others. The first derivative of who it is has been added already. */
  #addChoice(
    ranking: readonly number[],
    odds: readonly number[],
    first: number,
    pairs: readonly number[],
    set: number,
    count: number,
  ): void {
    const size = ranking.length
    let total = 0
    for (let i = 0; i < size; i++) if ((set >> i) & 1) total += odds[i]!
    let pair = 0
    for (let i = 0; i < size; i++) {
      const chance = odds[i]! / total
      if ((set >> i) & 1) {
        this.slope[ranking[i]!]! -= count * chance
        if (i === first) this.slope[this.known.length]! -= count * chance
      }
      for (let j = i + 1; j < size; j++, pair++)
        if ((set >> i) & (set >> j) & 1)
          this.#addWeight(
            pairs[pair]!,
            ranking[i]!,
            ranking[j]!,
            first === i ? 0 : first === j ? 1 : -1,
            (count * chance * odds[j]!) / total,
          )
    }
  }

  /** `first`: 0 or 1 where the one account or the other had seat 0. */
  #addWeight(pair: number, one: number, other: number, first: number, weight: number): void {
    const { pairs, lead, diagonal } = this.curvature
    pairs[pair]! += weight
    if (first < 0) return
    const [leading, following] = first === 0 ? [one, other] : [other, one]
    lead[leading]! += weight
    lead[following]! -= weight
    diagonal[this.known.length]! += weight
  }

  /**
   * Each account brings one virtual draw, spread over its opponents as its matches are; with those that they bring it takes part
   * in about two. Draws with an average opponent instead would pull a wide pool together: of true strengths with a spread of
   * 496 the intervals would then cover 54 % after 50 matches each.
   */
  #addPrior(at: Float64Array): void {
    const { curvature, pull } = this
    const { pairs } = this.#outcomes
    for (let i = 0; i < pairs.length; i++) {
      const { a, b } = pairs[i]!
      const [draws, chance] = [this.#draws[i]!, this.#odds[a]! / (this.#odds[a]! + this.#odds[b]!)]
      pull[a]! += draws * (0.5 - chance)
      pull[b]! -= draws * (0.5 - chance)
      const weight = draws * chance * (1 - chance)
      curvature.pairs[i]! += weight
      curvature.diagonal[a]! += weight
      curvature.diagonal[b]! += weight
    }
    const accounts = this.known.length
    for (let i = 0; i < accounts; i++) {
      pull[i]! -= fitTerms.hold * at[i]!
      curvature.diagonal[i]! += fitTerms.hold
    }
    const chance = this.#lead / (1 + this.#lead)
    pull[accounts] = fitTerms.firstSeatDraws * (0.5 - chance)
    curvature.diagonal[accounts]! += fitTerms.firstSeatDraws * chance * (1 - chance)
    for (let i = 0; i < pull.length; i++) this.slope[i]! += pull[i]!
  }
}

/** The numbers of the model that are no results, as an export states them. */
export const fitTerms = {
  /** Virtual draws that each account brings. */
  draws: 1,
  /** Virtual draws between the first seat and another. */
  firstSeatDraws: 2,
  /** Draws the average of accounts to the middle of the scale, and is too weak to do anything else. */
  hold: 0.005,
}

/** In how many ways as many can be taken out of a group as `set` has members. */
const choose = (group: number, set: number): number => {
  let [ways, n] = [1, 0]
  for (let rest = set; rest > 0; rest >>= 1)
    if (rest & 1) {
      ways = (ways * (group - n)) / (n + 1)
      n++
    }
  return ways
}
