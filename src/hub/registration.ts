import type { Account } from '../arena/account.ts'
import { capital } from '../record/result-text.ts'
import { publicKeyOf } from '../store/public-key.ts'
import { actorOf, addKey } from './credentials.ts'
import type { House } from './house.ts'

export interface Application {
  readonly source: string
  /** The key in its wire format, proved to be the applicant's. */
  readonly key: Buffer
  /** Empty for a key that a code adds to an account. */
  readonly name: string
  readonly code: string
}

export type Answer = Account | { readonly problem: string }

/** Makes an account, or adds a key to one by its code; or says why not. */
export const register = async (house: House, application: Application): Promise<Answer> => {
  const retryAfter = house.joining.take(application.source)
  if (retryAfter > 0)
    return { problem: `Too many tries from your address: try again in ${retryAfter} s.` }
  return house.store.write(() => registered(house, application))
}

const registered = ({ store, registration }: House, { key, name, code }: Application): Answer => {
  const found = code === '' ? undefined : store.codes.find(code)
  if (code !== '' && found === undefined)
    return { problem: 'This code is not valid, or not any more.' }
  if (found === undefined || found.account === null) {
    if (registration === 'closed') return { problem: 'No new accounts are made here at present.' }
    if (found === undefined && registration === 'invite')
      return { problem: 'An account takes an invitation: ask the operator for a code.' }
    // The key first: a name must not be taken by somebody who then cannot come in.
    const owner = store.keys.owner(key)
    if (owner !== undefined) return { problem: `This key is that of ${owner} already, or was.` }
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
