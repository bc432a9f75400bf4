// Changes that accounts make in the hub to their own keys, tokens and agents, each with its entry in the audit.

import type { Account } from '../arena/account.ts'
import { type Actor, keyText, tokenText } from '../store/audit.ts'
import { addKey as addKeyFor, mintSecret } from '../store/credentials.ts'
import type { Key } from '../store/keys.ts'
import type { PublicKey } from '../store/public-key.ts'
import type { Token } from '../store/tokens.ts'
import type { HubStore } from './context.ts'

const actorOf = ({ name }: Account): Actor => ({ by: name, via: 'hub' })

export const addKey = (store: HubStore, account: Account, key: PublicKey) =>
  addKeyFor(store, actorOf(account), account, key)

/** A one-time code that adds a key to the account. */
export const mintCode = ({ codes, audit }: HubStore, account: Account, lifetime: number) => {
  audit.add(actorOf(account), { action: 'mint-code', target: account.name })
  return codes.mint(account.id, lifetime)
}

export const mintToken = (store: HubStore, account: Account, label: string) =>
  mintSecret(store, actorOf(account), account, { kind: 'token', label })

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
