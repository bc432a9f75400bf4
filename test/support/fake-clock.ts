import type { Clock, Timer } from '../../src/clock.ts'

/** A clock that stands still until it is told to move. */
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

  /** Sets the wall clock, as an operator or a time server may: nothing falls due by it. */
  jump(ms: number): void {
    this.#date += ms
  }

  /** The process stands still: time goes on, and what falls due meanwhile runs late, when time is next moved on. */
  stall(ms: number): void {
    this.#now += ms
  }

  after(ms: number, run: () => void): Timer {
    const timer = { due: this.#now + ms, run }
    this.#timers.add(timer)
    return { cancel: () => this.#timers.delete(timer) }
  }

  /** Moves time on, running what falls due in its order, at its own moment. */
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
