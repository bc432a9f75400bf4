// Calculates ratings from results: pure, so that a live result, a recalculation and a test all do the same sums.

import type { AccountId } from '../arena/account.ts'
import { initialRating, ratingChanges } from '../arena/rating.ts'
import type { Schema } from './schema.ts'

/** An account's rating and its counts on one ladder. */
export type Rating = Omit<Schema['ratings'], 'account' | 'game' | 'day' | 'began'>

/** A match with a result, as far as ratings depend on it. */
export interface Result {
  readonly game: string
  /** One a seat, as are the places. */
  readonly accounts: readonly AccountId[]
  readonly places: readonly number[]
  /** By seat: whether it resigned or forfeited early. */
  readonly quick: readonly boolean[]
  readonly rated: boolean
  /** Against a house player: it does not count who had seat 0. */
  readonly practice: boolean
}

export const newcomer: Rating = {
  rating: initialRating,
  games: 0,
  wins: 0,
  losses: 0,
  draws: 0,
  lead: 0,
}

/** Each seat's rating after a match, from those before it. */
export const ratingsAfter = (
  { places, quick, rated, practice }: Omit<Result, 'game' | 'accounts'>,
  before: readonly Rating[],
): readonly Rating[] => {
  const changes = rated
    ? ratingChanges(
        places,
        before.map(({ rating }) => rating),
        quick,
      )
    : null
  const shared = places.filter(place => place === 1).length > 1
  return before.map((rating, seat) => {
    const lead = practice ? rating.lead : rating.lead + (seat === 0 ? 1 : -1)
    if (changes === null) return { ...rating, lead }
    const first = places[seat] === 1
    return {
      rating: rating.rating + changes[seat]!,
      games: rating.games + 1,
      wins: rating.wins + (first && !shared ? 1 : 0),
      losses: rating.losses + (first ? 0 : 1),
      draws: rating.draws + (first && shared ? 1 : 0),
      lead,
    }
  })
}

/** Whether a result changes a rating or a count: unrated practice does not. */
export const counts = ({ rated, practice }: Pick<Result, 'rated' | 'practice'>): boolean =>
  rated || !practice

/**
 * Recalculates all ratings from results in the order in which they were kept, starting from given standings. `each` is
 * called with the ratings of the seats before and after each result.
 */
export const recalculate = <R extends Result>(
  results: Iterable<R>,
  each: (result: R, before: readonly Rating[], after: readonly Rating[]) => void = () => {},
  standings: Standings = { ratings: new Map(), firsts: new Map() },
): Standings => {
  const { ratings, firsts } = standings
  for (const result of results) {
    if (!counts(result)) continue
    const keys = result.accounts.map(account => ratingKey(account, result.game))
    const before = keys.map(key => ratings.get(key) ?? newcomer)
    const after = ratingsAfter(result, before)
    each(result, before, after)
    for (const [seat, key] of keys.entries()) ratings.set(key, after[seat]!)
    for (const { account, against, first } of meetings(result)) {
      const key = meetingKey(account, result.game, against)
      firsts.set(key, (firsts.get(key) ?? 0) + first)
    }
  }
  return standings
}

export interface Standings {
  readonly ratings: Map<string, Rating>
  readonly firsts: Map<string, number>
}

export const ratingKey = (account: AccountId, game: string) => `${account} ${game}`

export const meetingKey = (account: AccountId, game: string, against: AccountId) =>
  `${account} ${game} ${against}`

/** Every two accounts of a match: the one in the lower seat as `account`; `first` is 1 if that is seat 0. */
export const meetings = ({
  accounts,
  practice,
}: Pick<Result, 'accounts' | 'practice'>): readonly Meeting[] =>
  practice
    ? []
    : accounts.flatMap((account, seat) =>
        accounts.slice(seat + 1).map(against => ({ account, against, first: seat === 0 ? 1 : 0 })),
      )

export interface Meeting {
  readonly account: AccountId
  readonly against: AccountId
  readonly first: 0 | 1
}
