import { expect, it } from 'vitest'
import { eventPlan } from '../../test/support/event-plan.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryEventStore } from '../../test/support/memory-event-store.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { TestArena } from '../../test/support/test-arena.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import type { Account } from '../arena/account.ts'
import { type Player, rankedAccounts } from '../arena/player.ts'
import { ttt } from '../games/ttt.ts'
import { Director } from './director.ts'
import { fold } from './fold.ts'
import type { EventPlan } from './plan.ts'
import { readRecurring } from './recurring.ts'
import { table } from './table.ts'

const houseAccount: Account = { id: 900, name: 'house-level-1', kind: 'house' }

const setUp = async (log?: MemoryEventStore, clock = new FakeClock()) => {
  const store = log ?? new MemoryEventStore(clock)
  const matchStore = new MemoryMatchStore()
  const failures: unknown[] = []
  const failed = (error: unknown) => void failures.push(error)
  const housePlayers: TestPlayer[] = []
  const house = (_: unknown, level: string) =>
    level === 'level-1'
      ? () => {
          const player = new TestPlayer(arena, 900, { account: houseAccount })
          housePlayers.push(player)
          return player
        }
      : undefined
  const arena = new TestArena({ clock, matchStore, queueWait: 120_000, house, failed })
  const director = new Director({
    ...{ arena, matchmaking: arena.matchmaking, clock, matchStore, log: store, house, failed },
    seatsPerAccount: 3,
  })
  await director.open()
  const host = {
    ...{ clock, log: store, matchStore, arena, director, failures, housePlayers },
    player: (id: number, options = {}) => new TestPlayer(arena, id, options),
    /** Players that attend an event, each with its own account. */
    attend: async (event: string, ...players: readonly TestPlayer[]) => {
      for (const player of players) player.leave = director.attend(player, event)
      await host.settle()
    },
    /** Lets all that is asked be done: it crosses to the log and back. */
    settle: async () => {
      for (let i = 0; i < 60; i++) {
        FakeClock.finishTick()
        await null
      }
    },
    pass: async (ms: number) => {
      clock.pass(ms)
      await host.settle()
    },
    create: async (given: Partial<EventPlan> = {}) => {
      expect(await director.create(eventPlan(given))).toBe(null)
      return given.id ?? 'spring-cup'
    },
    /** Seat 0 wins every live match. */
    playAll: async () => {
      for (const { id, deal } of [...arena.tables.values()])
        for (const [turn, move] of ['0', '3', '1', '4', '2'].entries()) {
          const player = deal.players[turn % 2] as TestPlayer
          if (player.seated?.match === id) player.handle.move(move)
        }
      await host.settle()
    },
    results: (event = 'spring-cup') =>
      store.read(event).flatMap(entry => (entry.kind === 'played' ? [entry] : [])),
  }
  return host
}

const ids = (players: readonly Player[]) => players.map(({ account }) => account.id)

it('entrants that attend enter, and each pair meets once, whatever the results', async () => {
  const { create, attend, player, director, playAll, results, log, failures } = await setUp()
  const id = await create()
  const players = [1, 2, 3, 4].map(number => player(number))
  await attend(id, ...players)
  expect(director.get(id)!.entrants.map(({ name }) => name)).toEqual([
    ...['Agent-1', 'Agent-2', 'Agent-3', 'Agent-4'],
  ])
  expect(await director.start(id)).toBe(null)
  for (let round = 1; round <= 3; round++) {
    await attend(id)
    await playAll()
    if (round < 3) await attend(id, ...players)
  }
  expect(new Set(results().map(({ accounts }) => [...accounts].sort().join()))).toEqual(
    new Set(['1,2', '1,3', '1,4', '2,3', '2,4', '3,4']),
  )
  expect(log.kinds(id).at(-1)).toBe('finished')
  expect(director.get(id)).toBe(undefined)
  expect(failures).toEqual([])
})

