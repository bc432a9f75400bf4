import type { MatchId } from '../arena/match-store.ts'
import { type Act, noHash, sealedAct, sealOf } from '../seal.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Schema } from './schema.ts'

/** Writes the chain of seals of each ladder: one for each ended match, one for each void, and one for each season. */
export class Seals {
  readonly #last: Query<{ ladder: string }, Head>
  readonly #insert: Query<SealRow, unknown>
  readonly #transaction: () => number | null
  /** The last seal of each ladder, as far as it was read or written in this transaction: reading it each time costs a match 8 µs. */
  readonly #heads = new Map<string, Head>()
  #readIn: number | null = null

  /** `transaction` says which one is under way, where several matches may end in one; null where that is not known. */
  constructor(db: Database, transaction: () => number | null = () => null) {
    this.#transaction = transaction
    this.#last = prepare(db, (sql, $: { ladder: string }) =>
      sql
        .selectFrom('seals')
        .select(['number', 'hash'])
        .where('ladder', '=', $.ladder)
        .orderBy('number', 'desc')
        .limit(1),
    )
    this.#insert = prepare(db, (sql, $: SealRow) =>
      sql.insertInto('seals').values({
        ladder: $.ladder,
        number: $.number,
        type: $.type,
        match: $.match,
        at: $.at,
        reason: $.reason,
        hash: $.hash,
      }),
    )
  }

  /** To be called within the transaction that ends the match. */
  match(ladder: string, match: MatchId, text: string): void {
    this.#add({ ladder, type: 'match', match, at: null, reason: null }, text)
  }

  /** To be called within the transaction of the void. */
  act(act: Act): void {
    this.#add(act, sealedAct(act))
  }

  /** To be called within the transaction that closes the season. */
  season(ladder: string, text: string): Head {
    return this.#add({ ladder, type: 'season', match: null, at: null, reason: null }, text)
  }

  #add(entry: Omit<SealRow, 'number' | 'hash'>, text: string): Head {
    const { ladder } = entry
    const last = this.#head(ladder)
    const head = { number: last.number + 1, hash: sealOf(last.hash, text) }
    this.#insert.run({ ...entry, ...head })
    this.#heads.set(ladder, head)
    return head
  }

  // Read anew in each transaction: another process may have voided a match since, or the last one may have been rolled back.
  #head(ladder: string): Head {
    const transaction = this.#transaction()
    if (transaction === null || transaction !== this.#readIn) this.#heads.clear()
    this.#readIn = transaction
    return this.#heads.get(ladder) ?? this.#last.get({ ladder }) ?? { number: 0, hash: noHash }
  }
}

type SealRow = Schema['seals']
/** An entry of a chain. */
export type Sealed = SealedMatchRow | SealedActRow | SealedSeasonRow
type SealedMatchRow = SealRow & { readonly type: 'match'; readonly match: MatchId }
export type SealedActRow = SealRow & { readonly type: Act['type']; readonly match: MatchId }
type SealedSeasonRow = SealRow & { readonly type: 'season'; readonly match: null }
type Head = Pick<SealRow, 'number' | 'hash'>
