import { createHash } from 'node:crypto'
import type { AccountId } from './account.ts'
import type { MatchId, MatchStore, PastMatch } from './match-store.ts'
import type { Deal } from './table.ts'

/** How many different matches are remembered, over all pairs. */
const remembered = 100_000

/**
 * Counts how often two accounts have played the very same match today. Bots without luck repeat themselves honestly, so
 * a few copies count; a pair that plays one match over and over moves ratings without showing anything.
 */
export class DuplicateMatches {
  readonly #matchStore: Pick<MatchStore, 'ratedToday' | 'playedToday'>
  /** How many of the same count; 0 for all. */
  readonly #most: number
  #today = 0
  #size = 0
  /** By pair in its seats, the last used at the end: how often each match of theirs was played. */
  readonly #pairs = new Map<string, Map<string, number>>()
  readonly #unsettled = new Map<MatchId, () => void>()

  constructor(matchStore: Pick<MatchStore, 'ratedToday' | 'playedToday'>, most: number) {
    this.#matchStore = matchStore
    this.#most = most
  }

  /** Whether a rated match that ends today is one copy too many. If not, it is one more of its kind. */
  isOneTooMany(
    match: MatchId,
    { game, ladder, players }: Deal,
    pastMatch: PastMatch,
    today: number,
  ): boolean {
    if (this.#most === 0 || players.length !== 2 || game.facts.luck) return false
    const [first, second] = players.map(({ account }) => account.id) as [AccountId, AccountId]
    // Of so few none can be a copy too many: nearly all pairs of a day end here.
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

  /** Whether the match counts, now that it has a result or could not be kept. */
  settled(match: MatchId, counts: boolean): void {
    if (!counts) this.#unsettled.get(match)?.()
    this.#unsettled.delete(match)
  }

  /** What is not known of a pair, or not any more, is counted from what was kept. */
  #pair(ladder: string, first: AccountId, second: AccountId, today: number): Map<string, number> {
    if (today !== this.#today) {
      this.#today = today
      this.#pairs.clear()
      this.#size = 0
    }
    const key = `${ladder} ${first} ${second}`
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

/** The same for the same moves and the same end, however long they took. */
const fingerprint = ({ outcome: { ending, places }, moves }: PastMatch): string =>
  createHash('sha1')
    .update(
      JSON.stringify([ending, places, moves.map(([seat, move, , fault]) => [seat, move, fault])]),
    )
    .digest('base64')
    .slice(0, 16)
