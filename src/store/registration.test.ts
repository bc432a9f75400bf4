import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount } from '../../test/support/played.ts'
import type { Account } from '../arena/account.ts'
import { TokenBuckets } from '../limits/token-bucket.ts'
import type { NewSecret, Registered } from '../protocols/credentials.ts'
import { inThisThread } from '../threads/calls.ts'
import { actsOf } from './acts.ts'
import { openCredentialLookup } from './credential-lookup.ts'
import { LimitedRegistrar } from './registrar.ts'
import type { RegistrationPolicy } from './registration.ts'
import { hashOf } from './secret-hash.ts'

const apiKey: NewSecret = { kind: 'api-key', protocol: 'loa', form: 'uuid' }
const token: NewSecret = { kind: 'token', label: 'api' }

const opened = async (policy: RegistrationPolicy) => {
  const folder = dataFolder()
  const clock = new FakeClock()
  const store = await openStore(folder, clock)
  onTestFinished(() => store.close())
  const rate = new TokenBuckets(clock, { perSecond: 5 / 900, burst: 5 })
  const acts = inThisThread(actsOf(store, store.write, policy))
  const registration = new LimitedRegistrar({ acts, rate })
  const done = <T>(answer: Promise<T>) => {
    clock.pass(10)
    return answer
  }
  let made = 0
  const key = (): Buffer => {
    const path = join(folder, `key-${++made}`)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path])
    return Buffer.from(readFileSync(`${path}.pub`, 'utf8').split(' ')[1]!, 'base64')
  }
  return {
    store,
    clock,
    registration,
    key,
    apply: (name: string, code = '', own = key(), source = '127.0.0.1') =>
      done(registration.registerKey({ source, key: own, name, code })),
    register: (name: string, code = '', secret: NewSecret = apiKey, source?: string) =>
      done(registration.register({ source, name, code, secret })),
    mint: (account: Account, secret: NewSecret) => done(registration.mint(account, secret)),
  }
}

describe('an SSH key', () => {
  it('registers an account', async () => {
    const { store, apply, key } = await opened('open')
    const own = key()
    const account = await apply('Dr. Anna 1', '', own)
    expect(account).toMatchObject({ name: 'Dr. Anna 1', kind: 'player' })
    expect(openCredentialLookup(store.db).byKey(own)?.account).toEqual(account)
  })

  it('registers one account only', async () => {
    const { apply, key } = await opened('open')
    const own = key()
    await apply('anna', '', own)
    expect(await apply('bert', '', own)).toEqual({
      detail: 'this key belongs to anna, or did before it was revoked',
    })
    expect(await apply('bert')).toMatchObject({ name: 'bert' })
  })

  it('is added to an account by a one-time code, even while registration is closed', async () => {
    const { store, apply, key } = await opened('closed')
    const anna = newAccount(store.users, 'anna')
    const second = key()
    const code = store.codes.mint(anna.id, 60_000)
    expect(await apply('', code, second)).toMatchObject({ name: 'anna' })
    expect(openCredentialLookup(store.db).byKey(second)?.account.id).toBe(anna.id)
    expect(await apply('', code)).toMatchObject({ code: 'bad-code' })
  })
})

describe('an account', () => {
  it('gets a secret in the form of the protocol, with which it logs in there', async () => {
    const { store, register } = await opened('open')
    const { account, minted } = (await register('Nova')) as Registered
    expect(account).toMatchObject({ name: 'Nova', kind: 'player' })
    expect(minted.secret).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    )
    const found = openCredentialLookup(store.db).byHash(hashOf(minted.secret))
    expect(found).toMatchObject({
      account,
      by: { kind: 'api-key', id: minted.id },
      protocol: 'loa',
    })
  })

  it('is not registered under a name that cannot be, and no code is spent on it', async () => {
    const { store, register } = await opened('invite')
    newAccount(store.users, 'My Agent')
    const code = store.codes.mint(null, 60_000)
    for (const [name, why] of [
      ['a', 'bad-name'],
      ['House Easy', 'reserved-name'],
      ['my_agent', 'name-taken'],
    ] as const)
      expect(await register(name, code)).toEqual({ code: why, detail: expect.any(String) })
    expect(await register('Nova', code)).toHaveProperty('minted')
  })

  it('is registered by an invitation once', async () => {
    const { store, clock, register } = await opened('invite')
    expect(await register('anna')).toEqual({
      code: 'invitation-needed',
      detail: 'registration needs an invitation: ask the operator for a code',
    })
    const code = store.codes.mint(null, 60_000)
    expect(await register('anna', code.toUpperCase())).toHaveProperty('account.name', 'anna')
    const refusal = { code: 'bad-code', detail: 'this code is not valid, or is no longer valid' }
    expect(await register('bert', code)).toEqual(refusal)
    const late = store.codes.mint(null, 60_000)
    clock.pass(60_000)
    for (const bad of [late, 'guess']) expect(await register('bert', bad)).toEqual(refusal)
  })

  it('is not registered by a code that adds a key, which stays valid', async () => {
    const { store, apply, register } = await opened('open')
    const code = store.codes.mint(newAccount(store.users, 'anna').id, 60_000)
    expect(await register('bert', code)).toMatchObject({ code: 'bad-code' })
    expect(await apply('', code)).toMatchObject({ name: 'anna' })
  })

  it('is not registered while registration is closed, not even with an invitation', async () => {
    const { store, apply, register } = await opened('closed')
    const refusal = {
      code: 'closed',
      detail: 'registration is closed: no new accounts at present',
    }
    for (const code of ['', store.codes.mint(null, 60_000)])
      expect([await register('anna', code), await apply('anna', code)]).toEqual([refusal, refusal])
  })
})

