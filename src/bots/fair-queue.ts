import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'

/**
 * A bounded queue of items that wait for one worker. The account whose items have taken the least time is served next,
 * so many or long items of one account delay another account by one item at most. `FairScheduler` (src/scheduling)
 * measures no time and has no bounds: its work is short, and all of it has to be done.
 */
export class FairQueue<T> {
  readonly #limit: ConcurrencyLimit<number>
  readonly #accounts = new Map<number, AccountItems<T>>()
  /** The time used by the account that was served last: virtual time, as in fair queueing. */
  #virtualTime = 0

  constructor(perAccount: number, inAll: number) {
    this.#limit = new ConcurrencyLimit({ perKey: perAccount, inAll })
  }

  /**
   * Returns the item for which there is no room, if any: this one, or the newest item of the account with the most
   * items.
   */
  add(account: number, item: T): T | undefined {
    if (this.#limit.isFullFor(account)) return item
    const isFull = this.#limit.isFull()
    this.#limit.enter(account)
    this.#itemsOf(account).items.push(item)
    return isFull ? this.#dropNewestOfLargest() : undefined
  }

  /** Takes the next item to be served, with its account. */
  take(): { readonly account: number; readonly item: T } | undefined {
    let next: [number, AccountItems<T>] | undefined
    for (const entry of this.#accounts) {
      if (entry[1].items.length === 0) continue
      if (next === undefined || entry[1].used < next[1].used) next = entry
    }
    if (next === undefined) return undefined
    const [account, own] = next
    this.#virtualTime = Math.max(this.#virtualTime, own.used)
    this.#limit.leave(account)
    return { account, item: own.items.shift()! }
  }

  /** Adds the cost of a served item to its account. */
  spend(account: number, cost: number): void {
    this.#itemsOf(account).used += cost
    // An account without items and without a lead in used time needs no entry.
    for (const [account, { items, used }] of this.#accounts)
      if (items.length === 0 && used <= this.#virtualTime) this.#accounts.delete(account)
  }

  /** Removes a waiting item. Returns false if it was not waiting any more. */
  remove(account: number, item: T): boolean {
    const items = this.#accounts.get(account)?.items ?? []
    const at = items.indexOf(item)
    if (at < 0) return false
    items.splice(at, 1)
    this.#limit.leave(account)
    return true
  }

  #itemsOf(account: number): AccountItems<T> {
    let own = this.#accounts.get(account)
    if (own === undefined) {
      own = { items: [], used: this.#virtualTime }
      this.#accounts.set(account, own)
    }
    // An idle account saves up no time.
    if (own.items.length === 0) own.used = Math.max(own.used, this.#virtualTime)
    return own
  }

  #dropNewestOfLargest(): T {
    const longest = this.#limit.largest!
    this.#limit.leave(longest)
    return this.#itemsOf(longest).items.pop()!
  }
}

interface AccountItems<T> {
  readonly items: T[]
  used: number
}