it('a match of an event is rated on its ladder, by its time, and bears its name', async () => {
  const { create, attend, player, director, arena, settle, matchStore } = await setUp()
  const id = await create({ time: { move: 5_000, bank: 30_000 } })
  await attend(id, player(1), player(2))
  await director.start(id)
  await settle()
  const [table] = [...arena.tables.values()]
  expect(table!.deal).toMatchObject({
    unrated: null,
    ladder: { id: 'ttt' },
    event: { id, board: '1.1.1' },
    terms: [
      { move: 5_000, bank: 30_000 },
      { move: 5_000, bank: 30_000 },
    ],
  })
  expect(matchStore.matches[0]).toMatchObject({ event: { id, board: '1.1.1' } })
})

it.each([
  ['an unrated event', { rated: false }, []],
  ['agents of one owner', {}, [1, 2]],
] as const)('a match is unrated: %s', async (reason, given, owned) => {
  const { create, attend, player, director, arena, settle, matchStore } = await setUp()
  for (const account of owned) matchStore.owners.set(account, 50)
  const id = await create(given)
  await attend(id, player(1), player(2))
  await director.start(id)
  await settle()
  expect([...arena.tables.values()][0]!.deal.unrated).toBe(reason)
})

it('who does not come in time loses its board, and is withdrawn after two', async () => {
  const { create, attend, player, director, log, pass, playAll } = await setUp()
  const id = await create({ showUp: 10_000 })
  const [a, b, c] = [player(1), player(2), player(3)]
  await attend(id, a, b, c)
  c.leave()
  await director.start(id)
  for (let round = 0; round < 3; round++) {
    await pass(0)
    await playAll()
    await attend(id, a, b)
    await pass(10_000)
  }
  const settled = log.read(id).flatMap(entry => (entry.kind === 'settled' ? [entry] : []))
  expect(settled.map(({ absent, reason }) => [absent, reason])).toEqual([
    [[3], 'Agent-3 did not come'],
    [[3], 'Agent-3 did not come'],
  ])
  expect(log.read(id)).toContainEqual(
    expect.objectContaining({ kind: 'withdrew', account: 3, why: 'two boards missed' }),
  )
  expect(log.kinds(id).at(-1)).toBe('finished')
})

it('a pause opens no match, and no entrant loses by it', async () => {
  const { create, attend, player, director, arena, pass, settle } = await setUp()
  const id = await create({ showUp: 10_000 })
  const [a, b] = [player(1), player(2)]
  await attend(id, a)
  await director.enter(b.account, id)
  await director.start(id)
  await settle()
  await director.pause(id)
  await pass(60_000)
  await attend(id, b)
  expect(arena.tables.size).toBe(0)
  await director.resume(id)
  await settle()
  expect([...arena.tables.values()].map(({ deal }) => ids(deal.players).sort())).toEqual([[1, 2]])
})

it('it starts by itself at its time, without those who have not checked in', async () => {
  const { create, attend, player, director, clock, pass } = await setUp()
  const startsAt = clock.date() + 3_600_000
  const id = await create({ startsAt, checkIn: 600_000 })
  const [a, b, c, d] = [player(1), player(2), player(3), player(4)]
  for (const { account } of [a, b, c, d]) await director.enter(account, id)
  expect(await director.checkIn(1, id)).toMatchObject({ code: 'event-state', retryAfter: 3_000 })
  await attend(id, b)
  await pass(3_000_000)
  expect(await director.checkIn(1, id)).toBe(null)
  await attend(id, c)
  await pass(600_000)
  const { status, entrants } = director.get(id)!
  expect([status, entrants.map(({ account }) => account)]).toEqual(['running', [1, 2, 3]])
})

