import type { Account, AccountId } from '../arena/account.ts'
import type { Clock, Timer } from '../clock.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { Door, SecretKind } from '../protocols/credentials.ts'
import { agoText } from '../record/time-text.ts'
import type { Accounts, Login } from '../wire/accounts.ts'
import type { Commits } from './commits.ts'
import { type Database, prepare, type Query } from './database.ts'
import { kindText } from './secret-kinds.ts'
import { hashOf } from './tokens.ts'

const lookEvery = 1_000
const noteUseEvery = 1_000

/** Checks credentials at the start of every connection. */
export class Logins implements Accounts {
  readonly #db: Database
  readonly #commits: Commits
  readonly #clock: Clock
  readonly #byKey: Query<{ blob: Buffer }, Found>
  readonly #bySecret: Query<{ hash: Buffer }, FoundSecret>
  readonly #state: Readonly<Record<Table, Query<{ account: AccountId; id: number }, State>>>
  readonly #noteUse: Readonly<Record<Table, Query<{ id: number; at: number }, unknown>>>
  readonly #used = { keys: new Map<number, number>(), tokens: new Map<number, number>() }
  #useTimer: Timer | null = null

  constructor(db: Database, commits: Commits, clock: Clock) {
    this.#db = db
    this.#commits = commits
    this.#clock = clock
    this.#byKey = prepare(db, (sql, $: { blob: Buffer }) =>
      sql
        .selectFrom('keys')
        .innerJoin('accounts', 'accounts.id', 'keys.account')
        .select(['keys.id as by', 'accounts.id', 'accounts.name', 'accounts.kind'])
        .select(['accounts.banned_at', 'accounts.ban_reason'])
        .where('keys.blob', '=', $.blob)
        .where('keys.revoked_at', 'is', null),
    )
    this.#bySecret = prepare(db, (sql, $: { hash: Buffer }) =>
      sql
        .selectFrom('tokens')
        .innerJoin('accounts', 'accounts.id', 'tokens.account')
        .select(['tokens.id as by', 'accounts.id', 'accounts.name', 'accounts.kind'])
        .select(['tokens.kind as secret', 'tokens.protocol', 'tokens.expires_at'])
        .select(['accounts.banned_at', 'accounts.ban_reason'])
        .where('tokens.hash', '=', $.hash)
        .where('tokens.revoked_at', 'is', null),
    )
    this.#state = { keys: stateOf(db, 'keys'), tokens: stateOf(db, 'tokens') }
    this.#noteUse = { keys: noteUseOf(db, 'keys'), tokens: noteUseOf(db, 'tokens') }
  }

  byKey(blob: Buffer): Login | undefined {
    const found = this.#byKey.get({ blob })
    return found && loginOf(found, 'key', banOf(found))
  }

  // Found by its hash, so that the time this takes tells nothing about any secret.
  bySecret(secret: string, door: Door): Login | undefined {
    const found = this.#bySecret.get({ hash: hashOf(secret) })
    if (found === undefined) return undefined
    const objection = misplaced(found, door) ?? banOf(found) ?? expiryOf(found, this.#clock.date())
    return loginOf(found, found.secret, objection)
  }

  proven({ by }: Login): void {
    this.#used[tableOf(by.kind)].set(by.id, this.#clock.date())
    this.#useTimer ??= this.#clock.after(noteUseEvery, () => this.noteUse())
  }

  objection({ account, by: { kind, id } }: Login): WireRefusal | undefined {
    const state = this.#state[tableOf(kind)].get({ account: account.id, id })!
    const banned = banOf(state)
    if (banned !== null) return banned
    if (state.revoked_at !== null)
      return { code: 'revoked', detail: `this ${textOf(kind)} has been revoked` }
    return undefined
  }

  /** Calls back soon after another process has changed the database, until the returned function is called. */
  watch(changed: () => void): () => void {
    const version = () => this.#db.file.pragma('data_version', { simple: true })
    let seen = version()
    let timer: Timer
    const look = () => {
      timer = this.#clock.after(lookEvery, look)
      const before = seen
      seen = version()
      if (seen !== before) changed()
    }
    timer = this.#clock.after(lookEvery, look)
    return () => timer.cancel()
  }

  /** Writes now when keys and secrets were last used. */
  noteUse(): void {
    this.#useTimer?.cancel()
    this.#useTimer = null
    for (const table of ['keys', 'tokens'] as const) {
      const used = [...this.#used[table]]
      this.#used[table].clear()
      if (used.length === 0) continue
      this.#commits.add(
        () => {
          for (const [id, at] of used) this.#noteUse[table].run({ id, at })
        },
        // Only a date for people to read: losing one is harmless.
        () => {},
      )
    }
  }
}

type Table = 'keys' | 'tokens'
type Kind = Login['by']['kind']

const tableOf = (kind: Kind): Table => (kind === 'key' ? 'keys' : 'tokens')
const textOf = (kind: Kind) => (kind === 'key' ? 'key' : kindText[kind])

interface Ban {
  readonly banned_at: number | null
  readonly ban_reason: string | null
}

interface Found extends Account, Ban {
  readonly id: AccountId
  readonly by: number
}

interface FoundSecret extends Found {
  readonly secret: SecretKind
  readonly protocol: string | null
  readonly expires_at: number | null
}

interface State extends Ban {
  readonly revoked_at: number | null
}

const loginOf = (
  { by, id, name, kind }: Found,
  credential: Kind,
  objection: WireRefusal | null,
): Login => ({
  account: { id, name, kind },
  by: { kind: credential, id: by },
  objection,
})

/** Why this door does not take this secret. */
const misplaced = ({ secret, protocol }: FoundSecret, door: Door): WireRefusal | null => {
  if (protocol !== null && protocol !== door.protocol)
    return {
      code: 'bad-token',
      detail: `this ${kindText[secret]} is for ${protocol}, and not for ${door.protocol}`,
    }
  if (door.takes.includes(secret)) return null
  const taken = door.takes.map(withArticle).join(' or ')
  return { code: 'bad-token', detail: `this is ${withArticle(secret)}: give ${taken}` }
}

const withArticle = (kind: SecretKind) => `${kind === 'api-key' ? 'an' : 'a'} ${kindText[kind]}`

const expiryOf = ({ secret, expires_at }: FoundSecret, now: number): WireRefusal | null =>
  expires_at === null || now < expires_at
    ? null
    : {
        code: 'bad-token',
        detail: `this ${kindText[secret]} expired ${agoText(now - expires_at)}: ask for a new one`,
      }

const banOf = ({ banned_at, ban_reason }: Ban): WireRefusal | null =>
  banned_at === null
    ? null
    : {
        code: 'banned',
        detail: `this account is banned${ban_reason === null ? '' : `: ${ban_reason}`}`,
      }

/** Expired session tokens are removed: a session goes on without the row that it began with. */
const stateOf = (db: Database, table: Table): Query<{ account: AccountId; id: number }, State> =>
  prepare(db, (sql, $: { account: AccountId; id: number }) =>
    sql
      .selectFrom('accounts')
      .select(['banned_at', 'ban_reason'])
      .select(row =>
        row.selectFrom(table).select('revoked_at').where('id', '=', $.id).as('revoked_at'),
      )
      .where('accounts.id', '=', $.account),
  )

const noteUseOf = (db: Database, table: Table) =>
  prepare(db, (sql, $: { id: number; at: number }) =>
    sql.updateTable(table).set({ last_used_at: $.at }).where('id', '=', $.id),
  )
