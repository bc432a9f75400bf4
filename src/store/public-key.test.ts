import { describe, expect, it } from 'vitest'
import { readPublicKeys } from './public-key.ts'

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
})
