import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { HubHouse } from '../../test/support/hub-house.ts'
import type { Account } from '../arena/account.ts'
import { TokenBuckets } from '../limits/token-bucket.ts'
import type { House } from './house.ts'
import { register } from './registration.ts'

const keys = (() => {
  let made = 0
  return (folder: string): Buffer => {
    const path = join(folder, `key-${++made}`)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path])
    return Buffer.from(readFileSync(`${path}.pub`, 'utf8').split(' ')[1]!, 'base64')
  }
})()

const opened = async (registration: House['registration']) => {
  const folder = dataFolder()
  const hub = await HubHouse.open()
  onTestFinished(() => hub.close())
  const { store, clock } = hub
  const house = {
    store,
    registration,
    joining: new TokenBuckets(clock, { perSecond: 5 / 900, burst: 5 }),
  } as unknown as House
  const apply = async (name: string, code = '', key = keys(folder), source = '10.0.0.1') => {
    const answer = register(house, { source, key, name, code })
    clock.pass(10)
    return answer
  }
  return { hub, store, clock, apply, key: () => keys(folder) }
}

it('binds a name to a key', async () => {
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
])('gives nobody the name %j', async (name, problem) => {
  const { hub, apply } = await opened('open')
  hub.account('taken')
  expect(await apply(name)).toEqual({ problem: expect.stringContaining(problem) })
})

it('gives a key to one account only', async () => {
  const { apply, key } = await opened('open')
  const own = key()
  await apply('anna', '', own)
  expect(await apply('bert', '', own)).toEqual({
    problem: 'This key is that of anna already, or was.',
  })
  expect(await apply('bert')).toMatchObject({ name: 'bert' })
})

it('takes an invitation once, where it takes one', async () => {
  const { store, apply } = await opened('invite')
  expect(await apply('anna')).toEqual({ problem: expect.stringContaining('takes an invitation') })
  const code = store.codes.mint(null, 60_000)
  expect(await apply('join', code)).toHaveProperty('problem')
  expect(await apply('anna', code.toUpperCase())).toMatchObject({ name: 'anna' })
  expect(await apply('bert', code)).toEqual({ problem: expect.stringContaining('not valid') })
})

it('takes no code that is too old', async () => {
  const { store, clock, apply } = await opened('invite')
  const code = store.codes.mint(null, 60_000)
  clock.pass(60_000)
  expect(await apply('anna', code)).toEqual({ problem: expect.stringContaining('not valid') })
})

it('takes nobody new when it is closed, not even with an invitation', async () => {
  const { store, apply } = await opened('closed')
  const code = store.codes.mint(null, 60_000)
  expect(await apply('anna', code)).toEqual({ problem: expect.stringContaining('No new accounts') })
})

it('adds a second key by a code of the account, even when it is closed', async () => {
  const { hub, store, apply, key } = await opened('closed')
  const anna = hub.account('anna')
  const second = key()
  expect(await apply('', store.codes.mint(anna.id, 60_000), second)).toMatchObject({ name: 'anna' })
  expect(store.logins.byKey(second)?.account.id).toBe(anna.id)
})

it('lets an address try only so often', async () => {
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

it('is in the audit: the account, how it came to be, and each key', async () => {
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
