import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { sha256 } from './sha256.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

it.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
])('%j has the published digest', (text, digest) => {
  expect(hex(sha256(Buffer.from(text)))).toBe(digest)
})

it('agrees with OpenSSL at every length up to three blocks', () => {
  for (let length = 0; length < 200; length++) {
    const message = Buffer.from(Array.from({ length }, (_, i) => (i * 167 + length) % 256))
    expect(hex(sha256(message))).toBe(createHash('sha256').update(message).digest('hex'))
  }
})
