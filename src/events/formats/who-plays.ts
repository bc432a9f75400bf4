import type { AccountId } from '../../arena/account.ts'
import type { EventState } from '../state.ts'

/** Those who still get boards, by seeding. */
export const activeOf = ({ entrants }: EventState): readonly AccountId[] =>
  entrants.filter(({ withdrawn }) => !withdrawn).map(({ account }) => account)

/** How many rounds of an event each has had no board in. */
export const byesOf = ({ rounds }: EventState): ((account: AccountId) => number) => {
  const counts = new Map<AccountId, number>()
  for (const { byes } of rounds)
    for (const account of byes) counts.set(account, (counts.get(account) ?? 0) + 1)
  return account => counts.get(account) ?? 0
}
