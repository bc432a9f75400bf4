import { expect, it, onTestFinished } from 'vitest'
import { visitStore } from '../src/store/store.ts'
import { missing, reused } from './support/crashes.ts'
import { dataFolder } from './support/data-folder.ts'
import { FakeClock } from './support/fake-clock.ts'
import { sampleData } from './support/sample-data.ts'

it('an announced result is searched by match, agent and rating', async () => {
  const folder = dataFolder()
  await sampleData(folder)
  const store = visitStore(folder, new FakeClock())
  onTestFinished(() => void store.db.file.close())
  const told = { agent: 'ann', match: 1, rated: true, rating: 1516 }
  const practised = { agent: 'dan', match: 5, rated: false, rating: 1500 }
  expect(missing(store, [told, practised])).toEqual([])
  expect(missing(store, [{ ...told, rating: 1517 }])).toEqual([
    'ann was told 1517 for match 1, where 1516 is kept',
  ])
  expect(missing(store, [{ ...told, rated: false }])).toHaveLength(1)
  expect(missing(store, [{ ...told, agent: 'cat' }])).toHaveLength(1)
  expect(missing(store, [{ ...told, match: 99 }])).toHaveLength(1)
  // An aborted match has no result.
  expect(missing(store, [{ ...told, match: 7 }])).toHaveLength(1)
})

it('an announced match number that other agents got is found', async () => {
  const folder = dataFolder()
  await sampleData(folder)
  const store = visitStore(folder, new FakeClock())
  onTestFinished(() => void store.db.file.close())
  const [own] = store.matches.newest({ status: 'done', game: 'ttt', limit: 1 })
  const [one, other] = own!.players.map(({ name }) => name)
  const match = own!.id
  expect(reused(store, [{ agent: one!, match }])).toEqual([])
  expect(reused(store, [{ agent: one!, match: 10_000 }])).toEqual([])
  expect(reused(store, [{ agent: 'ghost', match }])).toEqual([
    `ghost was told match ${match}, which is now that of ${one} and ${other}`,
  ])
})
