import type { Clock } from '../clock.ts'
import type { Limits } from '../config.ts'

/** What one source has failed at. */
interface Record {
  /** Failures, less those that time had made good at `at`. */
  failures: number
  at: number
  /** How often it has been locked out since it was last forgotten. */
  lockouts: number
  until: number
}

/** Enough for a large swarm; what lies longest is forgotten first. */
const mostRemembered = 10_000

/**
 * Who has failed to log in so often that nobody from there is let in for a while, each time for twice as long. Failures
 * fade with time, and every login that succeeds makes up for one, so that one broken agent does not shut out a whole
 * lab behind the same address.
 */
export class Lockouts {
  readonly #clock: Clock
  readonly #limits: Limits
  readonly #records = new Map<string, Record>()

  constructor(clock: Clock, limits: Limits) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Whole seconds until somebody from there is let in again; 0 where they are now. */
  left(source: string): number {
    const record = this.#records.get(source)
    return record === undefined
      ? 0
      : Math.ceil(Math.max(0, record.until - this.#clock.elapsed()) / 1000)
  }

  /** Counts a failure, or a part of one. */
  failed(source: string, weight: number): void {
    const now = this.#clock.elapsed()
    const record = this.#faded(source) ?? { failures: 0, at: now, lockouts: 0, until: 0 }
    // Of many that fail at once, those that were under way when the lockout began are not held against them.
    if (record.until > now) return
    record.failures += weight
    const { lockoutAfter, lockoutFirst, lockoutMost } = this.#limits
    if (record.failures >= lockoutAfter) {
      record.failures = lockoutAfter
      record.until = now + Math.min(lockoutMost, lockoutFirst * 2 ** record.lockouts++)
      // Nothing fades before the time is served.
      record.at = record.until
    }
    this.#records.delete(source)
    this.#records.set(source, record)
    if (this.#records.size > mostRemembered)
      this.#records.delete(this.#records.keys().next().value!)
  }

  succeeded(source: string): void {
    const record = this.#faded(source)
    if (record !== undefined) record.failures = Math.max(0, record.failures - 1)
  }

  /** What is left of it by now. */
  #faded(source: string): Record | undefined {
    const record = this.#records.get(source)
    if (record === undefined) return undefined
    const now = this.#clock.elapsed()
    if (now <= record.at) return record
    const { lockoutAfter, lockoutWithin } = this.#limits
    const each = lockoutWithin / lockoutAfter
    const faded = Math.floor((now - record.at) / each)
    record.failures -= faded
    record.at += faded * each
    if (record.failures > 0) return record
    this.#records.delete(source)
    return undefined
  }
}
