import type { Kysely } from 'kysely'

/** Recurring events that were made by command; those of the settings are not kept. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  db.schema
    .createTable('recurring_events')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('line', 'text', column => column.notNull())
    .addColumn('created_at', 'integer', column => column.notNull())
    .execute()
