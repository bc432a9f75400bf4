import { type Kysely, sql } from 'kysely'

/**
 * The accounts of seats that have none of their own, as `src/arena/guests.ts` has them. Their numbers are below 0, so that those of
 * other accounts go on as they did, and no account could ever be given a name with a colon. The check of `kind` belongs to
 * its column, so that the column is made anew: the table cannot be, because others refer to it.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table accounts add column new_kind text not null default 'player'
    check (new_kind in ('player', 'house', 'guest'))`.execute(db)
  await sql`update accounts set new_kind = kind where kind <> 'player'`.execute(db)
  await sql`alter table accounts drop column kind`.execute(db)
  await sql`alter table accounts rename column new_kind to kind`.execute(db)
  for (const seat of [0, 1, 2, 3, 4, 5])
    await sql`insert into accounts (id, name, kind, created_at)
      values (${-1 - seat}, ${`guest:${seat}`}, 'guest', 0)`.execute(db)
}
