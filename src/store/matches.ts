import { type Compilable, type SqlBool, sql } from 'kysely'
import type { AccountId } from '../arena/account.ts'
import type { Ending } from '../arena/ending.ts'
import { areTooFew, countedSeats, ofSeats, placesAmong } from '../arena/guests.ts'
import { type Ladder, type LadderId, parseLadderId } from '../arena/ladder.ts'
import type { MatchId, Played } from '../arena/match-store.ts'
import { type Notes, noNotes, notesText } from '../arena/note.ts'
import { shownAccounts } from '../arena/table-setup.ts'
import type { Seat, Setup } from '../games/game.ts'
import { oneLine } from '../games/words.ts'
import {
  eventOf,
  type MatchRecord,
  type MatchStatus,
  type PlayerRecord,
  type SealRecord,
} from '../record/match-record.ts'
import { noHash, noRating, seedOf } from '../seal.ts'
import { type Database, prepare, type Query } from './database.ts'
import { KeptMoves } from './kept-moves.ts'
import { Ladders } from './ladders.ts'
import type { Restart, Result } from './rating-recalculation.ts'
import type { Schema } from './schema.ts'
import { Seasons } from './seasons.ts'

/** Reads the matches in the database. Of past matches, notes can be removed. */
export class Matches {
  readonly #db: Database
  readonly #ladders: Ladders
  readonly #seasons: Seasons
  readonly #find: Query<{ id: MatchId }, Row>
  readonly #seats: Query<{ match: MatchId }, SeatRow>
  readonly #seal: Query<{ match: MatchId }, Link>
  readonly #moves: Query<{ id: MatchId }, { moves: string }>
  readonly #movesSize: Query<{ id: MatchId }, { length: number; size: number }>
  readonly #notes: Query<{ id: MatchId }, { notes: string | null }>
  readonly #keepNotes: Query<{ id: MatchId; notes: string | null }, unknown>
  readonly #results: Query<object, ResultRow>
  readonly #resultsOn: Query<{ game: string; ladder: LadderId; after: number }, ResultRow>

