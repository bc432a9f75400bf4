import type { AccountId } from '../arena/account.ts'
import type { Clock } from '../clock.ts'
import { type Database, prepare, type Query } from './database.ts'
import { newCode, normalCode } from './new-code.ts'
import type { Schema } from './schema.ts'
import { hashOf } from './secret-hash.ts'

/** One-time codes, to be typed by hand: invitations to make an account, and permissions to add a key to one. */
export class Codes {
  readonly #clock: Clock
  readonly #insert: Query<Omit<Row, 'used_at'>, unknown>
  readonly #find: Query<{ hash: Buffer; now: number }, Pick<Row, 'account'>>
  readonly #spend: Query<{ hash: Buffer; now: number }, unknown>

  constructor(db: Database, clock: Clock) {
    this.#clock = clock
    this.#insert = prepare(db, (sql, $: Omit<Row, 'used_at'>) =>
      sql.insertInto('codes').values({
        hash: $.hash,
        account: $.account,
        created_at: $.created_at,
        expires_at: $.expires_at,
      }),
    )
    this.#find = prepare(db, (sql, $: { hash: Buffer; now: number }) =>
      sql
        .selectFrom('codes')
        .select('account')
        .where('hash', '=', $.hash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', $.now),
    )
    this.#spend = prepare(db, (sql, $: { hash: Buffer; now: number }) =>
      sql.updateTable('codes').set({ used_at: $.now }).where('hash', '=', $.hash),
    )
  }

  /** A code that is valid for so many milliseconds: for a key of this account, or else for a new account. */
  mint(account: AccountId | null, validFor: number): string {
    const code = newCode()
    const now = this.#clock.date()
    this.#insert.run({
      hash: hashOf(code),
      account,
      created_at: now,
      expires_at: now + validFor,
    })
    return code
  }

  /**
   * What a code permits; undefined if it is not valid. Found by its hash, so that the time this takes tells nothing about
   * any code.
   */
  find(code: string): { readonly account: AccountId | null } | undefined {
    return this.#find.get({ hash: hashOf(normalCode(code)), now: this.#clock.date() })
  }

  /** Marks a code as used. */
  spend(code: string): void {
    this.#spend.run({ hash: hashOf(normalCode(code)), now: this.#clock.date() })
  }
}

type Row = Schema['codes']
