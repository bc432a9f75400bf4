import { expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore, type Store } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import type { Account } from '../arena/account.ts'
import type { Fault } from '../arena/ending.ts'
import { agentsLadder } from '../arena/ladder.ts'
import type { NewMatch } from '../arena/match-store.ts'
import { sendWithin } from './match-book.ts'
import { visitStore } from './store.ts'

const opened = async () => {
  const folder = dataFolder()
  const clock = new FakeClock()
  const store = await reopened(folder, clock)
  const [bot, ...others] = ['bot', 'ann', 'bob', 'cat'].map(name => newAccount(store.users, name))
  return { folder, clock, store, bot: bot!, others }
}

const reopened = async (folder: string, clock: FakeClock): Promise<Store> => {
  const store = await openStore(folder, clock, { pauseAfter: 5 })
  onTestFinished(() => store.close())
  return store
}

/** A match of two that ends with such a fault of the first. */
const play = async (
  store: Store,
  clock: FakeClock,
  two: readonly [Account, Account],
  fault: Fault | null,
  match: Partial<NewMatch> = {},
) => {
  const id = store.matchStore.begin({ ...tttMatch(...two), startedAt: clock.date(), ...match })
  const outcome =
    fault === null
      ? outcomes.draw
      : { ...outcomes.secondWins, ending: fault, faults: [fault, null], detail: '' }
  const kept = store.matchStore.finish(id, outcome, ttt.draw)
  clock.pass(sendWithin)
  await kept
  return id
}

it('pauses an account with the fifth failure in a row, across games, and says which was the last', async () => {
  const { store, clock, bot, others } = await opened()
  const games = ['ttt', 'c4', 'ttt', 'echo', 'c4']
  for (const [i, game] of games.entries()) {
    expect(store.matchStore.pause(bot.id)).toBeNull()
    const fault = i % 2 === 0 ? 'late' : 'illegal'
    await play(store, clock, [bot, others[i % 3]!], fault, { game })
  }
  expect(store.matchStore.pause(bot.id)).toEqual({
    reason: expect.stringMatching(/^5 matches in a row .* match 5$/),
    by: 'host',
    owner: 'bot',
  })
  for (const { id } of others) expect(store.matchStore.pause(id)).toBeNull()
  expect(store.users.find('bot')!.paused_at).toBe(clock.date() - sendWithin)
})

it('passes over practice and voided matches, and lets a good match end the row', async () => {
  const { folder, store, clock, bot, others } = await opened()
  const house = store.users.house('house-easy')
  const unrated = 'practice against the house'
  const fail = (i: number) => play(store, clock, [bot, others[i % 3]!], 'illegal')
  for (let i = 0; i < 4; i++) await fail(i)
  for (let i = 0; i < 6; i++) await play(store, clock, [bot, house], 'late', { unrated })
  expect(store.matchStore.pause(bot.id)).toBeNull()
  await play(store, clock, [bot, house], null, { unrated })
  const beside = visitStore(folder, clock)
  beside.voids.void([1], null)
  beside.db.file.close()
  await fail(4)
  expect(store.matchStore.pause(bot.id)).toBeNull()
  await play(store, clock, [bot, others[0]!], null)
  await fail(5)
  expect(store.matchStore.pause(bot.id)).toBeNull()
})

it('counts failures in a row across practice matches between them', async () => {
  const { store, clock, bot, others } = await opened()
  const house = store.users.house('house-easy')
  const unrated = 'practice against the house'
  for (let i = 0; i < 5; i++) {
    for (let times = 0; times < 3; times++)
      await play(store, clock, [bot, house], null, { unrated })
    expect(store.matchStore.pause(bot.id)).toBeNull()
    await play(store, clock, [bot, others[i % 3]!], 'late')
  }
  expect(store.matchStore.pause(bot.id)?.reason).toMatch(/^5 matches in a row /)
})

