import { sql } from 'kysely'
import type { AccountId } from '../arena/account.ts'
import type { Fault } from '../arena/ending.ts'
import type { Ladder, LadderId } from '../arena/ladder.ts'
import type { Strength } from '../arena/strength.ts'
import type { Versus } from '../protocols/agon/records.ts'
import { type Database, prepare, type Query } from './database.ts'
import { Ladders } from './ladders.ts'
import { type FitColumns, strengthOf } from './rankings.ts'
import type { Rating } from './rating-recalculation.ts'

/** Statistics of an account's rated matches. */
export class Profiles {
  readonly #ratings: Query<{ account: AccountId }, RatingRow>
  readonly #sampled: Query<One & { points: number }, Point>
  readonly #recent: Query<One & { limit: number }, Recent>
  readonly #newest: Query<One, { ladder: LadderId; at: number }>
  readonly #versus: Query<Pair, { place: number; theirPlace: number; count: number }>
  readonly #ladders: Ladders

  constructor(db: Database) {
    this.#ladders = new Ladders(db)
    this.#versus = prepare(db, (query, $: Pair) =>
      query
        .selectFrom('match_seats as mine')
        .innerJoin('match_seats as theirs', 'theirs.match', 'mine.match')
        .select(['mine.place', 'theirs.place as theirPlace'])
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('mine.account', '=', $.account)
        .where('mine.ladder', '=', $.ladder)
        // The plus sign keeps SQLite from using the index of the other account.
        .where(({ ref }) => sql`+${ref('theirs.account')}`, '=', $.other)
        .where('mine.place', 'is not', null)
        .groupBy(['mine.place', 'theirs.place'])
        .$narrowType<{ place: number; theirPlace: number }>(),
    )
    this.#ratings = prepare(db, (query, $: { account: AccountId }) =>
      query
        .selectFrom('ratings')
        .leftJoin('strengths', join =>
          join
            .onRef('strengths.ladder', '=', 'ratings.ladder')
            .onRef('strengths.account', '=', 'ratings.account'),
        )
        .select(['ratings.ladder', 'rating', 'games', 'wins', 'losses', 'draws'])
        .select(['strength', 'error'])
        .where('ratings.account', '=', $.account)
        .where('games', '>', sql.lit(0))
        .orderBy('games', 'desc'),
    )
    // Picks match numbers within the index, and reads only those rows.
    this.#sampled = prepare(db, (query, $: One & { points: number }) =>
      query
        .with('numbered', cte =>
          cte
            .selectFrom('match_seats')
            .select(['match', 'seat'])
            .select(({ fn }) => [
              fn
                .agg<number>('row_number')
                .over(over => over.orderBy('match', 'desc'))
                .as('nth'),
              fn.countAll<number>().over().as('total'),
            ])
            .where('account', '=', $.account)
            .where('ladder', '=', $.ladder),
        )
        .selectFrom('numbered')
        .innerJoin('match_seats', join =>
          join
            .onRef('match_seats.match', '=', 'numbered.match')
            .onRef('match_seats.seat', '=', 'numbered.seat'),
        )
        .innerJoin('matches', 'matches.id', 'numbered.match')
        .select(['matches.id as match', 'ended_at as at', 'rating_after as rating'])
        .where(({ eb, ref }) =>
          eb(sql`(${ref('nth')} - 1) % (${ref('total')} / ${$.points} + 1)`, '=', 0),
        )
        .where('rating_after', 'is not', null)
        .orderBy('numbered.match')
        .$narrowType<{ at: number; rating: number }>(),
    )
    // Of the first ladder after this one on which the account has played.
    this.#newest = prepare(db, (query, $: One) =>
      query
        .selectFrom('match_seats')
        .innerJoin('matches', 'matches.id', 'match_seats.match')
        .select(['ladder', 'started_at as at'])
        .where('account', '=', $.account)
        .where('ladder', '=', ({ selectFrom }) =>
          selectFrom('match_seats')
            .select(({ fn }) => fn.min<LadderId>('ladder').as('next'))
            .where('account', '=', $.account)
            .where('ladder', '>', $.ladder),
        )
        .orderBy('match', 'desc')
        .limit(1),
    )
    this.#recent = prepare(db, (query, $: One & { limit: number }) =>
      query
        .with('mine', cte =>
          cte
            .selectFrom('match_seats')
            .select(['match', 'seat', 'place', 'fault', 'rating_after'])
            .where('account', '=', $.account)
            .where('ladder', '=', $.ladder)
            .orderBy('match', 'desc')
            .limit($.limit),
        )
        .selectFrom('mine')
        .innerJoin('match_seats as theirs', 'theirs.match', 'mine.match')
        .innerJoin('accounts', 'accounts.id', 'theirs.account')
        .select(['mine.match', 'mine.fault', 'mine.place', 'theirs.place as theirPlace', 'name'])
        .whereRef('theirs.seat', '!=', 'mine.seat')
        .where('kind', '<>', 'guest')
        .where('mine.rating_after', 'is not', null)
        .$narrowType<{ place: number; theirPlace: number }>(),
    )
  }

  /** When the newest match of an account began, in milliseconds since 1970; undefined if it has none. */
  lastSeen(account: AccountId): number | undefined {
    let last: number | undefined
    for (let ladder = ''; ; ) {
      const newest = this.#newest.get({ account, ladder })
      if (newest === undefined) return last
      ladder = newest.ladder
      last = Math.max(last ?? 0, newest.at)
    }
  }

  /** All ratings of an account, the most played ladder first. */
  ratings(account: AccountId): readonly LadderRating[] {
    return this.#ratings.all({ account }).map(({ ladder: id, strength, error, ...rating }) => {
      const ladder = this.#ladders.of(id)
      return { ladder, ...rating, strength: strengthOf(ladder, { strength, error }) }
    })
  }

  /** How an account has fared against another one in all their matches on a ladder, rated or not. */
  versus(account: AccountId, other: AccountId, ladder: LadderId): Versus {
    const total = { wins: 0, losses: 0, draws: 0 }
    for (const { place, theirPlace, count } of this.#versus.all({ account, other, ladder }))
      total[place < theirPlace ? 'wins' : place > theirPlace ? 'losses' : 'draws'] += count
    return total
  }

  /** The rating over time, oldest first: a point for every match, thinned out to about this many points. */
  history(account: AccountId, { id: ladder }: Ladder, points = 200): readonly Point[] {
    return this.#sampled.all({ account, ladder, points })
  }

  /** How the account's newest matches ended, and against which opponents. */
  recent(account: AccountId, ladders: readonly Ladder[], limit = recentMatches): RecentForm {
    const faults = new Map<Fault | 'none', number>()
    const rivals = new Map<string, Rival>()
    let last = 0
    let matches = 0
    for (const { id: ladder } of ladders)
      for (const { match, fault, place, theirPlace, name } of this.#recent.all({
        account,
        ladder,
        limit,
      })) {
        if (match !== last) {
          matches++
          faults.set(fault ?? 'none', (faults.get(fault ?? 'none') ?? 0) + 1)
        }
        last = match
        const rival = rivals.get(name) ?? { name, games: 0, wins: 0, draws: 0, losses: 0 }
        const result = place < theirPlace ? 'wins' : place > theirPlace ? 'losses' : 'draws'
        rivals.set(name, { ...rival, games: rival.games + 1, [result]: rival[result] + 1 })
      }
    return {
      matches,
      faults,
      rivals: [...rivals.values()].sort((a, b) => b.games - a.games || (a.name < b.name ? -1 : 1)),
    }
  }
}

/** How far back on each ladder `recent` looks: an account's page must not get slow with its age. */
export const recentMatches = 200

/** What an account has on a ladder. */
export type LadderRating = Omit<Rating, 'lead'> & {
  readonly ladder: Ladder
  readonly strength: Strength | null
}
type RatingRow = Omit<Rating, 'lead'> & FitColumns & { readonly ladder: LadderId }

export interface Point {
  readonly match: number
  readonly at: number
  readonly rating: number
}

export interface RecentForm {
  /** The number of matches counted. */
  readonly matches: number
  /** How often the account was faulted for what; `none` counts the matches without a fault. */
  readonly faults: ReadonlyMap<Fault | 'none', number>
  /** Its opponents, the most frequent first. */
  readonly rivals: readonly Rival[]
}

interface Rival {
  readonly name: string
  readonly games: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
}

type One = { account: AccountId; ladder: LadderId }
type Pair = One & { other: AccountId }
type Recent = {
  readonly match: number
  readonly fault: Fault | null
  readonly place: number
  readonly theirPlace: number
  readonly name: string
}
