import type { Clock } from '../clock.ts'
import type { Limits } from '../config.ts'
import { BoundedMap } from '../limits/bounded-map.ts'

interface Failures {
  /** Failed logins, less those that time had made good by `at`. */
  count: number
  at: number
  /** How many lockouts there have been since the source was last forgotten. */
  lockouts: number
  until: number
}

/** Logins that are being checked, and those that wait for them. */
interface Attempts {
  underWay: number
  readonly waiting: (() => void)[]
}

/** Sources that are remembered: enough for a large swarm. */
const capacity = 10_000

/**
 * Exponential backoff for failed logins: a source that has failed too often is locked out for a while, each time for
 * twice as long. Failures are forgotten one by one over time, and every successful login makes up for one, so that one
 * broken agent does not lock out a whole lab behind the same address.
 */
export class Lockouts {
  readonly #clock: Clock
  readonly #limits: Limits
  readonly #failures = new BoundedMap<string, Failures>(capacity)
  readonly #attempts = new Map<string, Attempts>()

  constructor(clock: Clock, limits: Limits) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Whole seconds until the source may log in again; 0 for now. */
  left(source: string): number {
    const failures = this.#failures.get(source)
    return failures === undefined
      ? 0
      : Math.ceil(Math.max(0, failures.until - this.#clock.elapsed()) / 1000)
  }

  /**
   * Runs a login, which asks `left` first. As many run at once as may fail before the source is locked out; others wait. So
   * a source has no more tries by making them all at once.
   */
  async attempt<T>(source: string, login: () => Promise<T>): Promise<T> {
    const attempts = this.#attempts.get(source) ?? { underWay: 0, waiting: [] }
    this.#attempts.set(source, attempts)
    if (attempts.underWay < this.#triesLeft(source)) attempts.underWay++
    else await new Promise<void>(resolve => attempts.waiting.push(resolve))
    try {
      return await login()
    } finally {
      attempts.underWay--
      while (attempts.waiting.length > 0 && attempts.underWay < this.#triesLeft(source)) {
        attempts.underWay++
        attempts.waiting.shift()!()
      }
      if (attempts.underWay === 0) this.#attempts.delete(source)
    }
  }

  /** During a lockout any number may learn of it. */
  #triesLeft(source: string): number {
    if (this.left(source) > 0) return Number.POSITIVE_INFINITY
    const failed = this.#current(source)?.count ?? 0
    return Math.max(1, Math.ceil(this.#limits.lockoutAfter - failed))
  }

  /** Counts a failed login, or a part of one. */
  failed(source: string, weight: number): void {
    const now = this.#clock.elapsed()
    const failures = this.#current(source) ?? { count: 0, at: now, lockouts: 0, until: 0 }
    // Logins that were under way when the lockout began do not make the next one longer.
    if (failures.until > now) return
    failures.count += weight
    const { lockoutAfter, lockoutFirst, lockoutMost } = this.#limits
    if (failures.count >= lockoutAfter) {
      failures.count = lockoutAfter
      failures.until = now + Math.min(lockoutMost, lockoutFirst * 2 ** failures.lockouts++)
      // No failure is forgotten during a lockout.
      failures.at = failures.until
    }
    this.#failures.set(source, failures)
  }

  succeeded(source: string): void {
    const failures = this.#current(source)
    if (failures !== undefined) failures.count = Math.max(0, failures.count - 1)
  }

  /** The failures that have not been forgotten by now. */
  #current(source: string): Failures | undefined {
    const failures = this.#failures.get(source)
    if (failures === undefined) return undefined
    const now = this.#clock.elapsed()
    if (now <= failures.at) return failures
    const { lockoutAfter, lockoutWithin } = this.#limits
    const each = lockoutWithin / lockoutAfter
    const forgotten = Math.floor((now - failures.at) / each)
    failures.count -= forgotten
    failures.at += forgotten * each
    if (failures.count > 0) return failures
    this.#failures.delete(source)
    return undefined
  }
}
