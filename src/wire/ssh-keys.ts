import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import ssh2 from 'ssh2'
import { BoundedMap } from '../limits/bounded-map.ts'

/** The fingerprint of a public key in its wire format, as OpenSSH shows it. */
export const fingerprint = (blob: Buffer): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`

/** A signature by the owner of a public key, over data that belongs to this connection alone. */
export interface Proof {
  readonly data: Buffer
  readonly signature: Buffer
  /** The hash that the client chose; only RSA keys leave a choice. */
  readonly hash: string | undefined
}

/** Whether the signature is valid. A key of an unsupported kind never proves anything. */
export const proves = (blob: Buffer, { data, signature, hash }: Proof): boolean => {
  const key = prepare(blob)
  const kind = key?.asymmetricKeyType
  if (kind === 'ed25519') return verify(null, data, key!, signature)
  if (kind === 'ec') return verify(curves.get(kindOf(blob))!.hash, data, key!, signature)
  // Without a hash it would be SHA-1.
  return kind === 'rsa' && hash !== undefined && verify(hash, data, key!, signature)
}

const kindOf = (blob: Buffer): string => blob.toString('latin1', 4, 4 + blob.readUInt32BE(0))

/** Of each curve the hash, and how its keys begin: only uncompressed points are taken. */
const curves = new Map(
  [[256, 'sha256'] as const, [384, 'sha384'] as const, [521, 'sha512'] as const].map(
    ([bits, hash]) => {
      const size = Math.ceil(bits / 8)
      const [kind, curve] = [`ecdsa-sha2-nistp${bits}`, `nistp${bits}`]
      const head = `\0\0\0\x13${kind}\0\0\0\x08${curve}\0\0\0${String.fromCharCode(1 + 2 * size)}\x04`
      return [kind, { hash, head, length: head.length + 2 * size }]
    },
  ),
)

/** Parsing a key takes longer than checking a signature by it, so the keys that were used last are kept. */
const prepared = new BoundedMap<string, KeyObject>(4096)
/** RSA of 16,384 bits fits in, the largest that OpenSSH takes. */
const longestKey = 4096

const prepare = (blob: Buffer): KeyObject | undefined => {
  if (blob.length > longestKey) return undefined
  const name = blob.toString('latin1')
  let key = prepared.get(name)
  if (key === undefined) {
    key = read(blob)
    if (key === undefined) return undefined
  }
  prepared.set(name, key)
  return key
}

const read = (blob: Buffer): KeyObject | undefined => {
  try {
    // Before it is parsed, because ssh2 would also take a key in any format of key files.
    if (!isSound(blob)) return undefined
    const parsed = ssh2.utils.parseKey(blob)
    return parsed instanceof Error ? undefined : createPublicKey(parsed.getPublicPEM())
  } catch {
    return undefined // such as a number without digits, or a point that is not on its curve
  }
}

const isSound = (blob: Buffer): boolean => {
  const kind = kindOf(blob)
  if (kind === 'ssh-ed25519') return true
  if (kind === 'ssh-rsa') return blob.readUInt32BE(4 + kind.length) <= longestExponent
  // From the point at infinity, which is not a key, OpenSSL makes something on which Node ends the process.
  const curve = curves.get(kind)
  return curve?.length === blob.length && blob.toString('latin1').startsWith(curve.head)
}

/** In bytes. All keys in use have 3; with hundreds a signature takes as long to check as a hundred others. */
const longestExponent = 8
