import type { Curvature } from './curvature.ts'
import type { Likelihood } from './likelihood.ts'
import type { Outcomes } from './outcomes.ts'

/**
 * Half the width of the 95 % interval of each strength, and of the first seat's: 1.96 times the root of its mean square error, which is
 * the variance by the luck of results, and the square of what the virtual draws have moved it. A strength is compared with
 * the average of the ladder: the luck that moves all accounts alike moves no place on the board. The average is that of
 * the accounts that are connected by matches; any others are far from known in relation to it.
 */
export const halfWidths = (
  outcomes: Outcomes,
  { curvature, pull, known }: Likelihood,
  fixed: Uint8Array,
): Float64Array => {
  const accounts = known.length
  const average = largestGroup(outcomes, fixed)
  const variances =
    accounts <= exactUpTo
      ? exactVariances(curvature, average)
      : estimatedVariances(outcomes, curvature, average, fixed)
  const moved = curvature.solve(pull)
  center(moved, average)
  const drawn = drawnShares(outcomes, known)
  return variances.map((variance, i) =>
    i < accounts && fixed[i] === 1
      ? 0
      : 1.96 * Math.sqrt(variance * (i < accounts ? 1 - drawn[i]! : 1) + moved[i]! ** 2),
  )
}

/** The time grows with the cube of the accounts: a quarter of a second for these. */
const exactUpTo = 400

const exactVariances = (curvature: Curvature, average: readonly number[]): Float64Array => {
  const size = curvature.accounts + 1
  const inverse = curvature.inverse()
  const means = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    for (const j of average) means[i]! += inverse[i * size + j]!
    means[i]! /= average.length
  }
  const mean = average.reduce((sum, i) => sum + means[i]!, 0) / average.length
  return means.map((own, i) => inverse[i * size + i]! - (i < size - 1 ? 2 * own - mean : 0))
}

/**
 * Random changes of the results, as luck would have them, move the strengths: their squares have the variances as their mean. Of each
 * only the difference to what its own matches alone would do is estimated, which is small.
 */
const estimatedVariances = (
  { pairs }: Outcomes,
  curvature: Curvature,
  average: readonly number[],
  fixed: Uint8Array,
): Float64Array => {
  const accounts = curvature.accounts
  const alone = curvature.diagonal.map(weight => 1 / weight)
  const extra = new Float64Array(accounts)
  const luck = new Float64Array(accounts + 1)
  const coin = coins()
  for (let sample = 0; sample < samples; sample++) {
    luck.fill(0)
    for (let i = 0; i < pairs.length; i++) {
      const push = coin() * Math.sqrt(curvature.pairs[i]!)
      luck[pairs[i]!.a]! += push
      luck[pairs[i]!.b]! -= push
    }
    const moved = curvature.solve(luck)
    center(moved, average)
    for (let i = 0; i < accounts; i++)
      extra[i]! += (moved[i]! ** 2 - (luck[i]! * alone[i]!) ** 2) / samples
  }
  const first = new Float64Array(accounts + 1)
  first[accounts] = 1
  const ofFirst = curvature.solve(first)[accounts]!
  return alone.map((own, i) =>
    i === accounts ? ofFirst : fixed[i] === 1 ? 0 : own + Math.max(0, extra[i]!),
  )
}

const samples = 64

/** 1 or −1, in the same order each time. */
const coins = (): (() => 1 | -1) => {
  let state = 0x9e3779b9
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state & 1 ? 1 : -1
  }
}

/** The largest set of accounts that are connected by matches. */
const largestGroup = ({ accounts, pairs }: Outcomes, fixed: Uint8Array): readonly number[] => {
  const leader = accounts.map((_, i) => i)
  const leaderOf = (i: number): number => {
    while (leader[i] !== i) {
      leader[i] = leader[leader[i]!]!
      i = leader[i]!
    }
    return i
  }
  for (const { a, b } of pairs) leader[leaderOf(a)] = leaderOf(b)
  const groups = new Map<number, number[]>()
  for (const i of accounts.keys()) {
    if (fixed[i] === 1) continue
    const group = groups.get(leaderOf(i))
    if (group === undefined) groups.set(leaderOf(i), [i])
    else group.push(i)
  }
  let largest: readonly number[] = []
  for (const group of groups.values()) if (group.length > largest.length) largest = group
  return largest
}

const center = (strengths: Float64Array, average: readonly number[]): void => {
  const mean = average.reduce((sum, i) => sum + strengths[i]!, 0) / Math.max(1, average.length)
  for (let i = 0; i < strengths.length - 1; i++) strengths[i]! -= mean
}

/** By how much less the results of each account vary than they would if none were shared places. */
const drawnShares = ({ outcomes }: Outcomes, known: Float64Array): Float64Array => {
  const drawn = new Float64Array(known.length)
  for (const { ranking, groups, count } of outcomes) {
    let start = 0
    for (const size of groups) {
      if (size > 1)
        for (let i = start; i < start + size; i++)
          drawn[ranking[i]!]! += count * varianceOfRank(size)
      start += size
    }
  }
  // Half a match without a draw beside them: a few draws do not prove that there is nothing else.
  return drawn.map((share, i) => Math.min(1, share / (known[i]! + 0.5)))
}

/** Of the first derivative of the likelihood over the orders in which so many equals may be ranked. */
const varianceOfRank = (size: number): number => {
  let harmonic = 0
  for (let i = 1; i <= size; i++) harmonic += 1 / i
  return 1 - harmonic / size
}
