import { spread, type Values } from './measure.ts'

/** What agents of a soak do at one of their turns, or while they wait. */
export type Behaviour = 'plays' | 'illegal' | 'late' | 'lost' | 'resigns' | 'leaves'

/** What the agents have seen for a while. */
export interface Round {
  readonly matches: number
  /** Matches that changed ratings. */
  readonly rated: number
  readonly moves: number
  /** What the server sent, without the heads of frames. */
  readonly bytes: number
  /** Processor time of the server, in seconds. */
  readonly cpu: number
  readonly values: Values
}

/** The time of the last move of a match, which its two agents share. */
export interface Timing {
  movedAt: number
  results: number
}

const nothing = () => ({
  since: performance.now(),
  ...{ matches: 0, rated: 0, moves: 0, bytes: 0 },
  // Milliseconds from a move to the state that its opponent gets, from the last move to the result, and from
  // connecting to `queued`.
  times: { move: [] as number[], result: [] as number[], queued: [] as number[] },
})

/** What all agents have seen. */
export class Tally {
  /** The time by which moves are measured, in milliseconds. */
  readonly now: () => number
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

  constructor(now = () => performance.now()) {
    this.now = now
  }

  /** How many matches have ended since the tally was cleared. */
  get matches(): number {
    return this.#seen.matches
  }

  /** How many agents were told since then that they are in the queue. */
  get queues(): number {
    return this.#seen.times.queued.length
  }

  queued(ms: number): void {
    this.#took('queued', ms)
  }

  seated(match: string): Timing {
    this.latestMatch = match
    const timing = this.#timings.get(match) ?? { movedAt: 0, results: 0 }
    this.#timings.set(match, timing)
    return timing
  }

  moved(ms: number): void {
    this.#seen.moves++
    this.#took('move', ms)
  }

  heard(bytes: number): void {
    this.#seen.bytes += bytes
  }

  /** `lastMoves`: the number of moves after which no other one was asked for. */
  resulted(match: string, timing: Timing, rated: boolean, lastMoves = 1): void {
    this.results++
    // A match against a house player or a lost connection has one result.
    this.#timings.delete(match)
    if (++timing.results === 2) this.ended(timing.movedAt, rated, lastMoves)
  }

  /** A match is over, whose last move was made then. */
  ended(movedAt: number, rated = false, lastMoves = 1): void {
    this.#seen.matches++
    this.#seen.moves += lastMoves
    if (rated) this.#seen.rated++
    this.#took('result', this.now() - movedAt)
  }

  fault(what: string): void {
    this.faults.set(what, (this.faults.get(what) ?? 0) + 1)
  }

  /** Forgets all figures, but no match that is being played. */
  clear(): void {
    this.#seen = nothing()
  }

  /** What was seen since then, while the server took so many seconds of processor time. */
  round(cpu: number): Round {
    const { since, matches, rated, moves, bytes, times } = this.#seen
    const seconds = (performance.now() - since) / 1000
    const values: Record<string, number> = {
      matchesPerSecond: matches / seconds,
      movesPerSecond: moves / seconds,
      // Seconds for 1,000 matches.
      cpu: (cpu / matches) * 1000,
    }
    for (const [name, ms] of Object.entries(times))
      for (const [share, value] of Object.entries(spread(ms))) values[`${name}.${share}`] = value
    return { matches, rated, moves, bytes, cpu, values }
  }

  #took(what: keyof ReturnType<typeof nothing>['times'], ms: number): void {
    const times = this.#seen.times[what]
    // A soak runs for hours and asks for no latencies.
    if (times.length < 1_000_000) times.push(ms)
  }
}
