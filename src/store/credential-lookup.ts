import type { Account, AccountId } from '../arena/account.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { Introduction, SecretKind } from '../protocols/credentials.ts'
import type { Login } from '../wire/accounts.ts'
import { type Database, prepare, type Query } from './database.ts'
import { kindText } from './secret-kinds.ts'

/** A secret that has not been revoked. Whether it is for this door, and has not expired, is for who asks to see. */
export interface KnownSecret extends Login {
  readonly by: { readonly kind: SecretKind; readonly id: number }
  /** The protocol that it is for; null for a token, which is for all. */
  readonly protocol: string | null
  readonly expiresAt: number | null
}

/** What the wires ask the database about credentials, from another thread. A secret never gets there: only its hash. */
export const openCredentialLookup = (db: Database) => {
  const byKey = keyIn(db)
  const byHash = secretIn(db)
  const introduction = introductionIn(db)
  const state = { keys: stateIn(db, 'keys'), tokens: stateIn(db, 'tokens') }
  return {
    byKey: (blob: Uint8Array): Login | undefined => {
      const row = byKey.get({ blob })
      return row && loginOf(row, 'key')
    },

    byHash: (hash: Uint8Array): KnownSecret | undefined => {
      const row = byHash.get({ hash })
      if (row === undefined) return undefined
      const { secret: kind, protocol, expires_at: expiresAt } = row
      return { ...loginOf(row, kind), by: { kind, id: row.by }, protocol, expiresAt }
    },

    /** When an account registered, and what it said of itself to a protocol. */
    introduction: ({ id }: Account, protocol: string): Introduction =>
      introduction.get({ account: id, protocol })!,

    /** Why each login is not valid any more. Only those that are not valid are in the answer, by their places. */
    objections: (logins: readonly Pick<Login, 'account' | 'by'>[]): Objections => {
      const objections = new Map<number, WireRefusal>()
      for (const [place, { account, by }] of logins.entries()) {
        const row = state[tableOf(by.kind)].get({ account: account.id, id: by.id })!
        const objection = banOf(row) ?? revocationOf(row, by.kind)
        if (objection !== null) objections.set(place, objection)
      }
      return objections
    },
  }
}

export type CredentialLookup = ReturnType<typeof openCredentialLookup>

export type Objections = ReadonlyMap<number, WireRefusal>

export type CredentialTable = 'keys' | 'tokens'
export type CredentialKind = Login['by']['kind']

export const tableOf = (kind: CredentialKind): CredentialTable =>
  kind === 'key' ? 'keys' : 'tokens'

interface Ban {
  readonly banned_at: number | null
  readonly ban_reason: string | null
}

interface Row extends Ban {
  readonly id: AccountId
  readonly name: string
  readonly kind: Login['account']['kind']
  readonly by: number
}

interface SecretRow extends Row {
  readonly secret: SecretKind
  readonly protocol: string | null
  readonly expires_at: number | null
}

interface State extends Ban {
  readonly revoked_at: number | null
}

const keyIn = (db: Database): Query<{ blob: Uint8Array }, Row> =>
  prepare(db, (sql, $: { blob: Uint8Array }) =>
    sql
      .selectFrom('keys')
      .innerJoin('accounts', 'accounts.id', 'keys.account')
      .select(['keys.id as by', 'accounts.id', 'accounts.name', 'accounts.kind'])
      .select(['accounts.banned_at', 'accounts.ban_reason'])
      .where('keys.blob', '=', $.blob)
      .where('keys.revoked_at', 'is', null),
  )

const secretIn = (db: Database): Query<{ hash: Uint8Array }, SecretRow> =>
  prepare(db, (sql, $: { hash: Uint8Array }) =>
    sql
      .selectFrom('tokens')
      .innerJoin('accounts', 'accounts.id', 'tokens.account')
      .select(['tokens.id as by', 'accounts.id', 'accounts.name', 'accounts.kind'])
      .select(['tokens.kind as secret', 'tokens.protocol', 'tokens.expires_at'])
      .select(['accounts.banned_at', 'accounts.ban_reason'])
      .where('tokens.hash', '=', $.hash as Buffer)
      .where('tokens.revoked_at', 'is', null),
  )

const introductionIn = (
  db: Database,
): Query<{ account: AccountId; protocol: string }, Introduction> =>
  prepare(db, (sql, $: { account: AccountId; protocol: string }) =>
    sql
      .selectFrom('accounts')
      .select(row => [
        'created_at as at',
        row.fn
          .coalesce(
            row
              .selectFrom('tokens')
              .select('label')
              .where('account', '=', $.account)
              .where('kind', '=', 'api-key')
              .where('protocol', '=', $.protocol)
              .orderBy('id')
              .limit(1),
            row.val(''),
          )
          .as('label'),
      ])
      .where('id', '=', $.account),
  )

/** Expired session tokens are removed: a session goes on without the row that it began with. */
const stateIn = (
  db: Database,
  table: CredentialTable,
): Query<{ account: AccountId; id: number }, State> =>
  prepare(db, (sql, $: { account: AccountId; id: number }) =>
    sql
      .selectFrom('accounts')
      .select(['banned_at', 'ban_reason'])
      .select(row =>
        row.selectFrom(table).select('revoked_at').where('id', '=', $.id).as('revoked_at'),
      )
      .where('accounts.id', '=', $.account),
  )

const loginOf = (row: Row, credential: CredentialKind): Login => ({
  account: { id: row.id, name: row.name, kind: row.kind },
  by: { kind: credential, id: row.by },
  objection: banOf(row),
})

const banOf = ({ banned_at, ban_reason }: Ban): WireRefusal | null =>
  banned_at === null
    ? null
    : {
        code: 'banned',
        detail: `this account is banned${ban_reason === null ? '' : `: ${ban_reason}`}`,
      }

const revocationOf = ({ revoked_at }: State, kind: CredentialKind): WireRefusal | null =>
  revoked_at === null
    ? null
    : {
        code: 'revoked',
        detail: `this ${kind === 'key' ? 'key' : kindText[kind]} has been revoked`,
      }
