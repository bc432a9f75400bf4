// Texts of several commands.

import type { MatchRecord } from '../record/match-record.ts'
import { momentText } from '../record/time-text.ts'

/** A time in a table; "-" for null. */
export const when = (at: number | null): string => (at === null ? '-' : momentText(at))

/** When a match was voided, and why. */
export const voidedText = ({ at, reason }: NonNullable<MatchRecord['voided']>): string =>
  reason === null ? when(at) : `${when(at)}: ${reason}`
