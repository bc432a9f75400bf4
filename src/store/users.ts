import { sql } from 'kysely'
import { type Account, type AccountId, lookOf, splitName, versionName } from '../arena/account.ts'
import type { Pause } from '../arena/match-store.ts'
import type { Clock } from '../clock.ts'
import { quoted } from '../games/words.ts'
import { didYouMean } from '../nearest.ts'
import { withAgents } from './agents.ts'
import { type Database, prepare, type Query } from './database.ts'
import { longestName, type NameProblem, nameProblem } from './names.ts'
import type { Schema } from './schema.ts'

/** The accounts: agents, people and house players. Those of guests are found by their numbers alone. */
export class Users {
  readonly #clock: Clock
  readonly #insert: Query<Pick<Row, 'name' | 'kind' | 'created_at'>, Account>
  readonly #find: Query<{ name: string }, User>
  readonly #byLook: Query<{ look: string }, User>
  readonly #byId: Query<{ id: AccountId }, Account>
  readonly #beginning: Query<Beginning, Account>
  readonly #versionsBeginning: Query<Beginning, Account>
  readonly #all: Query<object, Listed>
  readonly #ban: Query<{ id: AccountId; at: number | null; reason: string | null }, unknown>
  readonly #pause: Query<{ id: AccountId; at: number; reason: string | null }, unknown>
  readonly #unpause: Query<Unpausing, unknown>
  readonly #setOwner: Query<{ id: AccountId; owner: AccountId | null }, unknown>
  readonly #owned: Query<{ owner: AccountId }, User>
  readonly #addVersion: Query<Pick<Row, 'name' | 'created_at' | Words>, Account>
  readonly #versions: Query<{ agent: AccountId; limit: number }, User>
  readonly #newVersions: Query<{ agent: AccountId; since: number }, NewVersions>

