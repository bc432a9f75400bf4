import type { Clock } from '../clock.ts'

/** Runs what one session does, so that a fault in it ends that session alone; and nothing any more once it is over. */
export class Guard {
  /** Timers under this guard. */
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