it('it is cancelled where too few have checked in at its time, and those who wait are told', async () => {
  const { create, attend, player, clock, pass, log } = await setUp()
  const id = await create({ startsAt: clock.date() + 1_000 })
  const alone = player(1)
  await attend(id, alone)
  await pass(1_000)
  expect(log.read(id).at(-1)).toMatchObject({
    kind: 'cancelled',
    reason: '1 of at least 2 entrants is there',
  })
  expect(alone.messages).toEqual([
    {
      kind: 'dismissed',
      code: 'event-over',
      detail: 'spring-cup was cancelled: 1 of at least 2 entrants is there',
    },
  ])
})

it('it starts by itself as soon as so many have entered', async () => {
  const { create, attend, player, arena } = await setUp()
  const id = await create({ startsWith: 4 })
  await attend(id, player(1), player(2), player(3))
  expect(arena.tables.size).toBe(0)
  await attend(id, player(4))
  expect(arena.tables.size).toBe(2)
})

it.each([
  ['no-such-event', {}, 'winter-cup', 'there is no event "winter-cup"; there are spring-cup'],
  [
    'not-invited',
    { invited: ['Ann'] },
    'spring-cup',
    '"Agent-3" is not among those who are invited to spring-cup: ask its operator',
  ],
  [
    'event-full',
    { entrants: { least: 2, most: 2 } },
    'spring-cup',
    'spring-cup has its 2 entrants',
  ],
] as const)('who may not take part is told: %s', async (code, given, event, detail) => {
  const { create, attend, player, director } = await setUp()
  const id = await create(given)
  if (code === 'event-full') await attend(id, player(1), player(2))
  const late = player(3)
  await attend(event, late)
  expect(late.messages).toEqual([{ kind: 'dismissed', code, detail }])
  expect(director.get(id)!.entrants.some(({ account }) => account === 3)).toBe(false)
})

it('no one enters after the start, unless it takes late entrants', async () => {
  const { create, attend, player, director } = await setUp()
  for (const [id, lateEntry] of [
    ['closed', false],
    ['late', true],
  ] as const) {
    await create({ id, lateEntry, format: { kind: 'arena', lasts: 60_000 } })
    await attend(id, player(1), player(2))
    await director.start(id)
    const late = player(3)
    await attend(id, late)
    expect(late.messages).toEqual(
      lateEntry
        ? []
        : [
            {
              kind: 'dismissed',
              code: 'event-closed',
              detail: 'closed has started, and takes no late entrants',
            },
          ],
    )
  }
})

it('who is invited may enter, however its name was written', async () => {
  const { create, director } = await setUp()
  const id = await create({ invited: ['dr._deep_blue'] })
  const account = (id: number, name: string) => ({ id, name, kind: 'player' }) as const
  expect(await director.enter(account(1, 'Dr. Deep Blue'), id)).toBe(null)
  expect(await director.enter(account(2, 'Dr. Deep'), id)).toMatchObject({ code: 'not-invited' })
})

it('an aborted match is played again, with the time to come anew', async () => {
  const { create, attend, player, director, arena, pass, settle, results, playAll } = await setUp()
  const id = await create({ showUp: 10_000 })
  const [a, b] = [player(1), player(2)]
  await attend(id, a, b)
  await director.start(id)
  await settle()
  await [...arena.tables.values()][0]!.abort('a test')
  await attend(id, a, b)
  await pass(1_000)
  expect([...arena.tables.values()].map(({ deal }) => deal.event)).toEqual([{ id, board: '1.1.1' }])
  await playAll()
  expect(results()).toHaveLength(1)
})

