import type { Clock, Timer } from '../clock.ts'

/** A connection that is asked for signs of life. */
export interface KeptAlive {
  /** Rounds in a row that went by without a sign of life; whoever sees one sets it to 0. */
  silent: number
  /** Asks for a sign of life. */
  beat(): void
  /** Nothing was heard for too long. */
  flatline(): void
}

const roundsBorne = 3
/** Rounds are spread over time, so that ten thousand connections are not all written to in one moment. */
const slices = 16

/** Asks every connection for a sign of life once a round, with one timer for them all. */
export class KeepAlive {
  readonly #clock: Clock
  readonly #round: number
  readonly #slices = Array.from({ length: slices }, () => new Set<KeptAlive>())
  #current = 0
  #timer: Timer | null = null

  constructor(clock: Clock, round: number) {
    this.#clock = clock
    this.#round = round
  }

  add(pulsing: KeptAlive): void {
    this.#slices[this.#current]!.add(pulsing)
    this.#timer ??= this.#next()
  }

  remove(pulsing: KeptAlive): void {
    for (const slice of this.#slices) if (slice.delete(pulsing)) return
  }

  stop(): void {
    this.#timer?.cancel()
  }

  #next(): Timer {
    return this.#clock.after(this.#round / slices, () => {
      this.#current = (this.#current + 1) % slices
      for (const pulsing of this.#slices[this.#current]!)
        if (++pulsing.silent >= roundsBorne) pulsing.flatline()
        else pulsing.beat()
      this.#timer = this.#slices.some(slice => slice.size > 0) ? this.#next() : null
    })
  }
}
