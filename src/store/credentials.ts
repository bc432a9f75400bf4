// Credentials that accounts get by what they do themselves, each with its entry in the audit log.

import type { Account } from '../arena/account.ts'
import type { Minted, NewSecret } from '../protocols/credentials.ts'
import { type Actor, keyText, tokenText } from './audit.ts'
import type { PublicKey } from './public-key.ts'
import type { Tables } from './store.ts'

export const addKey = (
  { keys, audit }: Pick<Tables, 'keys' | 'audit'>,
  actor: Actor,
  account: Account,
  key: PublicKey,
) => {
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
