// How accounts come over SSH, by the API or by a protocol. The audit log has who came and how. To be called within a
// transaction, so that two at once get neither the same name nor the same code.

import type { Account, AccountId } from '../arena/account.ts'
import type {
  NewSecret,
  Registered,
  RegistrationCode,
  RegistrationRefusal,
  RegistrationRequest,
} from '../protocols/credentials.ts'
import type { Actor, Via } from './audit.ts'
import { addKey, mintSecret } from './credentials.ts'
import type { PublicKey } from './public-key.ts'
import type { Tables } from './store.ts'

/** Who may make an account: everyone, holders of an invitation code, or only the operator. */
export type RegistrationPolicy = 'open' | 'invite' | 'closed'

type RegistrationTables = Pick<Tables, 'users' | 'keys' | 'tokens' | 'codes' | 'audit'>

type Applicant = Pick<RegistrationRequest, 'name' | 'code'>

export const register = (
  tables: RegistrationTables,
  policy: RegistrationPolicy,
  request: Applicant & { readonly secret: NewSecret },
): Registered | RegistrationRefusal => {
  const permit = permitOf(tables, policy, request)
  if ('code' in permit) return permit
  if (permit.account !== null)
    return refusal('bad-code', 'this code adds an SSH key to an account: it makes no account')
  const account = add(tables, request, viaOf(request.secret))
  if ('code' in account) return account
  spend(tables, request)
  const { created_at: at } = tables.users.find(account.name)!
  return { account, minted: mint(tables, account, request.secret), at }
}

/** Registers an account for an SSH key, or adds the key to the account of a one-time code. */
export const registerKey = (
  tables: RegistrationTables,
  policy: RegistrationPolicy,
  /** The client has proved that it owns the key. */
  request: Applicant & { readonly key: PublicKey<Uint8Array> },
): Account | Pick<RegistrationRefusal, 'detail'> => {
  const { keys, users } = tables
  const permit = permitOf(tables, policy, request)
  if ('code' in permit) return permit
  // The key is checked first, so that no name goes to an account without a key.
  const owner = permit.account === null ? keys.owner(request.key.blob) : undefined
  if (owner !== undefined)
    return { detail: `this key belongs to ${owner}, or did before it was revoked` }
  const account =
    permit.account === null ? add(tables, request, 'hub') : users.byId(permit.account)!
  if ('code' in account) return account
  const actor: Actor = { by: account.name, via: 'hub' }
  const added = addKey(tables, actor, account, request.key)
  if ('problem' in added) return { detail: added.problem }
  spend(tables, request)
  return account
}

/** A secret that a client asks for by a protocol or the API. */
export const mint = (
  tables: Pick<Tables, 'tokens' | 'audit'>,
  account: Account,
  secret: NewSecret,
) => mintSecret(tables, { by: account.name, via: viaOf(secret) }, account, secret)

/** What the policy and the code permit: a new account, or a key for an account. */
const permitOf = (
  { codes }: RegistrationTables,
  policy: RegistrationPolicy,
  { code = '' }: Applicant,
): Permit | RegistrationRefusal => {
  const found = code === '' ? undefined : codes.find(code)
  if (code !== '' && found === undefined)
    return refusal('bad-code', 'this code is not valid, or is no longer valid')
  if (found !== undefined && found.account !== null) return found
  if (policy === 'closed')
    return refusal('closed', 'registration is closed: no new accounts at present')
  if (found === undefined && policy === 'invite')
    return refusal(
      'invitation-needed',
      'registration needs an invitation: ask the operator for a code',
    )
  return { account: null }
}

interface Permit {
  /** The account that gets the key; null for a new one. */
  readonly account: AccountId | null
}

const spend = ({ codes }: RegistrationTables, { code = '' }: Applicant): void => {
  if (code !== '') codes.spend(code)
}

const add = (
  { users, audit }: RegistrationTables,
  { name, code = '' }: Applicant,
  via: Via,
): Account | RegistrationRefusal => {
  const account = users.add(name)
  if ('problem' in account) return refusal(account.code, account.problem)
  const detail = code === '' ? 'open registration' : 'by invitation'
  audit.add({ by: account.name, via }, { action: 'add-user', target: account.name, detail })
  return account
}

/** The host's own API mints tokens; protocols mint what is theirs. */
const viaOf = ({ kind }: NewSecret): Via => (kind === 'token' ? 'api' : 'protocol')

const refusal = (code: RegistrationCode, detail: string): RegistrationRefusal => ({ code, detail })
