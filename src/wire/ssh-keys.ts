import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import ssh2 from 'ssh2'

/** A public key in its wire format, as OpenSSH shows it to people. */
export const fingerprint = (blob: Buffer): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`

/** A signature by the owner of a public key, over what only this connection has. */
export interface Proof {
  readonly data: Buffer
  readonly signature: Buffer
  /** The hash that the client chose; only RSA keys leave a choice. */
  readonly hash: string | undefined
}

/** Whether the proof is good. A key of another kind than we take never proves anything. */
export const proves = (blob: Buffer, { data, signature, hash }: Proof): boolean => {
  const key = prepare(blob)
  const kind = key?.asymmetricKeyType
  if (kind === 'ed25519') return verify(null, data, key!, signature)
  if (kind === 'ec')
    return verify(ecHashes[key!.asymmetricKeyDetails!.namedCurve!], data, key!, signature)
  // Without a hash it would be SHA-1.
  return kind === 'rsa' && hash !== undefined && verify(hash, data, key!, signature)
}

const ecHashes: Record<string, string> = {
  prime256v1: 'sha256',
  secp384r1: 'sha384',
  secp521r1: 'sha512',
}

/** To parse a key takes longer than to check a signature by it, so those last used are kept, oldest first. */
const prepared = new Map<string, KeyObject>()
const mostPrepared = 4096

const prepare = (blob: Buffer): KeyObject | undefined => {
  const name = blob.toString('latin1')
  let key = prepared.get(name)
  if (key === undefined) {
    const parsed = ssh2.utils.parseKey(blob)
    if (parsed instanceof Error) return undefined
    try {
      key = createPublicKey(parsed.getPublicPEM())
    } catch {
      return undefined // such as a point that is not on its curve
    }
    if (prepared.size >= mostPrepared) prepared.delete(prepared.keys().next().value!)
  } else prepared.delete(name)
  prepared.set(name, key)
  return key
}
