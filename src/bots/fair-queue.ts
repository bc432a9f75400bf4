import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'

/**
 * Items that wait for one worker, each of some account. Whose items have taken the least time is served next, so that
 * many or long ones of one account delay another account by one item at most. `Turns` (src/turns.ts) has no such
 * measure, nor bounds: there all pieces of work are short and must be done.
 */
export class FairQueue<T> {
  readonly #limit: ConcurrencyLimit<number>
  readonly #lines = new Map<number, Line<T>>()
  /** Up to where the account that was served last had used its share. */
  #now = 0

  constructor(perAccount: number, inAll: number) {
    this.#limit = new ConcurrencyLimit({ perKey: perAccount, inAll })
  }

  /** Answers with the item that finds no room: this one, or where all is full the newest of the longest line. */
  add(account: number, item: T): T | undefined {
    if (this.#limit.isFullFor(account)) return item
    const isFull = this.#limit.isFull()
    this.#limit.enter(account)
    this.#line(account).items.push(item)
    return isFull ? this.#dropOne() : undefined
  }

  /** The next item to be served, and whose it is. */
  take(): { readonly account: number; readonly item: T } | undefined {
    let next: [number, Line<T>] | undefined
    for (const entry of this.#lines) {
      if (entry[1].items.length === 0) continue
      if (next === undefined || entry[1].used < next[1].used) next = entry
    }
    if (next === undefined) return undefined
    const [account, line] = next
    this.#now = Math.max(this.#now, line.used)
    this.#limit.leave(account)
    return { account, item: line.items.shift()! }
  }

  /** What an item that was taken has cost. */
  spend(account: number, cost: number): void {
    this.#line(account).used += cost
    // Who has nothing here, and no more used up than anybody, is a newcomer next time.
    for (const [account, { items, used }] of this.#lines)
      if (items.length === 0 && used <= this.#now) this.#lines.delete(account)
  }

  /** Whether the item was still waiting. */
  remove(account: number, item: T): boolean {
    const items = this.#lines.get(account)?.items ?? []
    const at = items.indexOf(item)
    if (at < 0) return false
    items.splice(at, 1)
    this.#limit.leave(account)
    return true
  }

  #line(account: number): Line<T> {
    let line = this.#lines.get(account)
    if (line === undefined) {
      line = { items: [], used: this.#now }
      this.#lines.set(account, line)
    }
    // Time in which an account asked for nothing is not saved up.
    if (line.items.length === 0) line.used = Math.max(line.used, this.#now)
    return line
  }

  #dropOne(): T {
    const longest = this.#limit.largest!
    this.#limit.leave(longest)
    return this.#line(longest).items.pop()!
  }
}

interface Line<T> {
  readonly items: T[]
  used: number
}
