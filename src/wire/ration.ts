import type { Clock } from '../clock.ts'

/** What so many milliseconds bring may be used at once. */
const inAdvance = 50_000
/** What lies longest is forgotten first. */
const mostRemembered = 10_000

/** Something of which each source may use so much a second. What is used may go beyond it once, and is made up for. */
export class Ration {
  readonly #clock: Clock
  readonly #perSecond: number
  /** When each source will have made up for all that it has used. */
  readonly #even = new Map<string, number>()

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock
    this.#perSecond = perSecond
  }

  /** Whole seconds until somebody from there may use more; 0 where they may now. */
  left(source: string): number {
    const even = this.#even.get(source) ?? 0
    return Math.ceil(Math.max(0, even - inAdvance - this.#clock.elapsed()) / 1000)
  }

  use(source: string, amount: number): void {
    const even = Math.max(this.#clock.elapsed(), this.#even.get(source) ?? 0)
    this.#even.delete(source)
    this.#even.set(source, even + (amount * 1000) / this.#perSecond)
    if (this.#even.size > mostRemembered) this.#even.delete(this.#even.keys().next().value!)
  }
}