  constructor(db: Database) {
    this.#db = db
    this.#ladders = new Ladders(db)
    this.#seasons = new Seasons(db)
    this.#find = prepare(db, (sql, $: { id: MatchId }) =>
      sql.selectFrom('matches').select(columns).where('id', '=', $.id),
    )
    this.#seats = prepare(db, (sql, $: { match: MatchId }) =>
      sql
        .selectFrom('match_seats')
        .innerJoin('accounts', 'accounts.id', 'match_seats.account')
        .select(['seat', 'account', 'ladder', 'name', 'kind', 'place', 'fault', 'quick', 'score'])
        .select(['protocol', 'rating_before', 'rating_after', 'sealed_before', 'sealed_after'])
        .where('match', '=', $.match)
        .orderBy('seat'),
    )
    this.#seal = prepare(db, (sql, $: { match: MatchId }) =>
      sql
        .selectFrom('seals')
        .leftJoin('seals as before', join =>
          join
            .onRef('before.ladder', '=', 'seals.ladder')
            .on(({ ref, eb }) => eb('before.number', '=', eb(ref('seals.number'), '-', eb.lit(1)))),
        )
        .select(['seals.number', 'seals.hash', 'before.hash as previous'])
        .where('seals.match', '=', $.match)
        .where('seals.type', '=', 'match'),
    )
    this.#moves = prepare(db, (sql, $: { id: MatchId }) =>
      sql.selectFrom('matches').select('moves').where('id', '=', $.id),
    )
    this.#movesSize = prepare(db, (query, $: { id: MatchId }) =>
      query
        .selectFrom('matches')
        .select([
          'move_count as length',
          sql<number>`octet_length(moves) + coalesce(octet_length(notes), 0)`.as('size'),
        ])
        .where('id', '=', $.id),
    )
    this.#notes = prepare(db, (sql, $: { id: MatchId }) =>
      sql
        .selectFrom('matches')
        .select('notes')
        .where('id', '=', $.id)
        .where('ending', 'is not', null),
    )
    this.#keepNotes = prepare(db, (sql, $: { id: MatchId; notes: string | null }) =>
      sql.updateTable('matches').set({ notes: $.notes }).where('id', '=', $.id),
    )
    const results = (sql: Database['sql']) =>
      sql
        .selectFrom('matches')
        .innerJoin('match_seats', 'match_seats.match', 'matches.id')
        .innerJoin('accounts', 'accounts.id', 'match_seats.account')
        .select(['match', 'seat', 'account', 'ladder', 'place', 'score', 'quick', 'kind'])
        .select(['unrated', 'voided_at', 'rating_before', 'rating_after'])
        .select('finished_seq as order')
        .where('finished_seq', 'is not', null)
        .$narrowType<{ order: number }>()
        .orderBy('finished_seq')
    this.#results = prepare(db, results)
    this.#resultsOn = prepare(db, (sql, $: { game: string; ladder: LadderId; after: number }) =>
      results(sql)
        .where('matches.game', '=', $.game)
        .where('ladder', '=', $.ladder)
        .where('finished_seq', '>', $.after),
    )
  }

  find(id: MatchId): MatchRecord | undefined {
    const row = this.#find.get({ id })
    return row && this.#record(row)
  }

  moves(id: MatchId): readonly Played[] {
    return JSON.parse(this.#movesText(id))
  }

  /** The moves one at a time, for readers of long matches. */
  keptMoves(id: MatchId): KeptMoves {
    const { length, size } = this.#movesSize.get({ id }) ?? { length: 0, size: 0 }
    return new KeptMoves(() => this.#movesText(id), { length, size })
  }

  /** The notes of a match that is over; those of a live match are told by its table alone, to spectators and late. */
  notes(id: MatchId): Notes {
    const { notes } = this.#notes.get({ id }) ?? { notes: null }
    return notes === null ? noNotes : JSON.parse(notes)
  }

  /** Replaces the notes of a match that is over. */
  keepNotes(id: MatchId, notes: Notes): void {
    this.#keepNotes.run({ id, notes: notesText(notes) })
  }

  /**
   * The newest matches that fit the filter, newest first. The indexes are by game, or by account and ladder, so this takes
   * the newest of each and of those the newest: the cost does not grow with the number of matches.
   */
  newest({ game, limit, ...filter }: Filter): readonly MatchRecord[] {
    const { account } = filter
    const found =
      account === undefined
        ? (game === undefined ? this.#games() : [game]).map(game =>
            this.#newestOf({ game }, { ...filter, limit }),
          )
        : this.#laddersOf(account, game).map(ladder =>
            this.#newestOf({ ladder, account }, { ...filter, limit }),
          )
    return found
      .flat()
      .sort((a, b) => b - a)
      .slice(0, limit)
      .map(id => this.find(id)!)
  }

  /** All matches, oldest first. */
  *all(): Iterable<MatchRecord> {
    for (const id of this.ids()) yield this.find(id)!
  }

  /** The numbers of all matches, in order. */
  *ids(): Iterable<MatchId> {
    for (let last = Number.MIN_SAFE_INTEGER; ; ) {
      const ids = this.#select(
        this.#db.sql
          .selectFrom('matches')
          .select('id')
          .where('id', '>', last)
          .orderBy('id')
          .limit(1000),
      )
      for (const { id } of ids) yield id
      if (ids.length === 0) return
      last = ids.at(-1)!.id
    }
  }

  /** All results, or those of one ladder after a place in the order, in the order in which they changed the ratings. */
  *results(ladder?: Ladder, after = 0): Iterable<KeptResult> {
    const rows =
      ladder === undefined
        ? this.#results.iterate({})
        : this.#resultsOn.iterate({ game: ladder.game, ladder: ladder.id, after })
    let seats: ResultRow[] = []
    for (const row of rows) {
      if (seats.length > 0 && seats[0]!.match !== row.match) {
        yield this.#result(seats)
        seats = []
      }
      seats.push(row)
    }
    if (seats.length > 0) yield this.#result(seats)
  }

  /**
   * The same with the ends of the seasons among them. One that was closed right after the given place is left out: it came
   * before.
   */
  *history(ladder?: Ladder, after = 0): Iterable<KeptResult | Restart> {
    const restarts = this.#seasons
      .all()
      .filter(
        season => (ladder === undefined || season.ladder === ladder.id) && season.lastOrder > after,
      )
      .map(({ lastOrder, rule, ladder }) => ({ lastOrder, rule, ladder: this.#ladders.of(ladder) }))
    for (const result of this.results(ladder, after)) {
      while (restarts.length > 0 && restarts[0]!.lastOrder < result.order) yield restarts.shift()!
      yield result
    }
    yield* restarts
  }

  #result(rows: ResultRow[]): KeptResult {
    const { match, order, ladder, unrated, voided_at } = rows[0]!
    rows.sort((a, b) => a.seat - b.seat)
    const counted = countedSeats(rows.map(({ account }) => account))
    const seats = ofSeats(rows, counted)
    return {
      match,
      order,
      ladder: this.#ladders.of(ladder),
      seats: counted,
      accounts: seats.map(({ account }) => account),
      places: placesAmong(
        rows.map(({ place }) => place!),
        counted,
      ),
      scores: seats.map(({ score }) => score),
      quick: seats.map(({ quick }) => quick === 1),
      rated: unrated === null && voided_at === null,
      wasRated: unrated === null,
      practice: seats.some(({ kind }) => kind === 'house') || areTooFew(seats),
      ratings: seats.map(ratingOf),
    }
  }

  #movesText(id: MatchId): string {
    return this.#moves.get({ id })?.moves ?? '[]'
  }

  #newestOf(
    of: { game: string } | { ladder: LadderId; account: AccountId },
    {
      against,
      status,
      ending,
      before = Number.MAX_SAFE_INTEGER,
      limit,
    }: Omit<Filter, 'game' | 'account'>,
  ): readonly MatchId[] {
    let query = this.#db.sql
      .selectFrom('matches')
      .select('matches.id')
      .where('matches.id', '<', before)
      .limit(limit)
    if (status !== undefined) query = query.where(statuses[status])
    if (ending !== undefined) query = query.where('ending', '=', ending)
    if (ending !== undefined && ending !== 'rules') query = query.where(outOfTheOrdinary)
    if (against !== undefined)
      query = query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('match_seats as other')
            .select('other.seat')
            .whereRef('other.match', '=', 'matches.id')
            // The plus sign keeps SQLite from using the index of the other account, which would visit all its matches each time.
            .where(({ ref }) => sql`+${ref('other.account')}`, '=', against),
        ),
      )
    if ('game' in of)
      return this.#ids(query.where('matches.game', '=', of.game).orderBy('matches.id', 'desc'))
    const { ladder, account } = of
    // Few matches are live or aborted: those of the account are picked out of them. Otherwise the account's own index
    // comes first, and that of matches by game would be a detour.
    if (status === 'live' || status === 'aborted')
      return this.#ids(
        query
          .where('matches.game', '=', gameOf(ladder))
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('match_seats')
                .select('seat')
                .whereRef('match', '=', 'matches.id')
                .where('account', '=', account)
                .where('match_seats.ladder', '=', ladder),
            ),
          )
          .orderBy('matches.id', 'desc'),
      )
    return this.#ids(
      query
        .innerJoin('match_seats', 'match_seats.match', 'matches.id')
        .where('match_seats.account', '=', account)
        .where('match_seats.ladder', '=', ladder)
        .where('match_seats.match', '<', before)
        .orderBy('match_seats.match', 'desc'),
    )
  }

  #ids(query: Compilable<{ id: MatchId }>): readonly MatchId[] {
    return this.#select(query).map(({ id }) => id)
  }

  /** All games with matches. */
  #games(): readonly string[] {
    return allAfter(last =>
      this.#select(
        this.#db.sql
          .selectFrom('matches')
          .select(({ fn }) => fn.min<string | null>('game').as('next'))
          .where('game', '>', last),
      ),
    )
  }

  /** The ladders with matches of an account, all or those of one game. */
  #laddersOf(account: AccountId, game: string | undefined): readonly LadderId[] {
    const ladders = allAfter(last =>
      this.#select(
        this.#db.sql
          .selectFrom('match_seats')
          .select(({ fn }) => fn.min<LadderId | null>('ladder').as('next'))
          .where('account', '=', account)
          .where('ladder', '>', last),
      ),
    )
    return game === undefined ? ladders : ladders.filter(ladder => gameOf(ladder) === game)
  }

  #record({
    started_at,
    finished_seq,
    move_count,
    ended_at,
    ending,
    detail,
    unrated,
    voided_at,
    void_reason,
    seed,
    setup,
    event,
    board,
    ...match
  }: Row): MatchRecord {
    const seats = this.#seats.all({ match: match.id })
    const options: Setup | null = setup === null ? null : JSON.parse(setup)
    const seal = this.#seal.get({ match: match.id })
    return {
      ...match,
      seed: seedOf(seed),
      setup: options,
      unrated: unrated ?? (voided_at === null ? null : 'voided'),
      voided: voided_at === null ? null : { at: voided_at, reason: void_reason },
      event: event === null ? null : eventOf(event, board!),
      ladder: seats[0]?.ladder ?? match.game,
      startedAt: started_at,
      moveCount: move_count,
      order: finished_seq,
      seal: seal === undefined ? null : sealRecord(seal, seats),
      end: ending === null ? null : { at: ended_at!, ending, detail: oneLine(detail!) },
      players: shownAccounts(seats, options).map(row => {
        const { seat, account, name, kind, protocol, place, fault, score } = row
        const player = { seat, account, name, kind, protocol, place, fault, score }
        return { ...player, quick: row.quick === 1, rating: ratingOf(row) }
      }),
    }
  }

  #select<Out>(query: Compilable<Out>): readonly Out[] {
    const { sql, parameters } = query.compile()
    return this.#db.file.prepare<unknown[], Out>(sql).all(...parameters)
  }
}

