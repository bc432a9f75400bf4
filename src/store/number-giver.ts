import type { MatchId } from '../arena/match-store.ts'
import type { Clock } from '../clock.ts'

export const leastBlock = 1_000
/** A block that is used up in less time than a database lock may last is doubled. */
const lasting = 10_000

/** How far numbers are given, and reserved on disk. */
export interface Reserved {
  readonly last: MatchId
  readonly reserved: MatchId
}

/** Gives matches their numbers. The next block is reserved while a whole one is left, so that no match waits for it. */
export class NumberGiver {
  readonly #reserve: (upTo: MatchId) => Promise<void>
  readonly #clock: Clock
  #last: MatchId
  #reserved: MatchId
  #block = leastBlock
  #isAsking = false
  #askedAt: number

  /** `reserve` resolves once all numbers up to this one are reserved on disk. */
  constructor(
    { last, reserved }: Reserved,
    reserve: (upTo: MatchId) => Promise<void>,
    clock: Clock,
  ) {
    this.#reserve = reserve
    this.#clock = clock
    this.#askedAt = clock.now()
    this.#last = last
    this.#reserved = reserved
  }

  /** The last number that was given. */
  get last(): MatchId {
    return this.#last
  }

  next(): MatchId {
    if (this.#last >= this.#reserved)
      throw new Error(`no match number after ${this.#last} could be reserved on disk`)
    this.#last++
    if (this.#reserved - this.#last <= this.#block && !this.#isAsking) void this.#ask()
    return this.#last
  }

  async #ask(): Promise<void> {
    const now = this.#clock.now()
    if (now - this.#askedAt < lasting) this.#block *= 2
    this.#askedAt = now
    this.#isAsking = true
    const upTo = this.#reserved + this.#block
    try {
      await this.#reserve(upTo)
      this.#reserved = upTo
    } catch {
      // Asked again with the next match.
    }
    this.#isAsking = false
  }
}
