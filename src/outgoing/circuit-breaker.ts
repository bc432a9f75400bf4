import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
  type IBackoff,
} from 'cockatiel'
import type { Clock } from '../clock.ts'

/** Failures in a row after which an endpoint is left alone, and for how many milliseconds, as league.v2 has it. */
const failuresInRow = 5
const openFor = 60_000

/**
 * The circuit breaker of one endpoint: it opens after failures in a row. After a while it is half open: one call is let
 * through as a trial. If that succeeds it closes, and opens again otherwise.
 */
export class CircuitBreaker {
  readonly #clock: Clock
  readonly #policy
  #openUntil = 0

  constructor(clock: Clock, isFailure: (result: unknown) => boolean) {
    this.#clock = clock
    this.#policy = circuitBreaker(handleWhenResult(isFailure), {
      breaker: new ConsecutiveBreaker(failuresInRow),
      halfOpenAfter: { next: () => this.#open() },
    })
  }

  /** Whole seconds until a call may be made; 0 for now. During a trial it is not known, and 1. */
  get wait(): number {
    if (this.#policy.state === CircuitState.HalfOpen) return 1
    return Math.max(0, Math.ceil((this.#openUntil - this.#clock.now()) / 1000))
  }

  /** Only while there is no wait. */
  run<T>(call: () => Promise<T>): Promise<T> {
    return this.#policy.execute(call)
  }

  /**
   * cockatiel compares the duration with the wall clock, which a time server may set. So the duration is longer than all
   * times until ours has passed, and shorter than all after that.
   */
  #open(): IBackoff<unknown> {
    const until = this.#clock.now() + openFor
    const clock = this.#clock
    this.#openUntil = until
    return {
      get duration() {
        return clock.now() < until ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
      },
      next: () => this.#open(),
    }
  }
}
