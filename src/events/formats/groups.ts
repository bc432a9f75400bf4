import type { AccountId } from '../../arena/account.ts'
import { byLot } from '../lot.ts'
import type { EventPlan } from '../plan.ts'
import type { EventState } from '../state.ts'

/** Into how many groups of which size so many are divided, and how many are left over. */
export const groupSizes = (
  count: number,
  { least, most }: EventPlan['seats'],
): { readonly sizes: readonly number[]; readonly rest: number } => {
  const groups = Math.ceil(count / most)
  if (groups > 0 && Math.floor(count / groups) >= least)
    return {
      sizes: Array.from({ length: groups }, (_, index) => Math.ceil((count - index) / groups)),
      rest: 0,
    }
  const full = Math.floor(count / most)
  return { sizes: Array.from({ length: full }, () => most), rest: count - full * most }
}

/** A list cut into pieces of these sizes. */
export const cut = <T>(list: readonly T[], sizes: readonly number[]): readonly (readonly T[])[] => {
  let from = 0
  return sizes.map(size => {
    from += size
    return list.slice(from - size, from)
  })
}

/** A list dealt out to groups of these sizes, one by one and back again. The larger groups come first. */
export const dealt = <T>(
  list: readonly T[],
  sizes: readonly number[],
): readonly (readonly T[])[] => {
  const groups = sizes.map((): T[] => [])
  for (const item of list) {
    const fewest = Math.min(...groups.map(({ length }) => length))
    const open = groups.filter(({ length }, index) => length === fewest && length < sizes[index]!)
    open.at(fewest % 2 === 0 ? 0 : -1)?.push(item)
  }
  return groups
}

/** Exchanges two of different groups for as long as that lowers the sum of what pairs in one group cost. */
export const improved = (
  start: readonly (readonly AccountId[])[],
  cost: (a: AccountId, b: AccountId) => number,
): readonly (readonly AccountId[])[] => {
  const groups = start.map(group => [...group])
  const costIn = (account: AccountId, group: readonly AccountId[], but: AccountId) =>
    group.reduce(
      (sum, other) => sum + (other === account || other === but ? 0 : cost(account, other)),
      0,
    )
  const exchange = (): boolean => {
    let has = false
    for (const [index, left] of groups.entries())
      for (const right of groups.slice(index + 1))
        for (let i = 0; i < left.length; i++)
          for (let j = 0; j < right.length; j++) {
            const [a, b] = [left[i]!, right[j]!]
            const now = costIn(a, left, a) + costIn(b, right, b)
            if (costIn(b, left, a) + costIn(a, right, b) >= now - 1e-9) continue
            left[i] = b
            right[j] = a
            has = true
          }
    return has
  }
  while (exchange());
  return groups
}

/** Seats a group so that each account has each seat about as often as each other one. */
export const seated = (state: EventState, group: readonly AccountId[]): readonly AccountId[] => {
  const boards = state.rounds.flatMap(({ boards }) => boards)
  const timesAt = group.map(account =>
    group.map((_, seat) => boards.filter(({ accounts }) => accounts[seat] === account).length),
  )
  const round = state.rounds.length + 1
  const order = byLot(state.plan.seed, `seats of round ${round}`, [...group.keys()])
  for (let has = true; has; ) {
    has = false
    for (let i = 0; i < order.length; i++)
      for (let j = i + 1; j < order.length; j++) {
        const [a, b] = [timesAt[order[i]!]!, timesAt[order[j]!]!]
        if (a[j]! + b[i]! >= a[i]! + b[j]!) continue
        ;[order[i], order[j]] = [order[j]!, order[i]!]
        has = true
      }
  }
  return order.map(index => group[index]!)
}
