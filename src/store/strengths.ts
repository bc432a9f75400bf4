import type { AccountId } from '../arena/account.ts'
import type { LadderId } from '../arena/ladder.ts'
import { type Database, prepare, type Query } from './database.ts'
import { strengthColumns as columns, type FitRow, type StrengthRow } from './packed-fit.ts'

/** The newest fit of each ladder, as it is on disk: what `strength_fits` and `strengths` have. */
export class Strengths {
  readonly #fit: Query<{ ladder: LadderId }, FitRow>
  readonly #one: Query<{ ladder: LadderId; account: AccountId }, StrengthRow>
  readonly #all: Query<{ ladder: LadderId }, StrengthRow>
  readonly #ladders: Query<object, { ladder: LadderId }>
  readonly #clear: Query<{ ladder: LadderId }, unknown>
  readonly #keepFit: Query<FitRow & { ladder: LadderId }, unknown>
  readonly #keep: Query<StrengthRow & { ladder: LadderId }, unknown>

  constructor(db: Database) {
    this.#fit = prepare(db, (sql, $: { ladder: LadderId }) =>
      sql.selectFrom('strength_fits').select(fitColumns).where('ladder', '=', $.ladder),
    )
    this.#one = prepare(db, (sql, $: { ladder: LadderId; account: AccountId }) =>
      sql
        .selectFrom('strengths')
        .select(columns)
        .where('ladder', '=', $.ladder)
        .where('account', '=', $.account),
    )
    this.#all = prepare(db, (sql, $: { ladder: LadderId }) =>
      sql.selectFrom('strengths').select(columns).where('ladder', '=', $.ladder).orderBy('account'),
    )
    this.#ladders = prepare(db, sql =>
      sql.selectFrom('strength_fits').select('ladder').orderBy('ladder'),
    )
    this.#clear = prepare(db, (sql, $: { ladder: LadderId }) =>
      sql.deleteFrom('strengths').where('ladder', '=', $.ladder),
    )
    this.#keepFit = prepare(db, (sql, $: FitRow & { ladder: LadderId }) =>
      sql.replaceInto('strength_fits').values({
        ladder: $.ladder,
        last_seq: $.last_seq,
        voided: $.voided,
        matches: $.matches,
        first: $.first,
        first_error: $.first_error,
        first_start: $.first_start,
        intransitivity: $.intransitivity,
        took_ms: $.took_ms,
      }),
    )
    this.#keep = prepare(db, (sql, $: StrengthRow & { ladder: LadderId }) =>
      sql.insertInto('strengths').values({
        ladder: $.ladder,
        account: $.account,
        strength: $.strength,
        error: $.error,
        matches: $.matches,
        start: $.start,
      }),
    )
  }

  /** The fit of a ladder; undefined while there is none. */
  fit(ladder: LadderId): FitRow | undefined {
    return this.#fit.get({ ladder })
  }

  /** All ladders with a fit. */
  ladders(): readonly LadderId[] {
    return this.#ladders.all({}).map(({ ladder }) => ladder)
  }

  /** The strength of an account; undefined while no fit has it. */
  of(ladder: LadderId, account: AccountId): StrengthRow | undefined {
    return this.#one.get({ ladder, account })
  }

  /** All accounts of a fit, by their numbers. */
  all(ladder: LadderId): readonly StrengthRow[] {
    return this.#all.all({ ladder })
  }

  /** Replaces the fit of a ladder, to be called within a transaction. */
  keep(ladder: LadderId, fit: FitRow, strengths: Iterable<StrengthRow>): void {
    this.#clear.run({ ladder })
    for (const row of strengths) this.#keep.run({ ladder, ...row })
    this.#keepFit.run({ ladder, ...fit })
  }
}

const fitColumns = [
  'last_seq',
  'voided',
  'matches',
  'first',
  'first_error',
  'first_start',
  'intransitivity',
  'took_ms',
] as const
