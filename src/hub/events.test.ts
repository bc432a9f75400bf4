import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { planOf } from '../../test/support/event-log.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { PlayedEvent } from '../../test/support/played-event.ts'
import { TestHub } from '../../test/support/test-hub.ts'
import type { News, SeatHandle } from '../arena/player.ts'
import type { EventPlan } from '../events/plan.ts'
import { widthOf } from './terminal/width.ts'

let hub: TestHub
beforeEach(async () => {
  hub = await TestHub.open()
})
afterEach(async () => {
  expect(hub.failures).toEqual([])
  await hub.close()
})

const names = ['ada', 'bob', 'a-very-long-name-of-an-agent-abc', 'dan', 'eve']

/** A knockout in its second round, and a round robin that is over. */
const played = () =>
  playing(async () => {
    const league = await PlayedEvent.open(hub.store, { id: 'league', title: 'League' }, names)
    await (await league.start()).playRounds()
    const plan = { kind: 'knockout', bestOf: 3, thirdPlace: true } as const
    const cup = await PlayedEvent.open(hub.store, { id: 'cup', title: 'Cup', format: plan }, names)
    await (await cup.start()).playRounds(1)
  })

/** Results are on disk some milliseconds later. */
const playing = async <T>(play: () => Promise<T>): Promise<T> => {
  let isDone = false
  const done = play().finally(() => {
    isDone = true
  })
  while (!isDone) await hub.settle()
  return done
}

/** Opens the events of the host, and one of them. */
const create = (given: Partial<EventPlan> = {}) =>
  playing(async () => {
    await hub.director.open()
    await hub.director.create(planOf({ id: 'cup', title: 'Cup', game: 'ttt', ...given }))
  })

describe.each([
  [80, 24],
  [132, 43],
  [40, 12],
])('at %i × %i', (columns, rows) => {
  it.each([
    ['the events', ['e'], 'League'],
    ['a table', ['e', '<enter>'], 'Points'],
    ['the rounds', ['e', '<enter>', '<tab>'], '2.1'],
    ['a bracket', ['e', '<enter>', '<tab>', '<tab>'], 'Semifinals'],
    ['a bracket from a later round on', ['e', '<enter>', '<tab>', '<tab>', ']', ']'], ' Final'],
    ['a cross table', ['e', '<down>', '<enter>', '<tab>', '<tab>'], '×'],
    ['what there is to know', ['e', '<enter>', '<tab>', '<tab>', '<tab>'], 'knockout, best of 3'],
    ['a replay of a pairing', ['e', '<enter>', '<tab>', 'G', '<enter>'], 'Tic-tac-toe · match'],
  ])('%s is shown', async (_, keys, text) => {
    await played()
    const client = hub.connect(hub.account('erna'), columns, rows)
    expect(await client.type(...keys)).toContain(text)
    const shown = await client.text()
    expect(await client.type('<ctrl-l>')).toBe(shown)
    for (const line of client.screen.lines) expect(widthOf(line)).toBeLessThanOrEqual(columns)
    for (const [w, h] of [
      [20, 6],
      [1, 1],
      [columns, rows],
    ] as const)
      await client.resize(w, h)
    expect(await client.text()).toBe(shown)
  })
})

it('the rounds of groups have all places, and the bracket its final', async () => {
  await playing(async () => {
    const plan = {
      ...{ id: 'dance', title: 'Dance', game: 'dance-battle', seats: { least: 4, most: 4 } },
      format: { kind: 'knockout', bestOf: 1, thirdPlace: false },
      points: { by: 'places', worth: [3, 2, 1, 0] },
    } as const
    const event = await PlayedEvent.open(hub.store, plan, [
      'ann',
      'bea',
      'cyd',
      'dot',
      'eli',
      'fay',
    ])
    await event.start()
    for (let round = 1; round <= 2; round++) {
      const { accounts } = event.state.rounds.at(-1)!.boards[0]!
      await event.add({
        ...{ kind: 'played', round, board: 1, leg: 1, match: null, accounts },
        ...{ places: [2, 4, 1, 3], scores: [null, null, null, null] },
      })
      await event.draw()
    }
    expect(event.state.status).toBe('finished')
  })
  const client = hub.connect(null)
  await client.type('e', '<enter>', '<tab>')
  expect(client.screen.text).toMatch(/2\.1 +(\w{3} – ){3}\w{3} +2, 4, 1, 3/)
  expect(await client.type('<tab>')).toMatch(/ Round 1 +Final/)
  await client.resize(40, 12)
  await client.type('<tab>', '<tab>', '<tab>')
  expect(client.screen.text).toMatch(/^ Finished, round 2, ended /m)
  expect(client.screen.text).toContain('2, 4, 1, 3')
})

