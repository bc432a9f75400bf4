/** Counts by key. A key whose count is 0 takes up no memory. */
export class Counter<K> {
  readonly #counts = new Map<K, number>()

  add(key: K, amount = 1): void {
    this.#counts.set(key, this.of(key) + amount)
  }

  remove(key: K, amount = 1): void {
    const count = this.of(key) - amount
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }

  of(key: K): number {
    return this.#counts.get(key) ?? 0
  }

  has(key: K): boolean {
    return this.#counts.has(key)
  }

  keys(): Iterable<K> {
    return this.#counts.keys()
  }

  entries(): Iterable<[K, number]> {
    return this.#counts.entries()
  }

  clear(): void {
    this.#counts.clear()
  }

  /** How many different keys have a count. */
  get size(): number {
    return this.#counts.size
  }
}
