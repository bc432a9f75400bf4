import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { loginsOf } from '../../test/support/logins.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount } from '../../test/support/played.ts'
import type { Door, NewSecret, SecretKind } from '../protocols/credentials.ts'
import { inThisThread, type Remote } from '../threads/calls.ts'
import type { Login } from '../wire/accounts.ts'
import { type CredentialLookup, openCredentialLookup } from './credential-lookup.ts'
import { databasePath } from './data-paths.ts'
import { Logins } from './logins.ts'
import { readPublicKeys } from './public-key.ts'

const hour = 60 * 60_000

describe('a login', () => {
  it('is known by any of several tokens, of which no trace is on disk', async () => {
    const { store, folder, logins } = await opened()
    const ann = newAccount(store.users, 'ann')
    const [one, two] = [store.tokens.mint(ann, 'laptop'), store.tokens.mint(ann, '')]
    expect(one.token).toMatch(/^abbs_[A-Za-z0-9_-]{43}$/)
    for (const { id, token } of [one, two])
      expect(await logins.bySecret(token, door)).toEqual({
        account: ann,
        by: { kind: 'token', id },
        objection: null,
      })
    expect(await logins.bySecret(`${one.token}x`, door)).toBeUndefined()
    store.db.file.pragma('wal_checkpoint(truncate)')
    expect(readFileSync(databasePath(folder)).includes(one.token.slice(5))).toBe(false)
  })

  it('is known by any of several keys, each of one account alone', async () => {
    const { store, logins } = await opened()
    const [ann, bob] = [newAccount(store.users, 'ann'), newAccount(store.users, 'bob')]
    const [one, two] = [newKey(), newKey()]
    const ids = [one, two].map(key => store.keys.add(ann, key) as { id: number })
    for (const [i, { blob }] of [one, two].entries())
      expect(await logins.byKey(blob)).toEqual({
        account: ann,
        by: { kind: 'key', ...ids[i] },
        objection: null,
      })
    expect(store.keys.add(ann, one)).toEqual(ids[0])
    expect(store.keys.add(bob, one)).toEqual({
      problem: `the key ${one.fingerprint} belongs to ann`,
    })
    expect(await logins.byKey(newKey().blob)).toBeUndefined()
  })

  it('is objected to when banned, with the reason, until unbanned', async () => {
    const { store, logins } = await opened()
    const ann = newAccount(store.users, 'ann')
    const { token } = store.tokens.mint(ann, '')
    const login = (await logins.bySecret(token, door))!
    expect(await objectionTo(logins, login)).toBeUndefined()
    store.users.ban(ann.id, 'played two at once')
    logins.changed()
    const banned = await logins.bySecret(token, door)
    expect(banned?.objection).toEqual(await objectionTo(logins, login))
    expect(await objectionTo(logins, login)).toEqual({
      code: 'banned',
      detail: 'this account is banned: played two at once',
    })
    store.users.unban(ann.id)
    expect(await objectionTo(logins, login)).toBeUndefined()
  })

  it('is not known any more by a token or key that was revoked, and objected to if inside', async () => {
    const { store, logins } = await opened()
    const ann = newAccount(store.users, 'ann')
    const { id, token } = store.tokens.mint(ann, '')
    const key = newKey()
    const added = store.keys.add(ann, key) as { id: number }
    const inside = [(await logins.bySecret(token, door))!, (await logins.byKey(key.blob))!]
    expect([store.tokens.revoke(id), store.keys.revoke(added.id)]).toEqual([true, true])
    expect([store.tokens.revoke(id), store.keys.revoke(added.id)]).toEqual([false, false])
    logins.changed()
    expect(await logins.objections(inside)).toEqual(
      new Map([
        [0, { code: 'revoked', detail: 'this token has been revoked' }],
        [1, { code: 'revoked', detail: 'this key has been revoked' }],
      ]),
    )
    expect(await logins.bySecret(token, door)).toBeUndefined()
    expect(await logins.byKey(key.blob)).toBeUndefined()
    expect(store.keys.add(ann, key)).toEqual(added)
    expect(await logins.byKey(key.blob)).toEqual(inside[1])
  })

  it('has the last use of its token noted, but not by a write for each', async () => {
    const { store, clock, logins } = await opened()
    const ann = newAccount(store.users, 'ann')
    const { token } = store.tokens.mint(ann, '')
    const changes = () => store.db.file.prepare('select total_changes()').pluck().get()
    const before = Number(changes())
    for (let i = 0; i < 50; i++) {
      logins.proven((await logins.bySecret(token, door))!)
      clock.pass(10)
    }
    clock.pass(1_500)
    expect(Number(changes()) - before).toBe(1)
    const used = store.tokens.all()[0]!.last_used_at!
    expect(clock.date() - used).toBe(1_510)
  })
})

