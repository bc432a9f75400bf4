import { statSync } from 'node:fs'
import { join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { openDatabase } from './database.ts'
import { sendWithin } from './match-book.ts'
import { migrate } from './migrate.ts'
import { migrateStore, visitStore } from './store.ts'

describe('the store', () => {
  it('makes a folder and files that no other user can read', async () => {
    const folder = join(dataFolder(), 'new', 'data')
    const store = await openStore(folder, new FakeClock())
    onTestFinished(() => store.close())
    newAccount(store.users, 'ann')
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect(mode(folder)).toBe('700')
    for (const name of ['agentbbs.db', 'agentbbs.db-wal', 'agentbbs.lock'])
      expect(mode(join(folder, name))).toBe('600')
  })

  it('keeps what was committed when the power goes, by whatever connection it was written', async () => {
    const folder = dataFolder()
    const full = 2
    const modes = ({ file }: { file: BetterSqlite3.Database }) => ({
      journal: file.pragma('journal_mode', { simple: true }),
      synchronous: file.pragma('synchronous', { simple: true }),
    })
    const fresh = openDatabase(folder, 0)
    expect(modes(fresh)).toEqual({ journal: 'wal', synchronous: full })
    await migrate(fresh)
    expect(modes(fresh)).toEqual({ journal: 'wal', synchronous: full })
    fresh.file.close()
    const server = await openStore(folder, new FakeClock())
    onTestFinished(() => server.close())
    expect(modes(server.db)).toEqual({ journal: 'wal', synchronous: full })
    const command = visitStore(folder, new FakeClock())
    onTestFinished(() => void command.db.file.close())
    expect(modes(command.db)).toEqual({ journal: 'wal', synchronous: full })
  })

  it('lets one server use a folder, until it closes', async () => {
    const folder = dataFolder()
    const store = await openStore(folder, new FakeClock())
    await expect(openStore(folder, new FakeClock())).rejects.toThrow(/in use by another/)
    await store.close()
    const next = await openStore(folder, new FakeClock())
    await next.close()
  })

  it('lets commands run beside a server, which leave its live matches alone', async () => {
    const folder = dataFolder()
    const clock = new FakeClock()
    const store = await openStore(folder, clock)
    onTestFinished(() => store.close())
    const [ann, bob] = [newAccount(store.users, 'ann'), newAccount(store.users, 'bob')]
    const accounts = [ann.id, bob.id]
    const id = store.matchStore.begin({
      game: 'ttt',
      seed: 1,
      accounts,
      unrated: null,
      startedAt: 0,
    })
    clock.pass(sendWithin)
    const visit = visitStore(folder, clock)
    onTestFinished(() => void visit.db.file.close())
    expect(visit.matches.find(id)!.end).toBeNull()
    visit.users.ban(bob.id, 'spam')
    expect(store.users.find('bob')!.ban_reason).toBe('spam')
  })

  it('reports a missing database', () => {
    expect(() => visitStore(dataFolder(), new FakeClock())).toThrow(/no database in .*: set AGENT/)
  })
})

describe('what a match was opened with', () => {
  it.each([
    ['a number', 4294967295],
    ['128 bits', '0123456789abcdef0123456789abcdef'],
    // As a number these would lose their end: the column is one for numbers.
    ['digits alone', '1'.repeat(32)],
    ['an exponent', `${'1'.repeat(29)}e10`],
  ])('is kept to the bit, with a seed of %s', async (_, seed) => {
    const clock = new FakeClock()
    const store = await openStore(dataFolder(), clock)
    onTestFinished(() => store.close())
    const [ann, bob] = [newAccount(store.users, 'ann'), newAccount(store.users, 'bob')]
    const setup = { stones: [3, 4, 5], last: 'loses' }
    const id = store.matchStore.begin({ ...tttMatch(ann, bob), seed, setup })
    void store.matchStore.finish(id, outcomes.draw, ttt.draw)
    const older = store.matchStore.begin(tttMatch(ann, bob))
    clock.pass(sendWithin)
    expect(store.matches.find(id)).toMatchObject({ seed, setup })
    expect(store.matches.find(older)).toMatchObject({ seed: 1, setup: null })
  })
})

describe('migrations', () => {
  it('are applied once, however often they are asked for', async () => {
    const folder = dataFolder()
    expect(await migrateStore(folder)).toEqual(Object.keys(migrations))
    expect(await migrateStore(folder)).toEqual([])
    const db = openDatabase(folder, 0)
    onTestFinished(() => void db.file.close())
    expect(await migrate(db)).toEqual([])
  })

  it('are all there or none is', async () => {
    const folder = dataFolder()
    const db = openDatabase(folder, 0)
    onTestFinished(() => void db.file.close())
    db.file.exec('create table ratings (x)')
    await expect(migrate(db)).rejects.toThrow(/already exists/)
    expect(db.file.prepare('select name from sqlite_master').pluck().all()).toEqual(['ratings'])
  })

  it('refuse a database that is newer than the program', async () => {
    const folder = dataFolder()
    await migrateStore(folder)
    const db = openDatabase(folder, 0)
    db.file.exec(`insert into kysely_migration values ('9999-later', '')`)
    db.file.close()
    const newer = /written by a newer agentbbs \(it has 9999-later\)/
    await expect(openStore(folder, new FakeClock())).rejects.toThrow(newer)
    await expect(migrateStore(folder)).rejects.toThrow(newer)
    expect(() => visitStore(folder, new FakeClock())).toThrow(newer)
  })

  it('are asked for where a command finds an older database', () => {
    const folder = dataFolder()
    openDatabase(folder, 0).file.close()
    expect(() => visitStore(folder, new FakeClock())).toThrow(/run agentbbs migrate/)
  })
})
