import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { newAccount } from '../../test/support/played.ts'
import type { Door } from '../protocols/credentials.ts'
import { databasePath } from './database.ts'
import { readPublicKeys } from './public-key.ts'
import { openStore, visitStore } from './store.ts'

describe('a login', () => {
  it('is known by any of several tokens, of which no trace is on disk', async () => {
    const { store, folder } = await opened()
    const ann = newAccount(store.users, 'ann')
    const [one, two] = [store.tokens.mint(ann, 'laptop'), store.tokens.mint(ann, '')]
    expect(one.token).toMatch(/^abbs_[A-Za-z0-9_-]{43}$/)
    for (const { id, token } of [one, two])
      expect(store.logins.bySecret(token, door)).toEqual({
        account: ann,
        by: { kind: 'token', id },
        objection: null,
      })
    expect(store.logins.bySecret(`${one.token}x`, door)).toBeUndefined()
    store.db.file.pragma('wal_checkpoint(truncate)')
    expect(readFileSync(databasePath(folder)).includes(one.token.slice(5))).toBe(false)
  })

  it('is known by any of several keys, each of one account alone', async () => {
    const { store } = await opened()
    const [ann, bob] = [newAccount(store.users, 'ann'), newAccount(store.users, 'bob')]
    const [one, two] = [newKey(), newKey()]
    const ids = [one, two].map(key => store.keys.add(ann, key) as { id: number })
    for (const [i, { blob }] of [one, two].entries())
      expect(store.logins.byKey(blob)).toEqual({
        account: ann,
        by: { kind: 'key', ...ids[i] },
        objection: null,
      })
    expect(store.keys.add(ann, one)).toEqual(ids[0])
    expect(store.keys.add(bob, one)).toEqual({
      problem: `the key ${one.fingerprint} belongs to ann`,
    })
    expect(store.logins.byKey(newKey().blob)).toBeUndefined()
  })

  it('is objected to when banned, with the reason, until unbanned', async () => {
    const { store } = await opened()
    const ann = newAccount(store.users, 'ann')
    const { token } = store.tokens.mint(ann, '')
    const login = store.logins.bySecret(token, door)!
    expect(store.logins.objection(login)).toBeUndefined()
    store.users.ban(ann.id, 'played two at once')
    expect(store.logins.bySecret(token, door)!.objection).toEqual(store.logins.objection(login))
    expect(store.logins.objection(login)).toEqual({
      code: 'banned',
      detail: 'this account is banned: played two at once',
    })
    store.users.unban(ann.id)
    expect(store.logins.objection(login)).toBeUndefined()
  })

  it('is not known any more by a token or key that was revoked, and objected to if inside', async () => {
    const { store } = await opened()
    const ann = newAccount(store.users, 'ann')
    const { id, token } = store.tokens.mint(ann, '')
    const key = newKey()
    const added = store.keys.add(ann, key) as { id: number }
    const inside = [store.logins.bySecret(token, door)!, store.logins.byKey(key.blob)!]
    expect([store.tokens.revoke(id), store.keys.revoke(added.id)]).toEqual([true, true])
    expect([store.tokens.revoke(id), store.keys.revoke(added.id)]).toEqual([false, false])
    expect(inside.map(login => store.logins.objection(login)?.code)).toEqual(['revoked', 'revoked'])
    expect([store.logins.bySecret(token, door), store.logins.byKey(key.blob)]).toEqual([
      undefined,
      undefined,
    ])
    expect(store.keys.add(ann, key)).toEqual(added)
    expect(store.logins.byKey(key.blob)).toEqual(inside[1])
  })

  it('is looked at again within a second of a ban by another process', async () => {
    const { store, folder, clock } = await opened()
    const ann = newAccount(store.users, 'ann')
    const login = store.logins.bySecret(store.tokens.mint(ann, '').token, door)!
    const seen: unknown[] = []
    const stop = store.logins.watch(() => seen.push(store.logins.objection(login)?.code))
    clock.pass(3_000)
    expect(seen).toEqual([])
    const command = visitStore(folder, clock)
    command.users.ban(ann.id, null)
    command.db.file.close()
    clock.pass(1_000)
    expect(seen).toEqual(['banned'])
    clock.pass(3_000)
    expect(seen).toEqual(['banned'])
    stop()
    expect(clock.pending).toBe(0)
  })

  it('has the last use of its token noted, but not by a write for each', async () => {
    const { store, clock } = await opened()
    const ann = newAccount(store.users, 'ann')
    const { token } = store.tokens.mint(ann, '')
    const changes = () => store.db.file.prepare('select total_changes()').pluck().get()
    const before = Number(changes())
    for (let i = 0; i < 50; i++) {
      store.logins.proven(store.logins.bySecret(token, door)!)
      clock.pass(10)
    }
    clock.pass(1_500)
    expect(Number(changes()) - before).toBe(1)
    const used = store.tokens.all()[0]!.last_used_at!
    expect(clock.date() - used).toBe(1_510)
  })
})

it('to look a login up is not to use it', async () => {
  const { store, clock } = await opened()
  const { token } = store.tokens.mint(newAccount(store.users, 'ann'), '')
  store.logins.bySecret(token, door)
  clock.pass(5_000)
  expect(store.tokens.all()[0]!.last_used_at).toBeNull()
  store.logins.proven(store.logins.bySecret(token, door)!)
  clock.pass(5_000)
  await expect.poll(() => store.tokens.all()[0]!.last_used_at).not.toBeNull()
})

/** Where AgentGames takes a secret. */
const door: Door = { protocol: 'agentgames', takes: ['token'] }

const opened = async () => {
  const folder = dataFolder()
  const clock = new FakeClock()
  const store = await openStore(folder, clock)
  onTestFinished(() => store.close())
  return { folder, clock, store }
}

const newKey = () => {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const blob = Buffer.concat([part(Buffer.from('ssh-ed25519')), part(Buffer.from(x!, 'base64url'))])
  const keys = readPublicKeys(`ssh-ed25519 ${blob.toString('base64')} test`)
  if ('problem' in keys) throw new Error(keys.problem)
  return keys[0]!
}
