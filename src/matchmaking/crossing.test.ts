// What crosses: a player that leaves while it is paired, a host that stops while a table opens.

import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { strictTerms } from '../../test/support/played.ts'
import { fc } from '../../test/support/properties.ts'
import { TestArena, type TestArenaOptions } from '../../test/support/test-arena.ts'
import type { News, Player } from '../arena/player.ts'
import { c4 } from '../games/c4.ts'
import type { Game } from '../games/game.ts'
import { ttt } from '../games/ttt.ts'
import type { Leave, SeekRequest } from './matchmaking.ts'

const game = ttt as Game

const setUp = (options: Partial<TestArenaOptions> = {}) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const arena = new TestArena({
    clock,
    matchStore,
    house: () => () => new Seeker(900),
    queueWait: 20_000,
    roll: () => 0,
    ...options,
  })
  return { clock, matchStore, arena }
}

/** A player that notes its news, and does this with each. */
class Seeker implements Player {
  readonly account
  readonly terms = strictTerms
  readonly kinds: News['kind'][] = []
  readonly news: News[] = []
  leave: Leave = () => {}
  heard: (news: News) => void = () => {}

  constructor(id: number) {
    this.account = { id, name: `agent-${id}`, kind: id < 900 ? 'player' : 'house' } as const
  }

  seek(arena: TestArena, request: Partial<SeekRequest> = {}): this {
    this.leave = arena.seek(this, { game, ...request })
    return this
  }

  tell(news: News): void {
    this.kinds.push(news.kind)
    this.news.push(news)
    this.heard(news)
  }
}

const settled = () => new Promise<void>(resolve => setImmediate(resolve))

it('nothing that is asked of the matchmaking is answered before the call returns', () => {
  const { arena, clock } = setUp()
  const asked: Partial<SeekRequest>[] = [
    {},
    { practice: 'easy' },
    { opponent: 'agent-1' },
    { ladder: 'none' },
  ]
  const seekers = asked.map((request, id) => {
    const seeker = new Seeker(id).seek(arena, request)
    expect(seeker.kinds).toEqual([])
    return seeker
  })
  FakeClock.finishTick()
  expect(seekers.map(({ kinds }) => kinds.slice(0, 2).join(' '))).toEqual([
    'queued seated',
    'queued seated',
    'queued',
    'queued seated',
  ])
  const before = seekers.map(({ kinds }) => kinds.length)
  for (const { leave } of seekers) leave()
  expect(seekers.map(({ kinds }) => kinds.length)).toEqual(before)
  clock.pass(60_000)
  expect(arena.waiting).toEqual([])
})

describe('a player that leaves', () => {
  it('before the answer came is told nothing, and is in no match', async () => {
    const { arena } = setUp()
    const [a, b] = [new Seeker(1).seek(arena), new Seeker(2).seek(arena)]
    a.leave()
    expect(arena.waiting).toHaveLength(1)
    expect([a.kinds, b.kinds]).toEqual([[], ['queued']])
  })

  it('when it is told that it waits does not wait', () => {
    const { arena, clock } = setUp()
    for (const request of [{}, { practice: 'easy' }, { opponent: 'agent-2' }]) {
      const a = new Seeker(1)
      a.heard = () => a.leave()
      a.seek(arena, request)
      expect([arena.waiting, arena.tables.size, a.kinds]).toEqual([[], 0, ['queued']])
    }
    expect(clock.pending).toBe(0)
  })

  it('after the request that pairs it was read, and before that was answered, is in no match', () => {
    const { arena } = setUp()
    const a = new Seeker(1).seek(arena)
    FakeClock.finishTick()
    const b = new Seeker(2).seek(arena)
    a.leave()
    expect([arena.tables.size, a.kinds, b.kinds]).toEqual([0, ['queued'], ['queued']])
  })

  it('when it has been paired, and before it is seated, loses that match properly', async () => {
    const { arena, matchStore } = setUp()
    const a = new Seeker(1).seek(arena)
    FakeClock.finishTick()
    const b = new Seeker(2)
    // It pairs both, and the table opens once it has returned.
    b.heard = ({ kind }) => {
      if (kind === 'queued') arena.matchmaking.seek(new Seeker(3), { game: c4 as Game })
    }
    const open = arena.open.bind(arena)
    arena.open = order => {
      const opened = open(order)
      a.leave()
      return opened
    }
    b.seek(arena)
    FakeClock.finishTick()
    expect(a.kinds).toEqual(['queued', 'seated', 'shown'])
    await settled()
    expect(b.news.at(-1)).toMatchObject({ kind: 'ended', outcome: { ending: 'gone' } })
    expect(matchStore.matches).toMatchObject([{ outcome: { ending: 'gone' } }])
    expect([arena.tables.size, arena.countSeats(1), arena.countSeats(2)]).toEqual([0, 0, 0])
  })

  it('when it is seated loses that match, and its opponent is told why', async () => {
    const { arena } = setUp()
    const a = new Seeker(1)
    a.heard = ({ kind }) => kind === 'seated' && a.leave('banned')
    a.seek(arena)
    const b = new Seeker(2).seek(arena)
    await settled()
    expect(b.news.at(-1)).toMatchObject({ outcome: { detail: 'banned by the operator' } })
  })
})