describe('a secret', () => {
  const loa = { protocol: 'loa', form: 'uuid' } as const
  const agon = { protocol: 'agon', form: 'agon_' } as const
  const session = { kind: 'session', ...agon, lifetime: 4 * hour } as const

  it('has the form that its protocol asks for, and no trace on disk', async () => {
    const { store, folder } = await opened()
    const ann = newAccount(store.users, 'ann')
    const secrets = [
      store.tokens.mintSecret(ann, { kind: 'api-key', ...loa }).secret,
      store.tokens.mintSecret(ann, { kind: 'api-key', ...agon }).secret,
      store.tokens.mintSecret(ann, session).secret,
    ]
    expect(secrets[0]).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    for (const secret of secrets.slice(1)) expect(secret).toMatch(/^agon_[A-Za-z0-9_-]{43}$/)
    store.db.file.pragma('wal_checkpoint(truncate)')
    const disk = readFileSync(databasePath(folder))
    for (const secret of secrets) expect(disk.includes(secret.slice(5))).toBe(false)
  })

  it('opens the doors of its protocol that take its kind, and a token those of every protocol', async () => {
    const { store, logins } = await opened()
    const ann = newAccount(store.users, 'ann')
    const mint = (wanted: NewSecret) => store.tokens.mintSecret(ann, wanted).secret
    const token = mint({ kind: 'token', label: '' })
    const key = mint({ kind: 'api-key', ...agon })
    const short = mint(session)
    const objection = async (secret: string, protocol: string, ...takes: SecretKind[]) =>
      (await logins.bySecret(secret, { protocol, takes }))!.objection
    expect(await objection(token, 'agentgames', 'token')).toBeNull()
    expect(await objection(token, 'agon', 'api-key', 'token')).toBeNull()
    expect(await objection(key, 'agon', 'api-key', 'token')).toBeNull()
    expect(await objection(short, 'agon', 'session')).toBeNull()
    for (const [secret, protocol, takes, detail] of [
      [key, 'agentgames', ['token'], 'this API key is for agon, and not for agentgames'],
      [key, 'loa', ['api-key'], 'this API key is for agon, and not for loa'],
      [short, 'loa', ['session'], 'this session token is for agon, and not for loa'],
      [key, 'agon', ['session'], 'this is an API key: give a session token'],
      [short, 'agon', ['api-key', 'token'], 'this is a session token: give an API key or a token'],
      [token, 'agon', ['session'], 'this is a token: give a session token'],
    ] as const)
      expect(await objection(secret, protocol, ...takes)).toEqual({ code: 'bad-token', detail })
  })

  it('of a session is refused once it has expired, and removed a day later; who is inside stays', async () => {
    const { store, clock, logins } = await opened()
    const ann = newAccount(store.users, 'ann')
    const takesSessions: Door = { protocol: 'agon', takes: ['session'] }
    const { id, secret, expiresAt } = store.tokens.mintSecret(ann, session)
    expect(expiresAt).toBe(clock.date() + 4 * hour)
    clock.pass(4 * hour - 1)
    const inside = (await logins.bySecret(secret, takesSessions))!
    expect(inside.objection).toBeNull()
    clock.pass(1)
    const late = async () => (await logins.bySecret(secret, takesSessions))?.objection
    expect(await late()).toEqual({
      code: 'bad-token',
      detail: 'this session token expired just now: ask for a new one',
    })
    clock.pass(24 * hour)
    store.tokens.mintSecret(ann, session)
    expect((await late())?.detail).toBe('this session token expired 1 d ago: ask for a new one')
    clock.pass(1)
    store.tokens.mintSecret(ann, session)
    logins.changed()
    expect([await late(), store.tokens.find(id)]).toEqual([undefined, undefined])
    expect(await objectionTo(logins, inside)).toBeUndefined()
    store.users.ban(ann.id, null)
    expect((await objectionTo(logins, inside))?.code).toBe('banned')
  })

  it('is revoked together with the session tokens that it was exchanged for, also with later ones', async () => {
    const { store, logins } = await opened()
    const ann = newAccount(store.users, 'ann')
    const takesAll: Door = { protocol: 'agon', takes: ['api-key', 'session'] }
    const key = store.tokens.mintSecret(ann, { kind: 'api-key', ...agon })
    const short = store.tokens.mintSecret(ann, { ...session, parent: key.id })
    const other = store.tokens.mintSecret(ann, session)
    const inside = (await logins.bySecret(short.secret, takesAll))!
    expect(store.tokens.revoke(key.id)).toBe(true)
    expect(await objectionTo(logins, inside)).toEqual({
      code: 'revoked',
      detail: 'this session token has been revoked',
    })
    const late = store.tokens.mintSecret(ann, { ...session, parent: key.id })
    logins.changed()
    const known: boolean[] = []
    for (const { secret } of [key, short, late, other])
      known.push((await logins.bySecret(secret, takesAll)) !== undefined)
    expect(known).toEqual([false, false, false, true])
  })

  it('of a session is removed when its account gets its fiftieth after it', async () => {
    const { store } = await opened()
    const [ann, bob] = [newAccount(store.users, 'ann'), newAccount(store.users, 'bob')]
    const kept = [
      store.tokens.mintSecret(bob, session).id,
      store.tokens.mintSecret(ann, { kind: 'api-key', ...agon }).id,
    ]
    const ids = Array.from({ length: 52 }, () => store.tokens.mintSecret(ann, session).id)
    expect(store.tokens.all().map(({ id }) => id)).toEqual([...kept, ...ids.slice(2)])
  })
})

