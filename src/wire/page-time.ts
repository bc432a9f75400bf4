import type { Clock } from '../clock.ts'

/** So many milliseconds' worth of time may be used in advance. */
const inAdvance = 50_000
/** What lies longest is forgotten first. */
const mostRemembered = 10_000

/** How long pages were made for each source, of which it has so many milliseconds a second. */
export class PageTime {
  readonly #clock: Clock
  readonly #perSecond: number
  /** When each source has made up for what it was given. */
  readonly #even = new Map<string, number>()

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock
    this.#perSecond = perSecond
  }

  /** Whole seconds until somebody from there gets another page; 0 where they do now. */
  left(source: string): number {
    const even = this.#even.get(source) ?? 0
    return Math.ceil(Math.max(0, even - inAdvance - this.#clock.now()) / 1000)
  }

  spent(source: string, ms: number): void {
    const even = Math.max(this.#clock.now(), this.#even.get(source) ?? 0)
    this.#even.delete(source)
    this.#even.set(source, even + (ms * 1000) / this.#perSecond)
    if (this.#even.size > mostRemembered) this.#even.delete(this.#even.keys().next().value!)
  }
}
