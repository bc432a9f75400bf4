import { Counter } from './counter.ts'

export interface Concurrency {
  /** How much there may be at a time, of all keys together. Unlimited unless given. */
  readonly inAll?: number
  /** How much there may be at a time of one key. Unlimited unless given. */
  readonly perKey?: number
}

/**
 * Limits how much there is at a time, in all and for each key. What has entered has to leave again. What has no key
 * (undefined) counts in all alone.
 */
export class ConcurrencyLimit<K> {
  readonly #counts = new Counter<K>()
  readonly #inAll: number
  readonly #perKey: number
  #total = 0

  constructor({ inAll, perKey }: Concurrency) {
    this.#inAll = inAll ?? Number.POSITIVE_INFINITY
    this.#perKey = perKey ?? Number.POSITIVE_INFINITY
  }

  /** Whether there is no room for so much more, whatever its key. */
  isFull(amount = 1): boolean {
    return this.#total + amount > this.#inAll
  }

  /** Whether there is no room for so much more of this key. */
  isFullFor(key: K | undefined, amount = 1): boolean {
    return key !== undefined && this.of(key) + amount > this.#perKey
  }

  /** Counts without asking whether there is room: a caller may allow exceptions. */
  enter(key: K | undefined, amount = 1): void {
    this.#total += amount
    if (key !== undefined) this.#counts.add(key, amount)
  }

  leave(key: K | undefined, amount = 1): void {
    this.#total -= amount
    if (key !== undefined) this.#counts.remove(key, amount)
  }

  of(key: K | undefined): number {
    return key === undefined ? 0 : this.#counts.of(key)
  }

  get total(): number {
    return this.#total
  }

  /** How many different keys there are at present. */
  get keyCount(): number {
    return this.#counts.size
  }

  /** The key with the highest count, the earliest of several; undefined when there is none. */
  get largest(): K | undefined {
    let largest: [key: K | undefined, count: number] = [undefined, 0]
    for (const entry of this.#counts.entries()) if (entry[1] > largest[1]) largest = entry
    return largest[0]
  }
}
