/**
 * Lets work wait for its turn: one piece at a time, with everything that has come in meanwhile done in between. So a
 * thousand screens to be drawn, or pages to be made, delay a player's move by no more than one of them.
 */
export class Turns {
  readonly #waiting: (() => void)[] = []
  readonly #later: (run: () => void) => void
  #running = false

  constructor(later: (run: () => void) => void = setImmediate) {
    this.#later = later
  }

  add(work: () => void): void {
    this.#waiting.push(work)
    if (this.#running) return
    this.#running = true
    this.#later(() => this.#next())
  }

  #next(): void {
    const work = this.#waiting.shift()
    this.#running = this.#waiting.length > 0
    if (this.#running) this.#later(() => this.#next())
    work?.()
  }
}
