import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore, type Store } from '../../test/support/open-store.ts'
import { newAccount, tttMatch } from '../../test/support/played.ts'
import { sendWithin } from './match-book.ts'

const opened = async (folder: string, clock = new FakeClock()) => {
  const store = await openStore(folder, clock)
  return { store, clock }
}

const match = ({ users }: Store) => {
  const [ann, bob] = ['ann', 'bob'].map(name => users.find(name) ?? newAccount(users, name))
  return tttMatch(ann!, bob!)
}

it('a number that was given is not given again after a crash, though its match has not reached the disk', async () => {
  const folder = dataFolder()
  const { store } = await opened(folder)
  onTestFinished(() => store.close())
  const told = Array.from({ length: 50 }, () => store.matchStore.begin(match(store)))
  // What is on disk at this moment is all that a crash leaves.
  const left = dataFolder()
  for (const end of ['', '-wal'])
    cpSync(join(folder, `agentbbs.db${end}`), join(left, `agentbbs.db${end}`))
  const again = await opened(left)
  onTestFinished(() => again.store.close())
  expect(again.store.matches.newest({ limit: 1 })).toEqual([])
  expect(again.store.matchStore.begin(match(again.store))).toBeGreaterThan(Math.max(...told))
})

it('a stop in order leaves no gap', async () => {
  const folder = dataFolder()
  const first = await opened(folder)
  const told = first.store.matchStore.begin(match(first.store))
  await first.store.close()
  const second = await opened(folder)
  onTestFinished(() => second.store.close())
  expect(second.store.matchStore.begin(match(second.store))).toBe(told + 1)
})

it('a number that was reserved for a match is given to no other, and is never given again', async () => {
  const folder = dataFolder()
  const { store, clock } = await opened(folder)
  const one = match(store)
  const [first, reserved, unused] = [
    store.matchStore.begin(one),
    store.matchStore.reserve(),
    store.matchStore.reserve(),
  ]
  expect([reserved, unused]).toEqual([first + 1, first + 2])
  const later = store.matchStore.begin(one)
  expect(later).toBe(first + 3)
  expect(store.matchStore.begin({ ...one, id: reserved })).toBe(reserved)
  clock.pass(sendWithin)
  expect(store.matches.newest({ limit: 5 }).map(({ id }) => id)).toEqual([later, reserved, first])
  await store.close()
  const again = await opened(folder)
  onTestFinished(() => again.store.close())
  expect(again.store.matchStore.begin(match(again.store))).toBeGreaterThan(later)
})

it('the next block is on disk before the last is used up, however fast matches begin', async () => {
  const { store, clock } = await opened(dataFolder())
  onTestFinished(() => store.close())
  const one = match(store)
  const reserved = () =>
    store.db.file.prepare('select reserved from match_numbers').pluck().get() as number
  for (let n = 0; n < 10_000; n++) {
    const id = store.matchStore.begin(one)
    expect(id).toBeLessThanOrEqual(reserved())
    if (n % 20 === 0) {
      clock.pass(sendWithin)
      await new Promise(setImmediate)
    }
  }
  // As much as a second of this takes, ten times over: a lock of ten seconds costs no player a match.
  expect(reserved() - store.matchStore.begin(one)).toBeGreaterThan(10_000)
})

it('no number is given that is not on disk', async () => {
  const { store } = await opened(dataFolder())
  onTestFinished(() => store.close())
  const one = match(store)
  expect(() => {
    for (;;) store.matchStore.begin(one)
  }).toThrow(/^no match number after 2000 could be reserved on disk$/)
})
