import type { AccountId } from './account.ts'
import type { Fault } from './ending.ts'

/** How a match with others ended for an account. */
export interface Ended {
  /** What the account itself was faulted for. */
  readonly fault: Fault | null
  readonly against: readonly AccountId[]
}

/** So many opponents it takes, so that none of them can be the cause. */
const differentOpponents = 3

/** What a bot fails by that is not well. */
export const isFailure = (fault: Fault | null): boolean => fault === 'late' || fault === 'illegal'

/** Whether so many failures in a row, against enough others, came last. `endings` are the newest first. */
export const keepsFailing = (endings: Iterable<Ended>, failures: number): boolean => {
  let row = 0
  const opponents = new Set<AccountId>()
  for (const { fault, against } of endings) {
    // A lost line says as much about the network as about the bot.
    if (fault === 'gone') continue
    if (!isFailure(fault)) return false
    row++
    for (const account of against) opponents.add(account)
    if (row >= failures && opponents.size >= differentOpponents) return true
  }
  return false
}
