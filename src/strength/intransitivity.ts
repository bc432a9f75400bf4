import type { Outcomes } from './outcomes.ts'

/**
 * How much of a ladder is not transitive: the share of what the results of pairs tell beyond chance that no strengths explain,
 * from 0 to 1. Of rock, paper and scissors it is 1. What chance alone would leave is taken off, for results that vary as the
 * fit has it, and for as many strengths as were fitted. Null where it is not known to within a tenth.
 */
export const intransitivityOf = (
  outcomes: Outcomes,
  at: Float64Array,
  fixed: Uint8Array,
): number | null => {
  const { pairs, accounts } = outcomes
  const sums = pairSums(outcomes, at)
  const fitted = accounts.length - fixed.reduce((sum, one) => sum + one, 0)
  // As each strength fits itself to the luck of its matches, less is left.
  const free = 1 - Math.min(1, fitted / pairs.length)
  let [left, told, noise] = [0, 0, 0]
  for (let i = 0; i < pairs.length; i++) {
    const { met } = pairs[i]!
    const variance = Math.max(0, sums.variance[i]! - sums.drawn[i]!)
    left += (sums.fromFit[i]! ** 2 - variance * free) / met
    told += (sums.fromEqual[i]! ** 2 - Math.max(0, sums.varianceOfEqual[i]! - sums.drawn[i]!)) / met
    // Of a square of luck: its variance is twice the square of its mean, less where there are few matches.
    noise += (variance / met) ** 2 * 2 * (1 - 1 / met) + fourth(variance / met) / met
  }
  if (told <= 0 || 1.96 * Math.sqrt(noise) > told / 10) return null
  return Math.round(1e6 * Math.min(1, Math.max(0, left / told))) / 1e6
}

/** What the squares of single results vary, for results of this variance. */
const fourth = (variance: number): number => variance * Math.max(0, 1 - 4 * variance)

/** By pair: the points of its one account beyond those of the fit, and beyond those of two equals; and how both vary by chance. */
const pairSums = ({ outcomes, pairs }: Outcomes, at: Float64Array) => {
  const sum = () => new Float64Array(pairs.length)
  const [fromFit, variance, fromEqual, varianceOfEqual, drawn] = [sum(), sum(), sum(), sum(), sum()]
  const firstSeat = at.at(-1)!
  for (const { ranking, groups, first, pairs: numbers, count } of outcomes) {
    const group = groups.flatMap((size, i) => Array.from({ length: size }, () => i))
    let next = 0
    for (const [i, one] of ranking.entries())
      for (let j = i + 1; j < ranking.length; j++) {
        const number = numbers[next++]!
        const other = ranking[j]!
        const isDrawn = group[i] === group[j]
        const lead = first === i ? firstSeat : first === j ? -firstSeat : 0
        const chance = 1 / (1 + Math.exp(at[other]! - at[one]! - lead))
        const ofEqual = 1 / (1 + Math.exp(-lead))
        const sign = pairs[number]!.a === one ? count : -count
        const points = isDrawn ? 0.5 : 1
        fromFit[number]! += sign * (points - chance)
        fromEqual[number]! += sign * (points - ofEqual)
        variance[number]! += count * chance * (1 - chance)
        varianceOfEqual[number]! += count * ofEqual * (1 - ofEqual)
        if (isDrawn) drawn[number]! += count / 4
      }
  }
  return { fromFit, variance, fromEqual, varianceOfEqual, drawn }
}
