import { type Kysely, sql } from 'kysely'

// Who has paused an account is who may let it back in. Until now only the words of the reason told.
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('accounts')
    .addColumn('paused_by', 'text', column => column.check(sql`paused_by in ('host', 'operator')`))
    .execute()
  await sql`update accounts set paused_by = case
    when pause_reason like '% matches in a row ended by a late or illegal move of its own, %' then 'host'
    else 'operator' end
    where paused_at is not null`.execute(db)
}
