/**
 * Runs work that no match waits for, one piece per turn of the event loop. A thousand screens or pages delay a move by no
 * more than one of them. Sources take turns, so that no source waits for all the work of another.
 */
export class FairScheduler {
  /** Waiting work by source, in the order in which sources are served. */
  readonly #waiting = new Map<string, Work[]>()
  readonly #defer: (run: () => void) => void
  #running = false

  constructor(defer: (run: () => void) => void = setImmediate) {
    this.#defer = defer
  }

  add(work: Work, source = ''): void {
    const waiting = this.#waiting.get(source)
    if (waiting === undefined) this.#waiting.set(source, [work])
    else waiting.push(work)
    if (!this.#running) this.#schedule()
  }

  #schedule(): void {
    this.#running = this.#waiting.size > 0
    if (this.#running) this.#defer(() => this.#runNext())
  }

  #runNext(): void {
    const [source, waiting] = this.#waiting.entries().next().value!
    const work = waiting.shift()!
    this.#waiting.delete(source)
    if (waiting.length > 0) this.#waiting.set(source, waiting)
    let done: unknown
    try {
      done = work()
    } finally {
      if (!(done instanceof Promise)) this.#schedule()
    }
    if (done instanceof Promise) void done.finally(() => this.#schedule())
  }
}

/** Work that returns a promise is done when the promise is settled. */
type Work = () => unknown
