import { type Spread, spread } from './measure.ts'

/** What a load of agents has seen since it was last asked. */
export interface Seen {
  readonly seconds: number
  readonly matches: number
  readonly moves: number
  /** In milliseconds: a move is sent, and the opponent has the state. */
  readonly move: Spread
  /** From the last move to the result. */
  readonly result: Spread
  /** From dialling to being told that one is queued. */
  readonly queued: Spread
}

/** A match as its two agents, who live in one process, see it. */
export interface Sharing {
  movedAt: number
  results: number
}

export class Tally {
  readonly #sharing = new Map<string, Sharing>()
  #since = performance.now()
  #matches = 0
  #moves = 0
  #move: number[] = []
  #result: number[] = []
  #queued: number[] = []
  /** Told of each finished match. */
  finished: (matches: number) => void = () => {}
  /** What should not have happened. */
  readonly faults = new Set<string>()

  queued(ms: number): void {
    this.#queued.push(ms)
  }

  seated(match: string): Sharing {
    let sharing = this.#sharing.get(match)
    if (sharing === undefined) {
      sharing = { movedAt: 0, results: 0 }
      this.#sharing.set(match, sharing)
    }
    return sharing
  }

  moved(ms: number): void {
    this.#moves++
    this.#move.push(ms)
  }

  resulted(match: string, ms: number): void {
    const sharing = this.seated(match)
    if (++sharing.results < 2) return
    this.#sharing.delete(match)
    this.#matches++
    this.#moves++
    this.#result.push(ms)
    this.finished(this.#matches)
  }

  /** Starts again from nothing, but for the matches that are under way. */
  clear(): void {
    this.#since = performance.now()
    this.#matches = 0
    this.#moves = 0
    this.#move = []
    this.#result = []
    this.#queued = []
  }

  seen(): Seen {
    return {
      seconds: (performance.now() - this.#since) / 1000,
      matches: this.#matches,
      moves: this.#moves,
      move: spread(this.#move),
      result: spread(this.#result),
      queued: spread(this.#queued),
    }
  }
}