it('knows the row and the pause after a restart, and forgets both when un-paused', async () => {
  const { folder, store, clock, bot, others } = await opened()
  const fail = (store: Store, i: number) => play(store, clock, [bot, others[i % 3]!], 'late')
  for (let i = 0; i < 3; i++) await fail(store, i)
  await store.close()
  const second = await reopened(folder, clock)
  for (let i = 3; i < 5; i++) await fail(second, i)
  expect(second.matchStore.pause(bot.id)).not.toBeNull()
  await second.close()
  const third = await reopened(folder, clock)
  expect(third.matchStore.pause(bot.id)).not.toBeNull()

  third.users.unpause(bot.id, 'owner')
  void third.matchStore.refresh()
  expect(third.matchStore.pause(bot.id)).toBeNull()
  for (let i = 0; i < 4; i++) await fail(third, i)
  expect(third.matchStore.pause(bot.id)).toBeNull()
  await fail(third, 4)
  expect(third.matchStore.pause(bot.id)).not.toBeNull()
})

it('leaves a pause that the operator has set to the operator, also over one of its own', async () => {
  const { store, clock, bot, others } = await opened()
  for (let i = 0; i < 5; i++) await play(store, clock, [bot, others[i % 3]!], 'late')
  store.users.pause(bot.id, 'it stalls')
  void store.matchStore.refresh()
  await play(store, clock, [bot, others[0]!], 'late')
  expect(store.users.unpause(bot.id, 'owner')).toBe(false)
  expect(store.matchStore.pause(bot.id)).toMatchObject({ reason: 'it stalls', by: 'operator' })
  expect(store.users.unpause(bot.id, 'operator')).toBe(true)
  expect(store.users.unpause(bot.id, 'operator')).toBe(false)
  void store.matchStore.refresh()
  expect(store.matchStore.pause(bot.id)).toBeNull()
})

it('never pauses where the operator has set 0', async () => {
  const clock = new FakeClock()
  const store = await openStore(dataFolder(), clock)
  onTestFinished(() => store.close())
  const [bot, ...others] = ['bot', 'ann', 'bob', 'cat'].map(name => newAccount(store.users, name))
  for (let i = 0; i < 6; i++) await play(store, clock, [bot!, others[i % 3]!], 'late')
  expect(store.matchStore.pause(bot!.id)).toBeNull()
})

it('agents of one owner belong together, and a new owner is learned from another process', async () => {
  const { folder, store, clock, bot, others } = await opened()
  const [ann, bob] = others
  expect(store.matchStore.family(bot.id)).toBe(bot.id)
  const { users, db } = visitStore(folder, clock)
  onTestFinished(() => void db.file.close())
  const named = (name: string) => users.find(name)!
  expect(users.setOwner(bot, named('ann'))).toBeNull()
  void store.matchStore.refresh()
  expect(store.matchStore.family(bot.id)).toBe(ann!.id)
  expect(users.owned(ann!.id)).toMatchObject([{ name: 'bot' }])

  expect(users.setOwner(bob!, named('bot'))).toMatch(/bot belongs to ann: name that/)
  expect(users.setOwner(ann!, named('bob'))).toMatch(/ann owns bot/)
  expect(users.setOwner(bob!, named('bob'))).toMatch(/cannot belong to itself/)
  const house = store.users.house('house-easy')
  expect(users.setOwner(house, named('ann'))).toMatch(/a house player has no owner/)
  expect(users.setOwner(bot, null)).toBeNull()
  void store.matchStore.refresh()
  expect(store.matchStore.family(bot.id)).toBe(bot.id)
})

it('counts each two of a table with more than two seats', async () => {
  const { folder, store, clock, bot, others } = await opened()
  const [ann, bob] = others
  const id = store.matchStore.begin({ ...tttMatch(bot, ann!, bob!), startedAt: clock.date() })
  const outcome = { ...outcomes.draw, places: [1, 2, 3], faults: [null, null, null] }
  void store.matchStore.finish(id, outcome, [])
  await store.close()
  const again = await reopened(folder, clock)
  for (const [a, b] of [
    [bot, ann],
    [bot, bob],
    [bob, ann],
  ])
    expect(again.matchStore.ratedToday(agentsLadder('ttt'), a!.id, b!.id)).toBe(1)
  expect(again.matchStore.firsts(agentsLadder('ttt'), ann!.id, bob!.id)).toBe(0)
})

