// What the results of many matches say. Scores are from 0 to 1: a win is 1, a draw ½.

export type Interval = readonly [low: number, high: number]

/**
 * Wilson's interval: where the true score is, with 95 % confidence. It takes every match for a win or a loss, so draws make the
 * true interval narrower, never wider. Also good for few matches, and where all of them are won.
 */
export const scoreInterval = (score: number, matches: number): Interval => {
  if (matches === 0) return [0, 1]
  const z2 = z95 ** 2
  const middle = (score + z2 / (2 * matches)) / (1 + z2 / matches)
  const half =
    (z95 * Math.sqrt((score * (1 - score)) / matches + z2 / (4 * matches ** 2))) /
    (1 + z2 / matches)
  // Exact at the ends of the scale, where rounding would leave an Elo of some thousands.
  return [score === 0 ? 0 : middle - half, score === 1 ? 1 : middle + half]
}

const z95 = 1.959964

/** The difference in Elo at which this score is expected. Infinite for 0 and 1. */
export const eloOf = (score: number): number => -400 * Math.log10(1 / score - 1)

const scoreOf = (elo: number): number => 1 / (1 + 10 ** (-elo / 400))

/** How often each score came, from the lowest to the highest, in equal steps: losses, draws, wins; or the same of pairs. */
export type Frequencies = readonly number[]

/**
 * The generalised log-likelihood ratio of two hypotheses, a difference of `elo1` against one of `elo0`: how much better the most
 * likely distribution with the one mean explains these results than that with the other. This is fishtest's logistic model.
 */
export const logLikelihoodRatio = (elo0: number, elo1: number, results: Frequencies): number => {
  // A score that never came is not impossible.
  const counts = results.map(count => (count === 0 ? 1e-3 : count))
  const total = counts.reduce((sum, count) => sum + count, 0)
  const outcomes = counts.map((count, i) => ({
    score: i / (counts.length - 1),
    share: count / total,
  }))
  const fits = [elo0, elo1].map(elo => mostLikely(outcomes, scoreOf(elo)))
  return counts.reduce((sum, count, i) => sum + count * Math.log(fits[1]![i]! / fits[0]![i]!), 0)
}

interface Outcome {
  readonly score: number
  readonly share: number
}

/**
 * The most likely distribution with this mean. Each share is divided by 1 + x·(score − mean), with the x at which the shares add up
 * to the mean. The sum falls as x grows, between the poles at which a share becomes infinite.
 */
const mostLikely = (outcomes: readonly Outcome[], mean: number): readonly number[] => {
  const excess = (x: number) =>
    outcomes.reduce(
      (sum, { score, share }) => sum + (share * (score - mean)) / (1 + x * (score - mean)),
      0,
    )
  let [low, high] = [-1 / (1 - mean), 1 / mean]
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2
    if (excess(middle) > 0) low = middle
    else high = middle
  }
  return outcomes.map(({ score, share }) => share / (1 + low * (score - mean)))
}

/** Beyond ± this a test is decided: each of the two errors then has a probability of 5 %. */
export const sprtBound = Math.log(0.95 / 0.05)
