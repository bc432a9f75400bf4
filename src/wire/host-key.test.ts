import { execFileSync } from 'node:child_process'
import { randomBytes, verify } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SecretFileError } from '../process/secret-file.ts'
import { openHostKey } from './host-key.ts'
import { fingerprint } from './ssh-keys.ts'

let parent: string
let folder: string
let path: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'agentbbs-key-'))
  folder = join(parent, 'data')
  path = join(folder, 'host_key')
})
afterEach(() => rmSync(parent, { recursive: true }))

describe('the host key', () => {
  it('is made once, for its owner alone, and read back', () => {
    const first = openHostKey(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['host_key'])
    const content = readFileSync(path)
    const second = openHostKey(folder)
    expect(second.getPublicSSH()).toEqual(first.getPublicSSH())
    expect(readFileSync(path)).toEqual(content)
  })

  it('is made although a process with the same id was killed while making it', () => {
    mkdirSync(folder)
    writeFileSync(`${path}.${process.pid}`, 'half a k')
    expect(openHostKey(folder).type).toBe('ssh-ed25519')
  })

  it('signs', () => {
    const key = openHostKey(folder)
    const data = randomBytes(32)
    expect(verify(null, data, key.getPublicPEM(), key.sign(data))).toBe(true)
  })

  it('is a file that ssh-keygen can read', () => {
    const key = openHostKey(folder)
    const shown = execFileSync('ssh-keygen', ['-l', '-f', path], { encoding: 'utf8' })
    expect(shown).toBe(`256 ${fingerprint(key.getPublicSSH())} agentbbs (ED25519)\n`)
    const open = execFileSync('ssh-keygen', ['-y', '-f', path], { encoding: 'utf8' })
    expect(open).toBe(`ssh-ed25519 ${key.getPublicSSH().toString('base64')} agentbbs\n`)
  })

  it('can be one that ssh-keygen made', () => {
    openHostKey(folder)
    rmSync(path)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path])
    const data = randomBytes(32)
    const key = openHostKey(folder)
    expect(verify(null, data, key.getPublicPEM(), key.sign(data))).toBe(true)
  })

  it('is refused when others can read it, with what to do about it', () => {
    openHostKey(folder)
    chmodSync(path, 0o640)
    expect(() => openHostKey(folder)).toThrow(SecretFileError)
    expect(() => openHostKey(folder)).toThrow(`chmod 600 ${path}`)
    chmodSync(path, 0o600)
    expect(() => openHostKey(folder)).not.toThrow()
  })

  it.each([
    ['empty', ''],
    ['nonsense', 'hello'],
    ['cut short', null],
  ])('is refused when it is %s, and left as it is', (_, content) => {
    openHostKey(folder)
    writeFileSync(path, content ?? readFileSync(path).subarray(0, 200))
    const damaged = readFileSync(path)
    expect(() => openHostKey(folder)).toThrow(SecretFileError)
    expect(() => openHostKey(folder)).toThrow(/^.*host_key: not an ed25519 host key; [^\n]*$/)
    expect(readFileSync(path)).toEqual(damaged)
  })

  it('is refused when it is of another kind', () => {
    openHostKey(folder)
    rmSync(path)
    execFileSync('ssh-keygen', ['-q', '-t', 'ecdsa', '-N', '', '-f', path])
    expect(() => openHostKey(folder)).toThrow('not an ed25519 host key')
  })

  it('is refused when it is not a file', () => {
    expect(() => openHostKey('/dev/null')).toThrow()
  })
})
