import type { Account, AccountId } from '../arena/account.ts'
import type { Refusal } from '../arena/codes.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Accounts, Login } from '../wire/accounts.ts'
import type { Commits } from './commits.ts'
import { type Database, prepare, type Query } from './database.ts'
import { hashOf } from './tokens.ts'

const lookEvery = 1_000
const noteUseEvery = 1_000

/** Checks credentials at the start of every connection. */
export class Logins implements Accounts {
  readonly #db: Database
  readonly #commits: Commits
  readonly #clock: Clock
  readonly #byKey: Query<{ blob: Buffer }, Found>
  readonly #byToken: Query<{ hash: Buffer }, Found>
  readonly #state: Readonly<Record<Kind, Query<{ id: number }, State>>>
  readonly #noteUse: Readonly<Record<Kind, Query<{ id: number; at: number }, unknown>>>
  readonly #used = { key: new Map<number, number>(), token: new Map<number, number>() }
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
    this.#byToken = prepare(db, (sql, $: { hash: Buffer }) =>
      sql
        .selectFrom('tokens')
        .innerJoin('accounts', 'accounts.id', 'tokens.account')
        .select(['tokens.id as by', 'accounts.id', 'accounts.name', 'accounts.kind'])
        .select(['accounts.banned_at', 'accounts.ban_reason'])
        .where('tokens.hash', '=', $.hash)
        .where('tokens.revoked_at', 'is', null),
    )
    this.#state = { key: stateOf(db, 'keys'), token: stateOf(db, 'tokens') }
    this.#noteUse = { key: noteUseOf(db, 'keys'), token: noteUseOf(db, 'tokens') }
  }

  byKey(blob: Buffer): Login | undefined {
    return this.#login('key', this.#byKey.get({ blob }))
  }

  // Found by its hash, so that the time this takes tells nothing about any token.
  byToken(token: string): Login | undefined {
    return this.#login('token', this.#byToken.get({ hash: hashOf(token) }))
  }

  proven({ by }: Login): void {
    this.#used[by.kind].set(by.id, this.#clock.date())
    this.#useTimer ??= this.#clock.after(noteUseEvery, () => this.noteUse())
  }

  objection({ by }: Login): Refusal | undefined {
    const state = this.#state[by.kind].get({ id: by.id })
    const banned = state === undefined ? null : banOf(state)
    if (banned !== null) return banned
    if (state === undefined || state.revoked_at !== null)
      return { code: 'revoked', detail: `this ${by.kind} has been revoked` }
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

  /** Writes now when keys and tokens were last used. */
  noteUse(): void {
    this.#useTimer?.cancel()
    this.#useTimer = null
    for (const kind of ['key', 'token'] as const) {
      const used = [...this.#used[kind]]
      this.#used[kind].clear()
      if (used.length === 0) continue
      this.#commits.add(
        () => {
          for (const [id, at] of used) this.#noteUse[kind].run({ id, at })
        },
        // Only a date for people to read: losing one is harmless.
        () => {},
      )
    }
  }

  #login(kind: Kind, found: Found | undefined): Login | undefined {
    if (found === undefined) return undefined
    const { by, id: account, name, kind: of } = found
    return {
      account: { id: account, name, kind: of },
      by: { kind, id: by },
      objection: banOf(found),
    }
  }
}

type Kind = Login['by']['kind']

interface Ban {
  readonly banned_at: number | null
  readonly ban_reason: string | null
}

interface Found extends Account, Ban {
  readonly id: AccountId
  readonly by: number
}

interface State extends Ban {
  readonly revoked_at: number | null
}

const banOf = ({ banned_at, ban_reason }: Ban): Refusal | null =>
  banned_at === null
    ? null
    : {
        code: 'banned',
        detail: `this account is banned${ban_reason === null ? '' : `: ${ban_reason}`}`,
      }

const stateOf = (db: Database, table: 'keys' | 'tokens'): Query<{ id: number }, State> =>
  prepare(db, (sql, $: { id: number }) =>
    sql
      .selectFrom(table)
      .innerJoin('accounts', 'accounts.id', `${table}.account`)
      .select(['accounts.banned_at', 'accounts.ban_reason', `${table}.revoked_at`])
      .where(`${table}.id`, '=', $.id),
  )

const noteUseOf = (db: Database, table: 'keys' | 'tokens') =>
  prepare(db, (sql, $: { id: number; at: number }) =>
    sql.updateTable(table).set({ last_used_at: $.at }).where('id', '=', $.id),
  )
