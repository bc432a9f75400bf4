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
