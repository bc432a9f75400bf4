import type { Clock } from '../../src/clock.ts'
import { openCredentialLookup } from '../../src/store/credential-lookup.ts'
import { openCredentialUses } from '../../src/store/credential-uses.ts'
import { Logins } from '../../src/store/logins.ts'
import { inThisThread } from '../../src/threads/calls.ts'
import type { Store } from './open-store.ts'

/** The logins of a host with this store, which answers as it would from another thread. */
export const loginsOf = (store: Pick<Store, 'db' | 'write'>, clock: Clock): Logins => {
  const uses = openCredentialUses(store.db)
  return new Logins(
    inThisThread(openCredentialLookup(store.db)),
    list => store.write(() => uses.note(list)),
    clock,
  )
}
