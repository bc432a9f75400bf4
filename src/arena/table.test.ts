import { expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { strictTerms } from '../../test/support/played.ts'
import { Dice } from '../games/dice.ts'
import { ttt } from '../games/ttt.ts'
import { unmetered } from '../meter.ts'
import { Arena } from './arena.ts'
import { lag } from './clocks.ts'
import type { Player, PlayerMessage, SeatHandle } from './player.ts'
import type { Terms } from './terms.ts'

/** A table with two players. `messages` returns what each seat was told since the last call. */
const tableWith = (terms: Terms) => {
  const clock = new FakeClock()
  const dice = Dice.fromSeed(1)
  const arena = new Arena({
    clock,
    matchStore: new MemoryMatchStore(),
    house: () => undefined,
    levels: () => [],
    queueWait: 1e6,
    copyCap: 0,
    failed: error => {
      throw error
    },
    roll: n => dice.roll(n),
    meter: unmetered,
  })
  const handles: SeatHandle[] = []
  const told: PlayerMessage[][] = [[], []]
  for (const id of [1, 2]) {
    let seat = 0
    const player: Player = {
      account: { id, name: `Agent-${id}`, kind: 'player' },
      terms,
      tell: message => {
        if (message.kind === 'seated') {
          seat = message.seat
          handles[seat] = message.handle
        }
        told[seat]!.push(message)
      },
    }
    arena.seek(player, { game: ttt }, () => {})
  }
  const messages = () => told.map(to => to.splice(0))
  messages()
  const [table] = arena.tables.values()
  return { clock, handles, messages, table: table! }
}

it('a player is told how many retries an illegal move leaves, and its opponent is told nothing', () => {
  const { handles, messages } = tableWith({
    ...strictTerms,
    illegal: { retries: 2, counted: 'in a row', penalty: 'forfeit' },
  })
  handles[0]!.move('x')
  expect(messages()).toEqual([
    [expect.objectContaining({ code: 'illegal-move', retries: { made: 1, left: 2 } })],
    [],
  ])
})

it('a player is told of its strike and of its new clock', () => {
  const { clock, messages } = tableWith({
    ...strictTerms,
    late: { strikes: 3, counted: 'in all', next: { clock: 7_000 } },
  })
  clock.pass(15_000 + lag)
  expect(messages()[0]).toEqual([
    { kind: 'strike', strikes: 1, of: 3 },
    expect.objectContaining({ kind: 'shown', yourTurn: true, timeLeft: 7_000 }),
  ])
})

it('the opponent is told of an absence and of the return, and all players are told of the clocks', () => {
  const { clock, handles, messages, table } = tableWith({
    ...strictTerms,
    away: {
      stages: [
        { time: 15_000, play: 'stands' },
        { time: 15_000, play: 'stands', told: true },
      ],
      times: 5,
    },
  })
  clock.pass(5_000)
  handles[1]!.lost()
  expect(messages()).toEqual([
    [{ kind: 'clocks', play: 'stands', timeLeft: 10_000 }],
    [{ kind: 'clocks', play: 'stands', timeLeft: null }],
  ])
  clock.pass(15_000 + lag)
  expect(messages()).toEqual([[{ kind: 'away', seat: 1, grace: 15_000 }], []])
  clock.pass(1_000)
  handles[1]!.back()
  expect(messages()).toEqual([
    [
      { kind: 'back', seat: 1 },
      { kind: 'clocks', play: 'runs', timeLeft: 10_000 },
    ],
    [
      { kind: 'clocks', play: 'runs', timeLeft: null },
      expect.objectContaining({ kind: 'shown', yourTurn: false }),
    ],
  ])
  clock.pass(10_000 - 1)
  expect(table.clocks).toEqual([1, null])
  clock.pass(1 + lag)
  expect(table.clocks).toEqual([null, null])
})

it('a handle that a newer connection has replaced cannot lose the seat', () => {
  const { handles, messages, table } = tableWith(strictTerms)
  const newer = handles[0]!.back()
  const newest = newer.back()
  handles[0]!.lost()
  newer.lost()
  newest.move('4')
  expect(table.moves).toHaveLength(1)
  newest.lost()
  messages()
  newest.move('0')
  expect(messages()[0]).toMatchObject([{ kind: 'refused', detail: 'the match is over' }])
})

it('a paused table tells all players, stops their clocks, and shows the board when it is resumed', () => {
  const { clock, messages, table } = tableWith(strictTerms)
  clock.pass(5_000)
  table.pause()
  clock.pass(1e6)
  expect(messages()).toEqual([
    [{ kind: 'clocks', play: 'paused', timeLeft: 10_000 }],
    [{ kind: 'clocks', play: 'paused', timeLeft: null }],
  ])
  expect(table.clocks).toEqual([10_000, null])
  table.resume()
  expect(messages()[0]).toEqual([
    { kind: 'clocks', play: 'runs', timeLeft: 10_000 },
    expect.objectContaining({ kind: 'shown', yourTurn: true, timeLeft: 10_000 }),
  ])
})
