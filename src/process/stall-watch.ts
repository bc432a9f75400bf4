import type { Clock, Soon, Timer } from '../clock.ts'

/** How often the event loop is checked, in milliseconds. */
const checkEvery = 10
/**
 * The most that the clock advances between two checks, in milliseconds. A message is read one turn of the loop after it
 * arrives, and the clock has advanced by no more than this until then. It must stay below the sum of the referee's `lag`
 * and the 10 ms before the deadline in which an agent may rely on being in time.
 */
export const maxStep = 30
/** Only longer stalls are reported. Garbage collections and commits are shorter, and would fill the log. */
const reportFrom = 1_000

/**
 * A clock that stops while the event loop is blocked, for example by a paused machine, a slow disk or a long garbage
 * collection. No message can be read in that time, so all deadlines and timers move by it. Messages that arrived meanwhile
 * are read before the clock advances, so that no deadline passes while the answer to it is unread.
 */
export class StallWatch implements Clock {
  readonly #machine: Clock
  /** Runs a function once all messages that have arrived by now have been read. */
  readonly #afterReading: (run: () => void) => void
  /** A time on the machine's clock. Everything that arrived before it has been read. */
  #seen: number
  /** The same time on this clock. */
  #time: number
  #isWatching = false
  #timer: Timer | null = null

  constructor(machine: Clock, afterReading: (run: () => void) => void = setImmediate) {
    this.#machine = machine
    this.#afterReading = afterReading
    this.#seen = machine.now()
    this.#time = this.#seen
  }

  now(): number {
    const passed = this.#machine.now() - this.#seen
    return this.#time + (this.#isWatching ? Math.min(passed, maxStep) : passed)
  }

  elapsed(): number {
    return this.#machine.elapsed()
  }

  date(): number {
    return this.#machine.date()
  }

  after(ms: number, run: () => void): Timer {
    const due = this.now() + ms
    const fire = () => {
      const left = due - this.now()
      // The machine's timers have whole milliseconds, and may fire early by a fraction of one.
      if (left < 1) run()
      else timer = this.#machine.after(left, fire)
    }
    let timer = this.#machine.after(ms, fire)
    return { cancel: () => timer.cancel() }
  }

  get soon(): Soon {
    return this.#machine.soon
  }

  /**
   * Starts checking the event loop, and calls `stalled` for each long stall. Before this call the clock is the
   * machine's.
   */
  watch(stalled: (ms: number) => void): void {
    this.#advance(this.#machine.now())
    this.#isWatching = true
    this.#check(stalled)
  }

  close(): void {
    this.#advance(this.#machine.now())
    this.#isWatching = false
    this.#timer?.cancel()
  }

  #check(stalled: (ms: number) => void): void {
    this.#timer = this.#machine.after(checkEvery, () => {
      const seen = this.#machine.now()
      this.#afterReading(() => {
        if (!this.#isWatching) return
        const stall = this.#advance(seen)
        this.#check(stalled)
        if (stall >= reportFrom) stalled(stall)
      })
    })
  }

  /** Advances this clock. Returns how much less it advanced than the machine's clock. */
  #advance(seen: number): number {
    const passed = seen - this.#seen
    const counted = this.#isWatching ? Math.min(passed, maxStep) : passed
    this.#seen = seen
    this.#time += counted
    return passed - counted
  }
}
