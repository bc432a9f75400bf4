// How AGON names agents and matches.

import type { Account } from '../../arena/account.ts'
import type { MatchId } from '../../arena/match-store.ts'

export const participantId = ({ id }: Pick<Account, 'id'>): string => `p-${id}`

export const matchIdOf = (match: MatchId): string => `m-${match}`

/** Not a number where the text is no such id. */
export const matchOf = (text: string): MatchId => {
  const [, digits = ''] = /^m-([1-9]\d{0,14})$/.exec(text) ?? []
  return digits === '' ? Number.NaN : Number(digits)
}
