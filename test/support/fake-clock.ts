import type { Clock, Timer } from '../../src/clock.ts'

/** A clock that moves only when a test moves it. */
export class FakeClock implements Clock {
  #now = 0
  #date = Date.UTC(2026, 0, 1)
  readonly #timers = new Set<{ due: number; run: () => void }>()

  now(): number {
    return this.#now
  }

  elapsed(): number {
    return this.#now
  }

  date(): number {
    return this.#date + this.#now
  }

  /** Sets the wall clock, as an operator or a time server does. No timer runs by it. */
  jump(ms: number): void {
    this.#date += ms
  }

  /** Stalls the process: time passes, and timers that are due run late, when time moves again. */
  stall(ms: number): void {
    this.#now += ms
  }

  after(ms: number, run: () => void): Timer {
    const timer = { due: this.#now + ms, run }
    this.#timers.add(timer)
    return { cancel: () => this.#timers.delete(timer) }
  }

  /** Moves time, and runs each timer at its time and in order. */
  pass(ms: number): void {
    const until = this.#now + ms
    for (;;) {
      let next: { due: number; run: () => void } | undefined
      for (const timer of this.#timers)
        if (timer.due <= until && (next === undefined || timer.due < next.due)) next = timer
      if (next === undefined) break
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.due)
      next.run()
    }
    this.#now = until
  }

  /** How many timers are set: a finished match leaves none behind. */
  get pending(): number {
    return this.#timers.size
  }
}