it('a host that comes back goes on where it was: what ended without an entry is counted once', async () => {
  const first = await setUp()
  const id = await first.create()
  const players = [1, 2, 3].map(number => first.player(number))
  await first.attend(id, ...players)
  await first.director.start(id)
  await first.settle()
  const { board, accounts } = first.director.get(id)!.rounds[0]!.boards[0]!
  const { log, clock } = first
  const nothing = [null, null]
  const rest = { places: [1, 2], scores: nothing, faults: nothing }
  const done = { status: 'done', isVoided: false, ...rest } as const
  log.matches.push(
    { ...done, match: 7, board: `1.${board}.1`, accounts, status: 'aborted', places: [] },
    { ...done, match: 8, board: `1.${board}.1`, accounts },
  )
  for (let restart = 0; restart < 2; restart++) {
    const again = await setUp(log, clock)
    await again.settle()
    expect(again.results().map(({ match, leg }) => [match, leg])).toEqual([[8, 1]])
    expect(again.director.get(id)!.rounds).toHaveLength(2)
    expect(again.failures).toEqual([])
  }
})

it.each([
  ['the disk takes it at the second try', false],
  ['the host crashes before', true],
])(
  'where both have failed a league.v2 match, no player hears of a draw: %s',
  async (_, crashes) => {
    const first = await setUp()
    const { log, clock, director, pass, settle } = first
    const id = await first.create({ game: 'even-odd', protocol: 'league.v2' })
    await first.attend(id, first.player(1), first.player(2))
    const draws: number[] = []
    director.watch(state => draws.push(...table(state).map(row => row.draws)))
    await director.start(id)
    await settle()
    const { board, accounts } = director.get(id)!.rounds[0]!.boards[0]!
    const [live] = [...first.arena.tables.values()]
    log.failures = 1
    await pass(16_000)
    expect(log.kinds(id).at(-1)).toBe('drawn')
    if (crashes) {
      director.close()
      const result = { accounts, places: [1, 1], scores: [null, null] }
      log.matches.push({
        ...{ match: live!.id, board: `1.${board}.1`, status: 'done', isVoided: false },
        ...{ ...result, faults: ['late', 'late'] },
      })
      await setUp(log, clock)
    }
    await pass(1_000)
    expect(log.kinds(id).slice(-3)).toEqual(['settled', 'played', 'finished'])
    const rows = table(fold(log.read(id)))
    expect(rows.map(({ points, losses }) => [points, losses])).toEqual([
      [0, 1],
      [0, 1],
    ])
    expect(draws).not.toContain(1)
  },
)

it('what another process writes into the log is heard, and what it has overtaken is decided anew', async () => {
  const { create, attend, player, director, log, settle, failures } = await setUp()
  const id = await create()
  await attend(id, player(1), player(2))
  await log.append(id, 3, [{ kind: 'entered', account: 3, name: 'Agent-3', rating: 1500 }])
  expect(await director.start(id)).toBe(null)
  expect(director.get(id)!.entrants).toHaveLength(3)
  await log.append(id, director.get(id)!.entries, [{ kind: 'paused' }])
  await log.append('by-command', 0, [{ kind: 'created', plan: eventPlan({ id: 'by-command' }) }])
  await director.refresh()
  await settle()
  expect(director.list().map(({ plan, status }) => [plan.id, status])).toEqual([
    [id, 'paused'],
    ['by-command', 'open'],
  ])
  expect(failures).toEqual([])
})

it('a result is written as soon as the disk takes it again', async () => {
  const { create, attend, player, director, log, settle, playAll, pass, failures } = await setUp()
  const id = await create()
  await attend(id, player(1), player(2))
  await director.start(id)
  await settle()
  log.failures = 2
  await playAll()
  expect(log.kinds(id)).not.toContain('played')
  await pass(1_000)
  await pass(1_000)
  expect(log.kinds(id).slice(-2)).toEqual(['played', 'finished'])
  expect(failures).toHaveLength(2)
})

it('an entrant that waits in the ordinary queue is given its board, and others are not', async () => {
  const { create, player, director, arena, settle } = await setUp()
  const id = await create()
  const [a, b, stranger, other] = [player(1), player(2), player(3), player(4)]
  for (const { account } of [a, b]) await director.enter(account, id)
  a.seek()
  await director.start(id)
  await settle()
  stranger.seek()
  b.seek()
  await settle()
  other.seek()
  await settle()
  const met = [...arena.tables.values()].map(({ deal }) => [
    deal.event?.board ?? null,
    ids(deal.players).sort(),
  ])
  expect(met).toEqual([
    ['1.1.1', [1, 2]],
    [null, [3, 4]],
  ])
})

