import { createHash } from 'node:crypto'
import type { AccountId } from './account.ts'
import type { Outcome } from './ending.ts'
import type { Course, Keeper, MatchId, Played } from './keeper.ts'
import type { Deal } from './table.ts'

/** How many different matches are remembered, over all pairs. */
const remembered = 100_000

/**
 * Counts how often two accounts have played the very same match today. Bots without luck repeat themselves honestly, so
 * a few copies count; a pair that plays one match over and over moves ratings without showing anything.
 */
export class Copies {
  readonly #keeper: Pick<Keeper, 'ratedToday' | 'playedToday'>
  /** How many of the same count; 0 for all. */
  readonly #most: number
  #today = 0
  #size = 0
  /** By pair in its seats: how often each match of theirs was played. What is forgotten is counted again. */
  readonly #pairs = new Map<string, Map<string, number>>()
  readonly #unsettled = new Map<MatchId, () => void>()

  constructor(keeper: Pick<Keeper, 'ratedToday' | 'playedToday'>, most: number) {
    this.#keeper = keeper
    this.#most = most
  }

  /** Whether a rated match of this day is one copy too many. If not, it is one more of its kind. */
  isOneTooMany(
    match: MatchId,
    { game, ladder, players }: Deal,
    outcome: Outcome,
    moves: readonly Played[],
    today: number,
  ): boolean {
    if (this.#most === 0 || players.length !== 2 || game.facts.luck) return false
    const [first, second] = players.map(({ account }) => account.id) as [AccountId, AccountId]
    const pair = this.#pair(ladder, first, second, today)
    const course = fingerprint({ outcome, moves })
    const count = pair.get(course) ?? 0
    if (count >= this.#most) return true
    if (count === 0) this.#size++
    pair.set(course, count + 1)
    this.#unsettled.set(match, () => pair.set(course, pair.get(course)! - 1))
    return false
  }

  /** The match has its result, or could not be kept. */
  settled(match: MatchId, kept: boolean): void {
    if (!kept) this.#unsettled.get(match)?.()
    this.#unsettled.delete(match)
  }

  #pair(ladder: string, first: AccountId, second: AccountId, today: number): Map<string, number> {
    if (today !== this.#today) this.#forget()
    this.#today = today
    const key = `${ladder} ${first} ${second}`
    const known = this.#pairs.get(key)
    if (known !== undefined) return known
    if (this.#size >= remembered) this.#forget()
    const pair = new Map<string, number>()
    // More than the one that has just ended: what was played before this process knew of it.
    if (this.#keeper.ratedToday(ladder, first, second) > 1)
      for (const course of this.#keeper.playedToday(ladder, first, second)) {
        const print = fingerprint(course)
        pair.set(print, (pair.get(print) ?? 0) + 1)
      }
    this.#size += pair.size
    this.#pairs.set(key, pair)
    return pair
  }

  #forget(): void {
    this.#pairs.clear()
    this.#size = 0
  }
}

/** The same for the same moves and the same end, however long they took. */
const fingerprint = ({ outcome: { ending, places }, moves }: Course): string =>
  createHash('sha1')
    .update(
      JSON.stringify([ending, places, moves.map(([seat, move, , fault]) => [seat, move, fault])]),
    )
    .digest('base64')
    .slice(0, 16)
