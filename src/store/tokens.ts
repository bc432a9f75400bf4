import { randomBytes, randomUUID } from 'node:crypto'
import type { Account, AccountId } from '../arena/account.ts'
import type { Clock } from '../clock.ts'
import type { Minted, NewSecret, SecretForm, SecretKind } from '../protocols/credentials.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Schema } from './schema.ts'
import { hashOf } from './secret-hash.ts'
import { kindText } from './secret-kinds.ts'

/** An expired session token is kept for so long, so that a client that still uses it is told why it is refused. */
const keptExpired = 24 * 60 * 60_000

/** How many session tokens an account may have, over all protocols: a new one removes the oldest. */
const mostSessions = 50

/** The secrets with which agents log in: tokens, API keys and session tokens. Only hashes are kept. */
export class Tokens {
  readonly #clock: Clock
  readonly #insert: Query<New, { id: number }>
  readonly #all: Query<object, Token>
  readonly #find: Query<{ id: number }, Token>
  readonly #of: Query<{ account: AccountId }, Token>
  readonly #revoke: Query<{ id: number; at: number }, unknown>
  readonly #removeExpired: Query<{ before: number }, unknown>
  readonly #removeOldest: Query<{ account: AccountId }, unknown>

  constructor(db: Database, clock: Clock) {
    this.#clock = clock
    this.#insert = prepare(db, (sql, $: New) =>
      sql
        .insertInto('tokens')
        .values(row => ({
          account: $.account,
          hash: $.hash,
          label: $.label,
          created_at: $.created_at,
          kind: $.kind,
          protocol: $.protocol,
          expires_at: $.expires_at,
          parent: $.parent,
          // The parent may have been revoked since its login.
          revoked_at: row
            .selectFrom('tokens as parents')
            .select('parents.revoked_at')
            .where('parents.id', '=', $.parent),
        }))
        .returning('id'),
    )
    const listed = (sql: Database['sql']) =>
      sql
        .selectFrom('tokens')
        .innerJoin('accounts', 'accounts.id', 'tokens.account')
        .select(['tokens.id', 'accounts.name', 'tokens.kind', 'tokens.protocol', 'tokens.label'])
        .select(['tokens.created_at', 'tokens.expires_at', 'tokens.last_used_at'])
        .select('tokens.revoked_at')
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
        .where(row => row.or([row('id', '=', $.id), row('parent', '=', $.id)]))
        .where('revoked_at', 'is', null),
    )
    this.#removeExpired = prepare(db, (sql, $: { before: number }) =>
      sql.deleteFrom('tokens').where('expires_at', '<', $.before),
    )
    this.#removeOldest = prepare(db, (sql, $: { account: AccountId }) =>
      sql
        .deleteFrom('tokens')
        .where('id', 'in', row =>
          row
            .selectFrom('tokens as sessions')
            .select('sessions.id')
            .where('sessions.account', '=', $.account)
            .where('sessions.kind', '=', 'session')
            .orderBy('sessions.id', 'desc')
            .limit(-1)
            .offset(mostSessions),
        ),
    )
  }

  /** A token of the host, for an agent of this account. */
  mint(account: Account, label: string): { readonly id: number; readonly token: string } {
    const { id, secret } = this.mintSecret(account, { kind: 'token', label })
    return { id, token: secret }
  }

  /** Answers with the secret, which is not kept: this is the only time it can be read. */
  mintSecret({ id: account }: Account, wanted: NewSecret): Minted {
    const secret = secretOf(wanted.kind === 'token' ? 'abbs_' : wanted.form)
    const now = this.#clock.date()
    const expiresAt = wanted.kind === 'session' ? now + wanted.lifetime : null
    const { id } = this.#insert.get({
      account,
      hash: hashOf(secret),
      label: wanted.label ?? '',
      created_at: now,
      kind: wanted.kind,
      protocol: wanted.kind === 'token' ? null : wanted.protocol,
      expires_at: expiresAt,
      parent: wanted.kind === 'session' ? (wanted.parent ?? null) : null,
    })!
    if (wanted.kind === 'session') {
      this.#removeExpired.run({ before: now - keptExpired })
      this.#removeOldest.run({ account })
    }
    return { id, secret, expiresAt }
  }

  all(): readonly Token[] {
    return this.#all.all({})
  }

  /** The secrets of one account. */
  of(account: AccountId): readonly Token[] {
    return this.#of.all({ account })
  }

  find(id: number): Token | undefined {
    return this.#find.get({ id })
  }

  /** Revokes a secret, and the session tokens that it was exchanged for. Answers whether there was one that was not revoked. */
  revoke(id: number): boolean {
    return this.#revoke.run({ id, at: this.#clock.date() }) > 0
  }
}

/** Such as `API key of loa`. */
export const titleOf = ({ kind, protocol }: Pick<Token, 'kind' | 'protocol'>): string =>
  protocol === null ? kindText[kind] : `${kindText[kind]} of ${protocol}`

/** Whether it still logs in. */
export const isValid = ({ revoked_at, expires_at }: Token, now: number): boolean =>
  revoked_at === null && (expires_at === null || now < expires_at)

export interface Token {
  readonly id: number
  /** Its account. */
  readonly name: string
  readonly kind: SecretKind
  /** The protocol that it is for; null for a token, which is for all. */
  readonly protocol: string | null
  readonly label: string
  readonly created_at: number
  readonly expires_at: number | null
  readonly last_used_at: number | null
  readonly revoked_at: number | null
}

type New = Omit<Schema['tokens'], 'id' | 'last_used_at' | 'revoked_at'>

const secretOf = (form: SecretForm): string => {
  if (typeof form === 'object') return form.text
  return form === 'uuid' ? randomUUID() : `${form}${randomBytes(32).toString('base64url')}`
}
