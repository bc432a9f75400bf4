import { type Account, agentOf, splitName } from '../arena/account.ts'
import type { DeclaredVersion, NewSecret } from '../protocols/credentials.ts'
import type { Actor } from './audit.ts'
import { addKey, mintToken, ownedBy, type Problem, revokeKey, revokeToken } from './credentials.ts'
import type { PublicKey } from './public-key.ts'
import { mint, type RegistrationPolicy, register, registerKey } from './registration.ts'
import type { Tables } from './store.ts'
import { declareVersion } from './versions.ts'
import type { Writer } from './writer.ts'

/**
 * What a running server changes of accounts for its users. The thread that writes does it, so arguments and answers are
 * plain data; each is one transaction, which checks whatever the change depends on, and has its entry in the audit log.
 */
export const actsOf = (
  tables: Pick<Tables, 'users' | 'keys' | 'tokens' | 'codes' | 'audit'>,
  write: Writer['write'],
  policy: RegistrationPolicy,
) => ({
  register: (request: Parameters<typeof register>[2]) =>
    write(() => register(tables, policy, request)),

  registerKey: (request: Parameters<typeof registerKey>[2]) =>
    write(() => registerKey(tables, policy, request)),

  mint: (account: Account, secret: NewSecret) => write(() => mint(tables, account, secret)),

  declare: (agent: Account, declared: DeclaredVersion) =>
    write(() => declareVersion(tables, agent, declared)),

  /** The account of a house player, made when it is first needed. */
  house: (name: string): Promise<Account> => write(() => tables.users.house(name)),

  // What accounts do in the hub.

  addKey: (account: Account, key: PublicKey<Uint8Array>) =>
    write(() => addKey(tables, inHub(account), account, key)),

  /** A one-time code that adds a key to the account. */
  mintCode: (account: Account, lifetime: number) =>
    write(() => {
      tables.audit.add(inHub(account), { action: 'mint-code', target: account.name })
      return tables.codes.mint(account.id, lifetime)
    }),

  mintToken: (account: Account, label: string) =>
    write(() => mintToken(tables, inHub(account), account, label)),

  revokeKey: (account: Account, id: number) =>
    write(() => revokeKey(tables, inHub(account), account, id)),

  revokeToken: (account: Account, id: number) =>
    write(() => revokeToken(tables, inHub(account), account, id)),

  /** Lets an account or an agent of it play again after the host has paused it. */
  unpause: (account: Account, name: string) =>
    write((): Unpaused | Problem => {
      const user = ownedBy(tables.users, account, name)
      if ('problem' in user) return user
      const { agent } = splitName(user.name)
      const lifted = tables.users.unpause(agentOf(user), 'owner')
      if (lifted) tables.audit.add(inHub(account), { action: 'unpause', target: agent })
      else if (user.paused_at !== null)
        return { problem: `${agent} was paused by the operator, who alone can unpause it` }
      return { name: agent, lifted }
    }),
})

export type Acts = ReturnType<typeof actsOf>

interface Unpaused {
  /** The account, as it is written. */
  readonly name: string
  /** Whether it was paused. */
  readonly lifted: boolean
}

const inHub = ({ name }: Account): Actor => ({ by: name, via: 'hub' })