it('the list of events says when one starts, in 80 columns and in 40', async () => {
  await create({ startsAt: Date.UTC(2040, 4, 4, 18) })
  const client = hub.connect(null)
  expect(await client.type('e')).toMatch(/Cup .* 2040-05-04 18:00Z/)
  await client.resize(40, 12)
  expect(await client.text()).toMatch(/Cup +2040-05-04 18:00Z/)
})

it('a person enters an event with one key, and plays in it', async () => {
  await create({ startsWith: 2 })
  const client = hub.connect(hub.account('erna'))
  await client.type('e', '<enter>')
  expect(client.screen.text).toContain('No entrants yet.')
  await client.type('e')
  expect(client.screen.text).toContain('You have entered.')
  expect(client.screen.text).toContain('erna')
  await client.type('p')
  expect(client.screen.text).toContain('Waiting for your next pairing in Cup')
  const handles: SeatHandle[] = []
  const bert = {
    account: hub.account('bert'),
    terms: { move: 15_000, illegal: 'forfeit', late: 'forfeit', away: 'forfeit' } as const,
    tell: (message: News) => {
      if (message.kind === 'seated') handles.push(message.handle)
    },
  }
  const watcher = hub.connect(null)
  await watcher.type('e', '<enter>')
  hub.director.attend(bert, 'cup')
  FakeClock.finishTick()
  await hub.settle()
  expect(await client.text()).toContain('bert')
  expect(await watcher.type('<tab>')).toMatch(/1\.1 .*● live, match \d+/)
  expect(await watcher.type('<enter>')).toContain('Tic-tac-toe · match')
  handles[0]!.resign()
  await hub.settle()
  expect(await client.text()).toContain('You won')
  await watcher.type('<esc>')
  expect(await watcher.text()).toMatch(
    /Finished, round 1, ended .*\n.*\n.*\n.*1\.1 .*(1–0|0–1) +match \d+/,
  )
})

it('an entrant is told of its pairing on every screen, and may withdraw', async () => {
  await create()
  const erna = hub.account('erna')
  const client = hub.connect(erna)
  for (const account of [erna, hub.account('bert'), hub.account('carl')])
    expect(await playing(() => hub.director.enter(account, 'cup'))).toBe(null)
  await playing(() => hub.director.start('cup'))
  await hub.settle()
  const call = /Cup, round \d: you meet (bert|carl)\./
  if (!call.test(await client.text()))
    expect(hub.director.get('cup')!.rounds[0]!.byes).toEqual([erna.id])
  await client.type('e', '<enter>', 'w')
  expect(client.screen.text).toContain('Withdraw from Cup?')
  expect(await client.type('y')).toContain('You have withdrawn.')
  expect(hub.director.get('cup')!.entrants.find(({ name }) => name === 'erna')!.withdrawn).toBe(
    true,
  )
})

it('an event refuses in words', async () => {
  await create({ invited: ['bert'] })
  const client = hub.connect(hub.account('erna'))
  await client.type('e', '<enter>', 'e')
  expect(client.screen.text).toContain('invit')
  const guest = hub.connect(null)
  await guest.type('e', '<enter>', 'e')
  expect(guest.screen.text).toContain('No entrants yet.')
})

it('events are shown without a terminal, too, a knockout with its bracket', async () => {
  await played()
  const run = async (command: string) => {
    const client = hub.connect(null, 80, 24, { screen: null, command })
    await hub.settle()
    expect([command, client.status]).toEqual([command, 0])
    return client.sent
  }
  expect(await run('events')).toMatch(/cup .*\n(.*\n)*league /)
  expect(await run('event cup')).toContain(' Semifinals ')
  expect(JSON.parse(await run('event league --json'))).toMatchObject({ champion: 'ada' })
  const unknown = hub.connect(null, 80, 24, { screen: null, command: 'event nonsuch' })
  await hub.settle()
  expect(unknown.status).toBe(1)
})
