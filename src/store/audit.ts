import type { Clock, Timer } from '../clock.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Key } from './keys.ts'
import type { Schema } from './schema.ts'
import { kindText } from './secret-kinds.ts'
import type { Token } from './tokens.ts'

const lookEvery = 1_000

/** The actions that the audit log has: all that change accounts, credentials and results. */
export const actions = [
  ...(['add-user', 'add-version', 'set-owner', 'invite'] as const),
  ...(['ban', 'unban', 'pause', 'unpause'] as const),
  ...(['add-key', 'revoke-key', 'mint-token', 'revoke-token', 'mint-code'] as const),
  ...(['create-event', 'start-event', 'pause-event', 'resume-event', 'cancel-event'] as const),
  ...(['enter-event', 'withdraw-event', 'set-result', 'repeat-event', 'stop-repeat'] as const),
  ...(['close-season', 'date-season', 'cancel-season'] as const),
  ...(['void', 'unvoid', 'remove-note', 'migrate', 'restore'] as const),
] as const
export type Action = (typeof actions)[number]

/** Where it was done: by a command on the machine, in the hub, by the API, by a protocol, or by the host itself. */
export type Via = 'command' | 'hub' | 'api' | 'protocol' | 'host'

/** The author of an entry. */
export interface Actor {
  /** The user of the operating system, the account, or `host`. */
  readonly by: string
  readonly via: Via
}

export const theHost: Actor = { by: 'host', via: 'host' }

export interface Deed {
  readonly action: Action
  /** The account, match or file that was changed. Never a secret: no token, key or code. */
  readonly target: string
  /** Which key or token, or the owner of which agent. */
  readonly detail?: string | null
  readonly reason?: string | null
}

/** Keys and tokens are named by their numbers and their public parts. */
export const keyText = ({ id, fingerprint }: Pick<Key, 'id' | 'fingerprint'>): string =>
  `key ${id} ${fingerprint}`
export const tokenText = ({ id, kind, protocol, label }: Named): string =>
  [
    `${kindText[kind]} ${id}`,
    ...(protocol === null ? [] : [`of ${protocol}`]),
    ...(label === '' ? [] : [`(${label})`]),
  ].join(' ')

type Named = Pick<Token, 'id' | 'kind' | 'protocol' | 'label'>

/** The audit log in the database. Triggers refuse to change or remove an entry. */
export class Audit {
  readonly #clock: Clock
  readonly #db: Database
  readonly #insert: Query<Omit<AuditEntry, 'id'>, unknown>
  readonly #after: Query<{ id: number }, AuditEntry>
  readonly #last: Query<object, { id: number | null }>

  constructor(db: Database, clock: Clock) {
    this.#clock = clock
    this.#db = db
    this.#insert = prepare(db, (sql, $: Omit<AuditEntry, 'id'>) =>
      sql.insertInto('audit').values({
        at: $.at,
        by: $.by,
        via: $.via,
        action: $.action,
        target: $.target,
        detail: $.detail,
        reason: $.reason,
      }),
    )
    this.#after = prepare(db, (sql, $: { id: number }) =>
      sql.selectFrom('audit').selectAll().where('id', '>', $.id).orderBy('id').limit(1000),
    )
    this.#last = prepare(db, sql =>
      sql.selectFrom('audit').select(({ fn }) => fn.max('id').as('id')),
    )
  }

  /** To be called within the transaction of the change. */
  add({ by, via }: Actor, { action, target, detail = null, reason = null }: Deed): void {
    this.#insert.run({ at: this.#clock.date(), by, via, action, target, detail, reason })
  }

  /** Tells of every new entry within a second, from any process, until the returned function is called. */
  watch(told: (entry: AuditEntry) => void): () => void {
    let seen = this.#last.get({})?.id ?? 0
    const tell = () => {
      for (const entry of this.#after.all({ id: seen })) {
        seen = entry.id
        told(entry)
      }
    }
    let timer: Timer
    const look = () => {
      timer = this.#clock.after(lookEvery, look)
      tell()
    }
    timer = this.#clock.after(lookEvery, look)
    return () => {
      timer.cancel()
      tell()
    }
  }

  /** Newest first. */
  find({ by, action, target, since, before, limit }: AuditFilter): readonly AuditEntry[] {
    let query = this.#db.sql.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit)
    if (by !== undefined) query = query.where('by', '=', by)
    if (action !== undefined) query = query.where('action', '=', action)
    if (target !== undefined) query = query.where('target', '=', target)
    if (since !== undefined) query = query.where('at', '>=', since)
    if (before !== undefined) query = query.where('id', '<', before)
    const { sql, parameters } = query.compile()
    return this.#db.file.prepare<unknown[], AuditEntry>(sql).all(...parameters)
  }
}

export interface AuditFilter {
  readonly by?: string | undefined
  readonly action?: Action | undefined
  readonly target?: string | undefined
  /** Milliseconds since 1970. */
  readonly since?: number | undefined
  /** Only entries with a lower number. */
  readonly before?: number | undefined
  readonly limit: number
}

export type AuditEntry = Readonly<Omit<Schema['audit'], 'id'>> & { readonly id: number }