describe('a table that does not open', () => {
  it('because the host is stopping is told to all whom it was for', async () => {
    const { arena } = setUp()
    const [a, b] = [new Seeker(1).seek(arena), new Seeker(2)]
    FakeClock.finishTick()
    const open = arena.open.bind(arena)
    arena.open = order => {
      const opened = open(order)
      void arena.close(0)
      return opened
    }
    b.seek(arena)
    await settled()
    for (const { kinds, news } of [a, b]) {
      expect(kinds).toEqual(['queued', 'dismissed'])
      expect(news.at(-1)).toMatchObject({ code: 'shutting-down' })
    }
  })

  it('because of an internal error is told to all whom it was for, and is logged', async () => {
    const failures: unknown[] = []
    const { arena, matchStore } = setUp({ failed: error => failures.push(error) })
    const full = new Error('the disk is full')
    matchStore.begin = () => {
      throw full
    }
    const both = [new Seeker(1).seek(arena), new Seeker(2).seek(arena)]
    await settled()
    for (const { news } of both)
      expect(news.at(-1)).toMatchObject({ kind: 'dismissed', code: 'internal' })
    expect(failures).toEqual([full])
    expect([arena.waiting, arena.countSeats(1), arena.countSeats(2)]).toEqual([[], 0, 0])
  })
})

it('a player whose request causes an internal error is told so, and the others wait on', () => {
  const failures: unknown[] = []
  const { arena, matchStore } = setUp({ failed: error => failures.push(error) })
  const { firsts } = matchStore
  matchStore.firsts = () => {
    throw new Error('a bug')
  }
  const [a, b] = [new Seeker(1).seek(arena), new Seeker(2).seek(arena)]
  expect(arena.waiting.map(({ player }) => player)).toEqual([a])
  expect(b.news.at(-1)).toMatchObject({ kind: 'dismissed', code: 'internal' })
  expect(failures).toEqual([new Error('a bug')])
  matchStore.firsts = firsts
  new Seeker(3).seek(arena)
  expect(arena.tables.size).toBe(1)
  expect(a.kinds).toContain('seated')
})

it('a player that throws when its wait ends keeps no other from being told', () => {
  const failures: unknown[] = []
  const { arena, clock } = setUp({ failed: error => failures.push(error) })
  const wait = () => {
    const [a, b] = [new Seeker(1).seek(arena), new Seeker(1).seek(arena)]
    FakeClock.finishTick()
    a.heard = () => {
      throw new Error('a bug')
    }
    return b
  }
  const late = wait()
  clock.pass(200_000)
  expect(late.kinds).toEqual(['queued', 'unmatched'])
  const stopped = wait()
  arena.matchmaking.close()
  expect(stopped.kinds).toEqual(['queued', 'closing'])
  expect(failures).toEqual([new Error('a bug'), new Error('a bug')])
})

describe('any sequence of requests, departures, moves and pauses', () => {
  const accounts = [1, 2, 3, 4, 5]
  const account = fc.constantFrom(...accounts)
  const act = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('seek' as const),
        account,
        request: fc.constantFrom<Partial<SeekRequest>>(
          {},
          { game: c4 as Game },
          { practice: 'easy' },
          { opponent: 'agent-1' },
          { opponent: 'agent-2' },
          { ladder: 'none' },
        ),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('act' as const),
        what: fc.constantFrom('leave', 'resign', 'attach'),
        which: fc.nat(),
      }),
    },
    fc.record({ kind: fc.constant('pause' as const), account }),
    fc.record({ kind: fc.constant('unpause' as const), account }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(9_000) }),
    fc.record({ kind: fc.constant('tick' as const) }),
  )

  it('counts no seat twice and leaves none behind', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 60 }), async acts => {
        const limit = 4
        const { arena, clock, matchStore } = setUp({ seatsPerAccount: limit })
        const seekers: Seeker[] = []
        const check = () => {
          const { waiting, tables } = arena
          for (const id of accounts) {
            const waits = waiting.filter(({ player }) => player.account.id === id)
            const live = [...tables.values()].flatMap(({ deal }) =>
              deal.players.filter(player => player.account.id === id),
            )
            expect(arena.countSeats(id)).toBe(live.length)
            expect(arena.seatsOf(id)).toHaveLength(live.length)
            expect(waits.length + live.length).toBeLessThanOrEqual(limit)
            const players = [...waits.map(({ player }) => player), ...live]
            expect(new Set(players).size).toBe(players.length)
          }
        }
        for (const one of acts) {
          if (one.kind === 'seek') seekers.push(new Seeker(one.account).seek(arena, one.request))
          else if (one.kind === 'pause') {
            matchStore.pauses.set(one.account, { reason: 'a test', by: 'host' })
            arena.review()
          } else if (one.kind === 'unpause') matchStore.pauses.delete(one.account)
          else if (one.kind === 'pass') clock.pass(one.ms)
          else if (one.kind === 'tick') await settled()
          else {
            const seeker = seekers[one.which % seekers.length]
            if (one.what === 'leave') seeker?.leave()
            else if (one.what === 'resign') {
              const seated = seeker?.news.findLast(({ kind }) => kind === 'seated')
              if (seated?.kind === 'seated') seated.handle.resign()
            } else if (seeker !== undefined) {
              const [seat] = arena.seatsOf(seeker.account.id)
              seat?.attach(new Seeker(seeker.account.id))
            }
          }
          if (one.kind === 'tick') check()
        }
        check()
        const closed = arena.close(0)
        clock.pass(0)
        await closed
        check()
        expect([arena.waiting, arena.tables.size, clock.pending]).toEqual([[], 0, 0])
        for (const id of accounts) expect(arena.countSeats(id)).toBe(0)
        expect(matchStore.held).toBe(0)
        for (const { kinds } of seekers) {
          const seated = kinds.filter(kind => kind === 'seated').length
          expect(seated).toBeLessThanOrEqual(1)
          const last = kinds.filter(kind => kind === 'ended' || kind === 'aborted').length
          expect(last).toBeLessThanOrEqual(seated)
        }
      }),
      { numRuns: 200 },
    )
  })
})
