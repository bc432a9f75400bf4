import type { Kysely } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('matches').addColumn('setup', 'text').execute()
}
