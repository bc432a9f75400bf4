import { type Kysely, sql } from 'kysely'

/** Secrets of more kinds than tokens, and an index that finds accounts whose names look alike. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const column of [
    sql`kind text not null default 'token' check (kind in ('token', 'api-key', 'session'))`,
    sql`protocol text check ((protocol is null) = (kind = 'token'))`,
    sql`expires_at integer check ((expires_at is null) = (kind <> 'session'))`,
    sql`parent integer references tokens (id)`,
  ])
    await sql`alter table tokens add column ${column}`.execute(db)
  for (const column of ['expires_at', 'parent'])
    await db.schema
      .createIndex(`tokens_by_${column}`)
      .on('tokens')
      .column(column)
      .where(sql.ref(column), 'is not', null)
      .execute()
  await db.schema
    .createIndex('accounts_by_look')
    .on('accounts')
    .expression(sql`replace(replace(replace(lower(name), ' ', '_'), '.', '_'), '-', '_')`)
    .execute()
  await rebuildAudit(db)
}

/** Removes the check of `via` from the audit log, because accounts now also register by the API and by protocols. */
const rebuildAudit = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('new_audit')
    .addColumn('id', 'integer', column => column.primaryKey().autoIncrement())
    .addColumn('at', 'integer', column => column.notNull())
    .addColumn('by', 'text', column => column.notNull())
    .addColumn('via', 'text', column => column.notNull())
    .addColumn('action', 'text', column => column.notNull())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('detail', 'text')
    .addColumn('reason', 'text')
    .execute()
  await sql`insert into new_audit select id, at, "by", via, action, target, detail, reason from audit`.execute(
    db,
  )
  await db.schema.dropTable('audit').execute()
  await db.schema.alterTable('new_audit').renameTo('audit').execute()
  const refuse = (change: string, when = sql``) =>
    sql`create trigger ${sql.ref(`audit_no_${change}`)} before ${sql.raw(change === 'replace' ? 'insert' : change)} on audit
      ${when} begin select raise(abort, 'audit: what is written here stays as it is'); end`.execute(
      db,
    )
  await refuse('update')
  await refuse('delete')
  await refuse('replace', sql`when exists (select 1 from audit where id = new.id)`)
}
