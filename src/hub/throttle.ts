import type { Clock } from '../clock.ts'

/** Allows each name so many tries in a time. */
export class Throttle {
  readonly #clock: Clock
  readonly #most: number
  readonly #within: number
  readonly #tries = new Map<string, number[]>()

  constructor(clock: Clock, most: number, within: number) {
    this.#clock = clock
    this.#most = most
    this.#within = within
  }

  /** Counts a try; false when there have been too many. */
  allows(name: string): boolean {
    const now = this.#clock.elapsed()
    const recent = (this.#tries.get(name) ?? []).filter(at => now - at < this.#within)
    this.#tries.delete(name)
    if (this.#tries.size >= mostNames) this.#tries.delete(this.#tries.keys().next().value!)
    this.#tries.set(name, recent.length < this.#most ? [...recent, now] : recent)
    return recent.length < this.#most
  }
}

const mostNames = 10_000
