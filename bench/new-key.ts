import { generateKeyPairSync, sign } from 'node:crypto'
import ssh2, { type ParsedKey } from 'ssh2'

/** An ed25519 key for an agent. Made by Node, because about one in 220 keys that ssh2 makes cannot be read back. */
export const newKey = (): ParsedKey => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x } = privateKey.export({ format: 'jwk' })
  const parts = [Buffer.from('ssh-ed25519'), Buffer.from(x!, 'base64url')]
  const blob = Buffer.concat(parts.flatMap(part => [Buffer.from([0, 0, 0, part.length]), part]))
  const open = ssh2.utils.parseKey(`ssh-ed25519 ${blob.toString('base64')}`) as ParsedKey
  return Object.create(open, {
    isPrivateKey: { value: () => true },
    sign: { value: (data: Buffer) => sign(null, data, privateKey) },
  })
}
