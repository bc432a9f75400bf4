import type { Clock } from '../clock.ts'
import { BoundedMap } from './bounded-map.ts'

export interface Rate {
  readonly perSecond: number
  /** How many tokens a full bucket has: so many may be used at once. */
  readonly burst: number
}

/** A rate limit: tokens are used up, and come back at a steady rate until the bucket is full. It starts full. */
export class TokenBucket {
  readonly #clock: Clock
  readonly #rate: Rate
  #tokens: number
  #at: number

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock
    this.#rate = rate
    this.#tokens = rate.burst
    this.#at = clock.elapsed()
  }

  get isFull(): boolean {
    this.#refill()
    return this.#tokens === this.#rate.burst
  }

  /** Whole seconds until there are so many tokens, or until the bucket is full if it holds fewer; 0 for now. */
  wait(tokens = 0): number {
    this.#refill()
    const missing = Math.min(tokens, this.#rate.burst) - this.#tokens
    return missing <= rounding ? 0 : Math.ceil((missing - rounding / 2) / this.#rate.perSecond)
  }

  /**
   * Takes so many tokens, or all of a full bucket that holds fewer. Where there are not enough it takes none and answers
   * after how many whole seconds there will be.
   */
  take(tokens = 1): number {
    const wait = this.wait(tokens)
    if (wait === 0) this.#tokens -= Math.min(tokens, this.#rate.burst)
    return wait
  }

  /** Takes so many tokens even if there are fewer: the debt is paid back before there are any again. */
  spend(tokens: number): void {
    this.#refill()
    this.#tokens -= tokens
  }

  #refill(): void {
    const now = this.#clock.elapsed()
    const { perSecond, burst } = this.#rate
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1000) * perSecond)
    this.#at = now
  }
}

/** Fractions of a token that get lost to rounding: they count as there, or 59 + 1 s of waiting would become 59 + 2. */
const rounding = 1e-6

/** One token bucket for each key, such as the source of a connection. Forgets the bucket that was used longest ago. */
export class TokenBuckets {
  readonly #clock: Clock
  readonly #rate: Rate
  readonly #buckets: BoundedMap<string, TokenBucket>

  constructor(clock: Clock, rate: Rate, capacity = 10_000) {
    this.#clock = clock
    this.#rate = rate
    this.#buckets = new BoundedMap(capacity)
  }

  wait(key: string, tokens = 0): number {
    return this.#buckets.get(key)?.wait(tokens) ?? 0
  }

  take(key: string, tokens = 1): number {
    return this.#used(key).take(tokens)
  }

  spend(key: string, tokens: number): void {
    this.#used(key).spend(tokens)
  }

  #used(key: string): TokenBucket {
    const bucket = this.#buckets.get(key) ?? new TokenBucket(this.#clock, this.#rate)
    this.#buckets.set(key, bucket)
    return bucket
  }
}
