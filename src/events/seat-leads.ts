import type { AccountId } from '../arena/account.ts'
import type { EventState } from './state.ts'

/** How much more often each has had the first seat of a board than another one. Who never had a board is not in it. */
export const seatLeads = ({ rounds }: EventState): ReadonlyMap<AccountId, number> => {
  const leads = new Map<AccountId, number>()
  for (const { boards } of rounds)
    for (const { accounts } of boards)
      for (const [seat, account] of accounts.entries())
        leads.set(account, (leads.get(account) ?? 0) + (seat === 0 ? 1 : -1))
  return leads
}
