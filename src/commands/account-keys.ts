// Helpers of the commands for accounts and keys.

import { readFileSync } from 'node:fs'
import type { Account } from '../arena/account.ts'
import { Failure } from '../queries/command.ts'
import { type Deed, keyText } from '../store/audit.ts'
import { type PublicKey, readPublicKeys } from '../store/public-key.ts'
import type { Tables } from '../store/store.ts'

/** All keys of a file, or a failure before any is used. */
export const keysIn = (file: string): readonly PublicKey[] => {
  const keys = readPublicKeys(contentOf(file))
  if ('problem' in keys) throw new Failure(`${file}: ${keys.problem}`)
  return keys
}

/** Adds all keys to an account, or none. */
export const giveKeys = (
  { db, keys }: Tables,
  account: Account,
  given: readonly PublicKey[],
): readonly GivenKey[] =>
  db.file.transaction(() =>
    given.map(({ type, fingerprint, comment, ...key }) => {
      const added = keys.add(account, { type, fingerprint, comment, ...key })
      if ('problem' in added) throw new Failure(added.problem)
      return { id: added.id, type, fingerprint, comment }
    }),
  )()

export const keyAdded = ({ name }: Account, key: GivenKey): Deed => ({
  action: 'add-key',
  target: name,
  detail: keyText(key),
})

export interface GivenKey {
  readonly id: number
  readonly type: string
  readonly fingerprint: string
  readonly comment: string
}

const contentOf = (file: string) => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`cannot read ${file}: ${(error as Error).message}`)
  }
}
