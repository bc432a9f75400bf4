import { type Kysely, sql } from 'kysely'

// Few matches end otherwise than by the rules, so that looking for them must not mean looking through all the others.
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createIndex('matches_by_ending')
    .on('matches')
    .columns(['game', 'ending', 'id'])
    .where(sql.ref('ending'), '<>', sql.lit('rules'))
    .execute()
}
