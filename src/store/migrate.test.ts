import { Migrator } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
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
