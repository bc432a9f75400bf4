import type { Clock, Timer } from '../clock.ts'

/** A connection that is pinged. */
export interface KeptAlive {
  /** Rounds in a row in which the client sent nothing. The connection sets it to 0 when something comes. */
  silentRounds: number
  ping(): void
  /** The client has sent nothing for too long. */
  timedOut(): void
}

const mostSilentRounds = 3
/** A round is spread over time, so that ten thousand connections are not all written to at one moment. */
const slices = 16

/** Keep-alive: pings every connection once a round, with one timer for all of them. */
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

  add(connection: KeptAlive): void {
    this.#slices[this.#current]!.add(connection)
    this.#timer ??= this.#next()
  }

  remove(connection: KeptAlive): void {
    for (const slice of this.#slices) if (slice.delete(connection)) return
  }

  stop(): void {
    this.#timer?.cancel()
  }

  #next(): Timer {
    return this.#clock.after(this.#round / slices, () => {
      this.#current = (this.#current + 1) % slices
      for (const connection of this.#slices[this.#current]!)
        if (++connection.silentRounds >= mostSilentRounds) connection.timedOut()
        else connection.ping()
      this.#timer = this.#slices.some(slice => slice.size > 0) ? this.#next() : null
    })
  }
}
