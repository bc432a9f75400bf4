import type { Clock } from '../clock.ts'

/** Runs the work of one session, so that an exception ends that session alone. Once closed, it runs nothing. */
export class ErrorBoundary {
  /** A clock whose timers run inside this boundary. */
  readonly clock: Clock
  readonly #failed: (error: unknown) => void
  #isOpen = true

  constructor(clock: Clock, failed: (error: unknown) => void) {
    this.#failed = failed
    this.clock = {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      date: () => clock.date(),
      after: (ms, run) => clock.after(ms, () => this.run(run)),
      soon: clock.soon,
    }
  }

  run(work: () => void): void {
    if (!this.#isOpen) return
    try {
      work()
    } catch (error) {
      this.#failed(error)
    }
  }

  close(): void {
    this.#isOpen = false
  }
}
