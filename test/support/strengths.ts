import type { LadderId } from '../../src/arena/ladder.ts'
import type { Strength } from '../../src/arena/strength.ts'
import type { FitRow } from '../../src/store/packed-fit.ts'
import type { Tables } from '../../src/store/tables.ts'

/** Replaces the fit of a ladder by these strengths, by the names of the accounts. */
export const putStrengths = (
  { strengths, users }: Pick<Tables, 'strengths' | 'users'>,
  ladder: LadderId,
  given: Readonly<Record<string, Strength>>,
  fit: Partial<FitRow> = {},
): void =>
  strengths.keep(
    ladder,
    { ...emptyFit, ...fit },
    Object.entries(given).map(([name, { value, error }]) => ({
      ...{ account: users.find(name)!.id, strength: value, error, matches: 30, start: 1500 },
    })),
  )

const emptyFit: FitRow = {
  ...{ last_seq: 1, voided: '', matches: 30, took_ms: 1, intransitivity: null },
  ...{ first: 0, first_error: 0, first_start: 0 },
}
