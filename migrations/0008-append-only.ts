import { type Kysely, sql } from 'kysely'

/** `insert or replace` removes the row that is in its way without a trigger for removals: it has to be refused by one of its own. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const [table, key] of [
    ['seals', ['ladder', 'number']],
    ['audit', ['id']],
  ] as const) {
    const same = sql.join(
      key.map(column => sql`${sql.ref(column)} = new.${sql.ref(column)}`),
      sql` and `,
    )
    await sql`create trigger ${sql.ref(`${table}_no_replace`)} before insert on ${sql.table(table)}
      when exists (select 1 from ${sql.table(table)} where ${same})
      begin select raise(abort, ${sql.lit(`${table}: what is written here stays as it is`)}); end`.execute(
      db,
    )
  }
}
