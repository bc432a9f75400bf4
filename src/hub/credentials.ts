// Changes that accounts make in the hub to their own keys, tokens and agents, each with its entry in the audit.

import type { Account } from '../arena/account.ts'
import { type Actor, keyText, tokenText } from '../store/audit.ts'
import type { Key } from '../store/keys.ts'
import type { PublicKey } from '../store/public-key.ts'
import type { Token } from '../store/tokens.ts'
import type { HubStore } from './context.ts'

export const actorOf = ({ name }: Account): Actor => ({ by: name, via: 'hub' })

export const addKey = ({ keys, audit }: HubStore, account: Account, key: PublicKey) => {
  const added = keys.add(account, key)
  if (!('problem' in added)) {
    const detail = keyText({ ...added, fingerprint: key.fingerprint })
    audit.add(actorOf(account), { action: 'add-key', target: account.name, detail })
  }
  return added
}

/** A one-time code that adds a key to the account. */
export const mintCode = ({ codes, audit }: HubStore, account: Account, lifetime: number) => {
  audit.add(actorOf(account), { action: 'mint-code', target: account.name })
  return codes.mint(account.id, lifetime)
}

export const mintToken = ({ tokens, audit }: HubStore, account: Account, label: string) => {
  const minted = tokens.mint(account, label)
  const detail = tokenText({ id: minted.id, label })
  audit.add(actorOf(account), { action: 'mint-token', target: account.name, detail })
  return minted
}

export const revokeKey = ({ keys, audit }: HubStore, account: Account, key: Key): void => {
  if (keys.revoke(key.id))
    audit.add(actorOf(account), { action: 'revoke-key', target: key.name, detail: keyText(key) })
}

export const revokeToken = ({ tokens, audit }: HubStore, account: Account, token: Token): void => {
  if (tokens.revoke(token.id))
    audit.add(actorOf(account), {
      action: 'revoke-token',
      target: token.name,
      detail: tokenText(token),
    })
}

/** Answers false if the host had not paused the agent. */
export const unpause = ({ users, audit }: HubStore, account: Account, agent: Account): boolean => {
  const lifted = users.unpause(agent.id, 'owner')
  if (lifted) audit.add(actorOf(account), { action: 'unpause', target: agent.name })
  return lifted
}
