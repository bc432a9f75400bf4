import { type Kysely, sql } from 'kysely'

// Few matches end otherwise than by the rules, so that looking for them must not mean looking through all the others.
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createIndex('matches_by_ending')
    .on('matches')
    .columns(['game', 'ending', 'id'])
    .where(sql.ref('ending'), '<>', sql.lit('rules'))
    .execute()

  // It includes the number of matches, so that ranks are counted from the index alone.
  await db.schema.dropIndex('ratings_ladder').execute()
  await db.schema
    .createIndex('ratings_ladder')
    .on('ratings')
    .columns(['game', 'rating desc', 'account', 'games'])
    .where(sql.ref('games'), '>', sql.lit(0))
    .execute()
  await db.schema
    .createIndex('accounts_banned')
    .on('accounts')
    .column('id')
    .where(sql.ref('banned_at'), 'is not', null)
    .execute()
}
