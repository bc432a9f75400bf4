import { type Kysely, sql } from 'kysely'

/** The agents that have registered with Clawpoly. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  db.schema
    .createTable('clawpoly_agents')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('account', 'integer', column => column.notNull().unique().references('accounts.id'))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('description', 'text', column => column.notNull())
    .addColumn('guarded', 'integer', column => column.notNull())
    .modifyEnd(sql`without rowid`)
    .execute()
