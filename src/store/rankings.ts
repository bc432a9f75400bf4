import { sql } from 'kysely'
import type { AccountId } from '../arena/account.ts'
import { isProvisional, rankedFrom, type TieBreak, tieBreakOf } from '../arena/counting.ts'
import type { Ladder, LadderId } from '../arena/ladder.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Rating } from './rating-recalculation.ts'

/**
 * Ladders as people and programs read them: ranked accounts first, then provisional ones, which have too few matches for
 * a rank. Only rated matches count: house players, practice and appointments do not appear, nor do banned accounts.
 */
export class Rankings {
  readonly #page: ByTieBreak<Query<PageIn, Row>>
  readonly #ahead: ByTieBreak<Query<Span & Point, { n: number }>>
  readonly #named: Query<{ account: AccountId; ladder: LadderId }, Row>
  readonly #count: Query<Span & { like: string }, { n: number }>
  readonly #trend: Query<
    { account: AccountId; ladder: LadderId; limit: number },
    { rating: number | null }
  >

  constructor(db: Database) {
    const listed = (query: Database['sql']) =>
      query
        .selectFrom('ratings')
        // A literal, not a parameter: it must match the condition of the index.
        .where('games', '>', sql.lit(0))
        .where('ratings.account', 'not in', ({ selectFrom }) =>
          selectFrom('accounts')
            .select('id')
            .where('banned_at', 'is not', null)
            .unionAll(
              selectFrom('accounts as versions')
                .innerJoin('accounts as agents', 'agents.id', 'versions.parent')
                .select('versions.id')
                .where('agents.banned_at', 'is not', null),
            ),
        )
    const named = (query: Database['sql']) =>
      listed(query).innerJoin('accounts', 'accounts.id', 'ratings.account')
    const page = (tieBreak: TieBreak) =>
      prepare(db, (query, $: PageIn) =>
        named(query)
          .select(columns)
          .where('ladder', '=', $.ladder)
          .where('games', '>=', $.least)
          .where('games', '<', $.below)
          .where(({ fn }) => fn<string>('lower', ['name']), 'like', $.like)
          .orderBy('rating', 'desc')
          .$if(tieBreak === 'wins', query => query.orderBy('wins', 'desc'))
          .orderBy('ratings.account')
          .limit($.limit)
          .offset($.offset),
      )
    this.#page = { none: page('none'), wins: page('wins') }
    const ahead = (tieBreak: TieBreak) =>
      prepare(db, (query, $: Span & Point) =>
        listed(query)
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .where('ladder', '=', $.ladder)
          .where('games', '>=', $.least)
          .where('games', '<', $.below)
          .where('rating', '>=', $.rating)
          .where(({ or, and, eb }) =>
            or([
              eb('rating', '>', $.rating),
              tieBreak === 'none'
                ? eb('ratings.account', '<', $.account)
                : or([
                    eb('wins', '>', $.wins),
                    and([eb('wins', '=', $.wins), eb('ratings.account', '<', $.account)]),
                  ]),
            ]),
          ),
      )
    this.#ahead = { none: ahead('none'), wins: ahead('wins') }
    this.#named = prepare(db, (query, $: { account: AccountId; ladder: LadderId }) =>
      named(query)
        .select(columns)
        .where('ladder', '=', $.ladder)
        .where('ratings.account', '=', $.account),
    )
    this.#count = prepare(db, (query, $: Span & { like: string }) =>
      named(query)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('ladder', '=', $.ladder)
        .where('games', '>=', $.least)
        .where('games', '<', $.below)
        .where(({ fn }) => fn<string>('lower', ['name']), 'like', $.like),
    )
    this.#trend = prepare(db, (query, $: { account: AccountId; ladder: LadderId; limit: number }) =>
      query
        .selectFrom('match_seats')
        .select('rating_after as rating')
        .where('account', '=', $.account)
        .where('ladder', '=', $.ladder)
        .orderBy('match', 'desc')
        .limit($.limit),
    )
  }

  /**
   * The one order of a ladder for commands, hub, pages and API: ranked accounts, then provisional ones, each by rating,
   * equal ratings by the tie-break of the ladder, and then by the age of the account. With a `search`, only names that
   * contain it, with their rank among all.
   */
  page(ladder: Ladder, { offset, limit, search = '', provisional }: RankingPage): Ranking {
    const count = (span: Span) =>
      search === ''
        ? this.#all(ladder, span)
        : this.#count.get({ ...span, like: likeOf(search) })!.n
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
  top(ladder: Ladder, limit: number): readonly Placed[] {
    const ranked = this.#ranked(ladder, { offset: 0, limit })
    return [...ranked, ...this.#provisional(ladder, { offset: 0, limit: limit - ranked.length })]
  }

  /** The rank of an account; undefined if it has no rated match or is banned. */
  place(ladder: Ladder, account: AccountId): Placed | undefined {
    const row = this.#named.get({ ladder: ladder.id, account })
    if (row === undefined) return undefined
    return { ...row, rank: isProvisional(ladder, row.games) ? null : this.#rank(ladder, row) }
  }

  /** The number of accounts before this one in the order of the whole ladder. */
  before(ladder: Ladder, { account, rating, wins, rank }: Placed): number {
    const ahead = this.#countAhead(ladder, spanOf(ladder, rank === null), { rating, wins, account })
    return rank === null ? this.#all(ladder, spanOf(ladder, false)) + ahead : ahead
  }

  /** The ratings after an account's last matches, oldest first. */
  trend({ id: ladder }: Ladder, account: AccountId, limit: number): readonly number[] {
    return this.#trend
      .all({ ladder, account, limit })
      .flatMap(({ rating }) => (rating === null ? [] : [rating]))
      .reverse()
  }

  #all(ladder: Ladder, span: Span): number {
    return this.#countAhead(ladder, span, { rating: Number.NEGATIVE_INFINITY, wins: 0, account: 0 })
  }

  #countAhead(ladder: Ladder, span: Span, point: Point): number {
    return this.#ahead[tieBreakOf(ladder)].get({ ...span, ...point })!.n
  }

  #ranked(ladder: Ladder, { offset, limit, search = '' }: RankingPage): readonly Placed[] {
    if (limit === 0) return []
    const like = likeOf(search)
    const tieBreak = tieBreakOf(ladder)
    const rows = this.#page[tieBreak].all({ ...spanOf(ladder, false), like, offset, limit })
    const places: (Placed & { rank: number })[] = []
    for (const [at, row] of rows.entries()) {
      const last = places.at(-1)
      // Rows without gaps: the rank follows from the row before.
      const follows = search === '' && (at > 0 || offset === 0)
      const rank =
        last?.rating === row.rating && (tieBreak === 'none' || last.wins === row.wins)
          ? last.rank
          : follows
            ? offset + at + 1
            : this.#rank(ladder, row)
      places.push({ ...row, rank })
    }
    return places
  }

  #provisional(ladder: Ladder, { offset, limit, search = '' }: RankingPage): readonly Placed[] {
    if (limit === 0) return []
    const like = likeOf(search)
    return this.#page[tieBreakOf(ladder)]
      .all({ ...spanOf(ladder, true), like, offset, limit })
      .map(row => ({ ...row, rank: null }))
  }

  #rank(ladder: Ladder, { rating, wins }: Row): number {
    return this.#countAhead(ladder, spanOf(ladder, false), { rating, wins, account: 0 }) + 1
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
  /** Equal ratings that no tie-break separates share a rank; null while the rating is provisional. */
  readonly rank: number | null
}

type Row = Omit<Rating, 'lead'> & { readonly account: AccountId; readonly name: string }
type Point = { rating: number; wins: number; account: AccountId }
type ByTieBreak<T> = Readonly<Record<TieBreak, T>>
type Span = { ladder: LadderId; least: number; below: number }
type PageIn = Span & { like: string; offset: number; limit: number }

const columns = ['ratings.account', 'name', 'rating', 'games', 'wins', 'losses', 'draws'] as const

/** The ranked accounts of a ladder, or the provisional ones, by their number of matches. */
const spanOf = (ladder: Ladder, provisional: boolean): Span => {
  const ranked = rankedFrom(ladder)
  return provisional
    ? { ladder: ladder.id, least: 1, below: ranked }
    : { ladder: ladder.id, least: ranked, below: Number.MAX_SAFE_INTEGER }
}

/** To LIKE an underscore is any character: so a name is found whatever separates its words. */
const likeOf = (search: string) =>
  `%${search
    .toLowerCase()
    .replace(/[ .-]/g, '_')
    .replace(/[^a-z0-9_~]/g, '')}%`
