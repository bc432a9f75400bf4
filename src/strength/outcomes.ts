import type { AccountId } from '../arena/account.ts'

/** A match with a result, as far as strengths follow from it. By seat. */
export interface RatedResult {
  readonly accounts: readonly AccountId[]
  readonly places: readonly number[]
}

/** Matches of the same accounts that came out the same. Accounts are numbered by `Outcomes`. */
export interface Outcome {
  /** By place; equal places by the order of seats. */
  readonly ranking: readonly number[]
  /** How many share each place: `[1, 1]` is a win, `[2]` a draw. */
  readonly groups: readonly number[]
  /** Where in `ranking` the one is that had seat 0. */
  readonly first: number
  /** The pairs among them: of 0 and 1, 0 and 2, …, 1 and 2, … */
  readonly pairs: readonly number[]
  count: number
}

/** Two accounts that have met, the one that came first as `a`. */
export interface Pair {
  readonly a: number
  readonly b: number
  met: number
}

/**
 * The results of a ladder, counted. What is equal is counted once, so that a fit costs what there are of pairs, not of
 * matches. The order of everything is that in which it first came.
 */
export class Outcomes {
  readonly accounts: AccountId[] = []
  /** How many matches each account has. */
  readonly matches: number[] = []
  readonly outcomes: Outcome[] = []
  readonly pairs: Pair[] = []
  readonly #numbers = new Map<AccountId, number>()
  /** For each account, its pairs with later ones. */
  readonly #pairs: Map<number, number>[] = []
  /** By what is equal; of two accounts beside their pair, which is faster. */
  readonly #rankings = new Map<string, Outcome>()
  readonly #results: (Outcome | undefined)[][] = []
  #count = 0

  /** How many matches are counted. */
  get count(): number {
    return this.#count
  }

  add({ accounts, places }: RatedResult): void {
    const outcome =
      accounts.length === 2 ? this.#ofTwo(accounts, places) : this.#ofMore(accounts, places)
    outcome.count++
    this.#count++
    for (const number of outcome.ranking) this.matches[number]!++
    for (const pair of outcome.pairs) this.pairs[pair]!.met++
  }

  #ofTwo([one, other]: readonly AccountId[], [place, otherPlace]: readonly number[]): Outcome {
    const [first, second] = [this.#number(one!), this.#number(other!)]
    const pair = this.#pair(first, second)
    const results = this.#results[pair]!
    const ahead = place! < otherPlace! ? 0 : place! > otherPlace! ? 1 : 2
    const at = first < second ? ahead : ahead + 3
    let outcome = results[at]
    if (outcome === undefined) {
      outcome = {
        ranking: ahead === 1 ? [second, first] : [first, second],
        groups: ahead === 2 ? [2] : [1, 1],
        first: ahead === 1 ? 1 : 0,
        pairs: [pair],
        count: 0,
      }
      results[at] = outcome
      this.outcomes.push(outcome)
    }
    return outcome
  }

  #ofMore(accounts: readonly AccountId[], places: readonly number[]): Outcome {
    const numbers = accounts.map(account => this.#number(account))
    const order = places.map((_, seat) => seat).sort((a, b) => places[a]! - places[b]! || a - b)
    const ranking = order.map(seat => numbers[seat]!)
    const groups = groupSizes(order.map(seat => places[seat]!))
    const first = order.indexOf(0)
    const key = `${ranking} ${groups} ${first}`
    let outcome = this.#rankings.get(key)
    if (outcome === undefined) {
      const pairs = ranking.flatMap((a, i) => ranking.slice(i + 1).map(b => this.#pair(a, b)))
      outcome = { ranking, groups, first, pairs, count: 0 }
      this.#rankings.set(key, outcome)
      this.outcomes.push(outcome)
    }
    return outcome
  }

  #number(account: AccountId): number {
    let number = this.#numbers.get(account)
    if (number === undefined) {
      number = this.accounts.push(account) - 1
      this.matches.push(0)
      this.#pairs.push(new Map())
      this.#numbers.set(account, number)
    }
    return number
  }

  #pair(one: number, other: number): number {
    const [a, b] = one < other ? [one, other] : [other, one]
    const pairs = this.#pairs[a]!
    let pair = pairs.get(b)
    if (pair === undefined) {
      pair = this.pairs.push({ a, b, met: 0 }) - 1
      this.#results.push([])
      pairs.set(b, pair)
    }
    return pair
  }
}

/** Of places in order, how many there are of each. */
const groupSizes = (places: readonly number[]): readonly number[] => {
  const sizes: number[] = []
  for (const [i, place] of places.entries())
    if (i > 0 && places[i - 1] === place) sizes[sizes.length - 1]!++
    else sizes.push(1)
  return sizes
}
