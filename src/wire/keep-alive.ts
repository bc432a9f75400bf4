import type { Clock, Timer } from '../clock.ts'
import type { Pings } from '../protocols/protocol.ts'

/** A connection that is pinged. */
export interface KeptAlive {
  /** Pings since the client last sent something. The connection sets it to 0 when something comes. */
  unansweredPings: number
  ping(): void
  /** The client has sent nothing for too long. */
  timedOut(): void
}

/** A round is spread over time, so that ten thousand connections are not all written to at one moment. */
const slices = 16

/** Keep-alive: pings every connection once a round, with one timer for all of them. */
export class KeepAlive {
  readonly #clock: Clock
  readonly #pings: Pings
  readonly #slices = Array.from({ length: slices }, () => new Set<KeptAlive>())
  #current = 0
  #timer: Timer | null = null

  constructor(clock: Clock, pings: Pings) {
    this.#clock = clock
    this.#pings = pings
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
    const { every, unanswered } = this.#pings
    return this.#clock.after(every / slices, () => {
      this.#current = (this.#current + 1) % slices
      for (const connection of this.#slices[this.#current]!)
        if (connection.unansweredPings === unanswered) connection.timedOut()
        else {
          connection.unansweredPings++
          connection.ping()
        }
      this.#timer = this.#slices.some(slice => slice.size > 0) ? this.#next() : null
    })
  }
}
