import type { Kysely } from 'kysely'

/** What players wrote beside their moves. It has a column of its own, because seals cover the moves and not the notes. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  db.schema.alterTable('matches').addColumn('notes', 'text').execute()