it('a pause gives those whom it holds back from the queue to the queue', async () => {
  const { create, player, director, arena, settle } = await setUp()
  const id = await create({ showUp: 600_000 })
  const [a, b, stranger] = [player(1), player(2), player(3)]
  for (const { account } of [a, b]) await director.enter(account, id)
  await director.start(id)
  a.seek()
  stranger.seek()
  await settle()
  expect(arena.tables.size).toBe(0)
  await director.pause(id)
  await settle()
  expect([...arena.tables.values()].map(({ deal }) => deal.event)).toEqual([null])
})

it('house players are always there, and their matches are unrated', async () => {
  const { create, attend, player, director, arena, settle, housePlayers } = await setUp()
  const id = await create()
  await director.enter(houseAccount, id)
  await attend(id, player(1))
  await director.start(id)
  await settle()
  const [live] = [...arena.tables.values()]
  expect(live!.deal.unrated).toBe('an event match against the house')
  expect(rankedAccounts(live!.deal.players)).toEqual([1])
  expect(housePlayers.length).toBeGreaterThan(0)
})

it('a player that a protocol calls is seated without having asked, and results from elsewhere count', async () => {
  const { create, player, director, arena, settle, log } = await setUp()
  const id = await create({ protocol: 'league.v2' })
  const called = new Map([1, 2, 3, 4].map(number => [number, player(number)]))
  for (const { account } of called.values()) await director.enter(account, id)
  director.use({
    protocol: 'league.v2',
    playerFor: (_state, _round, _board, account) => called.get(account),
    takes: (_state, _round, board) => board === 2,
  })
  await director.start(id)
  await settle()
  expect([...arena.tables.values()].map(({ deal }) => deal.event?.board)).toEqual(['1.1.1'])
  const { round, board, accounts } = director.get(id)!.rounds[0]!.boards[1]!
  const result = { round, board, leg: 1, accounts, places: [2, 1], scores: [null, null] }
  expect(await director.report(id, result)).toBe(null)
  expect(await director.report(id, result)).toBe(null)
  expect(log.kinds(id).filter(kind => kind === 'played')).toHaveLength(1)
  expect(await director.report(id, { ...result, board: 9 })).toMatchObject({ code: 'event-state' })
})

it('a player that a protocol calls counts as present at check-in', async () => {
  const { create, player, director, clock, pass, log } = await setUp()
  const id = await create({
    ...{ protocol: 'league.v2', startsAt: clock.date() + 600_000, checkIn: 60_000 },
  })
  const called = [1, 2].map(number => player(number))
  for (const { account } of [...called, player(3)]) await director.enter(account, id)
  director.use({
    protocol: 'league.v2',
    playerFor: (_state, _round, _board, wanted) =>
      called.find(({ account }) => account.id === wanted),
    takes: () => false,
  })
  await pass(539_000)
  expect(log.kinds(id)).not.toContain('checked-in')
  await pass(61_000)
  expect(director.get(id)!.entrants.map(({ account }) => account)).toEqual([1, 2])
  expect(log.kinds(id).filter(kind => kind === 'checked-in')).toHaveLength(2)
})

it('a player that leaves while its board is opened loses that match alone', async () => {
  const { create, attend, player, director, settle, results } = await setUp()
  const id = await create()
  const [a, b] = [player(1), player(2)]
  await attend(id, a, b)
  const started = director.start(id)
  await started
  a.leave()
  await settle()
  expect(results().length).toBeLessThanOrEqual(1)
  expect(director.get(id)?.entrants.every(({ withdrawn }) => !withdrawn) ?? true).toBe(true)
})

