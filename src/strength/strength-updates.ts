import type { Clock, Timer } from '../clock.ts'
import type { PackedFit } from '../store/packed-fit.ts'
import type { Remote } from '../threads/calls.ts'
import type { Fitter } from './fitter.ts'

/** Has ladders fitted soon after their results, so that fitting takes at most a tenth of one processor. */
export class StrengthUpdates {
  readonly #clock: Clock
  readonly #fitter: Remote<Pick<Fitter, 'next'>>
  readonly #keep: (fit: PackedFit) => Promise<unknown>
  readonly #failed: (error: unknown) => void
  #timer: Timer | null = null
  #isFitting = false
  #isBehind = false
  #isClosed = false

  constructor({ clock, fitter, keep, failed }: StrengthUpdateOptions) {
    this.#clock = clock
    this.#fitter = fitter
    this.#keep = keep
    this.#failed = failed
  }

  /** Results have come, or have changed. */
  changed(): void {
    this.#isBehind = true
    this.#later(shortest)
  }

  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
  }

  #later(ms: number): void {
    if (this.#isFitting || this.#isClosed) return
    this.#timer ??= this.#clock.after(ms, () => {
      this.#timer = null
      void this.#fit()
    })
  }

  async #fit(): Promise<void> {
    this.#isFitting = true
    this.#isBehind = false
    const began = this.#clock.elapsed()
    try {
      for (let fit = await this.#fitter.next(); fit !== null && !this.#isClosed; ) {
        await this.#keep(fit)
        fit = await this.#fitter.next()
      }
    } catch (error) {
      if (!this.#isClosed) this.#failed(error)
    }
    this.#isFitting = false
    if (this.#isBehind) this.#later(Math.max(shortest, 9 * (this.#clock.elapsed() - began)))
  }
}

interface StrengthUpdateOptions {
  readonly clock: Clock
  /** Runs in another thread. */
  readonly fitter: Remote<Pick<Fitter, 'next'>>
  /** Resolves once the fit is on disk. */
  readonly keep: (fit: PackedFit) => Promise<unknown>
  readonly failed: (error: unknown) => void
}

/** From a result to the next fit, in milliseconds. */
const shortest = 5_000
