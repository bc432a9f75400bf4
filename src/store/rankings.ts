import { sql } from 'kysely'
import type { AccountId } from '../arena/account.ts'
import { provisionalBelow } from '../arena/rating.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Rating } from './rating-recalculation.ts'

/**
 * Ladders as people and programs read them: ranked accounts first, then provisional ones, which have too few matches for
 * a rank. Only rated matches count: house players, practice and appointments do not appear, nor do banned accounts.
 */
export class Rankings {
  readonly #page: Query<PageIn, Row>
  readonly #named: Query<{ account: AccountId; game: string }, Row>
  readonly #ahead: Query<Span & Point, { n: number }>
  readonly #count: Query<Span & { like: string }, { n: number }>
  readonly #trend: Query<
    { account: AccountId; game: string; limit: number },
    { rating: number | null }
  >

  constructor(db: Database) {
    const listed = (query: Database['sql']) =>
      query
        .selectFrom('ratings')
        // A literal, not a parameter: it must match the condition of the index.
        .where('games', '>', sql.lit(0))
        .where('ratings.account', 'not in', ({ selectFrom }) =>
          selectFrom('accounts').select('id').where('banned_at', 'is not', null),
        )
    const named = (query: Database['sql']) =>
      listed(query).innerJoin('accounts', 'accounts.id', 'ratings.account')
    this.#page = prepare(db, (query, $: PageIn) =>
      named(query)
        .select(columns)
        .where('game', '=', $.game)
        .where('games', '>=', $.least)
        .where('games', '<', $.below)
        .where(({ fn }) => fn<string>('lower', ['name']), 'like', $.like)
        .orderBy('rating', 'desc')
        .orderBy('ratings.account')
        .limit($.limit)
        .offset($.offset),
    )
    this.#named = prepare(db, (query, $: { account: AccountId; game: string }) =>
      named(query)
        .select(columns)
        .where('game', '=', $.game)
        .where('ratings.account', '=', $.account),
    )
    this.#ahead = prepare(db, (query, $: Span & Point) =>
      listed(query)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('game', '=', $.game)
        .where('games', '>=', $.least)
        .where('games', '<', $.below)
        .where('rating', '>=', $.rating)
        .where(({ or, eb }) =>
          or([eb('rating', '>', $.rating), eb('ratings.account', '<', $.account)]),
        ),
    )
    this.#count = prepare(db, (query, $: Span & { like: string }) =>
      named(query)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('game', '=', $.game)
        .where('games', '>=', $.least)
        .where('games', '<', $.below)
        .where(({ fn }) => fn<string>('lower', ['name']), 'like', $.like),
    )
    this.#trend = prepare(db, (query, $: { account: AccountId; game: string; limit: number }) =>
      query
        .selectFrom('match_seats')
        .select('rating_after as rating')
        .where('account', '=', $.account)
        .where('game', '=', $.game)
        .orderBy('match', 'desc')
        .limit($.limit),
    )
  }

  /**
   * The one order of a ladder for commands, hub, pages and API: ranked accounts, then provisional ones, each by rating,
   * equal ratings by the age of the account. With a `search`, only names that contain it, with their rank among all.
   */
  page(ladder: string, { offset, limit, search = '', provisional }: RankingPage): Ranking {
    const count = (span: Span) =>
      search === '' ? this.#all(span) : this.#count.get({ ...span, like: likeOf(search) })!.n
    const ranked = provisional === true ? 0 : count(spanOf(ladder, false))
    const newcomers = provisional === false ? 0 : count(spanOf(ladder, true))
    const first = Math.min(limit, Math.max(0, ranked - offset))
    const rest = {
      offset: Math.max(0, offset - ranked),
      limit: newcomers === 0 ? 0 : limit - first,
    }
    return {
      rows: [
        ...this.#ranked(ladder, { offset, limit: first, search }),
        ...this.#provisional(ladder, { ...rest, search }),
      ],
      ranked,
      total: ranked + newcomers,
    }
  }

  /** The first accounts of a ladder, without counting them all. */
  top(ladder: string, limit: number): readonly Placed[] {
    const ranked = this.#ranked(ladder, { offset: 0, limit })
    return [...ranked, ...this.#provisional(ladder, { offset: 0, limit: limit - ranked.length })]
  }

  /** The rank of an account; undefined if it has no rated match or is banned. */
  place(ladder: string, account: AccountId): Placed | undefined {
    const row = this.#named.get({ game: ladder, account })
    if (row === undefined) return undefined
    if (row.games < provisionalBelow) return { ...row, rank: null }
    return { ...row, rank: this.#rank(ladder, row.rating) }
  }

  /** The number of accounts before this one in the order of the whole ladder. */
  before(ladder: string, { account, rating, rank }: Placed): number {
    const ahead = this.#ahead.get({ ...spanOf(ladder, rank === null), rating, account })!.n
    return rank === null ? this.#all(spanOf(ladder, false)) + ahead : ahead
  }

  /** The ratings after an account's last matches, oldest first. */
  trend(game: string, account: AccountId, limit: number): readonly number[] {
    return this.#trend
      .all({ game, account, limit })
      .flatMap(({ rating }) => (rating === null ? [] : [rating]))
      .reverse()
  }

  #all(span: Span): number {
    return this.#ahead.get({ ...span, rating: Number.NEGATIVE_INFINITY, account: 0 })!.n
  }

  #ranked(ladder: string, { offset, limit, search = '' }: RankingPage): readonly Placed[] {
    if (limit === 0) return []
    const like = likeOf(search)
    const rows = this.#page.all({ ...spanOf(ladder, false), like, offset, limit })
    const places: (Placed & { rank: number })[] = []
    for (const [at, row] of rows.entries()) {
      const last = places.at(-1)
      // Rows without gaps: the rank follows from the row before.
      const follows = search === '' && (at > 0 || offset === 0)
      const rank =
        last?.rating === row.rating
          ? last.rank
          : follows
            ? offset + at + 1
            : this.#rank(ladder, row.rating)
      places.push({ ...row, rank })
    }
    return places
  }

  #provisional(ladder: string, { offset, limit, search = '' }: RankingPage): readonly Placed[] {
    if (limit === 0) return []
    const like = likeOf(search)
    return this.#page
      .all({ ...spanOf(ladder, true), like, offset, limit })
      .map(row => ({ ...row, rank: null }))
  }

  #rank(ladder: string, rating: number): number {
    return this.#ahead.get({ ...spanOf(ladder, false), rating, account: 0 })!.n + 1
  }
}

