import { sql } from 'kysely'
import type { AccountId } from '../arena/account.ts'
import { isProvisional, rankedFrom } from '../arena/counting.ts'
import { agentsLadder, type Ladder, type LadderId } from '../arena/ladder.ts'
import type { Strength } from '../arena/strength.ts'
import { games } from '../games/index.ts'
import { type Database, prepare, type Query } from './database.ts'
import { type Field, type Overall, overallOf } from './overall.ts'
import type { Rating } from './rating-recalculation.ts'

/**
 * Ladders as people and programs read them: ranked accounts first, then provisional ones, which have too few matches for
 * a rank. Only rated matches count: house players, practice and appointments do not appear, nor do banned accounts.
 */
export class Rankings {
  readonly #page: ByOrder<Query<PageIn, Row>>
  readonly #ahead: ByOrder<Query<Span & Point, { n: number }>>
  readonly #all: Query<Span, { n: number }>
  readonly #fitted: Query<Span & { like: string }, { n: number }>
  readonly #named: Query<{ account: AccountId; ladder: LadderId }, Row>
  readonly #count: Query<Span & { like: string }, { n: number }>
  readonly #trend: Query<
    { account: AccountId; ladder: LadderId; limit: number },
    { rating: number | null }
  >
  /** Changes with every fit, and with every act of the operator, such as a ban. */
  readonly #state: Query<object, { fits: string | null; acts: number | null }>
  #overall: { readonly key: string; readonly board: Overall } | undefined

