import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { openSecretFile, readSecretFile, SecretFileError } from '../process/secret-file.ts'

/** The key by which clients recognise this host: made once, and kept in the data folder in the format of OpenSSH. */
export const openHostKey = (folder: string): ssh2.ParsedKey => {
  const path = hostKeyPath(folder)
  return signingFast(openSecretFile(path, 'host key', newKey), path)
}

/** The same, or undefined where none has been made. */
export const readHostKey = (folder: string): ssh2.ParsedKey | undefined => {
  const path = hostKeyPath(folder)
  const content = readSecretFile(path, 'host key')
  return content && signingFast(content, path)
}

export const hostKeyPath = (folder: string): string => join(folder, 'host_key')

/** Made by Node, because about one in 220 keys that ssh2 makes cannot be read back. */
const newKey = (): string => {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const [secret, open] = [Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')]
  const check = randomBytes(4)
  const entry = Buffer.concat([
    check,
    check,
    text('ssh-ed25519'),
    text(open),
    text(Buffer.concat([secret, open])),
    text('agentbbs'),
  ])
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...['none', 'none', ''].map(text), // no cipher, no passphrase, no salt
    Buffer.from([0, 0, 0, 1]), // one key
    text(Buffer.concat([text('ssh-ed25519'), text(open)])),
    text(padded(entry)),
  ])
  return [
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    ...file.toString('base64').match(/.{1,70}/g)!,
    '-----END OPENSSH PRIVATE KEY-----',
    '',
  ].join('\n')
}

const text = (bytes: string | Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(bytes))
  return Buffer.concat([length, Buffer.from(bytes as string)])
}

/** Filled up to whole blocks of 8 bytes with 1, 2, 3 … */
const padded = (entry: Buffer): Buffer => {
  const missing = (8 - (entry.length % 8)) % 8
  return Buffer.concat([entry, Buffer.from(Array.from({ length: missing }, (_, i) => i + 1))])
}

/** Health with a key that was parsed once: ssh2 parses it for each signature, which takes ten times as long. */
const signingFast = (content: Buffer, path: string): ssh2.ParsedKey => {
  const key = ssh2.utils.parseKey(content)
  if (key instanceof Error && key.message.startsWith('Encrypted'))
    throw new SecretFileError(
      `${path}: the host key has a passphrase; take it off with: ssh-keygen -p -N '' -f ${path}`,
    )
  if (key instanceof Error || key.type !== 'ssh-ed25519' || !key.isPrivateKey())
    throw new SecretFileError(
      `${path}: not an ed25519 host key; restore it, or remove it to have a new one made`,
    )
  const prepared = createPrivateKey(key.getPrivatePEM())
  const signs: ssh2.ParsedKey['sign'] = data => sign(null, data as Buffer, prepared)
  return Object.create(key, { sign: { value: signs } })
}
