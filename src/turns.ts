/**
 * Lets work wait for its turn: one piece at a time, with everything that has come in meanwhile done in between. So a
 * thousand screens to be drawn, or pages to be made, delay a player's move by no more than one of them. Where several
 * have work to be done they take turns, so that nobody waits for all that somebody else wants.
 */
export class Turns {
  /** Whoever is next comes first. */
  readonly #waiting = new Map<string, Work[]>()
  readonly #later: (run: () => void) => void
  #running = false

  constructor(later: (run: () => void) => void = setImmediate) {
    this.#later = later
  }

  add(work: Work, whose = ''): void {
    const waiting = this.#waiting.get(whose)
    if (waiting === undefined) this.#waiting.set(whose, [work])
    else waiting.push(work)
    if (!this.#running) this.#goOn()
  }

  #goOn(): void {
    this.#running = this.#waiting.size > 0
    if (this.#running) this.#later(() => this.#next())
  }

  #next(): void {
    const [whose, waiting] = this.#waiting.entries().next().value!
    const work = waiting.shift()!
    this.#waiting.delete(whose)
    if (waiting.length > 0) this.#waiting.set(whose, waiting)
    let done: unknown
    try {
      done = work()
    } finally {
      if (!(done instanceof Promise)) this.#goOn()
    }
    if (done instanceof Promise) void done.finally(() => this.#goOn())
  }
}

/** Where it gives a promise it is done when that is kept. */
type Work = () => unknown
