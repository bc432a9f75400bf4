import type { Clock, Timer } from '../clock.ts'

/** Calls back at a time that may be put off as often as one likes: nearly every move makes the next deadline later. */
export class WakeTimer {
  readonly #clock: Clock
  readonly #wake: (now: number) => void
  /** Keeps running when the time is put off, and is set again when it fires too early. */
  #timer: Timer | null = null
  #firesAt = 0
  #at = Number.POSITIVE_INFINITY

  constructor(clock: Clock, wake: (now: number) => void) {
    this.#clock = clock
    this.#wake = wake
  }

  /** Infinity: never. */
  set(at: number): void {
    this.#at = at
    if (this.#timer !== null && this.#firesAt <= at) return
    this.cancel()
    if (at === Number.POSITIVE_INFINITY) return
    this.#firesAt = at
    this.#timer = this.#clock.after(Math.max(0, at - this.#clock.now()), () => {
      this.#timer = null
      const now = this.#clock.now()
      if (now < this.#at) this.set(this.#at)
      else this.#wake(now)
    })
  }

  cancel(): void {
    this.#timer?.cancel()
    this.#timer = null
  }
}
