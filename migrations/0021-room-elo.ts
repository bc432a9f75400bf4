import { type Kysely, sql } from 'kysely'

/** The ratings of accounts in rooms, and what each rated match at a table of a room made of them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('room_elo')
    .addColumn('match', 'integer', column => column.primaryKey().references('matches.id'))
    .addColumn('room', 'text', column => column.notNull())
    .addColumn('seq', 'integer', column => column.notNull())
    .addColumn('account_1', 'integer', column => column.notNull().references('accounts.id'))
    .addColumn('account_2', 'integer', column => column.notNull().references('accounts.id'))
    .addColumn('before_1', 'integer')
    .addColumn('before_2', 'integer')
    .addColumn('delta', 'integer', column =>
      column.check(
        sql`(before_1 is null) = (delta is null) and (before_2 is null) = (delta is null)`,
      ),
    )
    .execute()
  await db.schema
    .createIndex('room_elo_order')
    .unique()
    .on('room_elo')
    .columns(['room', 'seq'])
    .execute()

  await db.schema
    .createTable('room_ratings')
    .addColumn('account', 'integer', column => column.notNull().references('accounts.id'))
    .addColumn('room', 'text', column => column.notNull())
    .addColumn('rating', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('room_ratings_key', ['account', 'room'])
    .modifyEnd(sql`without rowid`)
    .execute()
}
