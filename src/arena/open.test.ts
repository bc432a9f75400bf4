import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { strictTerms } from '../../test/support/played.ts'
import { c4 } from '../games/c4.ts'
import type { Game } from '../games/game.ts'
import { ttt } from '../games/ttt.ts'
import { Arena } from './arena.ts'
import type { News, Player, SeatHandle } from './player.ts'

const setUp = () => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const failures: unknown[] = []
  const arena = new Arena({ clock, matchStore, failed: error => failures.push(error) })
  const told: (readonly [account: number, kind: string])[] = []
  const handles = new Map<number, SeatHandle>()
  const player = (id: number, heard: (news: News) => void = () => {}): Player => ({
    account: { id, name: `agent-${id}`, kind: 'player' },
    terms: strictTerms,
    tell: news => {
      told.push([id, news.kind])
      if (news.kind === 'seated') handles.set(id, news.handle)
      heard(news)
    },
  })
  return { clock, matchStore, arena, failures, told, handles, player }
}

const game = ttt as Game

describe('a match that is opened', () => {
  it('has the seats, the seed, the setup and the reason that were asked for', async () => {
    const { arena, matchStore, told, player } = setUp()
    const order = {
      game: c4 as Game,
      players: [player(7), player(3)],
      unrated: 'a casual match',
      seed: 42,
      setup: { pie: true },
    } as const
    const match = await arena.open(order)
    expect(match).toBe(1)
    expect(matchStore.matches).toMatchObject([
      { accounts: [7, 3], unrated: 'a casual match', seed: 42, setup: { pie: true } },
    ])
    expect(arena.tables.get(1)!.deal.players).toEqual(order.players)
    expect(told).toEqual([
      [7, 'seated'],
      [3, 'seated'],
      [7, 'shown'],
      [3, 'shown'],
    ])
  })

  it('has a new seed and the setup of its game unless others are asked for', async () => {
    const { arena, matchStore, player } = setUp()
    const pie: Game = { ...(c4 as Game), setup: { pie: true } }
    const players = [player(1), player(2)]
    await arena.open({ game: pie, players, unrated: null })
    await arena.open({ game: pie, players, unrated: null, setup: null })
    expect(matchStore.matches.map(({ setup }) => setup)).toEqual([{ pie: true }, null])
    expect(new Set(matchStore.matches.map(({ seed }) => seed)).size).toBe(2)
  })

  it('is refused while the host is stopping, and nobody is told of it', async () => {
    const { arena, told, player } = setUp()
    const opened = arena.open({ game, players: [player(1), player(2)], unrated: null })
    const closed = arena.close(0)
    expect(await opened).toMatchObject({ code: 'shutting-down' })
    await closed
    expect([told, arena.countSeats(1)]).toEqual([[], 0])
  })

  it.each<[string, (matchStore: MemoryMatchStore) => Partial<Game>]>([
    ['has too few players', () => ({ seats: { min: 3, max: 4 } })],
    [
      'has rules that cannot start',
      () => ({
        start: () => {
          throw new Error('a bug')
        },
      }),
    ],
    [
      'cannot be stored',
      matchStore => {
        matchStore.begin = () => {
          throw new Error('a bug')
        }
        return {}
      },
    ],
  ])('rejects if it %s, and holds no seats', async (_, spoil) => {
    const { arena, matchStore, told, player } = setUp()
    const order = {
      game: { ...game, ...spoil(matchStore) },
      players: [player(1), player(2)],
      unrated: null,
    }
    await expect(arena.open(order)).rejects.toThrow(/a bug|2 players cannot play ttt/)
    expect([told, arena.tables.size, arena.countSeats(1)]).toEqual([[], 0, 0])
  })

  it('is aborted if telling a player of its seat throws, and all others are told', async () => {
    const { arena, failures, told, player } = setUp()
    const deaf = player(1, ({ kind }) => {
      if (kind === 'seated') throw new Error('a bug')
    })
    await arena.open({ game, players: [deaf, player(2)], unrated: null })
    await new Promise(setImmediate)
    expect(failures).toEqual([new Error('a bug')])
    expect(told.at(-1)).toEqual([2, 'aborted'])
    expect([arena.tables.size, arena.countSeats(2)]).toEqual([0, 0])
  })
})

it('a player that throws when it is refused after the end harms no other match', async () => {
  const { arena, failures, handles, player } = setUp()
  const failing = player(1, ({ kind }) => {
    if (kind === 'refused') throw new Error('a bug')
  })
  await arena.open({ game, players: [failing, player(2)], unrated: null })
  handles.get(2)!.resign()
  handles.get(1)!.move('4')
  FakeClock.finishTick()
  expect(failures).toEqual([new Error('a bug')])
})

it('nothing that is asked of a match has an effect before the call returns', async () => {
  const { arena, told, handles, player } = setUp()
  const calls: string[] = []
  /** Makes a call, and notes whom it had told something by its return. */
  const silent = <T>(name: string, call: () => T): T => {
    const before = told.length
    const result = call()
    calls.push(`${name}: ${told.length - before}`)
    return result
  }
  const order = { game, players: [player(1), player(2)], unrated: null }
  await silent('open', () => arena.open(order))
  silent('move', () => handles.get(1)!.move('4'))
  silent('announce', () => handles.get(2)!.announceRandomMove())
  silent('move out of turn', () => handles.get(1)!.move('0'))
  FakeClock.finishTick()
  expect(told.splice(0).map(([id, kind]) => `${id} ${kind}`)).toEqual([
    ...['1 seated', '2 seated', '1 shown', '2 shown'],
    ...['1 shown', '2 shown'],
    ...['1 at-random', '2 at-random'],
    '1 refused',
  ])
  const newer = player(3)
  silent('attach', () => arena.seatsOf(1)[0]!.attach(newer))
  FakeClock.finishTick()
  silent('leave', () => arena.leave(order.players[1]!))
  silent('resign', () => handles.get(3)!.resign())
  silent('lost', () => handles.get(3)!.lost())
  expect(told.splice(0).map(([id, kind]) => `${id} ${kind}`)).toEqual([
    ...['1 replaced', '3 seated', '3 shown'],
  ])
  await new Promise(setImmediate)
  expect(arena.tables.size).toBe(0)
  expect(calls.map(call => call.split(': ')[1])).toEqual(calls.map(() => '0'))
})

it('a move has the time at which it was asked', () => {
  const { arena, clock, handles, player, matchStore } = setUp()
  void arena.open({ game, players: [player(1), player(2)], unrated: null })
  clock.pass(14_000)
  handles.get(1)!.move('4')
  clock.stall(60_000)
  FakeClock.finishTick()
  expect(arena.tables.get(1)!.moves).toEqual([[0, '4', 14_000]])
  expect(matchStore.matches[0]!.outcome).toBeNull()
})
