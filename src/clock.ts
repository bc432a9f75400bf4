/** Time as the house knows it. Nothing else asks the machine what time it is or sets a timer. */
export interface Clock {
  /**
   * Milliseconds that only ever go forward, whatever happens to the wall clock: for rulings and deadlines. It may stand
   * still while the process does (stall-watch.ts), and all timers with it.
   */
  now(): number
  /** Milliseconds that go forward even then: for measuring, and for what is allowed per second. */
  elapsed(): number
  /** The wall clock in milliseconds since 1970: for the record. */
  date(): number
  after(ms: number, run: () => void): Timer
}

export interface Timer {
  cancel(): void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  elapsed: () => performance.now(),
  date: () => Date.now(),
  after: (ms, run) => {
    const timeout = setTimeout(run, ms)
    return { cancel: () => clearTimeout(timeout) }
  },
}
