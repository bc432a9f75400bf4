import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { TestHub } from '../../test/support/test-hub.ts'
import type { Account } from '../arena/account.ts'
import { TokenBuckets } from '../limits/token-bucket.ts'
import type { HubContext } from './context.ts'
import { register } from './registration.ts'

const keys = (() => {
  let made = 0
  return (folder: string): Buffer => {
    const path = join(folder, `key-${++made}`)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path])
    return Buffer.from(readFileSync(`${path}.pub`, 'utf8').split(' ')[1]!, 'base64')
  }
})()

const opened = async (registration: HubContext['registration']) => {
  const folder = dataFolder()
  const testHub = await TestHub.open()
  onTestFinished(() => testHub.close())
  const { store, clock } = testHub
  const context = {
    store,
    registration,
    registrationRate: new TokenBuckets(clock, { perSecond: 5 / 900, burst: 5 }),
  } as unknown as HubContext
  const apply = async (name: string, code = '', key = keys(folder), source = '10.0.0.1') => {
    const answer = register(context, { source, key, name, code })
    clock.pass(10)
    return answer
  }
  return { testHub, store, clock, apply, key: () => keys(folder) }
}

it('registers an account for a key', async () => {
  const { store, apply, key } = await opened('open')
  const own = key()
  const account = await apply('Anna.1', '', own)
  expect(account).toMatchObject({ name: 'Anna.1', kind: 'player' })
  expect(store.logins.byKey(own)?.account).toEqual(account)
})

it.each([
  ['a', 'A name is 2 to 32'],
  ['x'.repeat(33), 'A name is 2 to 32'],
  ['an na', 'A name is 2 to 32'],
  ['an\x1b[2Jna', 'A name is 2 to 32'],
  ['an\u202Ena', 'A name is 2 to 32'],
  ['anna😀', 'A name is 2 to 32'],
  ['аnna', 'A name is 2 to 32'],
  ['.anna', 'begins with a letter or a digit'],
  ['Join', 'reserved'],
  ['game', 'reserved'],
  ['house-hard', 'reserved'],
  ['TAKEN', 'taken'],
])('refuses the name %j', async (name, problem) => {
  const { testHub, apply } = await opened('open')
  testHub.account('taken')
  expect(await apply(name)).toEqual({ problem: expect.stringContaining(problem) })
})

it('registers a key for one account only', async () => {
  const { apply, key } = await opened('open')
  const own = key()
  await apply('anna', '', own)
  expect(await apply('bert', '', own)).toEqual({
    problem: 'This key belongs to anna, or did before it was revoked.',
  })
  expect(await apply('bert')).toMatchObject({ name: 'bert' })
})

it('takes an invitation once', async () => {
  const { store, apply } = await opened('invite')
  expect(await apply('anna')).toEqual({ problem: expect.stringContaining('needs an invitation') })
  const code = store.codes.mint(null, 60_000)
  expect(await apply('join', code)).toHaveProperty('problem')
  expect(await apply('anna', code.toUpperCase())).toMatchObject({ name: 'anna' })
  expect(await apply('bert', code)).toEqual({ problem: expect.stringContaining('not valid') })
})

it('refuses an expired code', async () => {
  const { store, clock, apply } = await opened('invite')
  const code = store.codes.mint(null, 60_000)
  clock.pass(60_000)
  expect(await apply('anna', code)).toEqual({ problem: expect.stringContaining('not valid') })
})

it('registers no account while registration is closed, not even with an invitation', async () => {
  const { store, apply } = await opened('closed')
  const code = store.codes.mint(null, 60_000)
  expect(await apply('anna', code)).toEqual({ problem: expect.stringContaining('no new accounts') })
})

it('adds a second key by a one-time code, even while registration is closed', async () => {
  const { testHub, store, apply, key } = await opened('closed')
  const anna = testHub.account('anna')
  const second = key()
  expect(await apply('', store.codes.mint(anna.id, 60_000), second)).toMatchObject({ name: 'anna' })
  expect(store.logins.byKey(second)?.account.id).toBe(anna.id)
})

it('limits the rate of tries from one address', async () => {
  const { clock, apply, key } = await opened('invite')
  for (let i = 0; i < 5; i++) await apply('anna', 'guess')
  expect(await apply('anna', 'guess')).toEqual({
    problem: 'Too many tries from your address: try again in 180 s.',
  })
  expect(await apply('anna', 'guess', key(), '10.0.0.2')).toEqual({
    problem: expect.stringContaining('not valid'),
  })
  clock.pass(900_000)
  expect(await apply('anna', 'guess')).toEqual({ problem: expect.stringContaining('not valid') })
})

it('writes to the audit the account, how it was registered, and each key', async () => {
  const { store, apply } = await opened('open')
  const anna = (await apply('anna')) as Account
  await apply('bert', store.codes.mint(null, 1_000))
  await apply('', store.codes.mint(anna.id, 1_000))
  await apply('anna')
  const entries = store.audit.find({ limit: 9 }).filter(({ action }) => action !== 'migrate')
  expect(
    entries
      .reverse()
      .map(({ by, via, action, target, detail }) => [by, via, action, target, detail]),
  ).toEqual([
    ['anna', 'hub', 'add-user', 'anna', 'open registration'],
    ['anna', 'hub', 'add-key', 'anna', expect.stringMatching(/^key 1 SHA256:/)],
    ['bert', 'hub', 'add-user', 'bert', 'by invitation'],
    ['bert', 'hub', 'add-key', 'bert', expect.stringMatching(/^key 2 SHA256:/)],
    ['anna', 'hub', 'add-key', 'anna', expect.stringMatching(/^key 3 SHA256:/)],
  ])
})
