/** Something that is written, and how many bytes of it have not been read. */
export interface Writable {
  readonly writableLength: number
  once(event: 'close', run: () => void): unknown
}

/** Counts the bytes that were written for each source and have not been read. */
export class UnreadBytes {
  readonly #writables = new Map<string, Set<Writable>>()

  /** Counts it until it is closed. */
  add(source: string | undefined, writable: Writable): void {
    const key = source ?? ''
    const all = this.#writables.get(key) ?? new Set()
    this.#writables.set(key, all.add(writable))
    writable.once('close', () => {
      all.delete(writable)
      if (all.size === 0 && this.#writables.get(key) === all) this.#writables.delete(key)
    })
  }

  /** What has no source counts in `all` alone. */
  of(source: string | undefined): number {
    return source === undefined ? 0 : sum(this.#writables.get(source) ?? [])
  }

  get all(): number {
    let bytes = 0
    for (const writables of this.#writables.values()) bytes += sum(writables)
    return bytes
  }
}

const sum = (all: Iterable<Writable>): number => {
  let bytes = 0
  for (const { writableLength } of all) bytes += writableLength
  return bytes
}
