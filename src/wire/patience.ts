import type { Clock, Timer } from '../clock.ts'

/** Has something to send that may wait for company. */
export interface Patient {
  flush(): void
}

/** How long it waits at most. In a quick match the next message comes before that, and both leave in one write. */
const atMost = 2

/** Sends what was left waiting, with one timer for all. */
export class Patience {
  readonly #clock: Clock
  #waiting: Patient[] = []
  #timer: Timer | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(patient: Patient): void {
    this.#waiting.push(patient)
    this.#timer ??= this.#clock.after(atMost, () => {
      this.#timer = null
      const waiting = this.#waiting
      this.#waiting = []
      for (const patient of waiting) patient.flush()
    })
  }
}
