import type { AccountId } from './account.ts'
import type { Fault } from './ending.ts'

/** How a match against other players ended for an account. */
export interface Ended {
  /** Why the account itself was faulted, or null. */
  readonly fault: Fault | null
  readonly against: readonly AccountId[]
}

/** An account is only paused after failures against this many opponents, so that no single opponent can cause it. */
const differentOpponents = 3

/** Whether a fault shows that the bot does not work. */
export const isFailure = (fault: Fault | null): boolean => fault === 'late' || fault === 'illegal'

/** Whether the last matches are this many failures in a row, against enough opponents. `endings` begin with the newest. */
export const keepsFailing = (endings: Iterable<Ended>, failures: number): boolean => {
  let row = 0
  const opponents = new Set<AccountId>()
  for (const { fault, against } of endings) {
    // A lost connection says as much about the network as about the bot.
    if (fault === 'gone') continue
    if (!isFailure(fault)) return false
    row++
    for (const account of against) opponents.add(account)
    if (row >= failures && opponents.size >= differentOpponents) return true
  }
  return false
}
