import type { Clock, Timer } from './clock.ts'

/** How often the event loop is looked at. */
const every = 10
/**
 * The most that the clock moves on between two looks. A message is read in the turn of the loop after it arrived, so it
 * is ruled on with a clock that has moved on by no more than this. It must stay below the referee's `lag` and the 10 ms
 * before its deadline at which an agent may count on being in time.
 */
export const mostAtOnce = 30
/** Garbage collections and commits stay below this, and would fill the log. */
const worthTelling = 1_000

/**
 * A clock that stands still while the event loop does: a paused machine, a slow disk, a long garbage collection. Nobody
 * can be heard in that time, so it counts against nobody: every deadline and timer moves by it together. And what has
 * arrived meanwhile is read before the clock moves on: no deadline passes while the answer to it lies unread.
 */
export class StallWatch implements Clock {
  readonly #machine: Clock
  /** Runs something once all that has arrived by now has been read. */
  readonly #afterReading: (run: () => void) => void
  /** A moment by the machine's clock, all that arrived before which has been read. */
  #seen: number
  /** The same moment by this clock. */
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
    return this.#time + (this.#isWatching ? Math.min(passed, mostAtOnce) : passed)
  }

  elapsed(): number {
    return this.#machine.elapsed()
  }

  date(): number {
    return this.#machine.date()
  }

  after(ms: number, run: () => void): Timer {
    const due = this.now() + ms
    const ring = () => {
      const left = due - this.now()
      // The machine's timers go by whole milliseconds, and may be early by a part of one.
      if (left < 1) run()
      else timer = this.#machine.after(left, ring)
    }
    let timer = this.#machine.after(ms, ring)
    return { cancel: () => timer.cancel() }
  }

  /** Begins to look whether the loop turns, and tells of every stall that is worth telling; until then it turns for sure. */
  watch(stalled: (ms: number) => void): void {
    this.#moveOn(this.#machine.now())
    this.#isWatching = true
    this.#look(stalled)
  }

  close(): void {
    this.#moveOn(this.#machine.now())
    this.#isWatching = false
    this.#timer?.cancel()
  }

  #look(stalled: (ms: number) => void): void {
    this.#timer = this.#machine.after(every, () => {
      const seen = this.#machine.now()
      this.#afterReading(() => {
        if (!this.#isWatching) return
        const stall = this.#moveOn(seen)
        this.#look(stalled)
        if (stall >= worthTelling) stalled(stall)
      })
    })
  }

  /** Answers by how much less than the machine's this clock has moved on. */
  #moveOn(seen: number): number {
    const passed = seen - this.#seen
    const counted = this.#isWatching ? Math.min(passed, mostAtOnce) : passed
    this.#seen = seen
    this.#time += counted
    return passed - counted
  }
}
