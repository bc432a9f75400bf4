import type { MatchId } from '../arena/match-store.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Schema } from './schema.ts'

/** The columns that a match writes itself; the others are written by a void. */
export type MatchRow = Omit<Schema['matches'], 'voided_at' | 'void_reason'>
export type SeatRow = Omit<Schema['match_seats'], 'sealed_before' | 'sealed_after'>

/** Writes matches with their seats. A later write of the same match replaces the columns that can change. */
export class MatchRows {
  readonly #putMatch: Query<MatchRow, unknown>
  readonly #putSeat: Query<SeatRow, unknown>
  readonly #lastId: Query<object, { id: number | null }>
  readonly #lastSeq: Query<object, { seq: number | null }>
  readonly #ending: Query<{ id: MatchId }, Pick<MatchRow, 'ending'>>
  readonly #live: Query<object, MatchRow>
  readonly #seats: Query<{ match: MatchId }, SeatRow>

  constructor(db: Database) {
    this.#putMatch = prepare(db, (sql, $: MatchRow) =>
      sql
        .insertInto('matches')
        .values({
          id: $.id,
          game: $.game,
          seed: $.seed,
          setup: $.setup,
          unrated: $.unrated,
          started_at: $.started_at,
          ended_at: $.ended_at,
          ending: $.ending,
          detail: $.detail,
          finished_seq: $.finished_seq,
          move_count: $.move_count,
          moves: $.moves,
          notes: $.notes,
          event: $.event,
          board: $.board,
        })
        .onConflict(conflict =>
          conflict.column('id').doUpdateSet(row => ({
            unrated: row.ref('excluded.unrated'),
            ended_at: row.ref('excluded.ended_at'),
            ending: row.ref('excluded.ending'),
            detail: row.ref('excluded.detail'),
            finished_seq: row.ref('excluded.finished_seq'),
            move_count: row.ref('excluded.move_count'),
            moves: row.ref('excluded.moves'),
            notes: row.ref('excluded.notes'),
          })),
        ),
    )
    this.#putSeat = prepare(db, (sql, $: SeatRow) =>
      sql
        .insertInto('match_seats')
        .values({
          match: $.match,
          seat: $.seat,
          account: $.account,
          ladder: $.ladder,
          protocol: $.protocol,
          place: $.place,
          fault: $.fault,
          quick: $.quick,
          score: $.score,
          rating_before: $.rating_before,
          rating_after: $.rating_after,
        })
        .onConflict(conflict =>
          conflict.columns(['match', 'seat']).doUpdateSet(row => ({
            place: row.ref('excluded.place'),
            fault: row.ref('excluded.fault'),
            quick: row.ref('excluded.quick'),
            score: row.ref('excluded.score'),
            rating_before: row.ref('excluded.rating_before'),
            rating_after: row.ref('excluded.rating_after'),
          })),
        ),
    )
    this.#lastId = prepare(db, sql =>
      sql.selectFrom('matches').select(({ fn }) => fn.max('id').as('id')),
    )
    this.#lastSeq = prepare(db, sql =>
      sql
        .selectFrom('matches')
        .select(({ fn }) => fn.max('finished_seq').as('seq'))
        .where('finished_seq', 'is not', null),
    )
    this.#ending = prepare(db, (sql, $: { id: MatchId }) =>
      sql.selectFrom('matches').select('ending').where('id', '=', $.id),
    )
    this.#live = prepare(db, sql =>
      sql.selectFrom('matches').selectAll().where('ending', 'is', null).orderBy('id'),
    )
    this.#seats = prepare(db, (sql, $: { match: MatchId }) =>
      sql.selectFrom('match_seats').selectAll().where('match', '=', $.match).orderBy('seat'),
    )
  }

  put(match: MatchRow, seats: readonly SeatRow[]): void {
    this.#putMatch.run(match)
    for (const seat of seats) this.#putSeat.run(seat)
  }

  /** The highest match number, and the highest place in the order of results. */
  last(): { readonly id: number; readonly seq: number } {
    return { id: this.#lastId.get({})?.id ?? 0, seq: this.#lastSeq.get({})?.seq ?? 0 }
  }

  /** How a match has ended: null for a live one, undefined for one that is not on disk. */
  ending(id: MatchId): MatchRow['ending'] | undefined {
    return this.#ending.get({ id })?.ending
  }

  /** The matches that are live on disk, with their seats. */
  live(): readonly (readonly [MatchRow, readonly SeatRow[]])[] {
    return this.#live.all({}).map(row => [row, this.#seats.all({ match: row.id })])
  }
}