it('an account may wait and play in no more seats than the limit', async () => {
  const { create, attend, player } = await setUp()
  const id = await create()
  const same = [1, 1, 1, 1].map(number => player(number))
  await attend(id, ...same.slice(0, 3))
  await attend(id, same[3]!)
  expect(same[3]!.messages).toMatchObject([{ kind: 'dismissed', code: 'too-many-matches' }])
})

it('an account that is paused is dismissed', async () => {
  const { create, attend, player, director, matchStore } = await setUp()
  const id = await create()
  const a = player(1)
  await attend(id, a)
  matchStore.pauses.set(1, { reason: 'a test', by: 'operator' })
  director.review()
  const again = player(1)
  await attend(id, again)
  for (const { messages } of [a, again])
    expect(messages).toMatchObject([{ kind: 'dismissed', code: 'paused' }])
})

it('the next event of a recurring one is made, once', async () => {
  const { director, log, pass, clock } = await setUp()
  log.lines.push(readRecurring('every day 18:00 UTC, arena, c4, 60 min'))
  await pass(120_000)
  expect(director.list().map(({ plan }) => [plan.id, plan.startsAt])).toEqual([
    ['c4-arena-2026-01-01', Date.UTC(2026, 0, 1, 18)],
  ])
  await pass(Date.UTC(2026, 0, 1, 18, 1) - clock.date())
  expect(director.list().map(({ plan }) => plan.id)).toEqual(['c4-arena-2026-01-02'])
  expect(log.kinds('c4-arena-2026-01-01')).toEqual(['created', 'cancelled'])
})

it('those who wait are told when the host stops, and nothing is held any more', async () => {
  const { create, attend, player, director, matchStore, arena, clock } = await setUp()
  const id = await create()
  const a = player(1)
  await attend(id, a)
  director.close()
  await arena.close(0)
  expect(a.kinds).toEqual(['closing'])
  expect([matchStore.held, clock.pending]).toEqual([0, 0])
  const late = player(2)
  await attend(id, late)
  expect(late.messages).toMatchObject([{ kind: 'dismissed', code: 'shutting-down' }])
})

it('the table of a settled board is what the operator has decided', async () => {
  const { create, attend, player, director } = await setUp()
  const id = await create()
  await attend(id, player(1), player(2), player(3))
  await director.start(id)
  const { round, board, accounts } = director.get(id)!.rounds[0]!.boards[0]!
  const decided = { round, board, places: [2, 1], absent: [], reason: 'a fault of the host' }
  expect(await director.settle(id, decided)).toBe(null)
  expect(await director.settle(id, { ...decided, board: 5 })).toMatchObject({
    code: 'event-state',
    detail: 'there is no pairing 1.5 in spring-cup',
  })
  expect(table(director.get(id)!)[0]!.account).toBe(accounts[1])
})

it('a listener hears each entry with the state that it has led to', async () => {
  const { director, create, attend, player } = await setUp()
  const told: unknown[] = []
  const stop = director.watch((state, { kind, number }) =>
    told.push([state.plan.id, kind, number, state.entries]),
  )
  const id = await create()
  await attend(id, player(1))
  stop()
  await attend(id, player(2))
  expect(told).toEqual([
    [id, 'created', 1, 1],
    [id, 'entered', 2, 2],
  ])
})

it('players of other games and ladders are left to the queue', async () => {
  const { create, player, director, arena, settle } = await setUp()
  const id = await create({ showUp: 600_000 })
  for (const number of [1, 2]) await director.enter(player(number).account, id)
  await director.start(id)
  const ladder = { speed: 'thinking', listing: 'open' } as const
  player(1).seek({ game: ttt, ladder })
  player(2).seek({ game: ttt, ladder })
  await settle()
  expect([...arena.tables.values()].map(({ deal }) => deal.event)).toEqual([null])
})
