import { Migrator } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { guests } from '../arena/guests.ts'
import { openCredentialLookup } from './credential-lookup.ts'
import { openDatabase } from './database.ts'
import { hashOf } from './secret-hash.ts'

it('tokens and the audit log of a database from before there were API keys are kept', async () => {
  const folder = dataFolder()
  const { file, sql: db } = openDatabase(folder, 1_000)
  const provider = { getMigrations: () => Promise.resolve({ ...migrations }) }
  await new Migrator({ db, provider }).migrateTo('0008-append-only')
  file.exec(`insert into accounts (name, kind, created_at) values ('my-bot', 'player', 0), ('my_bot', 'player', 0);
    insert into audit (id, at, "by", via, action, target, detail) values (7, 5, 'root', 'command', 'ban', 'my-bot', 'x')`)
  file
    .prepare("insert into tokens (account, hash, label, created_at) values (1, ?, 'laptop', 3)")
    .run(hashOf('abbs_old'))
  file.close()

  const store = await openStore(folder, new FakeClock())
  onTestFinished(() => store.close())
  const login = openCredentialLookup(store.db).byHash(hashOf('abbs_old'))
  expect(login).toMatchObject({ account: { name: 'my-bot' }, objection: null })
  expect(store.tokens.all()).toMatchObject([{ kind: 'token', protocol: null, expires_at: null }])
  const [migrated, kept] = store.audit.find({ limit: 9 })
  expect(migrated).toMatchObject({ id: 8, action: 'migrate' })
  expect(kept).toEqual({
    ...{ id: 7, at: 5, by: 'root', via: 'command', action: 'ban', target: 'my-bot' },
    ...{ detail: 'x', reason: null },
  })
  for (const change of [
    'delete from audit',
    "update audit set target = 'ann'",
    `insert or replace into audit (id, at, "by", via, action, target) values (7, 0, '', '', '', '')`,
  ])
    expect(() => store.db.file.exec(change)).toThrow('what is written here stays as it is')
})

it('a database from before there were guests gets their accounts, whatever names it has', async () => {
  const folder = dataFolder()
  const { file, sql: db } = openDatabase(folder, 1_000)
  const provider = { getMigrations: () => Promise.resolve({ ...migrations }) }
  await new Migrator({ db, provider }).migrateTo('0021-room-elo')
  file.exec(`insert into accounts (id, name, kind, created_at, owner, ban_reason) values
      (1, 'guest-1', 'player', 5, null, 'x'), (2, 'house-level-1', 'house', 6, null, null),
      (7, 'guest 0', 'player', 7, 1, null);
    insert into keys (account, type, blob, fingerprint, comment, created_at) values (7, 't', x'00', 'f', '', 0)`)
  file.close()

  const store = await openStore(folder, new FakeClock())
  onTestFinished(() => store.close())
  const of = (name: string) => store.users.find(name)
  expect([of('guest-1'), of('house-level-1'), of('guest 0')]).toMatchObject([
    { id: 1, kind: 'player', created_at: 5, ban_reason: 'x' },
    { id: 2, kind: 'house', created_at: 6 },
    { id: 7, kind: 'player', owner: 1 },
  ])
  expect(store.db.file.pragma('foreign_key_check')).toEqual([])
  expect(guests.map(({ id }) => store.users.byId(id))).toEqual(guests)
  expect(store.users.add('gus')).toMatchObject({ id: 8 })
  expect(() => store.db.file.exec("update accounts set kind = 'owl' where id = 1")).toThrow(
    /CHECK constraint failed/,
  )
})

it.each([
  ["'token', 'loa', null", 'a token is of no protocol'],
  ["'api-key', null, null", 'an API key is of one'],
  ["'api-key', 'loa', 5", 'an API key does not expire'],
  ["'session', 'loa', null", 'a session token does'],
  ["'password', 'loa', null", 'there is no other kind'],
])('the database refuses a secret with %s: %s', async values => {
  const store = await openStore(dataFolder(), new FakeClock())
  onTestFinished(() => store.close())
  store.users.add('ann')
  const insert = (given: string) =>
    store.db.file.exec(
      `insert into tokens (account, hash, label, created_at, kind, protocol, expires_at) values (1, x'${Buffer.from(given).toString('hex')}', '', 0, ${given})`,
    )
  insert("'session', 'loa', 5")
  expect(() => insert(values)).toThrow(/CHECK constraint failed/)
})
