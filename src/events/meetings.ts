import type { AccountId } from '../arena/account.ts'
import type { EventState } from './state.ts'

/** How often two have been drawn to one board. */
export const meetings = ({
  rounds,
}: Pick<EventState, 'rounds'>): ((a: AccountId, b: AccountId) => number) => {
  const counts = new Map<string, number>()
  for (const { boards } of rounds)
    for (const { accounts } of boards)
      for (const [seat, one] of accounts.entries())
        for (const other of accounts.slice(seat + 1)) {
          const pair = pairOf(one, other)
          counts.set(pair, (counts.get(pair) ?? 0) + 1)
        }
  return (a, b) => counts.get(pairOf(a, b)) ?? 0
}

const pairOf = (a: AccountId, b: AccountId) => (a < b ? `${a} ${b}` : `${b} ${a}`)
