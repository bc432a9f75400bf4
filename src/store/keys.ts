import type { Account, AccountId } from '../arena/account.ts'
import type { Clock } from '../clock.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { PublicKey } from './public-key.ts'
import type { Schema } from './schema.ts'

/** The SSH keys of accounts. A key belongs to one account, for good. */
export class Keys {
  readonly #clock: Clock
  readonly #insert: Query<New, { id: number }>
  readonly #all: Query<object, Key>
  readonly #find: Query<{ id: number }, Key>
  readonly #of: Query<{ account: AccountId }, Key>
  readonly #owner: Query<{ blob: Uint8Array }, { id: number; account: AccountId; name: string }>
  readonly #restore: Query<{ id: number }, unknown>
  readonly #revoke: Query<{ id: number; at: number }, unknown>

  constructor(db: Database, clock: Clock) {
    this.#clock = clock
    this.#insert = prepare(db, (sql, $: New) =>
      sql
        .insertInto('keys')
        .values({
          account: $.account,
          type: $.type,
          blob: $.blob,
          fingerprint: $.fingerprint,
          comment: $.comment,
          created_at: $.created_at,
        })
        .onConflict(conflict => conflict.doNothing())
        .returning('id'),
    )
    const listed = (sql: Database['sql']) =>
      sql
        .selectFrom('keys')
        .innerJoin('accounts', 'accounts.id', 'keys.account')
        .select(['keys.id', 'accounts.name', 'keys.type', 'keys.fingerprint', 'keys.comment'])
        .select(['keys.created_at', 'keys.last_used_at', 'keys.revoked_at'])
        .orderBy('keys.id')
    this.#all = prepare(db, listed)
    this.#find = prepare(db, (sql, $: { id: number }) => listed(sql).where('keys.id', '=', $.id))
    this.#of = prepare(db, (sql, $: { account: AccountId }) =>
      listed(sql).where('keys.account', '=', $.account),
    )
    this.#owner = prepare(db, (sql, $: { blob: Uint8Array }) =>
      sql
        .selectFrom('keys')
        .innerJoin('accounts', 'accounts.id', 'keys.account')
        .select(['keys.id', 'keys.account', 'accounts.name'])
        .where('keys.blob', '=', $.blob),
    )
    this.#restore = prepare(db, (sql, $: { id: number }) =>
      sql.updateTable('keys').set({ revoked_at: null }).where('id', '=', $.id),
    )
    this.#revoke = prepare(db, (sql, $: { id: number; at: number }) =>
      sql
        .updateTable('keys')
        .set({ revoked_at: $.at })
        .where('id', '=', $.id)
        .where('revoked_at', 'is', null),
    )
  }

  /** Gives an account a key, or restores one that it had; or answers why not. */
  add(
    account: Account,
    key: PublicKey<Uint8Array>,
  ): { readonly id: number } | { readonly problem: string } {
    const added = this.#insert.get({
      account: account.id,
      ...key,
      created_at: this.#clock.date(),
    })
    if (added !== undefined) return added
    const owner = this.#owner.get({ blob: key.blob })!
    if (owner.account !== account.id)
      return { problem: `the key ${key.fingerprint} belongs to ${owner.name}` }
    this.#restore.run({ id: owner.id })
    return { id: owner.id }
  }

  all(): readonly Key[] {
    return this.#all.all({})
  }

  /** The account that this key belongs or belonged to. */
  owner(blob: Uint8Array): string | undefined {
    return this.#owner.get({ blob })?.name
  }

  /** The keys of one account. */
  of(account: AccountId): readonly Key[] {
    return this.#of.all({ account })
  }

  find(id: number): Key | undefined {
    return this.#find.get({ id })
  }

  /** Answers whether there was such a key that was still valid. */
  revoke(id: number): boolean {
    return this.#revoke.run({ id, at: this.#clock.date() }) > 0
  }
}

export interface Key {
  readonly id: number
  /** Its account. */
  readonly name: string
  readonly type: string
  readonly fingerprint: string
  readonly comment: string
  readonly created_at: number
  readonly last_used_at: number | null
  readonly revoked_at: number | null
}

type New = PublicKey<Uint8Array> & Pick<Schema['keys'], 'created_at'> & { account: AccountId }