export interface Filter {
  readonly game?: string | undefined
  readonly account?: AccountId | undefined
  /** Another account in the same match. */
  readonly against?: AccountId | undefined
  readonly status?: MatchStatus | undefined
  readonly ending?: Ending | undefined
  /** Only matches with a lower number. */
  readonly before?: MatchId | undefined
  readonly limit: number
}

// Written out rather than bound, as the conditions of the indexes are.
const statuses = {
  live: sql<SqlBool>`ending is null`,
  done: sql<SqlBool>`ending <> 'aborted'`,
  aborted: sql<SqlBool>`ending = 'aborted'`,
}

const outOfTheOrdinary = sql<SqlBool>`ending <> 'rules'`

const columns = [
  'id',
  'game',
  'seed',
  'setup',
  'unrated',
  'started_at',
  'move_count',
  'ended_at',
  'ending',
  'detail',
  'finished_seq',
  'voided_at',
  'void_reason',
  'event',
  'board',
] as const

type Row = Pick<Schema['matches'], (typeof columns)[number]>
/** A result, and what it was kept with. */
export interface KeptResult extends Result {
  readonly match: MatchId
  /** Its place among all results. */
  readonly order: number
  /** Whether it counted at its end, and still does unless it is voided. */
  readonly wasRated: boolean
  /** The seats that count: those of guests do not. What is by seat here is by these. */
  readonly seats: readonly Seat[]
  /** By seat: null where the match changed no rating. */
  readonly ratings: readonly PlayerRecord['rating'][]
}

