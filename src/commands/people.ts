// What several commands do with accounts and their keys.

import { readFileSync } from 'node:fs'
import type { Account } from '../arena/account.ts'
import { Failure } from '../queries/desk.ts'
import { type Deed, keyText } from '../store/audit.ts'
import { type PublicKey, readPublicKeys } from '../store/public-key.ts'
import type { Tables } from '../store/store.ts'

/** The keys of a file, read whole before anything is done with the first. */
export const keysIn = (file: string): readonly PublicKey[] => {
  const keys = readPublicKeys(contentOf(file))
  if ('problem' in keys) throw new Failure(`${file}: ${keys.problem}`)
  return keys
}

/** Gives an account keys, all or none. */
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
