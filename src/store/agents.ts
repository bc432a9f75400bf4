import type { AccountId } from '../arena/account.ts'
import { type Database, prepare } from './database.ts'

/** The accounts, each beside its agent: the account itself, or the one whose version it is. */
export const withAgents = (sql: Database['sql']) =>
  sql
    .selectFrom('accounts')
    .innerJoin('accounts as agents', join =>
      join.on(({ eb, fn }) => eb('agents.id', '=', fn.coalesce('accounts.parent', 'accounts.id'))),
    )

/** The ids of an agent and of its versions, as a subquery. */
export const idsOf = (sql: Database['sql'], agent: AccountId) =>
  sql
    .selectFrom('accounts')
    .select('id')
    .where(({ or, eb }) => or([eb('id', '=', agent), eb('parent', '=', agent)]))

/** Answers with the owner of an agent, or the agent itself. */
export const familiesOf = (db: Database) => {
  const family = prepare(db, (sql, $: { agent: AccountId }) =>
    sql
      .selectFrom('accounts')
      .select(({ fn }) => fn.coalesce('owner', 'id').as('owner'))
      .where('id', '=', $.agent),
  )
  return (agent: AccountId): AccountId => family.get({ agent })?.owner ?? agent
}
