import type { Clock, Timer } from '../clock.ts'

/** Has messages to send that can wait for others. */
export interface Batched {
  flush(): void
}

/** In milliseconds. In a fast match the next message comes before that, and both leave in one write. */
const longestWait = 5

/** Write batching: sends the messages that can wait, with one timer for all connections. */
export class WriteBatches {
  readonly #clock: Clock
  #waiting: Batched[] = []
  #timer: Timer | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(batched: Batched): void {
    this.#waiting.push(batched)
    this.#timer ??= this.#clock.after(longestWait, () => {
      this.#timer = null
      const waiting = this.#waiting
      this.#waiting = []
      for (const batched of waiting) batched.flush()
    })
  }
}