  constructor(db: Database) {
    this.#state = prepare(db, query =>
      query.selectNoFrom(({ selectFrom }) => [
        selectFrom('strength_fits')
          .select(
            sql<string | null>`group_concat(ladder || ' ' || last_seq || ' ' || voided)`.as('fits'),
          )
          .as('fits'),
        selectFrom('audit').select(sql<number | null>`max(id)`.as('acts')).as('acts'),
      ]),
    )
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
    const joined = (query: Database['sql']) =>
      listed(query).leftJoin('strengths', join =>
        join
          .onRef('strengths.ladder', '=', 'ratings.ladder')
          .onRef('strengths.account', '=', 'ratings.account'),
      )
    const ordered = (query: Database['sql'], $: Span, order: Order) =>
      joined(query)
        // So SQLite walks along the index that has this order.
        .where(order === 'strength' ? 'strengths.ladder' : 'ratings.ladder', '=', $.ladder)
        .where('games', '>=', $.least)
        .where('games', '<', $.below)
        .$if(order === 'strength', query => query.where('strength', 'is not', null))
        .$if(order === 'rating', query => query.where('strength', 'is', null))
    const page = (order: Order) =>
      prepare(db, (query, $: PageIn) =>
        ordered(query, $, order)
          .innerJoin('accounts', 'accounts.id', 'ratings.account')
          .select(columns)
          .where(({ fn }) => fn<string>('lower', ['name']), 'like', $.like)
          .orderBy(columnOf(order), 'desc')
          .$if(order === 'wins', query => query.orderBy('wins', 'desc'))
          .orderBy(order === 'strength' ? 'strengths.account' : 'ratings.account')
          .limit($.limit)
          .offset($.offset),
      )
    this.#page = byOrder(page)
    const ahead = (order: Order) =>
      prepare(db, (query, $: Span & Point) =>
        ordered(query, $, order)
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .where(columnOf(order), '>=', $.value)
          .where(({ or, and, eb }) =>
            or([
              eb(columnOf(order), '>', $.value),
              order !== 'wins'
                ? eb('ratings.account', '<', $.account)
                : or([
                    eb('wins', '>', $.wins),
                    and([eb('wins', '=', $.wins), eb('ratings.account', '<', $.account)]),
                  ]),
            ]),
          ),
      )
    this.#ahead = byOrder(ahead)
    this.#all = prepare(db, (query, $: Span) =>
      listed(query)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('ladder', '=', $.ladder)
        .where('games', '>=', $.least)
        .where('games', '<', $.below),
    )
    this.#named = prepare(db, (query, $: { account: AccountId; ladder: LadderId }) =>
      joined(query)
        .innerJoin('accounts', 'accounts.id', 'ratings.account')
        .select(columns)
        .where('ratings.ladder', '=', $.ladder)
        .where('ratings.account', '=', $.account),
    )
    this.#fitted = prepare(db, (query, $: Span & { like: string }) =>
      ordered(query, $, 'strength')
        .innerJoin('accounts', 'accounts.id', 'ratings.account')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where(({ fn }) => fn<string>('lower', ['name']), 'like', $.like),
    )
    this.#count = prepare(db, (query, $: Span & { like: string }) =>
      listed(query)
        .innerJoin('accounts', 'accounts.id', 'ratings.account')
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
   * The one order of a ladder for commands, hub, pages and API: ranked accounts, then provisional ones. Each by strength; those
   * that no fit has yet come behind, by rating. A ladder that counts no ratings has its numbers and its tie-break for that.
   * Equal accounts by their age. With a `search`, only names that contain it, with their rank among all.
   */
  page(ladder: Ladder, { offset, limit, search = '', provisional }: RankingPage): Ranking {
    const count = (span: Span) =>
      search === '' ? this.#all.get(span)!.n : this.#count.get({ ...span, like: likeOf(search) })!.n
    const ranked = provisional === true ? 0 : count(spanOf(ladder, false))
    const newcomers = provisional === false ? 0 : count(spanOf(ladder, true))
    const first = Math.max(0, Math.min(limit, ranked - offset))
    const start = Math.max(0, offset - ranked)
    const rest = Math.max(0, Math.min(limit - first, newcomers - start))
    return {
      rows: [
        ...this.#ranked(ladder, { offset, limit: first, search }),
        ...this.#provisional(ladder, { offset: start, limit: rest, search }),
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
    const named = this.#named.get({ ladder: ladder.id, account })
    if (named === undefined) return undefined
    const row = fitted(ladder, named)
    return { ...row, rank: isProvisional(ladder, row.games) ? null : this.#rank(ladder, row) }
  }

  /** The number of accounts before this one in the order of the whole ladder. */
  before(ladder: Ladder, placed: Placed): number {
    const ahead = this.#countAhead(ladder, spanOf(ladder, placed.rank === null), placed)
    return placed.rank === null ? this.#all.get(spanOf(ladder, false))!.n + ahead : ahead
  }

  /** The ratings after an account's last matches, oldest first. */
  trend({ id: ladder }: Ladder, account: AccountId, limit: number): readonly number[] {
    return this.#trend
      .all({ ladder, account, limit })
      .flatMap(({ rating }) => (rating === null ? [] : [rating]))
      .reverse()
  }

  /** The board over all games: the standard ladders of agents. It is made again when a fit or an act of the operator has changed it. */
  overall(): Overall {
    const { fits, acts } = this.#state.get({})!
    const key = `${fits} ${acts}`
    if (this.#overall?.key !== key)
      this.#overall = { key, board: overallOf(games.map(this.#field)) }
    return this.#overall.board
  }

  #field = ({ id: game }: { readonly id: string }): Field => ({
    game,
    accounts: this.#ranked(agentsLadder(game), {
      offset: 0,
      limit: Number.MAX_SAFE_INTEGER,
    }).flatMap(({ account, name, strength }) =>
      strength === null ? [] : [{ account, name, strength: strength.value }],
    ),
  })

  #ranked(ladder: Ladder, { offset, limit, search = '' }: RankingPage): readonly Placed[] {
    const places: (Fitted & { rank: number })[] = []
    const rows = this.#rows(ladder, spanOf(ladder, false), { offset, limit, search })
    for (const [at, row] of rows.entries()) {
      const last = places.at(-1)
      // Rows without gaps: the rank follows from the row before.
      const follows = search === '' && (at > 0 || offset === 0)
      const rank =
        last !== undefined && areLevel(ladder, last, row)
          ? last.rank
          : follows
            ? offset + at + 1
            : this.#rank(ladder, row)
      places.push({ ...row, rank })
    }
    return places
  }

  #provisional(ladder: Ladder, page: RankingPage): readonly Placed[] {
    return this.#rows(ladder, spanOf(ladder, true), page).map(row => ({ ...row, rank: null }))
  }

  /** Accounts that no fit has are looked for only where the others do not fill the page. */
  #rows(
    ladder: Ladder,
    span: Span,
    { offset, limit, search = '' }: RankingPage,
  ): readonly Fitted[] {
    if (limit === 0) return []
    const matching = { ...span, like: likeOf(search) }
    const read = (order: Order, offset: number, limit: number) =>
      this.#page[order].all({ ...matching, offset, limit }).map(row => fitted(ladder, row))
    if (ladder.counts.by !== 'elo') return read('wins', offset, limit)
    const rows = read('strength', offset, limit)
    if (rows.length === limit) return rows
    const before = rows.length > 0 ? offset + rows.length : this.#fitted.get(matching)!.n
    return [...rows, ...read('rating', Math.max(0, offset - before), limit - rows.length)]
  }

  #rank(ladder: Ladder, row: Fitted): number {
    return this.#countAhead(ladder, spanOf(ladder, false), { ...row, account: 0 }) + 1
  }

  #countAhead(ladder: Ladder, span: Span, row: Fitted): number {
    const { order, value } = keyOf(ladder, row)
    const ahead = this.#ahead[order].get({ ...span, ...row, value })!.n
    return order === 'rating' ? this.#fitted.get({ ...span, like: likeOf('') })!.n + ahead : ahead
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
export interface Placed extends Fitted {
  /** Equal accounts that no tie-break separates share a rank; null while the rating is provisional. */
  readonly rank: number | null
}

