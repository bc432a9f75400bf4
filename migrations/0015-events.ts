import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // `seq` grows in the order of commits, so that a reader asks for new entries only.
  await db.schema
    .createTable('event_log')
    .addColumn('seq', 'integer', column => column.primaryKey())
    .addColumn('event', 'text', column => column.notNull())
    .addColumn('number', 'integer', column => column.notNull())
    .addColumn('at', 'integer', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('entry', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createIndex('event_log_by_number')
    .unique()
    .on('event_log')
    .columns(['event', 'number'])
    .execute()
  // The few entries of an event that say where it stands.
  await db.schema
    .createIndex('event_log_stages')
    .on('event_log')
    .columns(['seq'])
    .where(
      sql.ref('kind'),
      'in',
      sql`('created', 'started', 'paused', 'resumed', 'cancelled', 'finished')`,
    )
    .execute()
  await db.schema
    .createIndex('event_log_entrants')
    .on('event_log')
    .columns(['event', 'kind'])
    .where(sql.ref('kind'), 'in', sql`('entered', 'withdrew')`)
    .execute()
  for (const change of ['update', 'delete'])
    await sql`create trigger ${sql.ref(`event_log_no_${change}`)} before ${sql.raw(change)} on event_log
      begin select raise(abort, ${refused}); end`.execute(db)
  await sql`create trigger event_log_no_replace before insert on event_log
    when exists (select 1 from event_log
      where seq = new.seq or (event = new.event and number = new.number))
    begin select raise(abort, ${refused}); end`.execute(db)

  // Which match of an event it is: ROUND.BOARD.LEG.
  for (const column of ['event', 'board'])
    await db.schema.alterTable('matches').addColumn(column, 'text').execute()
  await db.schema
    .createIndex('matches_by_event')
    .on('matches')
    .columns(['event', 'id'])
    .where(sql.ref('event'), 'is not', null)
    .execute()
}

const refused = sql.lit('event_log: what is written here stays as it is')
