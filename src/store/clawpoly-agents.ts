import type { AccountId } from '../arena/account.ts'
import { agentsLadder } from '../arena/ladder.ts'
import { initialRating } from '../arena/rating.ts'
import {
  type AgentPage,
  eloOffset,
  type NewAgent,
  type RankedAgent,
} from '../protocols/clawpoly/agents.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Schema } from './schema.ts'
import type { Writer } from './writer.ts'

const ladder = agentsLadder('clawpoly').id

/** The agents that have registered with Clawpoly. Those whose account is banned are not found. */
export class ClawpolyAgents {
  readonly #insert: Query<Stored, unknown>
  readonly #guard: Query<{ id: string }, unknown>
  readonly #find: Query<{ id: string }, Row>
  readonly #page: Query<Part, Row>
  readonly #leaders: Query<{ limit: number }, Row>
  readonly #count: Query<object, { n: number }>

  constructor(db: Database) {
    this.#insert = prepare(db, (sql, $: Stored) =>
      sql
        .insertInto('clawpoly_agents')
        .values({
          ...{ id: $.id, account: $.account, name: $.name },
          ...{ description: $.description, guarded: $.guarded },
        })
        .onConflict(conflict => conflict.doNothing()),
    )
    this.#guard = prepare(db, (sql, $: { id: string }) =>
      sql.updateTable('clawpoly_agents').set({ guarded: 1 }).where('id', '=', $.id),
    )
    this.#find = prepare(db, (sql, $: { id: string }) =>
      ranked(sql).where('clawpoly_agents.id', '=', $.id),
    )
    this.#page = prepare(db, (sql, $: Part) =>
      ranked(sql).orderBy('clawpoly_agents.account').limit($.limit).offset($.offset),
    )
    this.#leaders = prepare(db, (sql, $: { limit: number }) =>
      ranked(sql)
        .orderBy(({ fn, val }) => fn.coalesce('rating', val(initialRating)), 'desc')
        .orderBy(({ fn, val }) => fn.coalesce('wins', val(0)), 'desc')
        .orderBy('clawpoly_agents.account')
        .limit($.limit),
    )
    this.#count = prepare(db, sql => present(sql).select(({ fn }) => fn.countAll<number>().as('n')))
  }

  /** Returns whether the id was free. */
  keep({ id, account, name, description }: NewAgent): boolean {
    return this.#insert.run({ id, account, name, description, guarded: 0 }) === 1
  }

  guard(id: string): void {
    this.#guard.run({ id })
  }

  find(id: string): RankedAgent | undefined {
    const row = this.#find.get({ id })
    return row && agentOf(row)
  }

  page(offset: number, limit: number): AgentPage {
    const agents = this.#page.all({ offset, limit }).map(agentOf)
    return { agents, total: this.#count.get({})?.n ?? 0 }
  }

  leaders(limit: number): readonly RankedAgent[] {
    return this.#leaders.all({ limit }).map(agentOf)
  }
}

type Stored = Schema['clawpoly_agents']

interface Part {
  readonly offset: number
  readonly limit: number
}

interface Row extends Stored {
  readonly accountName: string
  readonly rating: number | null
  readonly games: number | null
  readonly wins: number | null
}

const present = (sql: Database['sql']) =>
  sql
    .selectFrom('clawpoly_agents')
    .innerJoin('accounts', 'accounts.id', 'clawpoly_agents.account')
    .where('banned_at', 'is', null)

const ranked = (sql: Database['sql']) =>
  present(sql)
    .leftJoin('ratings', join =>
      join
        .onRef('ratings.account', '=', 'clawpoly_agents.account')
        .on('ratings.ladder', '=', ladder),
    )
    .select(['clawpoly_agents.id', 'clawpoly_agents.account', 'clawpoly_agents.name'])
    .select(['description', 'guarded', 'accounts.name as accountName'])
    .select(['ratings.rating', 'ratings.games', 'ratings.wins'])

const agentOf = ({ id, account, name, description, ...row }: Row): RankedAgent => ({
  ...{ id, name, description, isGuarded: row.guarded === 1 },
  account: { id: account satisfies AccountId, name: row.accountName, kind: 'player' },
  stats: {
    gamesPlayed: row.games ?? 0,
    wins: row.wins ?? 0,
    elo: Math.round((row.rating ?? initialRating) + eloOffset),
  },
})

/** What the protocol asks of the thread that writes. */
export const clawpolyStoreOf = (agents: ClawpolyAgents, write: Writer['write']) => ({
  keep: (agent: NewAgent) => write(() => agents.keep(agent)),
  guard: (id: string) => write(() => agents.guard(id)),
  find: (id: string) => agents.find(id),
  page: (offset: number, limit: number) => agents.page(offset, limit),
  leaders: (limit: number) => agents.leaders(limit),
})