  constructor(db: Database, clock: Clock) {
    this.#clock = clock
    this.#insert = prepare(db, (sql, $: Pick<Row, 'name' | 'kind' | 'created_at'>) =>
      sql
        .insertInto('accounts')
        .values({ name: $.name, kind: $.kind, created_at: $.created_at })
        .onConflict(conflict => conflict.doNothing())
        .returning(['id', 'name', 'kind']),
    )
    this.#find = prepare(db, (sql, $: { name: string }) =>
      withAgents(sql)
        .select(columns)
        .where(({ fn }) => fn<string>('lower', ['accounts.name']), '=', $.name)
        .where('accounts.kind', '<>', 'guest'),
    )
    this.#byLook = prepare(db, (sql, $: { look: string }) =>
      withAgents(sql)
        .select(columns)
        .where(look, '=', $.look)
        .where('accounts.kind', '<>', 'guest')
        .limit(2),
    )
    this.#byId = prepare(db, (sql, $: { id: AccountId }) =>
      sql.selectFrom('accounts').select(['id', 'name', 'kind']).where('id', '=', $.id),
    )
    const beginning = (sql: Database['sql'], $: Beginning) =>
      sql
        .selectFrom('accounts')
        .select(['id', 'name', 'kind'])
        .where(({ fn }) => fn<string>('lower', ['name']), '>=', $.from)
        .where(({ fn }) => fn<string>('lower', ['name']), '<', $.to)
        .where('kind', '<>', 'guest')
        .orderBy(({ fn }) => fn<string>('lower', ['name']))
        .limit($.limit)
    this.#beginning = prepare(db, (sql, $: Beginning) =>
      beginning(sql, $).where('parent', 'is', null),
    )
    this.#versionsBeginning = prepare(db, beginning)
    this.#all = prepare(db, sql =>
      withAgents(sql)
        .select(columns)
        .select(row => [
          row
            .selectFrom('accounts as owners')
            .select('owners.name')
            .whereRef('owners.id', '=', 'agents.owner')
            .as('ownerName'),
          row
            .selectFrom('keys')
            .select(({ fn }) => fn.countAll<number>().as('n'))
            .whereRef('keys.account', '=', 'accounts.id')
            .where('revoked_at', 'is', null)
            .$asScalar()
            .as('keys'),
          row
            .selectFrom('tokens')
            .select(({ fn }) => fn.countAll<number>().as('n'))
            .whereRef('tokens.account', '=', 'accounts.id')
            .where('kind', '<>', 'session')
            .where('revoked_at', 'is', null)
            .$asScalar()
            .as('tokens'),
        ])
        .where('accounts.kind', '<>', 'guest')
        .orderBy(({ fn }) => fn<string>('lower', ['accounts.name'])),
    )
    this.#ban = prepare(db, (sql, $: { id: AccountId; at: number | null; reason: string | null }) =>
      sql
        .updateTable('accounts')
        .set({ banned_at: $.at, ban_reason: $.reason })
        .where('id', '=', $.id),
    )
    this.#pause = prepare(db, (sql, $: { id: AccountId; at: number; reason: string | null }) =>
      sql
        .updateTable('accounts')
        .set({ paused_at: $.at, pause_reason: $.reason, paused_by: 'operator' })
        .where('id', '=', $.id),
    )
    this.#unpause = prepare(db, (sql, $: Unpausing) =>
      sql
        .updateTable('accounts')
        .set({ paused_at: null, pause_reason: null, paused_by: null, unpaused_at: $.at })
        .where('id', '=', $.id)
        .where('paused_at', 'is not', null)
        .where('paused_by', 'in', ['host', $.by]),
    )
    this.#setOwner = prepare(db, (sql, $: { id: AccountId; owner: AccountId | null }) =>
      sql.updateTable('accounts').set({ owner: $.owner }).where('id', '=', $.id),
    )
    this.#owned = prepare(db, (sql, $: { owner: AccountId }) =>
      withAgents(sql).select(columns).where('accounts.owner', '=', $.owner).orderBy('accounts.id'),
    )
    this.#addVersion = prepare(db, (sql, $: Pick<Row, 'name' | 'created_at' | Words>) =>
      sql
        .insertInto('accounts')
        .values({
          ...{ name: $.name, kind: 'player', created_at: $.created_at },
          ...{ parent: $.parent, model: $.model, harness: $.harness },
        })
        .returning(['id', 'name', 'kind', 'parent']),
    )
    this.#versions = prepare(db, (sql, $: { agent: AccountId; limit: number }) =>
      withAgents(sql)
        .select(columns)
        .where('accounts.parent', '=', $.agent)
        .orderBy('accounts.id', 'desc')
        .limit($.limit),
    )
    this.#newVersions = prepare(db, (sql, $: { agent: AccountId; since: number }) =>
      sql
        .selectFrom('accounts')
        .select(({ fn }) => [
          fn.countAll<number>().as('n'),
          fn.min<number | null>('created_at').as('first'),
        ])
        .where('parent', '=', $.agent)
        .where('created_at', '>', $.since),
    )
  }

  /** Adds an account, or answers why this name cannot be used. */
  add(name: string): Account | NameProblem {
    const problem = nameProblem(name)
    if (problem !== null) return problem
    const [alike] = this.#byLook.all({ look: lookOf(name) })
    if (alike?.name.toLowerCase() === name.toLowerCase())
      return { code: 'name-taken', problem: `the name ${name} is taken` }
    if (alike !== undefined)
      return {
        code: 'name-taken',
        problem: `the name ${name} is taken: it looks like ${alike.name}`,
      }
    return this.#add(name, 'player')!
  }

  /** The account of a house player, made when it is first needed. */
  house(name: string): Account {
    const found = this.#find.get({ name: name.toLowerCase() })
    if (found !== undefined && found.kind !== 'house')
      throw new Error(`the account ${name} is not of the house`)
    return found ?? this.#add(name, 'house')!
  }

  /** The account of this name, whatever its case; or else the only one whose name looks like it. */
  find(name: string): User | undefined {
    const found = this.#find.get({ name: name.toLowerCase() })
    if (found !== undefined) return found
    const [alike, another] = this.#byLook.all({ look: lookOf(name) })
    return another === undefined ? alike : undefined
  }

  /** The account of this name, or why it cannot be an opponent. */
  opponent(name: string): Account | { readonly why: string } {
    const user = this.find(name)
    const shown = quoted(name)
    if (user === undefined) return { why: `no account is called ${shown}${this.#didYouMean(name)}` }
    if (user.banned_at !== null) return { why: `the account ${shown} is banned` }
    if (user.kind === 'house') return { why: `${shown} is a house player: join with practice` }
    return user
  }

  /** Searches only names with a similar beginning, so that the time does not grow with the number of accounts. */
  #didYouMean(name: string): string {
    const known = new Set<string>()
    for (let length = Math.min(name.length, longestName); length > 0; length--)
      for (const account of this.beginning(name.slice(0, length), 20))
        if (account.kind === 'player') known.add(account.name)
    return didYouMean(name, [...known])
  }

  byId(id: AccountId): Account | undefined {
    return this.#byId.get({ id })
  }

  /** The accounts whose names begin like this, by name: without versions, until the agent of one is named in full. */
  beginning(start: string, limit: number): readonly Account[] {
    const from = start.toLowerCase()
    const query = splitName(start).version === null ? this.#beginning : this.#versionsBeginning
    return query.all({ from, to: `${from}\uffff`, limit })
  }

  all(): readonly Listed[] {
    return this.#all.all({})
  }

  ban(id: AccountId, reason: string | null): void {
    this.#ban.run({ id, at: this.#clock.date(), reason })
  }

  unban(id: AccountId): void {
    this.#ban.run({ id, at: null, reason: null })
  }

  /** Pauses an account for the operator. */
  pause(id: AccountId, reason: string | null): void {
    this.#pause.run({ id, at: this.#clock.date(), reason })
  }

  /**
   * Lets an account play again, and forgets its earlier failures. The owner can only undo a pause by the host. Answers
   * whether the account was unpaused.
   */
  unpause(id: AccountId, by: 'owner' | 'operator'): boolean {
    return this.#unpause.run({ id, at: this.#clock.date(), by: by === 'owner' ? 'host' : by }) > 0
  }

  /** Sets or removes the owner of an account; or answers why not. */
  setOwner(
    { id, name, kind }: Account,
    owner: Pick<User, keyof Account | 'owner'> | null,
  ): string | null {
    if (owner === null) {
      this.#setOwner.run({ id, owner: null })
      return null
    }
    if (kind === 'house' || owner.kind === 'house')
      return 'a house player has no owner and owns no account'
    if (owner.id === id) return `${name} cannot belong to itself`
    if (owner.owner !== null)
      return `${owner.name} belongs to ${this.byId(owner.owner)!.name}: name that account`
    const [agent] = this.owned(id)
    if (agent !== undefined)
      return `${name} owns ${agent.name}, so that it cannot have an owner itself`
    this.#setOwner.run({ id, owner: owner.id })
    return null
  }

  /** The agents of an account. */
  owned(owner: AccountId): readonly User[] {
    return this.#owned.all({ owner })
  }

  /** Adds a version of an agent, whose name is not taken. */
  addVersion(
    { id, name }: Account,
    version: string,
    words: Pick<User, 'model' | 'harness'>,
  ): Account {
    return this.#addVersion.get({
      ...{ name: versionName(name, version), created_at: this.#clock.date(), parent: id },
      ...words,
    })!
  }

  /** The newest versions of an agent, newest first. */
  versions(agent: AccountId, limit: number): readonly User[] {
    return this.#versions.all({ agent, limit })
  }

  /** How many versions of an agent are younger than so many milliseconds, and the age of the oldest of them. */
  newVersions(agent: AccountId, age: number): { readonly n: number; readonly oldest: number } {
    const now = this.#clock.date()
    const { n, first } = this.#newVersions.get({ agent, since: now - age })!
    return { n, oldest: now - (first ?? now) }
  }

  #add(name: string, kind: Account['kind']): Account | undefined {
    return this.#insert.get({ name, kind, created_at: this.#clock.date() })
  }
}

