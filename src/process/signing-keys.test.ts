import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { openSigningKeys } from './signing-keys.ts'

it('is made once, for its owner alone, and read back', () => {
  const folder = dataFolder()
  const path = join(folder, 'signing_key')
  const first = openSigningKeys(folder)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const content = readFileSync(path)
  expect(openSigningKeys(folder)('agon')).toEqual(first('agon'))
  expect(readFileSync(path)).toEqual(content)
})

it('gives a key of 32 bytes for each purpose, none of which is the secret itself', () => {
  const folder = dataFolder()
  const keys = openSigningKeys(folder)
  const secret = readFileSync(join(folder, 'signing_key')).toString('hex')
  const hex = (['agon', 'pages'] as const).map(purpose =>
    Buffer.from(keys(purpose)).toString('hex'),
  )
  expect(hex.map(key => key.length)).toEqual([64, 64])
  expect(new Set([secret, ...hex]).size).toBe(3)
})

it('is refused when others can read it, with what to do about it', () => {
  const folder = dataFolder()
  openSigningKeys(folder)
  const path = join(folder, 'signing_key')
  chmodSync(path, 0o640)
  expect(() => openSigningKeys(folder)).toThrow(`chmod 600 ${path}`)
})

it('is refused when it was cut short, and left as it is', () => {
  const folder = dataFolder()
  const path = join(folder, 'signing_key')
  writeFileSync(path, 'short', { mode: 0o600 })
  expect(() => openSigningKeys(folder)).toThrow(/not a signing key; remove it/)
  expect(readFileSync(path, 'utf8')).toBe('short')
})
