import { createHash } from 'node:crypto'
import ssh2 from 'ssh2'

/** In another thread the Buffer of a key arrives as a Uint8Array. */
export interface PublicKey<Bytes extends Uint8Array = Buffer> {
  readonly type: string
  /** The key in its wire format, as a client shows it. */
  readonly blob: Bytes
  /** As `ssh-keygen -l` prints it. */
  readonly fingerprint: string
  readonly comment: string
}

/** All keys of a file of OpenSSH public keys, one a line; or why it cannot be read. */
export const readPublicKeys = (
  text: string,
): readonly PublicKey[] | { readonly problem: string } => {
  if (/PRIVATE KEY-----|^PuTTY-User-Key-File/m.test(text))
    return {
      problem: 'this is a private key, which belongs to its owner alone: give the .pub file',
    }
  const lines = text.split(/\r?\n/).map(line => line.trim())
  const keys: PublicKey[] = []
  for (const [index, line] of lines.entries()) {
    if (line === '' || line.startsWith('#')) continue
    const key = readLine(line)
    if (typeof key === 'string') return { problem: `line ${index + 1}: ${key}` }
    keys.push(key)
  }
  return keys.length > 0 ? keys : { problem: 'there is no key in it' }
}

/** A key that a client has shown, and proved to be its own. */
export const publicKeyOf = (blob: Buffer): PublicKey => ({
  type: blob.toString('latin1', 4, 4 + blob.readUInt32BE(0)),
  blob,
  fingerprint: fingerprintOf(blob),
  comment: '',
})

const types = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
]

const readLine = (line: string): PublicKey | string => {
  const [type = '', base64 = '', ...comment] = line.split(/\s+/)
  if (!types.includes(type))
    return `not an OpenSSH public key of a type that works here (${types.join(', ')})`
  const parsed = ssh2.utils.parseKey(`${type} ${base64}`)
  if (parsed instanceof Error) return `not a whole ${type} key`
  const blob = parsed.getPublicSSH()
  return { type, blob, fingerprint: fingerprintOf(blob), comment: comment.join(' ') }
}

const fingerprintOf = (blob: Buffer) =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
