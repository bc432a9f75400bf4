/** How many of each there are, of those of which there are any. */
export class Counter<T> {
  readonly #counts = new Map<T, number>()

  add(item: T): void {
    this.#counts.set(item, (this.#counts.get(item) ?? 0) + 1)
  }

  remove(item: T): void {
    const count = (this.#counts.get(item) ?? 0) - 1
    if (count > 0) this.#counts.set(item, count)
    else this.#counts.delete(item)
  }

  of(item: T): number {
    return this.#counts.get(item) ?? 0
  }

  has(item: T): boolean {
    return this.#counts.has(item)
  }

  keys(): Iterable<T> {
    return this.#counts.keys()
  }

  get size(): number {
    return this.#counts.size
  }
}
