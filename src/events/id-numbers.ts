import type { AccountId } from '../arena/account.ts'
import type { Entrant } from './state.ts'

/**
 * The number of each entrant in the ids of a protocol, such as 3 for P03: the one that was granted to it, or else that of its entry, or the
 * first that is free.
 */
export const idNumbers = (
  entrants: readonly Entrant[],
  granted: ReadonlyMap<AccountId, number>,
): ReadonlyMap<AccountId, number> => {
  const numbers = new Map(granted)
  const taken = new Set(granted.values())
  for (const { account, number } of entrants.toSorted((a, b) => a.number - b.number)) {
    if (numbers.has(account)) continue
    const own = taken.has(number) ? firstFree(taken) : number
    numbers.set(account, own)
    taken.add(own)
  }
  return numbers
}

/** From 1 on. */
export const firstFree = (taken: ReadonlySet<number>): number => {
  let number = 1
  while (taken.has(number)) number++
  return number
}
