import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { strictTerms } from '../../test/support/played.ts'
import { TestArena, type TestArenaOptions } from '../../test/support/test-arena.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import { c4 } from '../games/c4.ts'
import { Dice } from '../games/dice.ts'
import { evenOdd } from '../games/even-odd.ts'
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
    house: () => ({
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
const meet = (spent: ReadonlySet<string>, accounts: readonly number[], wait: number) => {
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
      rating: 1500,
      opponent: null,
      ladder: 'game',
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
})

describe('duplicate matches', () => {
  it('duplicates are rated up to the daily cap, and unrated after that, which both are told at the end', async () => {
    const { player } = setUp({ copyCap: 2 })
    const pair = [player(1), player(2)] as const
    const told = []
    for (let i = 0; i < 6; i++) told.push(await play(pair, winning))
    // The seats take turns, so that there are two different matches.
    const rated = { before: null, after: null }
    for (const both of told.slice(0, 4)) for (const one of both) expect(one).toMatchObject(rated)
    for (const both of told.slice(4))
      for (const one of both)
        expect(one).toMatchObject({ before: null, after: 'a copy of earlier matches', change: 0 })
  })

  it('a match with another move or another end is no duplicate', async () => {
    const { player } = setUp({ copyCap: 1 })
    const pair = [player(1), player(2)] as const
    const courses = [winning, ['0', '3', '1', '4', '8'], ['0', '3', '1', '4'], ['0', '3']]
    for (const course of courses)
      for (let i = 0; i < 2; i++)
        for (const { after } of await play(pair, course)) expect(after).toBeNull()
  })

  it('a match of a game with luck is never a duplicate', async () => {
    const { player } = setUp({ copyCap: 1 })
    const pair = [player(1), player(2)] as const
    for (let i = 0; i < 6; i++)
      for (const { after } of await play(pair, [], evenOdd)) expect(after).toBeNull()
  })

  it('duplicates are also counted from matches saved by an earlier process', async () => {
    const { matchStore, player } = setUp({ copyCap: 2 })
    for (let i = 0; i < 4; i++) await play([player(1), player(2)], winning)
    const arena = new TestArena({
      clock: new FakeClock(),
      matchStore,
      house: () => undefined,
      queueWait: 1000,
      copyCap: 2,
    })
    const told = await play([new TestPlayer(arena, 1), new TestPlayer(arena, 2)], winning)
    for (const { after } of told) expect(after).toBe('a copy of earlier matches')
  })

  it.each<[string, (matchStore: MemoryMatchStore) => void]>([
    [
      'could not be kept',
      matchStore => {
        matchStore.broken = new Error('the disk is full')
      },
    ],
    [
      'turned out not to count when it was kept',
      matchStore => {
        const finish = matchStore.finish.bind(matchStore)
        matchStore.finish = (match, outcome, moves) =>
          finish(match, outcome, moves, 'one has gained enough from the other today')
      },
    ],
  ])('a match that %s does not count as an earlier duplicate', async (_, spoil) => {
    const { matchStore, player } = setUp({ copyCap: 1 })
    const pair = [player(1), player(2)] as const
    // Enough matches that the check for duplicates begins.
    for (const moves of [['0'], ['0'], ['8'], ['8']]) await play(pair, moves)
    const { finish } = matchStore
    spoil(matchStore)
    for (const agent of pair) agent.seek()
    pair.find(({ seated }) => seated!.seat === 0)!.seated!.handle.resign()
    await settled()
    Object.assign(matchStore, { broken: null, finish })
    // The same matches again, with both orders of the seats, and once more.
    for (const copy of [false, false, true])
      for (const { after } of await play(pair, []))
        expect(after).toBe(copy ? 'a copy of earlier matches' : null)
  })
})

describe('agents of one owner', () => {
  it('agents of one owner are never paired for a rated match, in ten thousand pairings', async () => {
    const { clock, matchStore, player } = setUp()
    // Five owners with three agents each, an owner that plays too, and three agents without an owner.
    for (let id = 0; id < 15; id++) matchStore.owners.set(id, 100 + (id % 5))
    const ids = [...Array.from({ length: 15 }, (_, id) => id), 100, 20, 21, 22]
    const dice = Dice.fromSeed(3)
    const four: Game = { ...(ttt as Game), id: 'four', seats: 4 }
    const agents = ids.map(player)
    const isFree = new Set(agents)
    while (matchStore.matches.length < 10_000) {
      for (const agent of agents) {
        if (!isFree.has(agent) || dice.next() < 0.3) continue
        isFree.delete(agent)
        agent.seek({ game: dice.next() < 0.1 ? four : ttt })
      }
      clock.pass(200)
      for (const agent of agents) {
        const seated = agent.seated
        if (seated !== undefined && dice.next() < 0.5) seated.handle.resign()
      }
      await settled()
      for (const agent of agents) {
        const isOver =
          agent.ended !== undefined || agent.messages.some(({ kind }) => kind === 'unmatched')
        if (isOver) isFree.add(agent)
      }
    }
    for (const { accounts } of matchStore.matches) {
      const families = accounts.map(id => matchStore.family(id))
      expect(new Set(families).size).toBe(accounts.length)
    }
    expect(matchStore.matches.some(({ accounts }) => accounts.length === 4)).toBe(true)
  }, 60_000)

  it('agents of one owner wait for other opponents, and are told when the wait times out', () => {
    const { clock, matchStore, player } = setUp({ queueWait: 5_000 })
    matchStore.owners.set(1, 7).set(2, 7)
    const [a, b, owner] = [player(1).seek(), player(2).seek(), player(7).seek()]
    clock.pass(5_000)
    for (const { messages } of [a, b, owner])
      expect(messages).toEqual([{ kind: 'unmatched', onlyOwn: true }])
    a.seek()
    const stranger = player(3).seek()
    expect(stranger.seated).toBeDefined()
    const lone = player(4).seek()
    clock.pass(5_000)
    expect(lone.messages).toEqual([{ kind: 'unmatched', onlyOwn: false }])
  })

  it('the owner at the time of the pairing counts, not the owner at the time of the join', async () => {
    const { arena, clock, matchStore, player } = setUp({ queueWait: 60_000, pairCap: 1 })
    matchStore.owners.set(1, 7).set(2, 7)
    const freed = [player(1).seek(), player(2).seek()]
    clock.pass(1_000)
    matchStore.owners.clear()
    arena.review()
    clock.pass(1_000)
    for (const { seated } of freed) expect(seated).toMatchObject({ unrated: null })

    // Two accounts that have reached their daily cap, while others play.
    const strangers = [player(3), player(4)] as const
    await play(strangers, [], c4)
    for (const other of [player(8), player(9)]) other.seek({ game: c4 })
    for (const stranger of strangers) stranger.seek({ game: c4 })
    clock.pass(1_000)
    matchStore.owners.set(3, 7).set(4, 7)
    arena.review()
    clock.pass(60_000)
    for (const { messages } of strangers)
      expect(messages).toEqual([{ kind: 'unmatched', onlyOwn: true }])
  })

  it('agents of one owner may play each other unrated', () => {
    const { matchStore, player } = setUp()
    matchStore.owners.set(1, 7)
    const [agent, owner] = [player(1), player(7)]
    agent.seek({ opponent: 'agent-7' })
    expect(owner.seek({ opponent: 'agent-1' }).seated!.unrated).toBe('a match by appointment')
    const [another, person] = [player(1).seek({ game: c4 }), player(7)]
    person.seek({ game: c4, ladder: 'none' })
    expect(another.seated!.unrated).toBe('a casual match')
  })
})

describe('a paused account', () => {
  it('a paused account is refused with the reason and the way to un-pause, and may practise', () => {
    const { matchStore, player } = setUp({
      unpauseCommand: ({ name }) => `ssh ${name}@bbs unpause`,
    })
    matchStore.pauses.set(1, { reason: 'it stalls', by: 'host' })
    const agent = player(1)
    for (const request of [{}, { opponent: 'agent-2' }]) {
      const [refused] = agent.seek(request).messages
      expect(refused).toMatchObject({ code: 'paused' })
      expect(refused).toHaveProperty(
        'detail',
        expect.stringMatching(/Agent-1 is paused: it stalls\. Practice.* ssh Agent-1@bbs unpause/),
      )
    }
    matchStore.pauses.set(1, { reason: 'it stalls', by: 'operator' })
    expect(agent.seek().messages[0]).toHaveProperty(
      'detail',
      expect.stringMatching(/it stalls\. Practice.* The operator alone lets it play others again$/),
    )
    expect(agent.seek({ practice: 'easy' }).seated!.unrated).toBe('practice against the house')
    matchStore.pauses.clear()
    expect(agent.seek().messages).toEqual([])
  })

  it('a waiting player whose account is paused is dismissed, and its live matches go on', () => {
    const { arena, clock, matchStore, player } = setUp()
    const [a, b] = [player(1).seek(), player(2).seek()]
    const waiting = [player(1).seek({ game: c4 }), player(3).seek({ game: evenOdd })]
    matchStore.pauses.set(1, { reason: 'the operator has paused it', by: 'operator' })
    arena.review()
    expect(waiting.map(({ messages }) => messages.map(({ kind }) => kind))).toEqual([
      ['dismissed'],
      [],
    ])
    expect(arena.waiting).toHaveLength(1)
    a.seated!.handle.move('4')
    expect([a.ended, b.ended, arena.tables.size]).toEqual([undefined, undefined, 1])
    clock.pass(1_000_000)
  })

  it('a match that pauses an account also ends its other waits', async () => {
    const { matchStore, player } = setUp()
    const both = [player(1).seek(), player(2).seek()]
    const [faulty, other] = both.sort((a, b) => a.seated!.seat - b.seated!.seat)
    const waiting = player(faulty!.account.id).seek({ game: c4 })
    const others = player(other!.account.id).seek({ game: evenOdd })
    const finish = matchStore.finish.bind(matchStore)
    matchStore.finish = (...args) => {
      matchStore.pauses.set(faulty!.account.id, { reason: 'it keeps failing', by: 'host' })
      return finish(...args)
    }
    faulty!.seated!.handle.move('nonsense')
    await settled()
    expect(faulty!.ended!.outcome.ending).toBe('illegal')
    expect(waiting.messages).toMatchObject([{ kind: 'dismissed', code: 'paused' }])
    expect(others.messages).toEqual([])
  })
})

describe('a few accounts that keep playing', () => {
  it.each([3, 4, 5, 6])(
    '%i accounts that keep playing wait no longer than a match takes',
    async count => {
      const { clock, player } = setUp()
      const dice = Dice.fromSeed(9)
      const agents = Array.from({ length: count }, (_, id) => player(id))
      const since = new Map<TestPlayer, number>()
      const waits: number[] = []
      const due = new Map<TestPlayer, number>()
      const ready = (agent: TestPlayer) => {
        since.set(agent, clock.now())
        agent.seek()
      }
      for (const agent of agents) ready(agent)
      while (waits.length < 2_000) {
        clock.pass(20)
        for (const agent of agents)
          if (agent.seated !== undefined && since.has(agent)) {
            waits.push(clock.now() - since.get(agent)!)
            since.delete(agent)
            if (agent.seated.seat === 0) due.set(agent, clock.now() + 500 + dice.roll(1000))
          }
        for (const [agent, at] of due)
          if (at <= clock.now()) {
            due.delete(agent)
            const { match } = agent.seated!
            const both = agents.filter(({ seated }) => seated?.match === match)
            both[dice.roll(2)]!.seated!.handle.resign()
            await settled()
            for (const one of both) ready(one)
          }
      }
      expect(Math.max(...waits)).toBeLessThan(2_000)
    },
  )
})