/** As `lookOf` makes it of at most 32 characters, and as the index has it. */
const look = sql<string>`replace(replace(replace(replace(replace(replace(replace(replace(lower(accounts.name), '  ', ' '), '  ', ' '), '  ', ' '), '  ', ' '), '  ', ' '), ' ', '_'), '.', '_'), '-', '_')`

type Row = Schema['accounts']
type NewVersions = { n: number; first: number | null }
type Words = 'parent' | 'model' | 'harness'
type Beginning = { from: string; to: string; limit: number }
type Unpausing = { id: AccountId; at: number; by: Pause['by'] }

const own = ['id', 'name', 'kind', 'created_at', 'parent', 'model', 'harness'] as const
const ofAgent = [
  ...(['banned_at', 'ban_reason', 'owner'] as const),
  ...(['paused_at', 'pause_reason', 'paused_by'] as const),
] as const
const columns = [
  ...own.map(column => `accounts.${column}` as const),
  ...ofAgent.map(column => `agents.${column}` as const),
]

/** An account. Of a version, owner, ban and pause are those of its agent. */
export type User = Account &
  Pick<Row, Exclude<(typeof own)[number] | (typeof ofAgent)[number], keyof Account>>

/** An account with the numbers of its keys, and of its tokens and API keys, that are not revoked. */
export type Listed = User & {
  readonly ownerName: string | null
  readonly keys: number
  readonly tokens: number
}
