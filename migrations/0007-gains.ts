import type { Kysely } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  const alter = (table: string) => db.schema.alterTable(table)
  // Matches kept before stay as they are: nothing in them was quick.
  await alter('match_seats')
    .addColumn('quick', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  // Both rows are written with every result anyway, so that counting the day's gains there costs no page more.
  await alter('meetings')
    .addColumn('gain_day', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  await alter('meetings')
    .addColumn('gain', 'real', column => column.notNull().defaultTo(0))
    .execute()
  await alter('ratings')
    .addColumn('day', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  await alter('ratings')
    .addColumn('began', 'real', column => column.notNull().defaultTo(0))
    .execute()
}
