// What a fit says of a whole ladder, in words for people.

import type { Ladder } from '../arena/ladder.ts'
import { expectedScore } from '../arena/strength.ts'
import { gameOf } from '../games/index.ts'
import { ratingText } from './rating-text.ts'
import { capital } from './result-text.ts'

/** How much the first seat is worth, and how much of the ladder is not transitive. */
export const fitTexts = (
  ladder: Ladder,
  { first, first_error, intransitivity }: Fit,
): readonly string[] => {
  const side = gameOf(ladder.game)?.sides?.[0]
  const seat = `the first seat${side === undefined ? '' : ` (${side})`}`
  const points = `${signed(first)} ± ${ratingText(first_error)} points`
  return [
    first_error > widestShown
      ? `There are too few matches to say what ${seat} is worth.`
      : `${capital(seat)} is worth ${points} of strength: of two equals, the one in it is expected to score ${percentText(expectedScore(first))}.`,
    intransitivity === null
      ? 'Too few pairs have met often enough to say how much of the results is not transitive.'
      : `${percentText(intransitivity)} of what the results of pairs tell beyond chance is not transitive: no strengths explain it, as where A beats B, B beats C and C beats A.`,
  ]
}

/** Half the width of an interval within which the expected score of two equals goes from 30 to 70 %. */
const widestShown = 150

interface Fit {
  readonly first: number
  readonly first_error: number
  readonly intransitivity: number | null
}

export const percentText = (share: number): string => `${(100 * share).toFixed(0)} %`

const signed = (points: number): string => `${points < 0 ? '−' : ''}${ratingText(Math.abs(points))}`
