import type { Account, AccountId } from '../arena/account.ts'
import type { LeagueAgent } from '../protocols/league/agents.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Schema } from './schema.ts'
import type { Writer } from './writer.ts'

/** The servers that have registered in leagues of league.v2. */
export class LeagueAgents {
  readonly #live: Query<object, Row & { accountName: string | null }>
  readonly #insert: Query<Row, unknown>
  readonly #remove: Query<{ league: string; id: string }, unknown>
  readonly #accountAt: Query<{ endpoint: string; name: string }, Account>

  constructor(db: Database) {
    this.#live = prepare(db, sql =>
      sql
        .selectFrom('league_agents')
        .leftJoin('accounts', 'accounts.id', 'league_agents.account')
        .selectAll('league_agents')
        .select('accounts.name as accountName')
        .where('league', 'not in', query =>
          query
            .selectFrom('event_log')
            .select('event')
            .where('kind', 'in', ['finished', 'cancelled']),
        )
        .orderBy('league_agents.league')
        .orderBy('league_agents.id'),
    )
    this.#insert = prepare(db, (sql, $: Row) =>
      sql.replaceInto('league_agents').values({
        ...{ league: $.league, id: $.id, account: $.account, endpoint: $.endpoint },
        ...{ name: $.name, games: $.games, concurrent: $.concurrent, token: $.token },
      }),
    )
    this.#remove = prepare(db, (sql, $: { league: string; id: string }) =>
      sql.deleteFrom('league_agents').where('league', '=', $.league).where('id', '=', $.id),
    )
    this.#accountAt = prepare(db, (sql, $: { endpoint: string; name: string }) =>
      sql
        .selectFrom('league_agents')
        .innerJoin('accounts', 'accounts.id', 'league_agents.account')
        .select(['accounts.id', 'accounts.name', 'accounts.kind'])
        .where('endpoint', '=', $.endpoint)
        .where('league_agents.name', '=', $.name)
        .orderBy('accounts.id', 'desc')
        .limit(1),
    )
  }

  /** Those of the ordinary queue, and of leagues that are not over. */
  live(): readonly LeagueAgent[] {
    return this.#live.all({}).map(({ accountName, account, games, ...row }) => ({
      ...row,
      games: JSON.parse(games),
      account:
        account === null ? null : { id: account, name: accountName!, kind: 'player' as const },
    }))
  }

  keep({ account, games, ...agent }: LeagueAgent): void {
    this.#insert.run({ ...agent, account: account?.id ?? null, games: JSON.stringify(games) })
  }

  remove(league: string, id: string): void {
    this.#remove.run({ league, id })
  }

  accountAt(endpoint: string, name: string): Account | undefined {
    return this.#accountAt.get({ endpoint, name })
  }
}

type Row = Omit<Schema['league_agents'], 'account'> & { readonly account: AccountId | null }

/** What the protocol asks of the thread that writes. */
export const leagueStoreOf = (agents: LeagueAgents, write: Writer['write']) => ({
  liveAgents: () => agents.live(),
  keepAgent: (agent: LeagueAgent) => write(() => agents.keep(agent)),
  removeAgent: (league: string, id: string) => write(() => agents.remove(league, id)),
  accountAt: (endpoint: string, name: string) => write(() => agents.accountAt(endpoint, name)),
})
