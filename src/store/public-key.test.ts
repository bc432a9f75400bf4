import { describe, expect, it } from 'vitest'
import { fc } from '../../test/support/properties.ts'
import { publicKeyOf, readPublicKeys } from './public-key.ts'

// Made with `ssh-keygen`, whose -l gave the fingerprints.
const ed25519 =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKW9l+uxAan7+AIESc7VJpbIJ8rBvy7l2HRU8F9Qk5Yh my bot'
const ecdsa =
  'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBExnTejWiP5CpVTzK0uy1fTos5kgaYQEjVP2sHxejYde54KirQyidqY7jh4qeS3W1/L07KJ9nx5fmj/6U8Qwv0k='

describe('a file of public keys', () => {
  it('may hold several, with comments and empty lines between', () => {
    expect(readPublicKeys(`# my agents\r\n${ed25519}\r\n\n${ecdsa}\n`)).toMatchObject([
      {
        type: 'ssh-ed25519',
        fingerprint: 'SHA256:FdsD7ghijf3wTF9m3PqKiFb0JZL1c/wYdWdDchtb+kw',
        comment: 'my bot',
      },
      {
        type: 'ecdsa-sha2-nistp256',
        fingerprint: 'SHA256:Z3Z/WjH1qoG7kmm2zufyfS0PzaZoUekpXWJDJwWyHjg',
        comment: '',
      },
    ])
  })

  it.each([
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3B\n', /give the \.pub file/],
    ['a private key of PuTTY', 'PuTTY-User-Key-File-3: ssh-ed25519\n', /give the \.pub file/],
    ['nothing', '\n', /no key in it/],
    ['a line of another kind', `${ed25519}\nhello`, /^line 2: not an OpenSSH public key/],
    ['a key of a type ssh2 cannot check', 'sk-ssh-ed25519@openssh.com AAAA', /^line 1: not an/],
    ['half a key', ed25519.slice(0, 50), /^line 1: not a whole ssh-ed25519 key/],
    ['a key that calls itself another', ecdsa.replace('p256', 'p384'), /^line 1: not a whole/],
  ])('is refused when it holds %s', (_, text, why) => {
    expect(readPublicKeys(text)).toMatchObject({ problem: expect.stringMatching(why) })
  })

  it('is read or explained, whatever is in it', () => {
    const bent = fc
      .tuple(fc.constantFrom(ed25519, ecdsa), fc.nat(), fc.string({ unit: 'binary', maxLength: 5 }))
      .map(([line, at, text]) => {
        const cut = at % line.length
        return line.slice(0, cut) + text + line.slice(cut + text.length)
      })
    const wire = fc
      .uint8Array({ maxLength: 100 })
      .map(bytes => `ssh-ed25519 ${Buffer.from(bytes).toString('base64')}`)
    const line = fc.oneof(bent, bent, wire, fc.string({ unit: 'binary' }), fc.constant('#'))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), lines => {
        const read = readPublicKeys(lines.join('\n'))
        if ('problem' in read) expect(read.problem.split('\n')).toHaveLength(1)
        else
          for (const { type, blob, fingerprint } of read) {
            expect(publicKeyOf(blob).type).toBe(type)
            expect(fingerprint).toMatch(/^SHA256:[\w+/]{43}$/)
          }
      }),
      { numRuns: 500 },
    )
  })
})
