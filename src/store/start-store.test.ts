import BetterSqlite3 from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { agentsLadder } from '../arena/ladder.ts'
import { Unkept } from '../arena/match-store.ts'
import { systemClock } from '../clock.ts'
import { DataFolderError } from './data-folder-error.ts'
import { databasePath } from './data-paths.ts'
import { startStore } from './start-store.ts'
import { visitStore } from './store.ts'

/** A running store with two accounts, and what it has told, by event. */
const running = async () => {
  const folder = dataFolder()
  const offline = await openStore(folder, new FakeClock())
  const [ann, bob] = ['ann', 'bob'].map(name => newAccount(offline.users, name))
  await offline.close()
  const told: Record<string, unknown[]> = {}
  const waiting = new Map<string, () => void>()
  const tell = (event: string) => (given: unknown) => {
    told[event] = [...(told[event] ?? []), given]
    waiting.get(event)?.()
  }
  /** Resolves once this has been told. */
  const toldOf = (event: string) =>
    told[event] === undefined
      ? new Promise<void>(resolve => waiting.set(event, resolve))
      : Promise.resolve()
  const store = await start(folder, {
    raised: tell('raised'),
    over: tell('over'),
    committed: tell('committed'),
    changed: () => tell('changed')(null),
    audited: tell('audited'),
  })
  return { folder, store, ann: ann!, bob: bob!, told, toldOf }
}

const ignore = () => {}
const deaf = { raised: ignore, over: ignore, committed: ignore, changed: ignore, audited: ignore }

const start = async (folder: string, events: Parameters<typeof startStore>[2] = deaf) => {
  const store = await startStore(
    { folder, policy: 'open', pauseAfter: 0, gainCap: 0, copyCap: 0 },
    systemClock,
    events,
    error => {
      throw error
    },
  )
  return store
}

const ladder = agentsLadder('ttt')

it('keeps results in a thread of its own, and tells what they changed', async () => {
  const { folder, store, ann, bob, toldOf } = await running()
  const { matchStore } = store
  expect(() => matchStore.standing(ann.id, ladder)).toThrow(`account ${ann.id} is not held`)
  await matchStore.hold([ann.id, bob.id], 'ttt')
  expect(matchStore.hold([ann.id], 'ttt')).toBeNull()
  const id = matchStore.begin(tttMatch(ann, bob))
  expect(matchStore.firsts(ladder, ann.id, bob.id)).toBe(1)
  const finished = await matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
  const { matches, db } = visitStore(folder, systemClock)
  onTestFinished(() => void db.file.close())
  // It is on disk at this moment: another connection reads it.
  expect(matches.find(id)!.end).not.toBeNull()
  expect(finished.changes[0]).toEqual({ rating: 1516, change: 16 })
  expect(matchStore.standing(ann.id, ladder)).toEqual({ rating: 1516, strength: null, lead: 1 })
  matchStore.release([ann.id, ann.id, bob.id])
  await toldOf('committed')
  await store.close()
})

it('holds an account once, however many ask for it at once', async () => {
  const { store, ann } = await running()
  await Promise.all(Array.from({ length: 20 }, () => store.matchStore.hold([ann.id], 'ttt')))
  expect(store.matchStore.standing(ann.id, ladder)).toEqual({
    rating: 1500,
    strength: null,
    lead: 0,
  })
  await expect(store.matchStore.hold([999], 'ttt')).rejects.toThrow('there is no account 999')
  await store.close()
})

it('learns what another process changes, and what is written into the audit log', async () => {
  const { folder, store, ann, told, toldOf } = await running()
  await store.matchStore.hold([ann.id], 'ttt')
  const { users, audit, db } = visitStore(folder, systemClock)
  users.pause(ann.id, 'it stalls')
  audit.add({ by: 'an operator', via: 'command' }, { action: 'pause', target: 'ann' })
  db.file.close()
  await Promise.all([toldOf('changed'), toldOf('audited')])
  expect(told.audited).toMatchObject([{ by: 'an operator', action: 'pause' }])
  expect(store.matchStore.pause(ann.id)).toBeNull()
  await store.matchStore.refresh()
  expect(store.matchStore.pause(ann.id)).toEqual({
    reason: 'it stalls',
    by: 'operator',
    owner: 'ann',
  })
  await store.close()
})

it('aborts nothing for a lock of a moment, and tells when the database takes nothing for longer', async () => {
  const { folder, store, ann, bob, toldOf, told } = await running()
  const { matchStore } = store
  await matchStore.hold([ann.id, bob.id], 'ttt')
  const id = matchStore.begin(tttMatch(ann, bob))
  const file = new BetterSqlite3(databasePath(folder))
  file.exec('begin immediate')
  const finished = matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
  await toldOf('raised')
  expect(told.raised![0]).toContain('another program has locked it')
  file.exec('rollback')
  file.close()
  expect((await finished).changes[0]!.rating).toBe(1516)
  await toldOf('over')
  await store.close()
})

it('refuses a data folder in words for the operator', async () => {
  const { folder, store } = await running()
  await expect(start(folder)).rejects.toThrow(DataFolderError)
  await store.close()
  await (await start(folder)).close()
})

// It waits out the patience of 12 s.
it.runIf(process.env.CI)(
  'says so when the database has not taken a result',
  async () => {
    const { folder, store, ann, bob } = await running()
    await store.matchStore.hold([ann.id, bob.id], 'ttt')
    const file = new BetterSqlite3(databasePath(folder))
    file.exec('begin immediate')
    const id = store.matchStore.begin(tttMatch(ann, bob))
    const finished = store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
    await expect(finished).rejects.toThrow(Unkept)
    file.exec('rollback')
    file.close()
    await store.matchStore.abort(id, 'the result could not be kept', ttt.firstWins)
    await store.close()
  },
  30_000,
)
