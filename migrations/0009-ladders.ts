import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // These columns have always held the id of a ladder. Indexes follow the new name; no row is written again.
  for (const table of ['match_seats', 'ratings', 'meetings'])
    await sql`alter table ${sql.table(table)} rename column game to ladder`.execute(db)

  // What the ladder of an event counts, as JSON. The ladders of agents and people count Elo, and need no row.
  await db.schema
    .createTable('ladders')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('counts', 'text', column => column.notNull())
    .modifyEnd(sql`without rowid`)
    .execute()
}
