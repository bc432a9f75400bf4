import type { Kysely } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('codes')
    .addColumn('hash', 'blob', column => column.primaryKey())
    .addColumn('account', 'integer', column => column.references('accounts.id'))
    .addColumn('created_at', 'integer', column => column.notNull())
    .addColumn('expires_at', 'integer', column => column.notNull())
    .addColumn('used_at', 'integer')
    .execute()
}
