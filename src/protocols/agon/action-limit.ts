import type { Clock } from '../../clock.ts'

const window = 10_000
/** A connection that sends so many times what it may is closed. */
const flood = 10

/** Counts the actions of one connection in the last 10 s. */
export class ActionLimit {
  readonly #clock: Clock
  readonly #most: number
  /** When each was sent, the oldest first. */
  #sent: number[] = []

  constructor(clock: Clock, most: number) {
    this.#clock = clock
    this.#most = most
  }

  /** Counts an action, and says whether it is one too many, or so many that the connection is closed. */
  count(): 'in time' | 'too many' | 'flood' {
    const now = this.#clock.elapsed()
    const first = this.#sent.findIndex(at => now - at < window)
    this.#sent = first < 0 ? [] : this.#sent.slice(first)
    this.#sent.push(now)
    const { length } = this.#sent
    return length > flood * this.#most ? 'flood' : length > this.#most ? 'too many' : 'in time'
  }

  /** The last action does not count: it was a message that was accepted. */
  forgive(): void {
    this.#sent.pop()
  }
}
