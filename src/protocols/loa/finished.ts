import type { MatchId } from '../../arena/match-store.ts'
import type { Clock } from '../../clock.ts'

/** In milliseconds. */
const keptFor = 600_000
/** In bytes, all matches together: a board of 100×100 tiles has 20,000. */
const mostKept = 64 * 1024 * 1024

/** The last board and the result of matches that ended within the last 10 minutes: the newest of them, if they are too many. */
export class Finished {
  readonly #clock: Clock
  readonly #kept = new Map<MatchId, Kept>()
  #size = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  keep(match: MatchId, lines: readonly string[]): void {
    // One symbol outside of Latin-1 doubles a string.
    const bytes = lines.map(line => Buffer.from(line))
    this.#kept.set(match, { at: this.#clock.elapsed(), bytes })
    this.#size += sizeOf(bytes)
    for (const [oldest, { at }] of this.#kept) {
      if (this.#size <= mostKept && this.#clock.elapsed() - at <= keptFor) break
      this.#forget(oldest)
    }
  }

  of(match: MatchId): readonly string[] | undefined {
    const kept = this.#kept.get(match)
    if (kept === undefined) return undefined
    if (this.#clock.elapsed() - kept.at <= keptFor) return kept.bytes.map(String)
    this.#forget(match)
    return undefined
  }

  #forget(match: MatchId): void {
    this.#size -= sizeOf(this.#kept.get(match)!.bytes)
    this.#kept.delete(match)
  }
}

interface Kept {
  readonly at: number
  /** Of each line. */
  readonly bytes: readonly Buffer[]
}

const sizeOf = (bytes: readonly Buffer[]) => bytes.reduce((sum, { length }) => sum + length, 0)
