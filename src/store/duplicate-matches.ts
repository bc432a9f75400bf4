import { createHash } from 'node:crypto'
import type { AccountId } from '../arena/account.ts'
import type { Ending } from '../arena/ending.ts'
import type { LadderId } from '../arena/ladder.ts'
import type { MatchId, Played } from '../arena/match-store.ts'
import type { PastMatchTable } from './past-matches.ts'

/** How many different matches are remembered, of all pairs together. */
const remembered = 100_000

/** A finished match of two. */
export interface PastMatch {
  readonly ending: Ending
  readonly places: readonly number[]
  /** As they are on disk. */
  readonly moves: string
}

/** The first agent had seat 0. */
interface Pair {
  readonly ladder: LadderId
  readonly agents: readonly AccountId[]
}

/**
 * Counts how often two agents have played the same match today, in whatever versions. Deterministic bots repeat themselves honestly, so a few
 * duplicates are rated. A pair that repeats one match again and again would move ratings without showing strength.
 */
export class DuplicateMatches {
  readonly #past: Pick<PastMatchTable, 'rated' | 'of'>
  /** How many equal matches are rated; 0 for all. */
  readonly #most: number
  #today = 0
  #size = 0
  /** For each pair in its seats, how often each of its matches was played. The last used pair is at the end. */
  readonly #pairs = new Map<string, Map<string, number>>()
  readonly #unsettled = new Map<MatchId, Judged>()

  constructor(past: Pick<PastMatchTable, 'rated' | 'of'>, most: number) {
    this.#past = past
    this.#most = most
  }

  /**
   * Whether a rated match that ends today exceeds the cap on duplicates. If not, it is counted until it is settled, however
   * often this is asked again. To be called within the transaction of its result.
   */
  isOneTooMany(match: MatchId, pair: Pair, past: PastMatch, today: number): boolean {
    const [first, second] = pair.agents as readonly [AccountId, AccountId]
    if (this.#most === 0 || pair.agents.length !== 2) return false
    const judged = this.#unsettled.get(match)
    if (judged !== undefined) return judged.isOneTooMany
    // With so few matches the cap cannot be exceeded. Nearly all pairs end here.
    if (this.#past.rated(pair.ladder, first, second, today) < this.#most) return false
    const counts = this.#countsOf(pair.ladder, first, second, today)
    const print = fingerprint(past)
    const count = counts.get(print) ?? 0
    const isOneTooMany = count >= this.#most
    if (!isOneTooMany) {
      this.#size += count === 0 ? 1 : 0
      counts.set(print, count + 1)
    }
    this.#unsettled.set(match, { isOneTooMany, counts, print })
    return isOneTooMany
  }

  /** Called when the result of a match is on disk or lost. A match that is not rated is not counted either. */
  settled(match: MatchId, isRated: boolean): void {
    const judged = this.#unsettled.get(match)
    if (judged === undefined) return
    this.#unsettled.delete(match)
    const { isOneTooMany, counts, print } = judged
    if (!isRated && !isOneTooMany) counts.set(print, counts.get(print)! - 1)
  }

  /** The counts of a pair. If they are not in memory, they are made from the saved matches. */
  #countsOf(ladder: LadderId, first: AccountId, second: AccountId, today: number) {
    if (today !== this.#today) {
      this.#today = today
      this.#pairs.clear()
      this.#size = 0
    }
    const key = `${ladder} ${first} ${second}`
    let counts = this.#pairs.get(key)
    if (counts === undefined) {
      counts = new Map()
      for (const pastMatch of this.#past.of(ladder, first, second, today)) {
        const print = fingerprint(pastMatch)
        counts.set(print, (counts.get(print) ?? 0) + 1)
      }
      this.#size += counts.size
    }
    this.#pairs.delete(key)
    this.#pairs.set(key, counts)
    this.#forgetOldest()
    return counts
  }

  #forgetOldest(): void {
    for (const [key, pair] of this.#pairs) {
      if (this.#size <= remembered) return
      this.#pairs.delete(key)
      this.#size -= pair.size
    }
  }
}

interface Judged {
  readonly isOneTooMany: boolean
  readonly counts: Map<string, number>
  readonly print: string
}

/** Equal for matches with the same moves and the same end, whatever their times. */
const fingerprint = ({ ending, places, moves }: PastMatch): string => {
  const timeless = (JSON.parse(moves) as Played[]).map(([seat, move, , fault]) => [
    seat,
    move,
    fault,
  ])
  return createHash('sha1')
    .update(JSON.stringify([ending, places, timeless]))
    .digest('base64')
    .slice(0, 16)
}
