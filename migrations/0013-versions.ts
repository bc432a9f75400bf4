import { type Kysely, sql } from 'kysely'

/** A version of an agent is an account of its own. It names its agent, and what it was declared to be. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const accounts = () => db.schema.alterTable('accounts')
  await accounts()
    .addColumn('parent', 'integer', column => column.references('accounts.id'))
    .execute()
  await accounts().addColumn('model', 'text').execute()
  await accounts().addColumn('harness', 'text').execute()
  await db.schema
    .createIndex('accounts_by_parent')
    .on('accounts')
    .column('parent')
    .where(sql.ref('parent'), 'is not', null)
    .execute()
}
