/** The clock of the host. All deadlines and timers go through it; tests pass a fake one. */
export interface Clock {
  /**
   * Monotonic milliseconds, for rulings and deadlines. They and all timers may stop while the event loop is blocked
   * (process/stall-watch.ts).
   */
  now(): number
  /** Monotonic milliseconds that never stop, for measurements and rate limits. */
  elapsed(): number
  /** The wall clock in milliseconds since 1970, for records. */
  date(): number
  after(ms: number, run: () => void): Timer
  /** Does what is asked once the code that asks has returned. */
  readonly soon: Soon
}

export interface Timer {
  cancel(): void
}

/**
 * Tasks that run once the code that asks for them has returned, before any timer and before anything else is read. They
 * run in the order in which they were asked; what a task asks runs straight after it, before all that was asked later. So
 * the order is that of plain calls, except that no call has an effect before it returns.
 */
export class Soon {
  readonly #schedule: (run: () => void) => void
  /** The next task is the last one. */
  readonly #tasks: (() => void)[] = []
  /** Asked since the present task began, or since the last one. */
  #asked: (() => void)[] = []
  #isScheduled = false
  #isRunning = false
  readonly #runScheduled = () => {
    this.#isScheduled = false
    if (!this.#isRunning) this.turn(nothing)
  }

  /** `schedule` has the tasks run that are asked outside of a turn. */
  constructor(schedule: (run: () => void) => void) {
    this.#schedule = schedule
  }

  do(task: () => void): void {
    this.#asked.push(task)
    if (!this.#isRunning) this.#runLater()
  }

  /**
   * Runs this, and then all that it asks. A wire does so with each message, so that one message is answered before the
   * next is read. If something throws, the tasks that are left run later.
   */
  turn(run: () => void): void {
    if (this.#isRunning) {
      run()
      return
    }
    this.#isRunning = true
    try {
      this.#runTasks()
      run()
      this.#runTasks()
    } finally {
      this.#isRunning = false
      if (this.#tasks.length + this.#asked.length > 0) this.#runLater()
    }
  }

  #runTasks(): void {
    for (;;) {
      for (let task = this.#asked.pop(); task !== undefined; task = this.#asked.pop())
        this.#tasks.push(task)
      const task = this.#tasks.pop()
      if (task === undefined) return
      task()
    }
  }

  #runLater(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#schedule(this.#runScheduled)
  }
}

const nothing = () => {}

export const systemClock: Clock = {
  now: () => performance.now(),
  elapsed: () => performance.now(),
  date: () => Date.now(),
  after: (ms, run) => {
    const timeout = setTimeout(run, ms)
    return { cancel: () => clearTimeout(timeout) }
  },
  soon: new Soon(queueMicrotask),
}
