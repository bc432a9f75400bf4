import type { AccountId } from '../arena/account.ts'
import { isGuestId } from '../arena/guests.ts'
import type { LadderId } from '../arena/ladder.ts'
import type { Unrated } from '../arena/unrated.ts'
import { type Database, prepare, type Query } from './database.ts'
import { Ladders } from './ladders.ts'

/** A match that strengths follow from: a rated one that is not voided, or one of a rated event against the house. */
export interface CountedResult {
  readonly ladder: LadderId
  /** Its place among all results. */
  readonly order: number
  /** By seat, without guests. */
  readonly accounts: readonly AccountId[]
  readonly places: readonly number[]
}

/** What the fits of ladders are made from. */
export class StrengthSource {
  readonly #since: Query<{ after: number }, Row>
  readonly #onLadder: Query<{ ladder: LadderId; game: string; after: number; upTo: number }, Row>
  readonly #voids: Query<object, { ladder: LadderId; n: number; at: number | null }>
  readonly #seasons: Query<object, { ladder: LadderId; last: number | null }>
  readonly #house: Query<object, { id: AccountId; name: string }>
  readonly #ladders: Ladders

  constructor(db: Database) {
    this.#ladders = new Ladders(db)
    const results = (sql: Database['sql']) =>
      sql
        .selectFrom('matches')
        .innerJoin('match_seats', 'match_seats.match', 'matches.id')
        .select(['ladder', 'finished_seq as order', 'seat', 'account', 'place'])
        .where('finished_seq', 'is not', null)
        .where('voided_at', 'is', null)
        .where(({ or, eb }) => or([eb('unrated', 'is', null), eb('unrated', '=', againstAnchors)]))
        .$narrowType<{ order: number; place: number }>()
        .orderBy('finished_seq')
        .orderBy('seat')
    this.#since = prepare(db, (sql, $: { after: number }) =>
      results(sql).where('finished_seq', '>', $.after),
    )
    this.#onLadder = prepare(
      db,
      (sql, $: { ladder: LadderId; game: string; after: number; upTo: number }) =>
        results(sql)
          .where('matches.game', '=', $.game)
          .where('ladder', '=', $.ladder)
          .where('finished_seq', '>', $.after)
          .where('finished_seq', '<=', $.upTo),
    )
    this.#voids = prepare(db, sql =>
      sql
        .selectFrom('matches')
        .innerJoin('match_seats', 'match_seats.match', 'matches.id')
        .select(({ fn }) => ['ladder', fn.countAll<number>().as('n'), fn.max('voided_at').as('at')])
        .where('voided_at', 'is not', null)
        .where('seat', '=', 0)
        .groupBy('ladder'),
    )
    this.#seasons = prepare(db, sql =>
      sql
        .selectFrom('seasons')
        .select(({ fn }) => ['ladder', fn.max<number | null>('last_seq').as('last')])
        .groupBy('ladder'),
    )
    this.#house = prepare(db, sql =>
      sql.selectFrom('accounts').select(['id', 'name']).where('kind', '=', 'house'),
    )
  }

  /** All results after a place in their order. */
  since(after: number): Iterable<CountedResult> {
    return resultsOf(this.#since.iterate({ after }))
  }

  /** Those of one ladder, from after one place up to another. */
  onLadder(ladder: LadderId, after: number, upTo: number): Iterable<CountedResult> {
    const { game } = this.#ladders.of(ladder)
    return resultsOf(this.#onLadder.iterate({ ladder, game, after, upTo }))
  }

  /** What each ladder is fitted from beside new results: where its season began, and which matches are voided. */
  bases(): ReadonlyMap<LadderId, Basis> {
    const starts = new Map(this.#seasons.all({}).map(({ ladder, last }) => [ladder, last ?? 0]))
    const voids = new Map(this.#voids.all({}).map(({ ladder, n, at }) => [ladder, `${n} ${at}`]))
    return new Map(
      [...new Set([...starts.keys(), ...voids.keys()])].map(ladder => {
        const after = starts.get(ladder) ?? 0
        return [ladder, { after, text: `${after} ${voids.get(ladder) ?? noVoids}` }]
      }),
    )
  }

  /** The names of house players. */
  house(): ReadonlyMap<AccountId, string> {
    return new Map(this.#house.all({}).map(({ id, name }) => [id, name]))
  }
}

export interface Basis {
  /** Only results after this place in the order count. */
  readonly after: number
  /** Differs from every other basis of the ladder. */
  readonly text: string
}

const noVoids = '0 null'

/** The basis of a ladder without a season that has ended and without a void. */
export const plainBasis: Basis = { after: 0, text: `0 ${noVoids}` }

const againstAnchors = 'an event match against the house' as string as Unrated

interface Row {
  readonly ladder: LadderId
  readonly order: number
  readonly seat: number
  readonly account: AccountId
  readonly place: number
}

function* resultsOf(rows: Iterable<Row>): Iterable<CountedResult> {
  let seats: Row[] = []
  for (const row of rows) {
    if (seats.length > 0 && seats[0]!.order !== row.order) {
      yield resultOf(seats)
      seats = []
    }
    seats.push(row)
  }
  if (seats.length > 0) yield resultOf(seats)
}

const resultOf = (rows: readonly Row[]): CountedResult => {
  const seats = rows.filter(({ account }) => !isGuestId(account))
  return {
    ladder: rows[0]!.ladder,
    order: rows[0]!.order,
    accounts: seats.map(({ account }) => account),
    places: seats.map(({ place }) => place),
  }
}
