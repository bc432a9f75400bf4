import { type Kysely, sql } from 'kysely'

/** The servers that have registered in leagues of league.v2. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  db.schema
    .createTable('league_agents')
    .addColumn('league', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('account', 'integer', column => column.references('accounts.id'))
    .addColumn('endpoint', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('games', 'text', column => column.notNull())
    .addColumn('concurrent', 'integer', column => column.notNull())
    .addColumn('token', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('league_agents_key', ['league', 'id'])
    .modifyEnd(sql`without rowid`)
    .execute()
