import type { AccountId } from '../arena/account.ts'
import type { LadderId } from '../arena/ladder.ts'
import type { FitRow, StrengthRow } from '../store/packed-fit.ts'
import { anchorsOf } from './anchors.ts'
import { type FitStart, fitStrengths } from './fit.ts'
import type { Outcomes } from './outcomes.ts'

/** Fits a ladder as it is kept: live, and again by `verify`. `lastOrder`: the place of its last result in the order of all. */
export const fitLadder = (
  ladder: LadderId,
  outcomes: Outcomes,
  { strength, first, house }: LadderStart,
): {
  readonly fit: Omit<FitRow, 'last_seq' | 'voided' | 'took_ms'>
  readonly rows: readonly StrengthRow[]
} => {
  const anchors = anchorsOf(ladder)
  const { firstError, intransitivity, strengths, ...fitted } = fitStrengths(outcomes, {
    strength,
    first,
    anchor: account => anchors[house.get(account) ?? ''],
  })
  return {
    fit: {
      matches: outcomes.count,
      first: fitted.first,
      first_error: firstError,
      first_start: first,
      intransitivity,
    },
    rows: strengths,
  }
}

interface LadderStart extends Pick<FitStart, 'strength' | 'first'> {
  /** The names of house players, by account. */
  readonly house: ReadonlyMap<AccountId, string>
}
