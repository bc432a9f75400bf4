import type { Clock } from '../clock.ts'

/** So much a second, and what was not used is saved up to a bound. */
export class Allowance {
  readonly #clock: Clock
  readonly #perSecond: number
  readonly #most: number
  #saved: number
  #at: number

  constructor(clock: Clock, perSecond: number, most: number) {
    this.#clock = clock
    this.#perSecond = perSecond
    this.#most = most
    this.#saved = most
    this.#at = clock.elapsed()
  }

  /** Whether nothing has been used for long enough to save all that can be saved. */
  get isFull(): boolean {
    this.#save()
    return this.#saved === this.#most
  }

  /** Uses so much, or nothing: then it says after how many whole seconds there will be enough. */
  take(wanted = 1): number {
    this.#save()
    const amount = Math.min(wanted, this.#most)
    if (this.#saved < amount) return Math.ceil((amount - this.#saved) / this.#perSecond)
    this.#saved -= amount
    return 0
  }

  #save(): void {
    const now = this.#clock.elapsed()
    this.#saved = Math.min(this.#most, this.#saved + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
  }
}
