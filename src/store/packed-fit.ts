import type { LadderId } from '../arena/ladder.ts'
import type { Schema } from './schema.ts'

export type FitRow = Omit<Schema['strength_fits'], 'ladder'>
export type StrengthRow = Omit<Schema['strengths'], 'ladder'>

/** A fit on its way between threads: for each account the five numbers of its row, in the order of `strengthColumns`. */
export interface PackedFit {
  readonly ladder: LadderId
  readonly fit: FitRow
  readonly rows: Float64Array
}

export const packed = (rows: readonly StrengthRow[]): Float64Array =>
  Float64Array.from(rows.flatMap(row => strengthColumns.map(column => row[column])))

export function* unpacked(rows: Float64Array): Iterable<StrengthRow> {
  for (let i = 0; i < rows.length; i += strengthColumns.length)
    yield {
      account: rows[i]!,
      strength: rows[i + 1]!,
      error: rows[i + 2]!,
      matches: rows[i + 3]!,
      start: rows[i + 4]!,
    }
}

export const strengthColumns = ['account', 'strength', 'error', 'matches', 'start'] as const
