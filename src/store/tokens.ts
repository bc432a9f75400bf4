import { createHash, randomBytes } from 'node:crypto'
import type { Account, AccountId } from '../arena/account.ts'
import type { Clock } from '../clock.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Schema } from './schema.ts'

/** The tokens with which agents log in over WebSocket. Only hashes are kept. */
export class Tokens {
  readonly #clock: Clock
  readonly #insert: Query<New, { id: number }>
  readonly #all: Query<object, Token>
  readonly #find: Query<{ id: number }, Token>
  readonly #of: Query<{ account: AccountId }, Token>
  readonly #revoke: Query<{ id: number; at: number }, unknown>

  constructor(db: Database, clock: Clock) {
    this.#clock = clock
    this.#insert = prepare(db, (sql, $: New) =>
      sql
        .insertInto('tokens')
        .values({
          account: $.account,
          hash: $.hash,
          label: $.label,
          created_at: $.created_at,
        })
        .returning('id'),
    )
    const listed = (sql: Database['sql']) =>
      sql
        .selectFrom('tokens')
        .innerJoin('accounts', 'accounts.id', 'tokens.account')
        .select(['tokens.id', 'accounts.name', 'tokens.label', 'tokens.created_at'])
        .select(['tokens.last_used_at', 'tokens.revoked_at'])
        .orderBy('tokens.id')
    this.#all = prepare(db, listed)
    this.#find = prepare(db, (sql, $: { id: number }) => listed(sql).where('tokens.id', '=', $.id))
    this.#of = prepare(db, (sql, $: { account: AccountId }) =>
      listed(sql).where('tokens.account', '=', $.account),
    )
    this.#revoke = prepare(db, (sql, $: { id: number; at: number }) =>
      sql
        .updateTable('tokens')
        .set({ revoked_at: $.at })
        .where('id', '=', $.id)
        .where('revoked_at', 'is', null),
    )
  }

  /** Answers with the token, which is not kept: this is the only time it can be read. */
  mint(account: Account, label: string): { readonly id: number; readonly token: string } {
    const token = `abbs_${randomBytes(32).toString('base64url')}`
    const { id } = this.#insert.get({
      account: account.id,
      hash: hashOf(token),
      label,
      created_at: this.#clock.date(),
    })!
    return { id, token }
  }

  all(): readonly Token[] {
    return this.#all.all({})
  }

  /** The tokens of one account. */
  of(account: AccountId): readonly Token[] {
    return this.#of.all({ account })
  }

  find(id: number): Token | undefined {
    return this.#find.get({ id })
  }

  /** Answers whether there was such a token that was still valid. */
  revoke(id: number): boolean {
    return this.#revoke.run({ id, at: this.#clock.date() }) > 0
  }
}

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

export interface Token {
  readonly id: number
  /** Its account. */
  readonly name: string
  readonly label: string
  readonly created_at: number
  readonly last_used_at: number | null
  readonly revoked_at: number | null
}

type New = Pick<Schema['tokens'], 'hash' | 'label' | 'created_at'> & { account: AccountId }
