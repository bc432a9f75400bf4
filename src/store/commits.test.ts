import BetterSqlite3 from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { unmetered } from '../meter.ts'
import { databasePath } from './data-paths.ts'

it('every commit is reported with its writes, and every one that fails', async () => {
  const folder = dataFolder()
  const clock = new FakeClock()
  const told: (readonly [writes: number, ok: boolean])[] = []
  const committed = (_: number, writes: number, ok: boolean) => void told.push([writes, ok])
  const store = await openStore(folder, clock, { meter: { ...unmetered, committed } })
  const other = new BetterSqlite3(databasePath(folder))
  onTestFinished(async () => {
    other.close()
    await store.close()
  })
  const [one, two] = [store.write(() => 1), store.write(() => 2)]
  clock.pass(0)
  expect(await Promise.all([one, two])).toEqual([1, 2])
  expect(told.splice(0)).toEqual([[2, true]])

  other.exec('begin immediate')
  const three = store.write(() => 3)
  clock.pass(0)
  expect(told.splice(0)).toEqual([[1, false]])
  other.exec('rollback')
  clock.pass(25)
  expect(await three).toBe(3)
  expect(told.splice(0)).toEqual([[1, true]])
})
