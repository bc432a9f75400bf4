/** Something that is written, and how much of it has not been read. */
export interface Written {
  readonly writableLength: number
  once(event: 'close', run: () => void): unknown
}

/** What has been written for each source and has not been read. */
export class UnreadBytes {
  readonly #written = new Map<string, Set<Written>>()

  /** Counts it until it is closed. */
  add(source: string | undefined, written: Written): void {
    const whose = source ?? ''
    const all = this.#written.get(whose) ?? new Set()
    this.#written.set(whose, all.add(written))
    written.once('close', () => {
      all.delete(written)
      if (all.size === 0 && this.#written.get(whose) === all) this.#written.delete(whose)
    })
  }

  /** Bytes. Those without a source are counted in `all` alone. */
  of(source: string | undefined): number {
    return source === undefined ? 0 : sum(this.#written.get(source) ?? [])
  }

  get all(): number {
    let bytes = 0
    for (const written of this.#written.values()) bytes += sum(written)
    return bytes
  }
}

const sum = (all: Iterable<Written>): number => {
  let bytes = 0
  for (const { writableLength } of all) bytes += writableLength
  return bytes
}