it('counts the rated matches of a pair in a day, over a restart, until midnight', async () => {
  const { folder, store, clock, bot, others } = await opened()
  const [ann] = others
  const today = (store: Store) => [
    store.matchStore.ratedToday(agentsLadder('ttt'), bot.id, ann!.id),
    store.matchStore.ratedToday(agentsLadder('ttt'), ann!.id, bot.id),
  ]
  await play(store, clock, [bot, ann!], null)
  await play(store, clock, [ann!, bot], null)
  await play(store, clock, [ann!, bot], null, { unrated: 'a match by appointment' })
  await play(store, clock, [ann!, bot], null, { game: 'c4' })
  expect(today(store)).toEqual([2, 2])
  // Under way it counts; aborted, or unrated at its end, not any more.
  const [one, two] = [bot, bot].map(bot =>
    store.matchStore.begin({ ...tttMatch(bot, ann!), startedAt: clock.date() }),
  )
  expect(today(store)).toEqual([4, 4])
  const ends = [
    store.matchStore.abort(one!, 'a fault', []),
    store.matchStore.finish(two!, outcomes.draw, ttt.draw, 'a copy of earlier matches'),
  ]
  clock.pass(sendWithin)
  await Promise.all(ends)
  expect(today(store)).toEqual([2, 2])
  expect(store.matches.find(two!)).toMatchObject({ unrated: 'a copy of earlier matches' })

  await store.close()
  const again = await reopened(folder, clock)
  expect(today(again)).toEqual([2, 2])
  clock.pass(86_400_000)
  expect(today(again)).toEqual([0, 0])
  await play(again, clock, [bot, ann!], null)
  expect(today(again)).toEqual([1, 1])
  await again.close()
  expect(today(await reopened(folder, clock))).toEqual([1, 1])
})

it('counts the matches of a day also after the clock was far ahead and has been set right', async () => {
  const { folder, store, clock, bot, others } = await opened()
  const [ann] = others
  const today = (store: Store) => store.matchStore.ratedToday(agentsLadder('ttt'), bot.id, ann!.id)
  clock.jump(400 * 86_400_000)
  await play(store, clock, [bot, ann!], null)
  await play(store, clock, [ann!, bot], null)
  clock.jump(-400 * 86_400_000)
  expect(today(store)).toBe(0)
  await play(store, clock, [bot, ann!], null)
  await play(store, clock, [ann!, bot], null)
  await play(store, clock, [bot, ann!], null)
  expect(today(store)).toBe(3)
  await store.close()
  expect(today(await reopened(folder, clock))).toBe(3)
})

it('has a match that begins before midnight and ends after it count for the day on which it began', async () => {
  const { folder, store, clock, bot, others } = await opened()
  const [ann] = others
  const begin = () => store.matchStore.begin({ ...tttMatch(bot, ann!), startedAt: clock.date() })
  const end = (id: number) => void store.matchStore.finish(id, outcomes.draw, ttt.draw)
  const today = (store: Store) => store.matchStore.ratedToday(agentsLadder('ttt'), bot.id, ann!.id)
  clock.jump(86_400_000 - (clock.date() % 86_400_000) - 1_000)
  const [early, late] = [begin(), begin()]
  end(early)
  expect(today(store)).toBe(2)
  clock.pass(2_000)
  expect(today(store)).toBe(0)
  end(begin())
  clock.pass(sendWithin)
  end(late)
  clock.pass(sendWithin)
  expect(today(store)).toBe(1)
  await store.close()
  expect(today(await reopened(folder, clock))).toBe(1)
})