/** Null where no fit has the account, and on ladders that count no ratings. */
export const strengthOf = ({ counts }: Ladder, { strength, error }: FitColumns): Strength | null =>
  counts.by !== 'elo' || strength === null || error === null ? null : { value: strength, error }

export interface FitColumns {
  readonly strength: number | null
  readonly error: number | null
}

interface Fitted extends Omit<Rating, 'lead'> {
  readonly account: AccountId
  readonly name: string
  readonly strength: Strength | null
}

const fitted = (ladder: Ladder, row: Row): Fitted => {
  const { error: _, ...rest } = row
  return { ...rest, strength: strengthOf(ladder, row) }
}

type Row = Omit<Fitted, 'strength'> & FitColumns

/** What accounts are ordered by: their strengths, their ratings where they have none, or the numbers of a ladder without ratings. */
type Order = 'strength' | 'rating' | 'wins'

const byOrder = <T>(make: (order: Order) => T): ByOrder<T> => ({
  strength: make('strength'),
  rating: make('rating'),
  wins: make('wins'),
})

const columnOf = (order: Order) => (order === 'strength' ? 'strength' : 'rating')

const keyOf = (ladder: Ladder, { strength, rating }: Fitted): { order: Order; value: number } =>
  ladder.counts.by !== 'elo'
    ? { order: 'wins', value: rating }
    : strength === null
      ? { order: 'rating', value: rating }
      : { order: 'strength', value: strength.value }

const areLevel = (ladder: Ladder, a: Fitted, b: Fitted): boolean => {
  const [one, other] = [keyOf(ladder, a), keyOf(ladder, b)]
  return (
    one.order === other.order &&
    one.value === other.value &&
    (one.order !== 'wins' || a.wins === b.wins)
  )
}

type ByOrder<T> = Readonly<Record<Order, T>>
type Point = { value: number; wins: number; account: AccountId }
type Span = { ladder: LadderId; least: number; below: number }
type PageIn = Span & { like: string; offset: number; limit: number }

const columns = [
  'ratings.account',
  'name',
  'rating',
  'games',
  'wins',
  'losses',
  'draws',
  'strength',
  'error',
] as const

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
