// Calculates ratings from results: pure, so that a live result, a recalculation and a test all do the same sums.

import type { AccountId } from '../arena/account.ts'
import { type Counted, changesBy, isShared, startOf } from '../arena/counting.ts'
import type { Ladder, LadderId } from '../arena/ladder.ts'
import { type RestartRule, restarted } from '../arena/season.ts'
import type { Schema } from './schema.ts'

/** An account's rating and its counts on one ladder. */
export type Rating = Omit<Schema['ratings'], 'account' | 'ladder' | 'day' | 'began'>

/** A match with a result, as far as ratings depend on it. */
export interface Result extends Counted {
  readonly ladder: Ladder
  /** By seat. */
  readonly accounts: readonly AccountId[]
  readonly rated: boolean
  /** Against a house player: it does not count who had seat 0. */
  readonly practice: boolean
}

/** The end of a season, after the results before it. */
export interface Restart {
  readonly ladder: Ladder
  readonly rule: RestartRule
}

/** An account without a match on this ladder. */
export const newcomerOn = ({ counts }: Ladder): Rating => ({
  rating: startOf(counts),
  games: 0,
  wins: 0,
  losses: 0,
  draws: 0,
  lead: 0,
})

/** Each seat's rating after a match, from those before it. */
export const ratingsAfter = (
  result: Omit<Result, 'accounts'>,
  before: readonly Rating[],
): readonly Rating[] => {
  const { ladder, places, rated, practice } = result
  const changes = rated
    ? changesBy(
        ladder.counts,
        result,
        before.map(({ rating }) => rating),
      )
    : null
  const shared = isShared(places)
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

/** The rating with which an account begins the season after this one. Who had seat 0 is no matter of seasons. */
const ratingAfterSeason = ({ ladder, rule }: Restart, { rating, lead }: Rating): Rating => ({
  ...newcomerOn(ladder),
  rating: restarted(ladder, rule, rating),
  lead,
})

/** Whether a result changes a rating or a count: unrated practice does not. */
export const counts = ({ rated, practice }: Pick<Result, 'rated' | 'practice'>): boolean =>
  rated || !practice

/**
 * Recalculates all ratings from results in the order in which they were kept, with the ends of seasons among them, starting
 * from given standings. `each` is called with the ratings of the seats before and after each result.
 */
export const recalculate = <R extends Result>(
  results: Iterable<R | Restart>,
  each: (result: R, before: readonly Rating[], after: readonly Rating[]) => void = () => {},
  standings: Standings = { ratings: new Map(), firsts: new Map() },
): Standings => {
  const { ratings, firsts } = standings
  for (const result of results) {
    if ('rule' in result) {
      for (const [key, rating] of ratings)
        if (key.endsWith(` ${result.ladder.id}`))
          ratings.set(key, ratingAfterSeason(result, rating))
      continue
    }
    if (!counts(result)) continue
    const { ladder } = result
    const keys = result.accounts.map(account => ratingKey(account, ladder.id))
    const before = keys.map(key => ratings.get(key) ?? newcomerOn(ladder))
    const after = ratingsAfter(result, before)
    each(result, before, after)
    for (const [seat, key] of keys.entries()) ratings.set(key, after[seat]!)
    for (const { account, against, first } of meetings(result)) {
      const key = meetingKey(account, ladder.id, against)
      firsts.set(key, (firsts.get(key) ?? 0) + first)
    }
  }
  return standings
}

export interface Standings {
  readonly ratings: Map<string, Rating>
  readonly firsts: Map<string, number>
}

export const ratingKey = (account: AccountId, ladder: LadderId) => `${account} ${ladder}`

export const meetingKey = (account: AccountId, ladder: LadderId, against: AccountId) =>
  `${account} ${ladder} ${against}`

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