describe('of two requests at once', () => {
  it('one gets the name', async () => {
    const { store, clock, registration, key } = await opened('open')
    const answers = [
      registration.register({ source: undefined, name: 'Nova', secret: apiKey }),
      registration.registerKey({ source: undefined, name: 'nova', key: key() }),
      registration.register({ source: undefined, name: 'NOVA', secret: token }),
    ]
    clock.pass(10)
    const refusal = expect.objectContaining({ code: 'name-taken' })
    expect(await Promise.all(answers)).toEqual([
      expect.objectContaining({ account: expect.objectContaining({ name: 'Nova' }) }),
      refusal,
      refusal,
    ])
    expect(store.users.all().map(({ name, keys, tokens }) => [name, keys, tokens])).toEqual([
      ['Nova', 0, 1],
    ])
  })

  it('one gets the account of the last invitation', async () => {
    const { store, clock, registration, key } = await opened('invite')
    const code = store.codes.mint(null, 60_000)
    const answers = [
      registration.registerKey({ source: undefined, name: 'anna', code, key: key() }),
      registration.register({ source: undefined, name: 'bert', code, secret: token }),
    ]
    clock.pass(10)
    expect(await Promise.all(answers)).toEqual([
      expect.objectContaining({ name: 'anna' }),
      expect.objectContaining({ code: 'bad-code' }),
    ])
    expect(store.users.all().map(({ name }) => name)).toEqual(['anna'])
  })

  it('one key is added by a one-time code', async () => {
    const { store, clock, registration, key } = await opened('closed')
    const anna = newAccount(store.users, 'anna')
    const code = store.codes.mint(anna.id, 60_000)
    const answers = [key(), key()].map(key =>
      registration.registerKey({ source: undefined, name: '', code, key }),
    )
    clock.pass(10)
    expect(await Promise.all(answers)).toEqual([
      expect.objectContaining({ name: 'anna' }),
      expect.objectContaining({ code: 'bad-code' }),
    ])
    expect(store.keys.of(anna.id)).toHaveLength(1)
  })
})

it('one address may try so often, by all doors together, this machine as any other', async () => {
  const { clock, apply, register } = await opened('open')
  for (const name of ['ann', 'ben', 'x']) await apply(name)
  for (const name of ['cid', 'ann']) await register(name)
  const refusal = {
    code: 'too-many-tries',
    detail: 'too many tries from your address: try again in 180 s',
    retryAfter: 180,
  }
  expect([await apply('dan'), await register('dan')]).toEqual([refusal, refusal])
  expect(await register('dan', '', token, '10.0.0.2')).toHaveProperty('account')
  clock.pass(180_000)
  expect(await register('eve')).toHaveProperty('account')
})

it('the audit says which account came by which door, and what it got', async () => {
  const { store, apply, register, mint } = await opened('open')
  const anna = (await apply('anna')) as Account
  await apply('bert', store.codes.mint(null, 1_000))
  await apply('', store.codes.mint(anna.id, 1_000))
  await apply('anna')
  await register('Nova 1', store.codes.mint(null, 1_000), { ...apiKey, label: 'a bot' })
  await register('Pike', '', token, '10.0.0.2')
  await mint(anna, { kind: 'session', protocol: 'agon', form: 'agon_', lifetime: 1_000 })
  const entries = store.audit.find({ limit: 20 }).filter(({ action }) => action !== 'migrate')
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
    ['Nova 1', 'protocol', 'add-user', 'Nova 1', 'by invitation'],
    ['Nova 1', 'protocol', 'mint-token', 'Nova 1', 'API key 1 of loa (a bot)'],
    ['Pike', 'api', 'add-user', 'Pike', 'open registration'],
    ['Pike', 'api', 'mint-token', 'Pike', 'token 2 (api)'],
  ])
})
