import type { AccountId } from '../arena/account.ts'
import { halfWidths } from './half-widths.ts'
import { intransitivityOf } from './intransitivity.ts'
import { Likelihood } from './likelihood.ts'
import type { Outcomes } from './outcomes.ts'
import { pointsOf, pointsPerUnit, unitOf } from './scale.ts'

/** What a fit begins with. A result follows from it to the last digit; another start changes no digit that is shown. */
export interface FitStart {
  /** By account. */
  strength(account: AccountId): number
  readonly first: number
  /** The strength of a house player that is known, and holds the scale; undefined for all others. */
  anchor(account: AccountId): number | undefined
}

export interface Fit {
  /** How many points the first seat is worth, and half the width of its 95 % interval. */
  readonly first: number
  readonly firstError: number
  readonly intransitivity: number | null
  /** Of all accounts that are no anchors, in the order of `Outcomes`. */
  readonly strengths: readonly Fitted[]
}

interface Fitted {
  readonly account: AccountId
  readonly strength: number
  /** Half the width of the 95 % interval of the difference to the average of the ladder. */
  readonly error: number
  readonly matches: number
  readonly start: number
}

/** Fits the strengths of all accounts of a ladder at once: the most likely ones, by Newton's method. */
export const fitStrengths = (outcomes: Outcomes, start: FitStart): Fit => {
  const { accounts } = outcomes
  const anchors = accounts.map(start.anchor)
  const fixed = Uint8Array.from([...anchors.map(anchor => (anchor === undefined ? 0 : 1)), 0])
  const starts = accounts.map((account, i) => anchors[i] ?? start.strength(account))
  const at = Float64Array.from([...starts.map(unitOf), start.first / pointsPerUnit])
  const likelihood = new Likelihood(outcomes, fixed)
  for (let step = 0; step < maxSteps; step++) {
    likelihood.derive(at)
    const change = likelihood.curvature.solve(likelihood.slope)
    const largest = change.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const share = Math.min(1, longestStep / largest)
    for (let i = 0; i < at.length; i++) at[i]! += share * change[i]!
    if (largest < nearEnough) break
  }
  likelihood.derive(at)
  const widths = halfWidths(outcomes, likelihood, fixed)
  return {
    first: rounded(at[accounts.length]! * pointsPerUnit),
    firstError: rounded(widths[accounts.length]! * pointsPerUnit),
    intransitivity: intransitivityOf(outcomes, at, fixed),
    strengths: accounts.flatMap((account, i) =>
      fixed[i] === 1
        ? []
        : {
            account,
            strength: rounded(pointsOf(at[i]!)),
            error: rounded(widths[i]! * pointsPerUnit),
            matches: outcomes.matches[i]!,
            start: starts[i]!,
          },
    ),
  }
}

/** Newton's method doubles the digits that are right with each step; it goes astray where a step is much longer than 1. */
const maxSteps = 50
const longestStep = 2
const nearEnough = 1e-7

/** Thousandths of a point. */
const rounded = (points: number): number => Math.round(points * 1000) / 1000
