// The rule of the ratings that an account has in a room: Elo in whole numbers. They are a second reading of the record, beside
// its ladders: the rated results at the tables of a room, in their order, are all that they follow from. Pure.

import type { AccountId } from './account.ts'

export const initialElo = 1200

const k = 32

/** Of the first and the second participant. */
export type ByParticipant<T> = readonly [T, T]

/** What a match has made of the rating of a seat in its room. */
export interface EloChange {
  readonly rating: number
  readonly change: number
}

/**
 * What a match adds to the rating of the first participant. The second one loses exactly that: to round both would make one
 * rise by more than the other falls, since a half is always rounded up.
 */
export const roomEloDelta = (
  [mine, theirs]: ByParticipant<number>,
  [place, other]: ByParticipant<number>,
): number => {
  const score = place === other ? 0.5 : place < other ? 1 : 0
  const expected = 1 / (1 + 10 ** ((theirs - mine) / 400))
  // Not -0, as which a small loss would be rounded.
  return Math.round(k * (score - expected)) + 0
}

/** What both participants have after a match, and what it changed. */
export const eloChanges = (
  [one, two]: ByParticipant<number>,
  delta: number,
): ByParticipant<EloChange> => [
  { rating: one + delta, change: delta },
  { rating: two - delta, change: 0 - delta },
]

/** The ratings of a room, made of its results one after another. */
export class RoomElo {
  readonly #ratings = new Map<AccountId, number>()

  rating(account: AccountId): number {
    return this.#ratings.get(account) ?? initialElo
  }

  get accounts(): Iterable<AccountId> {
    return this.#ratings.keys()
  }

  /** Counts the next result. */
  take({ accounts: [one, two], places }: RoomResult): Counted {
    const before = [this.rating(one), this.rating(two)] as const
    const delta = roomEloDelta(before, places)
    const [first, second] = eloChanges(before, delta)
    this.#ratings.set(one, first.rating).set(two, second.rating)
    return { before, delta }
  }
}

export interface RoomResult {
  readonly accounts: ByParticipant<AccountId>
  readonly places: ByParticipant<number>
}

/** The ratings before a match, and what it added to the first one. */
export interface Counted {
  readonly before: ByParticipant<number>
  readonly delta: number
}
