import { type Kysely, sql } from 'kysely'

/** What one fit over all rated matches of a ladder has found. Each fit of a ladder replaces the one before. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('strengths')
    .addColumn('ladder', 'text', column => column.notNull())
    .addColumn('account', 'integer', column => column.notNull().references('accounts.id'))
    .addColumn('strength', 'real', column => column.notNull())
    .addColumn('error', 'real', column => column.notNull())
    .addColumn('matches', 'integer', column => column.notNull())
    .addColumn('start', 'real', column => column.notNull())
    .addPrimaryKeyConstraint('strengths_key', ['ladder', 'account'])
    .modifyEnd(sql`without rowid`)
    .execute()
  await db.schema
    .createIndex('strengths_board')
    .on('strengths')
    .columns(['ladder', 'strength desc', 'account'])
    .execute()

  await db.schema
    .createTable('strength_fits')
    .addColumn('ladder', 'text', column => column.primaryKey())
    .addColumn('last_seq', 'integer', column => column.notNull())
    .addColumn('voided', 'text', column => column.notNull())
    .addColumn('matches', 'integer', column => column.notNull())
    .addColumn('first', 'real', column => column.notNull())
    .addColumn('first_error', 'real', column => column.notNull())
    .addColumn('first_start', 'real', column => column.notNull())
    .addColumn('intransitivity', 'real')
    .addColumn('took_ms', 'real', column => column.notNull())
    .modifyEnd(sql`without rowid`)
    .execute()
}
