import { type Clock, Soon, type Timer } from '../../src/clock.ts'

/** A clock that moves only when a test moves it. */
export class FakeClock implements Clock {
  #now = 0
  #date = Date.UTC(2026, 0, 1)
  readonly #timers = new Set<{ due: number; run: () => void }>()
  /** What has been asked is done when time passes, in a microtask, or when a test looks (`finishTick`). */
  readonly soon = new Soon(run => {
    unfinished.add(run)
    queueMicrotask(() => finish(run))
  })

  now(): number {
    return this.#now
  }

  elapsed(): number {
    return this.#now
  }

  date(): number {
    return this.#date + this.#now
  }

  /**
   * Does all that has been asked of hosts with a fake clock, as a real host does at the end of this tick. Test support
   * calls it before it shows what a client has been sent.
   */
  static finishTick(): void {
    for (const run of unfinished) finish(run)
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
    FakeClock.finishTick()
    for (;;) {
      let next: { due: number; run: () => void } | undefined
      for (const timer of this.#timers)
        if (timer.due <= until && (next === undefined || timer.due < next.due)) next = timer
      if (next === undefined) break
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.due)
      next.run()
      FakeClock.finishTick()
    }
    this.#now = until
  }

  /** How many timers are set: a finished match leaves none behind. */
  get pending(): number {
    return this.#timers.size
  }
}

/** The clocks with tasks to be done at the end of the tick. */
const unfinished = new Set<() => void>()

const finish = (run: () => void) => {
  if (unfinished.delete(run)) run()
}
