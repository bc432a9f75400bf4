import type { Recording } from './recording.ts'

/** One client of a relay. */
export interface RelayLine {
  send(text: string): void
  close(): void
}

/**
 * What a match costs at the least over some transport: whoever comes is seated with whoever waits, and each message,
 * whatever it says, is followed by what the house would say. No game, no clock, and nothing is kept.
 */
export class Relay {
  readonly #recording: Recording
  #waiting: Seat | null = null
  #matches = 0

  constructor(recording: Recording) {
    this.#recording = recording
  }

  enter(line: RelayLine, account: string): Seat {
    const seat = new Seat(line, account)
    for (const text of this.#recording[0]![0]!) line.send(text)
    // As in the house nobody meets their own account, so that a crowd can be made to wait.
    if (this.#waiting === null || this.#waiting.account === account) {
      this.#waiting = seat
      return seat
    }
    const match = new Match(this.#recording, [this.#waiting, seat], ++this.#matches)
    this.#waiting.match = match
    seat.match = match
    this.#waiting = null
    match.next()
    return seat
  }

  leave(seat: Seat): void {
    if (seat === this.#waiting) this.#waiting = null
    seat.match?.abandon()
  }
}

class Seat {
  match: Match | null = null
  readonly line: RelayLine
  readonly account: string

  constructor(line: RelayLine, account: string) {
    this.line = line
    this.account = account
  }
}

class Match {
  readonly #recording: Recording
  readonly #seats: readonly Seat[]
  readonly #number: number
  readonly #last: number
  #step = 0

  constructor(recording: Recording, seats: readonly Seat[], number: number) {
    this.#recording = recording
    this.#seats = seats
    this.#number = number
    this.#last = recording[0]!.length - 1
  }

  /** Who is left alone waits for nobody. */
  abandon(): void {
    if (this.#step < this.#last) for (const { line } of this.#seats) line.close()
  }

  next(): void {
    this.#step++
    if (this.#step > this.#last) return
    for (const [seat, { line }] of this.#seats.entries()) {
      for (const text of this.#recording[seat]![this.#step]!)
        line.send(this.#step === 1 ? text.replace('"match":1', `"match":${this.#number}`) : text)
      if (this.#step === this.#last) line.close()
    }
  }
}
