import type { Kysely } from 'kysely'

/** The protocol that each seat came by. Of earlier matches it is not known. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  db.schema.alterTable('match_seats').addColumn('protocol', 'text').execute()
