import { sql } from 'kysely'
import type { AccountId } from '../arena/account.ts'
import { provisionalBelow } from '../arena/rating.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Rating } from './reckoning.ts'

/**
 * Ladders as people read them: those with enough matches ranked, equal ratings on equal ranks, the provisional apart.
 * Only rated matches count, so that the house, practice and appointments are never in here; nor are the banned.
 */
export class Rankings {
  readonly #page: Query<PageIn, Row>
  readonly #named: Query<{ account: AccountId; game: string }, Row>
  readonly #better: Query<Span & { rating: number }, { n: number }>
  readonly #count: Query<Span & { like: string }, { n: number }>
  readonly #trend: Query<
    { account: AccountId; game: string; limit: number },
    { rating: number | null }
  >

  constructor(db: Database) {
    const listed = (query: Database['sql']) =>
      query
        .selectFrom('ratings')
        // Written out rather than bound, as the condition of the index is.
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
    this.#better = prepare(db, (query, $: Span & { rating: number }) =>
      listed(query)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('game', '=', $.game)
        .where('games', '>=', $.least)
        .where('games', '<', $.below)
        .where('rating', '>', $.rating),
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

  /** Best first. With a `search`, only names that hold it, each with the rank it has among all. */
  page(game: string, { provisional, offset, limit, search = '' }: RankingPage): Ranking {
    const span = spanOf(game, provisional)
    const like = likeOf(search)
    const rows = this.#page.all({ ...span, like, offset, limit })
    const places: Placed[] = []
    for (const [at, row] of rows.entries()) {
      const last = places.at(-1)
      // Without gaps between them the rank follows from the row before.
      const rank =
        last?.rating === row.rating
          ? last.rank
          : search === '' && at > 0
            ? offset + at + 1
            : this.#rank(span, row.rating)
      places.push({ ...row, rank })
    }
    const total =
      search === ''
        ? this.#better.get({ ...span, rating: Number.NEGATIVE_INFINITY })!.n
        : this.#count.get({ ...span, like })!.n
    return { rows: places, total }
  }

  /** The first few, the provisional only where nobody is ranked yet. */
  top(game: string, limit: number): readonly (Placed & { provisional: boolean })[] {
    for (const provisional of [false, true]) {
      const rows = this.#page.all({ ...spanOf(game, provisional), like: '%', offset: 0, limit })
      if (rows.length > 0)
        return rows.map(row => ({
          ...row,
          provisional,
          rank: rows.findIndex(({ rating }) => rating === row.rating) + 1,
        }))
    }
    return []
  }

  /** Where an account is; undefined without a rated match, or when banned. */
  place(game: string, account: AccountId): (Placed & { provisional: boolean }) | undefined {
    const row = this.#named.get({ game, account })
    if (row === undefined) return undefined
    const provisional = row.games < provisionalBelow
    return { ...row, provisional, rank: this.#rank(spanOf(game, provisional), row.rating) }
  }

  /** The ratings that an account's last matches left it with, oldest first. */
  trend(game: string, account: AccountId, limit: number): readonly number[] {
    return this.#trend
      .all({ game, account, limit })
      .flatMap(({ rating }) => (rating === null ? [] : [rating]))
      .reverse()
  }

  #rank(span: Span, rating: number): number {
    return this.#better.get({ ...span, rating })!.n + 1
  }
}

export interface RankingPage {
  readonly provisional: boolean
  readonly offset: number
  readonly limit: number
  readonly search?: string
}

export interface Ranking {
  readonly rows: readonly Placed[]
  /** How many there are on all pages. */
  readonly total: number
}

/** Someone on a ladder. The provisional are ranked among themselves. */
export interface Placed extends Row {
  readonly rank: number
}

type Row = Omit<Rating, 'lead'> & { readonly account: AccountId; readonly name: string }
type Span = { game: string; least: number; below: number }
type PageIn = Span & { like: string; offset: number; limit: number }

const columns = ['ratings.account', 'name', 'rating', 'games', 'wins', 'losses', 'draws'] as const

const spanOf = (game: string, provisional: boolean): Span =>
  provisional
    ? { game, least: 1, below: provisionalBelow }
    : { game, least: provisionalBelow, below: Number.MAX_SAFE_INTEGER }

/** A name has no character that means something to LIKE but the underscore, which then also finds others. */
const likeOf = (search: string) => `%${search.toLowerCase().replace(/[^a-z0-9._-]/g, '')}%`