/** All values in order, from a query for the least one after another: it skips over the many rows of one value. */
const allAfter = (
  query: (last: string) => readonly { readonly next: string | null }[],
): readonly string[] => {
  const all: string[] = []
  for (;;) {
    const next = query(all.at(-1) ?? '')[0]?.next ?? null
    if (next === null) return all
    all.push(next)
  }
}

const gameOf = (ladder: LadderId): string => parseLadderId(ladder)?.game ?? ladder

const ratingOf = ({
  rating_before: before,
  rating_after: after,
}: Pick<Schema['match_seats'], 'rating_before' | 'rating_after'>): PlayerRecord['rating'] =>
  before === null ? null : { before, after: after! }

const sealRecord = ({ number, hash, previous }: Link, seats: readonly SeatRow[]): SealRecord => ({
  number,
  hash,
  previous: previous ?? noHash,
  ratings: seats.some(({ sealed_before }) => sealed_before !== null)
    ? seats.map(row => ratingOf(asSealed(row)))
    : null,
})

/** With the ratings that the seal of its match covers. */
export const asSealed = <Row extends Ratings>(row: Row): Row => ({
  ...row,
  rating_before: sealedOr(row.sealed_before, row.rating_before),
  rating_after: sealedOr(row.sealed_after, row.rating_after),
})

const sealedOr = (sealed: number | null, rating: number | null): number | null =>
  sealed === null ? rating : sealed === noRating ? null : sealed

type Ratings = Pick<
  Schema['match_seats'],
  'rating_before' | 'rating_after' | 'sealed_before' | 'sealed_after'
>
type Link = { readonly number: number; readonly hash: string; readonly previous: string | null }
type ResultRow = Omit<SeatRow, 'fault' | 'name' | 'protocol' | `sealed_${'before' | 'after'}`> &
  Pick<Schema['matches'], 'unrated' | 'voided_at'> & {
    readonly match: MatchId
    readonly order: number
  }
type SeatRow = Omit<Schema['match_seats'], 'match'> & Pick<PlayerRecord, 'name' | 'kind'>