it('to look a login up is not to use it', async () => {
  const { store, clock, logins } = await opened()
  const { token } = store.tokens.mint(newAccount(store.users, 'ann'), '')
  const login = (await logins.bySecret(token, door))!
  clock.pass(5_000)
  expect(store.tokens.all()[0]!.last_used_at).toBeNull()
  logins.proven(login)
  clock.pass(5_000)
  expect(store.tokens.all()[0]!.last_used_at).not.toBeNull()
})

it('the last uses are written at the end, and one that cannot be written is lost', async () => {
  const { store, clock, logins } = await opened()
  const ann = newAccount(store.users, 'ann')
  const login = (await logins.bySecret(store.tokens.mint(ann, '').token, door))!
  logins.proven(login)
  const closed = logins.close()
  clock.pass(100)
  await closed
  expect(store.tokens.all()[0]!.last_used_at).toBe(clock.date() - 100)
  const broken = new Logins(
    inThisThread(openCredentialLookup(store.db)),
    async () => {
      throw new Error('no disk')
    },
    clock,
  )
  broken.proven(login)
  await broken.close()
  expect(clock.pending).toBe(0)
})

describe('what was found', () => {
  /** A lookup whose answers wait for `release`, and the hashes and keys that it was asked for. */
  const held = async () => {
    const { store, clock } = await opened()
    const lookup = openCredentialLookup(store.db)
    const waiting: (() => void)[] = []
    let isHeld = false
    const later = <T>(answer: T) =>
      isHeld ? new Promise<T>(resolve => waiting.push(() => resolve(answer))) : answer
    let asked = 0
    const logins = new Logins(
      inThisThread({
        byKey: (blob: Uint8Array) => {
          asked++
          return later(lookup.byKey(blob))
        },
        byHash: (hash: Uint8Array) => {
          asked++
          return later(lookup.byHash(hash))
        },
        objections: (list: readonly Login[]) => later(lookup.objections(list)),
      }) as Remote<CredentialLookup>,
      async () => {},
      clock,
    )
    const ann = newAccount(store.users, 'ann')
    return {
      ...{ store, clock, logins, ann, waiting },
      asked: () => asked,
      hold: () => {
        isHeld = true
      },
      release: () => {
        isHeld = false
        for (const resolve of waiting.splice(0)) resolve()
      },
    }
  }

  it('is asked for once in ten minutes, also when it was used in vain', async () => {
    const { store, clock, logins, ann, asked } = await held()
    const { token } = store.tokens.mint(ann, '')
    const key = newKey()
    store.keys.add(ann, key)
    const first = [await logins.bySecret(token, door), await logins.byKey(key.blob)]
    clock.pass(599_999)
    expect([await logins.bySecret(token, door), await logins.byKey(key.blob)]).toEqual(first)
    const elsewhere = await logins.bySecret(token, { protocol: 'loa', takes: ['api-key'] })
    expect(elsewhere?.objection?.code).toBe('bad-token')
    expect(asked()).toBe(2)
    clock.pass(1)
    await logins.bySecret(token, door)
    expect(asked()).toBe(3)
  })

  it('is not kept where it was nothing', async () => {
    const { store, logins, ann, asked } = await held()
    const key = newKey()
    expect(await logins.byKey(key.blob)).toBeUndefined()
    store.keys.add(ann, key)
    expect((await logins.byKey(key.blob))?.account).toEqual(ann)
    expect(asked()).toBe(2)
  })

  it('does not count any more after a change', async () => {
    const { store, logins, ann } = await held()
    const { id, token } = store.tokens.mint(ann, '')
    expect(await logins.bySecret(token, door)).toBeDefined()
    store.tokens.revoke(id)
    logins.changed()
    expect(await logins.bySecret(token, door)).toBeUndefined()
  })

  it('is asked for again, and not kept, where a change came while it was on its way', async () => {
    const { store, logins, ann, waiting, hold, release } = await held()
    const { id, token } = store.tokens.mint(ann, '')
    const login = (await logins.bySecret(token, door))!
    logins.changed()
    hold()
    const found = logins.bySecret(token, door)
    const objection = objectionTo(logins, login)
    await expect.poll(() => waiting).toHaveLength(2)
    store.tokens.revoke(id)
    logins.changed()
    release()
    expect([await found, (await objection)?.code]).toEqual([undefined, 'revoked'])
    expect(await logins.bySecret(token, door)).toBeUndefined()
  })
})

const objectionTo = async (logins: Logins, login: Login) =>
  (await logins.objections([login])).get(0)

/** Where AgentGames takes a secret. */
const door: Door = { protocol: 'agentgames', takes: ['token'] }

const opened = async () => {
  const folder = dataFolder()
  const clock = new FakeClock()
  const store = await openStore(folder, clock)
  onTestFinished(() => store.close())
  return { folder, clock, store, logins: loginsOf(store, clock) }
}

const newKey = () => {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const blob = Buffer.concat([part(Buffer.from('ssh-ed25519')), part(Buffer.from(x!, 'base64url'))])
  const keys = readPublicKeys(`ssh-ed25519 ${blob.toString('base64')} test`)
  if ('problem' in keys) throw new Error(keys.problem)
  return keys[0]!
}
