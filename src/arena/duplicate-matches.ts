import { createHash } from 'node:crypto'
import type { AccountId } from './account.ts'
import type { Ladder } from './ladder.ts'
import type { MatchId, MatchStore, PastMatch } from './match-store.ts'
import type { Deal } from './table.ts'

/** How many different matches are remembered, of all pairs together. */
const remembered = 100_000

/**
 * Counts how often two accounts have played the same match today. Deterministic bots repeat themselves honestly, so a few
 * duplicates are rated. A pair that repeats one match again and again would move ratings without showing strength.
 */
export class DuplicateMatches {
  readonly #matchStore: Pick<MatchStore, 'ratedToday' | 'playedToday'>
  /** How many equal matches are rated; 0 for all. */
  readonly #most: number
  #today = 0
  #size = 0
  /** For each pair in its seats, how often each of its matches was played. The last used pair is at the end. */
  readonly #pairs = new Map<string, Map<string, number>>()
  readonly #unsettled = new Map<MatchId, () => void>()

  constructor(matchStore: Pick<MatchStore, 'ratedToday' | 'playedToday'>, most: number) {
    this.#matchStore = matchStore
    this.#most = most
  }

  /** Whether a rated match that ends today exceeds the cap on duplicates. If not, it is counted. */
  isOneTooMany(
    match: MatchId,
    { game, ladder, players }: Deal,
    pastMatch: PastMatch,
    today: number,
  ): boolean {
    if (this.#most === 0 || players.length !== 2 || game.facts.luck) return false
    const [first, second] = players.map(({ account }) => account.id) as [AccountId, AccountId]
    // With so few matches the cap cannot be exceeded. Nearly all pairs end here.
    if (this.#matchStore.ratedToday(ladder, first, second) <= this.#most) return false
    const pair = this.#pair(ladder, first, second, today)
    const print = fingerprint(pastMatch)
    const count = pair.get(print) ?? 0
    if (count >= this.#most) return true
    this.#size += count === 0 ? 1 : 0
    pair.set(print, count + 1)
    this.#unsettled.set(match, () => pair.set(print, pair.get(print)! - 1))
    return false
  }

  /** Called when the result of a match is saved or lost. A match that is not rated is not counted either. */
  settled(match: MatchId, counts: boolean): void {
    if (!counts) this.#unsettled.get(match)?.()
    this.#unsettled.delete(match)
  }

  /** The counts of a pair. If they are not in memory, they are made from the saved matches. */
  #pair(ladder: Ladder, first: AccountId, second: AccountId, today: number): Map<string, number> {
    if (today !== this.#today) {
      this.#today = today
      this.#pairs.clear()
      this.#size = 0
    }
    const key = `${ladder.id} ${first} ${second}`
    let pair = this.#pairs.get(key)
    if (pair === undefined) {
      pair = new Map()
      for (const pastMatch of this.#matchStore.playedToday(ladder, first, second)) {
        const print = fingerprint(pastMatch)
        pair.set(print, (pair.get(print) ?? 0) + 1)
      }
      this.#size += pair.size
    }
    this.#pairs.delete(key)
    this.#pairs.set(key, pair)
    this.#forgetOldest()
    return pair
  }

  #forgetOldest(): void {
    for (const [key, pair] of this.#pairs) {
      if (this.#size <= remembered) return
      this.#pairs.delete(key)
      this.#size -= pair.size
    }
  }
}

/** Equal for matches with the same moves and the same end, whatever their times. */
const fingerprint = ({ outcome: { ending, places }, moves }: PastMatch): string =>
  createHash('sha1')
    .update(
      JSON.stringify([ending, places, moves.map(([seat, move, , fault]) => [seat, move, fault])]),
    )
    .digest('base64')
    .slice(0, 16)
