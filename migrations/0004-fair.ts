import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  const accounts = () => db.schema.alterTable('accounts')
  await accounts()
    .addColumn('owner', 'integer', column => column.references('accounts.id'))
    .execute()
  await accounts().addColumn('paused_at', 'integer').execute()
  await accounts().addColumn('pause_reason', 'text').execute()
  // Who has paused an account is who may let it back in.
  await accounts()
    .addColumn('paused_by', 'text', column => column.check(sql`paused_by in ('host', 'operator')`))
    .execute()
  await accounts().addColumn('unpaused_at', 'integer').execute()
  await db.schema
    .createIndex('accounts_by_owner')
    .on('accounts')
    .column('owner')
    .where(sql.ref('owner'), 'is not', null)
    .execute()

  await db.schema.alterTable('matches').addColumn('voided_at', 'integer').execute()
  await db.schema.alterTable('matches').addColumn('void_reason', 'text').execute()
  await db.schema
    .createIndex('matches_voided')
    .on('matches')
    .column('voided_at')
    .where(sql.ref('voided_at'), 'is not', null)
    .execute()

  // Who met is written with every result anyway, so that counting the day's rated matches there costs nothing more.
  const meetings = () => db.schema.alterTable('meetings')
  await meetings()
    .addColumn('day', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  await meetings()
    .addColumn('rated', 'integer', column => column.notNull().defaultTo(0))
    .execute()
}
