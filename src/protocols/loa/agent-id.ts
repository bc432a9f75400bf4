import { createHash } from 'node:crypto'
import type { Account } from '../../arena/account.ts'

/** The id of an account in League of Agents: a UUID of version 8, the same for ever. */
export const agentIdOf = (account: Account): string => {
  const known = ids.get(account)
  if (known !== undefined) return known
  const id = uuidOf(account.id)
  ids.set(account, id)
  return id
}

/** Every message names agents, and a hash takes longer than all the rest of a short one. */
const ids = new WeakMap<Account, string>()

const uuidOf = (id: Account['id']): string => {
  const bytes = createHash('sha256').update(`account ${id}`).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
