import { type Kysely, sql } from 'kysely'

/** Seasons of ladders: those that are closed with their tables, and those that will close by themselves. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('seasons')
    .addColumn('ladder', 'text', column => column.notNull())
    .addColumn('number', 'integer', column => column.notNull())
    .addColumn('title', 'text', column => column.notNull())
    .addColumn('rule', 'text', column => column.notNull().check(sql`rule in ('kept', 'half')`))
    .addColumn('closed_at', 'integer', column => column.notNull())
    .addColumn('last_seq', 'integer', column => column.notNull())
    .addColumn('matches', 'integer', column => column.notNull())
    .addColumn('seal', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('seasons_key', ['ladder', 'number'])
    .modifyEnd(sql`without rowid`)
    .execute()

  await db.schema
    .createTable('season_rows')
    .addColumn('ladder', 'text', column => column.notNull())
    .addColumn('season', 'integer', column => column.notNull())
    .addColumn('row', 'integer', column => column.notNull())
    .addColumn('account', 'integer', column => column.notNull().references('accounts.id'))
    .addColumn('rank', 'integer')
    .addColumn('rating', 'real', column => column.notNull())
    .addColumn('strength', 'real')
    .addColumn('error', 'real')
    .addColumn('games', 'integer', column => column.notNull())
    .addColumn('wins', 'integer', column => column.notNull())
    .addColumn('draws', 'integer', column => column.notNull())
    .addColumn('losses', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('season_rows_key', ['ladder', 'season', 'row'])
    .modifyEnd(sql`without rowid`)
    .execute()
  await db.schema
    .createIndex('season_rows_by_account')
    .on('season_rows')
    .columns(['account'])
    .execute()

  await db.schema
    .createTable('season_dates')
    .addColumn('ladder', 'text', column => column.primaryKey())
    .addColumn('title', 'text', column => column.notNull())
    .addColumn('rule', 'text', column => column.notNull().check(sql`rule in ('kept', 'half')`))
    .addColumn('at', 'integer', column => column.notNull())
    .modifyEnd(sql`without rowid`)
    .execute()

  await rebuildSeals(db)
  for (const [table, key] of [
    ['seals', ['ladder', 'number']],
    ['seasons', ['ladder', 'number']],
    ['season_rows', ['ladder', 'season', 'row']],
  ] as const)
    await keepForEver(db, table, key)
}

/** A season has a seal, too, and that is of no match. The check of the type of a seal cannot be changed in place. */
const rebuildSeals = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('new_seals')
    .addColumn('ladder', 'text', column => column.notNull())
    .addColumn('number', 'integer', column => column.notNull())
    .addColumn('type', 'text', column =>
      column.notNull().check(sql`type in ('match', 'void', 'unvoid', 'season')`),
    )
    .addColumn('match', 'integer', column => column.check(sql`(match is null) = (type = 'season')`))
    .addColumn('at', 'integer')
    .addColumn('reason', 'text')
    .addColumn('hash', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('seals_key', ['ladder', 'number'])
    .modifyEnd(sql`without rowid`)
    .execute()
  await sql`insert into new_seals select ladder, number, type, match, at, reason, hash from seals`.execute(
    db,
  )
  await db.schema.dropTable('seals').execute()
  await db.schema.alterTable('new_seals').renameTo('seals').execute()
  await db.schema.createIndex('seals_by_match').on('seals').columns(['match']).execute()
}

const keepForEver = async (
  db: Kysely<unknown>,
  table: string,
  key: readonly string[],
): Promise<void> => {
  const same = sql.join(
    key.map(column => sql`${sql.ref(column)} = new.${sql.ref(column)}`),
    sql` and `,
  )
  const refuse = (change: string, when = sql``) =>
    sql`create trigger ${sql.ref(`${table}_no_${change}`)} before ${sql.raw(change === 'replace' ? 'insert' : change)} on ${sql.table(table)}
      ${when} begin select raise(abort, ${sql.lit(`${table}: what is written here stays as it is`)}); end`.execute(
      db,
    )
  await refuse('update')
  await refuse('delete')
  await refuse('replace', sql`when exists (select 1 from ${sql.table(table)} where ${same})`)
}