export interface RankingPage {
  readonly offset: number
  readonly limit: number
  readonly search?: string
  /** Only the provisional, or only the ranked; both unless given. */
  readonly provisional?: boolean | undefined
}

export interface Ranking {
  readonly rows: readonly Placed[]
  /** The number of accounts on all pages, and of ranked ones among them. */
  readonly total: number
  readonly ranked: number
}

/** An account on a ladder. */
export interface Placed extends Row {
  /** Equal ratings share a rank; null while the rating is provisional. */
  readonly rank: number | null
}

type Row = Omit<Rating, 'lead'> & { readonly account: AccountId; readonly name: string }
type Point = { rating: number; account: AccountId }
type Span = { game: string; least: number; below: number }
type PageIn = Span & { like: string; offset: number; limit: number }

const columns = ['ratings.account', 'name', 'rating', 'games', 'wins', 'losses', 'draws'] as const

const spanOf = (game: string, provisional: boolean): Span =>
  provisional
    ? { game, least: 1, below: provisionalBelow }
    : { game, least: provisionalBelow, below: Number.MAX_SAFE_INTEGER }

/** The only character of a name that is special to LIKE is the underscore, which then also matches others. */
const likeOf = (search: string) => `%${search.toLowerCase().replace(/[^a-z0-9._-]/g, '')}%`
