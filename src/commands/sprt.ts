import { InvalidArgumentError } from 'commander'
import { sprtBound } from '../local/statistics.ts'

/** Two differences in Elo, between which a test decides. */
export type Hypotheses = readonly [elo0: number, elo1: number]

/** Reads what is given to `--sprt`. */
export const hypotheses = (value: string): Hypotheses => {
  const [, elo0, elo1] = /^(-?\d{1,4}(?:\.\d+)?),(-?\d{1,4}(?:\.\d+)?)$/.exec(value) ?? []
  if (elo1 === undefined || Number(elo0) >= Number(elo1))
    throw new InvalidArgumentError(
      'Give two differences in Elo, the lower one first, such as 0,10.',
    )
  return [Number(elo0), Number(elo1)]
}

export const decisionOf = (llr: number): 'elo0' | 'elo1' | null =>
  llr >= sprtBound ? 'elo1' : llr <= -sprtBound ? 'elo0' : null

export const decisionText = (
  [elo0, elo1]: Hypotheses,
  llr: number,
  one: string,
  other: string,
): string => {
  const accepted = decisionOf(llr)
  return accepted === null
    ? 'not decided'
    : `accepted: ${one} is ${accepted === 'elo1' ? elo1 : elo0} Elo stronger than ${other}, not ${accepted === 'elo1' ? elo0 : elo1}`
}
