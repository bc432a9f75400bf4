import { type Kysely, sql } from 'kysely'

/** Names may have several spaces in a row now, which look like one. No earlier name has them, so each keeps its look. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.dropIndex('accounts_by_look').execute()
  await db.schema
    .createIndex('accounts_by_look')
    .on('accounts')
    .expression(
      sql`replace(replace(replace(replace(replace(replace(replace(replace(lower(name), '  ', ' '), '  ', ' '), '  ', ' '), '  ', ' '), '  ', ' '), ' ', '_'), '.', '_'), '-', '_')`,
    )
    .execute()
}
