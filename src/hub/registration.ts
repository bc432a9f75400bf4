import type { Account } from '../arena/account.ts'
import { capital } from '../record/result-text.ts'
import { publicKeyOf } from '../store/public-key.ts'
import type { HubContext } from './context.ts'
import { actorOf, addKey } from './credentials.ts'

export interface RegistrationRequest {
  readonly source: string
  /** The key in its wire format. The client has proved that it owns it. */
  readonly key: Buffer
  /** Empty where the code adds the key to an existing account. */
  readonly name: string
  readonly code: string
}

export type RegistrationResult = Account | { readonly problem: string }

/** Registers an account, or adds a key to the account of a one-time code. */
export const register = async (
  hub: HubContext,
  request: RegistrationRequest,
): Promise<RegistrationResult> => {
  const retryAfter = hub.registrationRate.take(request.source)
  if (retryAfter > 0)
    return { problem: `Too many tries from your address: try again in ${retryAfter} s.` }
  return hub.store.write(() => registered(hub, request))
}

const registered = (
  { store, registration }: HubContext,
  { key, name, code }: RegistrationRequest,
): RegistrationResult => {
  const found = code === '' ? undefined : store.codes.find(code)
  if (code !== '' && found === undefined)
    return { problem: 'This code is not valid, or is no longer valid.' }
  if (found === undefined || found.account === null) {
    if (registration === 'closed')
      return { problem: 'Registration is closed: no new accounts at present.' }
    if (found === undefined && registration === 'invite')
      return { problem: 'Registration needs an invitation: ask the operator for a code.' }
    // The key is checked first, so that no name goes to an account without a key.
    const owner = store.keys.owner(key)
    if (owner !== undefined)
      return { problem: `This key belongs to ${owner}, or did before it was revoked.` }
    const account = store.users.add(name)
    if ('problem' in account) return { problem: sentence(account.problem) }
    const how = found === undefined ? 'open registration' : 'by invitation'
    store.audit.add(actorOf(account), { action: 'add-user', target: account.name, detail: how })
    addKey(store, account, publicKeyOf(key))
    if (found !== undefined) store.codes.spend(code)
    return account
  }
  const account = store.users.byId(found.account)!
  const added = addKey(store, account, publicKeyOf(key))
  if ('problem' in added) return { problem: sentence(added.problem) }
  store.codes.spend(code)
  return account
}

const sentence = (text: string) => `${capital(text)}.`
