import { type Pieces, slice, type TextSlice, type TextSource } from './text-stream.ts'

/** A slice has about this many characters at most. */
const chunk = 32 * 1024

/** A text that this thread makes. */
export class SlicedText implements TextSource {
  readonly holds: number
  readonly #begin: () => Pieces
  #pieces: Iterator<string> | null = null

  /** `begin` is called for the first slice. */
  constructor(holds: number, begin: () => Pieces) {
    this.holds = holds
    this.#begin = begin
  }

  next(): TextSlice {
    const began = performance.now()
    this.#pieces ??= this.#begin()[Symbol.iterator]()
    let text = ''
    for (;;) {
      const { done: isLast = false, value } = this.#pieces.next()
      if (!isLast) text += value
      const ms = performance.now() - began
      if (isLast || text.length >= chunk || ms >= slice) return { text, isLast, ms }
    }
  }

  stop(): void {
    this.#pieces?.return?.()
  }
}

/** Runs work to its end within one turn of the scheduler, yielding to the event loop after each slice. */
export const inSlices = async <T>(work: Iterator<unknown, T>): Promise<T> => {
  let until = performance.now() + slice
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() < until) continue
    await new Promise(setImmediate)
    until = performance.now() + slice
  }
}
