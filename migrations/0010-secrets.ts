import { type Kysely, sql } from 'kysely'

/** Tokens get company: API keys and session tokens of protocols. Names that look alike can be found. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table tokens add column kind text not null default 'token'
    check (kind in ('token', 'api-key', 'session'))`.execute(db)
  await sql`alter table tokens add column protocol text check ((protocol is null) = (kind = 'token'))`.execute(
    db,
  )
  await sql`alter table tokens add column expires_at integer
    check ((expires_at is null) = (kind <> 'session'))`.execute(db)
  await sql`alter table tokens add column parent integer references tokens (id)`.execute(db)
  await sql`create index tokens_by_expiry on tokens (expires_at) where expires_at is not null`.execute(
    db,
  )
  await sql`create index tokens_by_parent on tokens (parent) where parent is not null`.execute(db)
  await sql`create index accounts_by_look on accounts
    (replace(replace(replace(lower(name), ' ', '_'), '.', '_'), '-', '_'))`.execute(db)
}
