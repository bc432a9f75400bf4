import { expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { eventPlan } from '../../test/support/event-plan.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'

const opened = async () => {
  const clock = new FakeClock()
  const store = await openStore(dataFolder(), clock)
  onTestFinished(() => store.close())
  const ann = newAccount(store.users, 'ann')
  const bob = newAccount(store.users, 'bob')
  return { store, clock, ann, bob }
}

const plan = eventPlan()
const created = { kind: 'created', plan } as const

it('a log takes what follows its last entry, and refuses what does not', async () => {
  const { store, ann } = await opened()
  const { events } = store
  const entered = { kind: 'entered', account: ann.id, name: ann.name, rating: 1500 } as const
  expect(events.append(plan.id, 0, [created, entered])).toMatchObject({
    appended: true,
    entries: [{ number: 1 }, { number: 2 }],
  })
  expect(events.append(plan.id, 1, [{ kind: 'cancelled', reason: 'rain' }])).toEqual({
    appended: false,
    entries: [expect.objectContaining({ number: 2, ...entered })],
  })
  expect(events.read(plan.id)).toHaveLength(2)
})

it('the list tells the status of each event and how many take part', async () => {
  const { store, ann, bob } = await opened()
  const { events } = store
  events.append(plan.id, 0, [
    created,
    ...[ann, bob].map(
      ({ id, name }) => ({ kind: 'entered', account: id, name, rating: 1500 }) as const,
    ),
    { kind: 'withdrew', account: bob.id, why: 'by itself' },
  ])
  const summer = eventPlan({ id: 'summer-cup' })
  events.append(summer.id, 0, [
    { kind: 'created', plan: summer },
    { kind: 'started', entrants: [] },
    { kind: 'paused' },
    { kind: 'resumed' },
    { kind: 'finished' },
  ])
  expect(events.list()).toMatchObject([
    { plan: summer, status: 'finished', entrants: 0 },
    { plan, status: 'open', entrants: 1, startedAt: null, endedAt: null },
  ])
})

it('what is new in any log is read in the order in which it was written', async () => {
  const { store } = await opened()
  const { events } = store
  events.append(plan.id, 0, [created])
  const { seq } = events
  events.append('other', 0, [{ kind: 'created', plan: eventPlan({ id: 'other' }) }])
  events.append(plan.id, 1, [{ kind: 'paused' }])
  const news = events.since(seq)
  expect(news.entries.map(({ event, entry }) => [event, entry.kind])).toEqual([
    ['other', 'created'],
    [plan.id, 'paused'],
  ])
  expect(events.since(news.seq)).toEqual({ seq: news.seq, entries: [] })
})

it.each([
  ["update event_log set entry = '{}'"],
  ['delete from event_log'],
  ["insert or replace into event_log values (1, 'spring-cup', 1, 0, 'paused', '{}')"],
  ["insert or replace into event_log values (9, 'spring-cup', 1, 0, 'paused', '{}')"],
])('the database refuses: %s', async statement => {
  const { store } = await opened()
  store.events.append(plan.id, 0, [created])
  expect(() => store.db.file.exec(statement)).toThrow(
    'event_log: what is written here stays as it is',
  )
})

it('the matches of an event are found with their boards and results', async () => {
  const { store, clock, ann, bob } = await opened()
  const { matchStore } = store
  const of = (board: string) => ({ event: { id: plan.id, board } })
  const played = matchStore.begin({ ...tttMatch(ann, bob), ...of('1.1.1') })
  const aborted = matchStore.begin({ ...tttMatch(bob, ann), ...of('1.2.1') })
  matchStore.begin(tttMatch(ann, bob))
  const all = Promise.all([
    matchStore.finish(played, outcomes.firstWins, ttt.firstWins),
    matchStore.abort(aborted, 'a test', []),
  ])
  clock.pass(20)
  await all
  expect(store.events.boardMatches(plan.id)).toEqual([
    {
      ...{ match: played, board: '1.1.1', status: 'done', isVoided: false },
      ...{ accounts: [ann.id, bob.id], places: [1, 2], scores: [null, null], faults: [null, null] },
    },
    {
      ...{ match: aborted, board: '1.2.1', status: 'aborted', isVoided: false },
      ...{ accounts: [bob.id, ann.id], places: [], scores: [null, null], faults: [null, null] },
    },
  ])
})
