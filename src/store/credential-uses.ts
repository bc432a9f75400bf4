import type { Login } from '../wire/accounts.ts'
import { type CredentialTable, tableOf } from './credential-lookup.ts'
import { type Database, prepare } from './database.ts'

/** When a credential was last used. */
export interface CredentialUse {
  readonly by: Login['by']
  readonly at: number
}

/** Notes when credentials were last used, for people to read. */
export const openCredentialUses = (db: Database) => {
  const note = { keys: noteIn(db, 'keys'), tokens: noteIn(db, 'tokens') }
  return {
    note: (uses: readonly CredentialUse[]): void => {
      for (const { by, at } of uses) note[tableOf(by.kind)].run({ id: by.id, at })
    },
  }
}

const noteIn = (db: Database, table: CredentialTable) =>
  prepare(db, (sql, $: { id: number; at: number }) =>
    sql.updateTable(table).set({ last_used_at: $.at }).where('id', '=', $.id),
  )
