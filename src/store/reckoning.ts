// How results become standings: pure, so that the ledger, a recomputation and a test all do the same sums.

import type { AccountId } from '../arena/account.ts'
import { initialRating, ratingChanges } from '../arena/rating.ts'
import type { Schema } from './schema.ts'

/** What an account has come to in one game. */
export type Rating = Omit<Schema['ratings'], 'account' | 'game' | 'day' | 'began'>

/** A match with a result, as far as standings depend on it. */
export interface Result {
  readonly game: string
  /** One a seat, as are the places. */
  readonly accounts: readonly AccountId[]
  readonly places: readonly number[]
  /** By seat: who fell early. */
  readonly quick: readonly boolean[]
  readonly rated: boolean
  /** Against the house, which leaves who was first how often as it is. */
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
export const reckon = (
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

/** Whether a result changes any standing: unrated practice does not. */
export const counts = ({ rated, practice }: Pick<Result, 'rated' | 'practice'>): boolean =>
  rated || !practice

/**
 * All standings there are, from every result in the order in which they were kept. `each` is told what the ratings at
 * the table were before and after a result. Goes on with the standings that it is given.
 */
export const recompute = <R extends Result>(
  results: Iterable<R>,
  each: (result: R, before: readonly Rating[], after: readonly Rating[]) => void = () => {},
  standings: Standings = { ratings: new Map(), firsts: new Map() },
): Standings => {
  const { ratings, firsts } = standings
  for (const result of results) {
    if (!counts(result)) continue
    const keys = result.accounts.map(account => ratingKey(account, result.game))
    const before = keys.map(key => ratings.get(key) ?? newcomer)
    const after = reckon(result, before)
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

/** Each two who met, the one in the lower seat as the account, and 1 where that is seat 0. */
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
