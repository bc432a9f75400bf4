import {
  constants,
  createHash,
  generateKeyPairSync,
  publicEncrypt,
  randomBytes,
  sign,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import ssh2, { type ParsedKey } from 'ssh2'
import { expect, it } from 'vitest'
import { SshHost } from '../../test/support/ssh-host.ts'
import { proves } from './ssh-keys.ts'

const text = (bytes: string | Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(bytes))
  return Buffer.concat([length, Buffer.from(bytes as string)])
}
const blob = (...parts: (string | Buffer)[]) => Buffer.concat(parts.map(text))
const ec = (bits: number, curve: string, point: Buffer) =>
  blob(`ecdsa-sha2-nistp${bits}`, curve, point)
const odd = (bytes: number) =>
  Buffer.concat([Buffer.of(0, 0x80), randomBytes(bytes - 2), Buffer.of(1)])
const fromAnywhere = Buffer.concat([Buffer.of(4), randomBytes(64)])

/** At this point a curve has no key: OpenSSL takes it for one, and Node ends the process when it is asked for more. */
const nowhere = ec(256, 'nistp256', Buffer.of(0))

it.each<readonly [string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['only a kind', blob('ssh-rsa')],
  ['another kind', blob('ssh-dss', odd(128), odd(20), odd(128), odd(128))],
  ['RSA without a modulus', blob('ssh-rsa', Buffer.of(1, 0, 1), '')],
  ['RSA without an exponent', blob('ssh-rsa', '', odd(256))],
  ['RSA of nothing', blob('ssh-rsa', Buffer.of(0), Buffer.of(0))],
  ['RSA larger than any in use', blob('ssh-rsa', Buffer.of(1, 0, 1), odd(30_000))],
  ['Ed25519 that is too short', blob('ssh-ed25519', randomBytes(31))],
  ['a point nowhere', nowhere],
  ['a point nowhere, at length', ec(256, 'nistp256', Buffer.alloc(65))],
  ['a point that is none', ec(256, 'nistp256', fromAnywhere)],
  ['a point in short', ec(256, 'nistp256', Buffer.concat([Buffer.of(2), randomBytes(32)]))],
  ['a point in both forms', ec(256, 'nistp256', Buffer.concat([Buffer.of(6), randomBytes(64)]))],
  ['a point of another curve', ec(521, 'nistp256', fromAnywhere)],
  ['a point of no curve', ec(384, '', fromAnywhere)],
  [
    'a point nowhere, inside another',
    ec(256, 'nistp256\0\0\0A\x04', Buffer.concat([Buffer.of(0), randomBytes(64)])).subarray(0, 104),
  ],
  ['more than a key', Buffer.concat([nowhere, randomBytes(64)])],
])('%s proves nothing', (_, key) => {
  const proof = { data: Buffer.from('data'), signature: randomBytes(64), hash: 'sha512' }
  expect(proves(key, proof)).toBe(false)
})

it('takes no RSA key that makes checking its signatures slow', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { n, e, d } = privateKey.export({ format: 'jwk' })
  const [modulus, short, long] = [n, e, d].map(text => Buffer.from(text!, 'base64url'))
  const data = Buffer.from('data')
  const hash = createHash('sha512').update(data).digest()
  // By PKCS #1, signed with the short one of the two exponents, so that the long one is there for all.
  const head = Buffer.from('003051300d060960864801650304020305000440', 'hex')
  const filling = Buffer.alloc(256 - 2 - head.length - hash.length, 255)
  const padded = Buffer.concat([Buffer.of(0, 1), filling, head, hash])
  const backwards = publicEncrypt({ key: publicKey, padding: constants.RSA_NO_PADDING }, padded)
  const rsa = (exponent: Buffer) =>
    blob('ssh-rsa', exponent, Buffer.concat([Buffer.of(0), modulus!]))
  const usual = sign('sha512', data, privateKey)
  expect(proves(rsa(short!), { data, signature: usual, hash: 'sha512' })).toBe(true)
  expect(proves(rsa(long!), { data, signature: backwards, hash: 'sha512' })).toBe(false)
})

it('takes no signature of an RSA key that was made with SHA-1', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { n, e } = privateKey.export({ format: 'jwk' })
  const [modulus, exponent] = [n, e].map(text => Buffer.from(text!, 'base64url'))
  const key = blob('ssh-rsa', exponent!, Buffer.concat([Buffer.of(0), modulus!]))
  const data = Buffer.from('data')
  // What ssh-rsa comes to: a key that signs with SHA-1 names no hash.
  const old = { data, signature: sign('sha1', data, privateKey), hash: undefined }
  expect(proves(key, old)).toBe(false)
  expect(proves(key, { ...old, signature: sign('sha256', data, privateKey), hash: 'sha256' })).toBe(
    true,
  )
})

it('takes no key in a format of key files', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const key = blob('ssh-ed25519', Buffer.from(privateKey.export({ format: 'jwk' }).x!, 'base64url'))
  const data = Buffer.from('data')
  const proof = { data, signature: sign(null, data, privateKey), hash: undefined }
  expect(proves(key, proof)).toBe(true)
  expect(proves(Buffer.from(`ssh-ed25519 ${key.toString('base64')}`), proof)).toBe(false)
})

it('a client whose key is invalid is refused, and nothing else happens', async () => {
  const people = { open: () => expect.unreachable() }
  const host = await SshHost.open({ people })
  const key = ssh2.utils.parseKey(readFileSync(host.key('stranger'))) as ParsedKey
  for (const bad of [nowhere, blob('ssh-rsa', '', '')]) {
    key.getPublicSSH = () => bad
    const tries = [{ type: 'publickey', username: 'join', key }]
    const error = await new Promise<Error>((resolve, reject) => {
      const client = new ssh2.Client()
      client.on('ready', () => reject(new Error('was let in')))
      client.on('error', resolve)
      client.connect({
        host: '127.0.0.1',
        port: host.wire.port,
        username: 'join',
        // biome-ignore lint/suspicious/noExplicitAny: false, for the end, is missing in its type
        authHandler: (_left, _partial, next: any) => next(tries.shift() ?? false),
      })
    })
    expect(error.message).toBe('All configured authentication methods failed')
  }
  expect(host.logged.filter(({ level }) => Number(level) >= 50)).toEqual([])
  await host.close()
})
