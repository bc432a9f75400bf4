import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { strictTerms } from '../../test/support/played.ts'
import { TestArena, type TestArenaOptions } from '../../test/support/test-arena.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import { agentsLadder } from '../arena/ladder.ts'
import { c4 } from '../games/c4.ts'
import { Dice } from '../games/dice.ts'
import type { Game } from '../games/game.ts'
import { ttt } from '../games/ttt.ts'
import { Queue } from './queue.ts'

const setUp = (options: Partial<TestArenaOptions> = {}) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const dice = Dice.fromSeed(1)
  const arena = new TestArena({
    clock,
    matchStore,
    house: () => () => ({
      account: { id: 999, name: 'house-easy', kind: 'house' },
      terms: strictTerms,
      tell: () => {},
    }),
    queueWait: 120_000,
    roll: n => dice.roll(n),
    ...options,
  })
  return { clock, matchStore, arena, player: (id: number) => new TestPlayer(arena, id) }
}

/** The pairs made when these accounts join one after the other and wait this long. Two others are already playing. */
const meet = (
  spent: ReadonlySet<string>,
  accounts: readonly number[],
  wait: number,
  inOrder = false,
) => {
  const clock = new FakeClock()
  const pairs: number[][] = []
  const queue = new Queue(
    clock,
    120_000,
    {
      penalty: () => 0,
      owner: account => account,
      capReached: (_, a, b) => spent.has([a, b].sort().join(' ')),
    },
    party => pairs.push(party.map(({ player }) => player.account.id).sort()),
  )
  queue.matchBegan(ttt, [8, 9])
  for (const id of accounts)
    queue.join({
      player: {
        account: { id, name: `agent-${id}`, kind: 'player' },
        terms: strictTerms,
        tell: () => {},
      },
      game: ttt,
      strength: 1500,
      opponent: null,
      ladder: agentsLadder('ttt'),
      rated: 'agents',
      inOrder,
      openings: false,
      table: null,
      since: clock.now(),
    })
  clock.pass(wait)
  return pairs
}

const settled = () => new Promise<void>(resolve => setImmediate(resolve))

/** Pairs two players and plays these moves. If the match does not end by them, the first player resigns. */
const play = async (
  agents: readonly [TestPlayer, TestPlayer],
  moves: readonly string[],
  game: Game = ttt,
) => {
  for (const agent of agents) agent.seek({ game })
  const inOrder = [...agents].sort((x, y) => x.seated!.seat - y.seated!.seat)
  for (const [turn, move] of moves.entries()) inOrder[turn % 2]!.seated!.handle.move(move)
  inOrder[0]!.seated!.handle.resign()
  await settled()
  return agents.map(({ seated, ended }) => ({
    first: seated!.seat === 0,
    before: seated!.unrated,
    after: ended!.unrated,
    change: ended!.change.change,
  }))
}

const winning = ['0', '3', '1', '4', '2']

describe('the daily cap of a pair', () => {
  it('a pair that has reached its daily cap plays unrated, and both are told when they are seated', async () => {
    const { player } = setUp({ pairCap: 3 })
    const pair = [player(1), player(2)] as const
    for (let i = 0; i < 3; i++)
      for (const { before, change } of await play(pair, winning)) {
        expect(before).toBeNull()
        expect(change).not.toBe(0)
      }
    for (const told of await play(pair, winning))
      expect(told).toMatchObject({
        before: 'a pair that has met too often today',
        after: 'a pair that has met too often today',
        change: 0,
      })
  })

  it('the cap counts each game by itself, and live matches too', async () => {
    const { player } = setUp({ pairCap: 1 })
    const [a, b, again, other] = [player(1).seek(), player(2).seek(), player(1), player(2)]
    expect([a.seated!.unrated, b.seated!.unrated]).toEqual([null, null])
    expect(again.seek({ game: c4 }).seated ?? other.seek({ game: c4 }).seated!.unrated).toBeNull()
    again.seek()
    expect(other.seek().seated!.unrated).toBe('a pair that has met too often today')
  })

  it('matchmaking avoids a pair that has reached its cap while another opponent waits', () => {
    const spent = new Set(['1 2'])
    const first = meet(spent, [1, 2], 2_000)
    expect(first).toEqual([])
    expect(meet(spent, [1, 2, 3], 0)).toEqual([[1, 3]])
    expect(meet(spent, [1, 2], 3_000)).toEqual([[1, 2]])
    // Where all pairs have reached the cap, they are paired without delay.
    expect(meet(new Set(['1 2', '1 8', '1 9', '2 8', '2 9']), [1, 2], 0)).toEqual([[1, 2]])
  })

  it('players that ask for opponents in order get the first that comes', () => {
    expect(meet(new Set(['1 2']), [1, 2, 3], 0, true)).toEqual([[1, 2]])
  })
})
