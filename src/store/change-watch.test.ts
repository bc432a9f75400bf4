import { expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount } from '../../test/support/played.ts'
import { watchChanges } from './change-watch.ts'
import { visitStore } from './store.ts'

it('a change by another process is noticed within a second, and one of the own process is not', async () => {
  const folder = dataFolder()
  const clock = new FakeClock()
  const store = await openStore(folder, clock)
  onTestFinished(() => store.close())
  const ann = newAccount(store.users, 'ann')
  let changes = 0
  const stop = watchChanges(store.db, clock, () => changes++)
  store.users.ban(ann.id, null)
  clock.pass(3_000)
  expect(changes).toBe(0)
  const command = visitStore(folder, clock)
  command.users.unban(ann.id)
  command.db.file.close()
  clock.pass(1_000)
  expect(changes).toBe(1)
  clock.pass(3_000)
  expect(changes).toBe(1)
  stop()
  expect(clock.pending).toBe(0)
})
