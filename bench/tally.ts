import { type Spread, spread } from './measure.ts'

/** What agents of a soak do at one of their turns, or while they wait. */
export type Behaviour = 'plays' | 'illegal' | 'late' | 'lost' | 'resigns' | 'leaves'

/** What the agents have seen since the tally was cleared. */
export interface Seen {
  readonly seconds: number
  readonly matches: number
  /** Matches that changed no rating. */
  readonly unrated: number
  readonly moves: number
  /** Milliseconds from a move to the state that its opponent gets. */
  readonly move: Spread
  /** From the last move to the result. */
  readonly result: Spread
  /** From connecting to `queued`. */
  readonly queued: Spread
}

/** The time of the last move of a match, which its two agents share. */
export interface Timing {
  movedAt: number
  results: number
}

const nothing = () => ({
  since: performance.now(),
  matches: 0,
  unrated: 0,
  moves: 0,
  move: [] as number[],
  result: [] as number[],
  queued: [] as number[],
})

/** What all agents have seen. */
export class Tally {
  readonly #timings = new Map<string, Timing>()
  #seen = nothing()
  results = 0
  latestMatch = '1'
  /** How often agents behaved so, and the server answered as it should. */
  readonly done: Record<Behaviour, number> = {
    ...{ plays: 0, illegal: 0, late: 0, lost: 0, resigns: 0, leaves: 0 },
  }
  /** What should not have happened, and how often it did. */
  readonly faults = new Map<string, number>()
  /** Called after each match with the number of finished matches. */
  onFinished: (matches: number) => void = () => {}

  queued(ms: number): void {
    keep(this.#seen.queued, ms)
  }

  seated(match: string): Timing {
    this.latestMatch = match
    const timing = this.#timings.get(match) ?? { movedAt: 0, results: 0 }
    this.#timings.set(match, timing)
    return timing
  }

  moved(ms: number): void {
    this.#seen.moves++
    keep(this.#seen.move, ms)
  }

  resulted(match: string, timing: Timing, rated: boolean): void {
    this.results++
    // A match against a house player or a lost connection has one result.
    this.#timings.delete(match)
    if (++timing.results < 2) return
    const seen = this.#seen
    seen.moves++
    if (!rated) seen.unrated++
    keep(seen.result, performance.now() - timing.movedAt)
    this.onFinished(++seen.matches)
  }

  fault(what: string): void {
    this.faults.set(what, (this.faults.get(what) ?? 0) + 1)
  }

  /** Forgets all figures, but no match that is being played. */
  clear(): void {
    this.#seen = nothing()
  }

  seen(): Seen {
    const { since, move, result, queued, ...counts } = this.#seen
    return {
      seconds: (performance.now() - since) / 1000,
      ...counts,
      ...{ move: spread(move), result: spread(result), queued: spread(queued) },
    }
  }
}

/** A soak runs for hours and asks for no latencies. */
const keep = (times: number[], ms: number): void => {
  if (times.length < 1_000_000) times.push(ms)
}
