import { hkdfSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openSecretFile, SecretFileError } from './secret-file.ts'

/** What this host signs: session tokens of AGON, and the cookies of readers who have signed in to the pages. */
type Purpose = 'agon' | 'pages'

/** The key for one purpose, for HS256. What is signed for one purpose is not valid for another. */
export type SigningKeys = (purpose: Purpose) => Uint8Array

const length = 32

/** The keys by which the host knows its own tokens again: derived from one secret, which is made once and kept in the data folder. */
export const openSigningKeys = (folder: string): SigningKeys => {
  const path = signingKeyPath(folder)
  const secret = openSecretFile(path, 'signing key', () => randomBytes(length))
  if (secret.length !== length)
    throw new SecretFileError(
      `${path}: not a signing key; remove it to have a new one made, which ends the sessions that it signed`,
    )
  return purpose => new Uint8Array(hkdfSync('sha256', secret, '', `agentbbs ${purpose}`, length))
}

export const signingKeyPath = (folder: string): string => join(folder, 'signing_key')
