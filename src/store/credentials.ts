// Credentials that accounts get and give up by what they do themselves, each with its entry in the audit log. To be called
// within a transaction, so that two at once do not get more than an account may have.

import { type Account, agentOf } from '../arena/account.ts'
import type { Minted, NewSecret } from '../protocols/credentials.ts'
import { type Actor, keyText, tokenText } from './audit.ts'
import type { PublicKey } from './public-key.ts'
import type { Tables } from './store.ts'
import type { User } from './users.ts'

export interface Problem {
  readonly problem: string
}

const mostKeys = 20
const mostTokens = 50

export const addKey = (
  { keys, audit }: Pick<Tables, 'keys' | 'audit'>,
  actor: Actor,
  account: Account,
  key: PublicKey<Uint8Array>,
): { readonly id: number } | Problem => {
  if (keys.of(account.id).filter(isUnrevoked).length >= mostKeys)
    return { problem: `an account may have ${mostKeys} keys: revoke one first` }
  const added = keys.add(account, key)
  if (!('problem' in added)) {
    const detail = keyText({ ...added, fingerprint: key.fingerprint })
    audit.add(actor, { action: 'add-key', target: account.name, detail })
  }
  return added
}

/** A session token is a login more than a credential: there are too many for the audit log. */
export const mintSecret = (
  { tokens, audit }: Pick<Tables, 'tokens' | 'audit'>,
  actor: Actor,
  account: Account,
  wanted: NewSecret,
): Minted => {
  const minted = tokens.mintSecret(account, wanted)
  if (wanted.kind !== 'session') {
    const detail = tokenText(tokens.find(minted.id)!)
    audit.add(actor, { action: 'mint-token', target: account.name, detail })
  }
  return minted
}

/** A token that the owner of an account names. */
export const mintToken = (
  tables: Pick<Tables, 'tokens' | 'audit'>,
  actor: Actor,
  account: Account,
  label: string,
): Minted | Problem => {
  const held = tables.tokens.of(account.id).filter(({ kind }) => kind === 'token')
  return held.filter(isUnrevoked).length >= mostTokens
    ? { problem: `an account may have ${mostTokens} tokens: revoke one first` }
    : mintSecret(tables, actor, account, { kind: 'token', label })
}

/** Revokes a key of an account or of an agent of it. Answers why not. */
export const revokeKey = (
  { users, keys, audit }: Pick<Tables, 'users' | 'keys' | 'audit'>,
  actor: Actor,
  account: Account,
  id: number,
): Problem | null => {
  const key = keys.find(id)!
  const owned = ownedBy(users, account, key.name)
  if ('problem' in owned) return owned
  if (keys.revoke(id))
    audit.add(actor, { action: 'revoke-key', target: key.name, detail: keyText(key) })
  return null
}

/** Revokes a secret of an account or of an agent of it. Answers why not. */
export const revokeToken = (
  { users, tokens, audit }: Pick<Tables, 'users' | 'tokens' | 'audit'>,
  actor: Actor,
  account: Account,
  id: number,
): Problem | null => {
  const token = tokens.find(id)
  // Session tokens are removed some time after they have expired.
  if (token === undefined) return null
  const owned = ownedBy(users, account, token.name)
  if ('problem' in owned) return owned
  if (tokens.revoke(id))
    audit.add(actor, { action: 'revoke-token', target: token.name, detail: tokenText(token) })
  return null
}

/** The account of this name, if it is this one or an agent of it; or a version of one of these. */
export const ownedBy = (
  users: Pick<Tables['users'], 'find'>,
  { id, name: owner }: Account,
  name: string,
): User | Problem => {
  const user = users.find(name)
  return user !== undefined && (agentOf(user) === id || user.owner === id)
    ? user
    : { problem: `${name} is no agent of ${owner}` }
}

const isUnrevoked = ({ revoked_at }: { readonly revoked_at: number | null }) => revoked_at === null
