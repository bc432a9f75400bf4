import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { strictTerms } from '../../test/support/played.ts'
import { TestArena, type TestArenaOptions } from '../../test/support/test-arena.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import { agentsLadder, peopleLadder, standard, variants } from '../arena/ladder.ts'
import { ladderTerms } from '../arena/ladder-terms.ts'
import { listsMoves } from '../games/game.ts'
import { games } from '../games/index.ts'

const setUp = (options: Partial<TestArenaOptions> = {}) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const arena = new TestArena({
    clock,
    matchStore,
    house: () => () => ({
      account: { id: 99, name: 'house-level-1', kind: 'house' },
      terms: strictTerms,
      tell: () => {},
    }),
    queueWait: 120_000,
    roll: () => 0,
    ...options,
  })
  const player = (id: number, terms = strictTerms) => new TestPlayer(arena, id, { terms })
  return { clock, matchStore, arena, player }
}

const blind = { speed: 'fast', listing: 'blind' } as const
const thinking = { speed: 'thinking', listing: 'open' } as const
const thinkingBlind = { speed: 'thinking', listing: 'blind' } as const

describe('players of different ladders', () => {
  it('do not meet, however long they wait', () => {
    const { clock, arena, player } = setUp()
    const players = variants.map((ladder, i) => player(i).seek({ ladder }))
    clock.pass(60_000)
    expect(arena.tables.size).toBe(0)
    for (const [i, ladder] of variants.entries()) {
      const other = player(10 + i).seek({ ladder })
      expect(other.opponent).toBe(`Agent-${i}`)
      expect(players[i]!.opponent).toBe(`Agent-${10 + i}`)
    }
  })

  it('have matches that count on the ladder they asked for', () => {
    const { arena, matchStore, player } = setUp()
    for (const ladder of variants) {
      const [a, b] = [player(1).seek({ ladder }), player(2).seek({ ladder })]
      const { match } = a.seated!
      expect(arena.tables.get(match)!.deal.ladder).toBe(agentsLadder('ttt', ladder))
      expect([a, b].map(({ seated }) => seated!.unrated)).toEqual([null, null])
    }
    expect(matchStore.matches.map(({ ladder }) => ladder?.id)).toEqual([
      'ttt',
      'ttt+blind',
      'ttt+thinking',
      'ttt+thinking+blind',
    ])
  })

  it('who ask for nothing wait for the standard one', () => {
    const { player } = setUp()
    player(1).seek({ ladder: standard })
    expect(player(2).seek().opponent).toBe('Agent-1')
  })

  it("do not meet people, who play on the people's ladder alone", () => {
    const { arena, player } = setUp()
    const agent = player(1).seek({ ladder: thinking })
    const person = player(2).seek({ ladder: 'people' })
    expect([agent.kinds, person.kinds]).toEqual([[], []])
    const other = player(3).seek()
    expect(other.opponent).toBe('Agent-2')
    expect(arena.tables.get(other.seated!.match)!.deal.ladder).toBe(peopleLadder('ttt'))
  })

  it('meet people who ask for them, each by its own terms', () => {
    for (const [ladder, on] of [
      ['people', peopleLadder('ttt')],
      ['none', agentsLadder('ttt', thinking)],
    ] as const) {
      const { arena, player } = setUp()
      const terms = ladderTerms(thinking, 15_000)
      const agent = player(1, terms).seek({ ladder: thinking })
      player(2).seek({ ladder, meets: thinking })
      const { match, terms: of, seat } = agent.seated!
      expect(arena.tables.get(match)!.deal.ladder).toBe(on)
      expect([of[seat], of[1 - seat]]).toEqual([terms, strictTerms])
    }
  })

  it('do not meet by appointment', () => {
    const { arena, player } = setUp()
    player(1).seek({ ladder: thinking, opponent: 'Agent-2' })
    const other = player(2).seek({ ladder: blind, opponent: 'Agent-1' })
    expect(other.kinds).toEqual([])
    other.leave()
    expect(player(2).seek({ ladder: thinking, opponent: 'Agent-1' }).opponent).toBe('Agent-1')
    expect([...arena.tables.values()][0]!.deal).toMatchObject({
      ladder: { id: 'ttt+thinking' },
      unrated: 'a match by appointment',
    })
  })

  it('have their own cap on the matches of a pair in a day', () => {
    const { player } = setUp({ pairCap: 1 })
    const unrated = (ladder: (typeof variants)[number]) => {
      const [a, b] = [player(1).seek({ ladder }), player(2).seek({ ladder })]
      a.handle.resign()
      return b.seated!.unrated
    }
    expect([unrated(standard), unrated(thinking)]).toEqual([null, null])
    expect(unrated(standard)).toBe('a pair that has met too often today')
  })

  it('who practise play as on the ladder that they asked for', () => {
    const { arena, player } = setUp()
    const { seated } = player(1).seek({ ladder: thinkingBlind, practice: 'easy' })
    expect(arena.tables.get(seated!.match)!.deal.ladder.id).toBe('ttt+thinking+blind')
    expect(seated!.unrated).toBe('practice against the house')
  })
})

describe('on a blind ladder', () => {
  it('no seat and no spectator is given the legal moves, in no game', () => {
    const { arena, player } = setUp()
    for (const game of games) {
      const seats = typeof game.seats === 'number' ? game.seats : game.seats.max
      const open = Array.from({ length: seats }, (_, id) => player(id).seek({ game }))
      const closed = Array.from({ length: seats }, (_, id) =>
        player(id).seek({ game, ladder: blind }),
      )
      const lists = (players: readonly TestPlayer[]) =>
        players.map(
          ({ messages }) => 'legal' in messages.find(news => news.kind === 'shown')!.observation,
        )
      expect(lists(open), game.id).toEqual(open.map(() => listsMoves(game)))
      expect(lists(closed), game.id).toEqual(closed.map(() => false))
      const table = arena.tables.get(closed[0]!.seated!.match)!
      for (const viewer of ['audience', 'replay', 0] as const)
        expect('legal' in table.observe(viewer), game.id).toBe(false)
    }
  })

  it('the last board has no legal moves either', async () => {
    const { player } = setUp()
    const [a, b] = [player(1).seek({ ladder: blind }), player(2).seek({ ladder: blind })]
    a.handle.resign()
    await expect.poll(() => b.ended).toBeDefined()
    expect('legal' in b.ended!.observation).toBe(false)
  })

  it('two illegal moves of a match are told and cost nothing, and the third loses', async () => {
    const { player } = setUp()
    const terms = ladderTerms(blind, 15_000)
    const players = [
      player(1, terms).seek({ ladder: blind }),
      player(2, terms).seek({ ladder: blind }),
    ]
    const [first, second] = players.sort((a, b) => a.seated!.seat - b.seated!.seat)
    const retries = () =>
      first!.messages.flatMap(news => (news.kind === 'refused' ? [news.retries] : []))
    first!.handle.move('9')
    first!.handle.move('4')
    second!.handle.move('0')
    first!.handle.move('4')
    expect(retries()).toEqual([
      { made: 1, left: 2 },
      { made: 2, left: 1 },
    ])
    first!.handle.move('0')
    await expect.poll(() => first!.ended).toMatchObject({ outcome: { ending: 'illegal' } })
  })
})

describe('the terms of a ladder', () => {
  const seated = (ladder: (typeof variants)[number]) => {
    const { clock, arena, player } = setUp()
    const terms = ladderTerms(ladder, 15_000)
    const players = [player(1, terms).seek({ ladder }), player(2, terms).seek({ ladder })]
    const table = [...arena.tables.values()][0]!
    const [first, second] = players.sort((a, b) => a.seated!.seat - b.seated!.seat)
    return { clock, arena, table, first: first!, second: second! }
  }

  it('on a fast one a move has the time of the host, and a lost connection loses', async () => {
    const { table, first, second } = seated(standard)
    expect(table.clocks).toEqual([15_000, null])
    first.leave()
    await expect.poll(() => second.ended).toMatchObject({ outcome: { ending: 'gone' } })
  })

  it('on a thinking one a move has 20 s and a bank of 10 minutes', () => {
    const { clock, table, first } = seated(thinking)
    expect(table.clocks).toEqual([620_000, null])
    clock.pass(100_000)
    expect(table.clocks).toEqual([520_000, null])
    first.handle.move('4')
    FakeClock.finishTick()
    expect(table.clocks).toEqual([null, 620_000])
  })

  it('on a thinking one a seat may be absent for 2 minutes, and its clock runs', async () => {
    const { clock, table, first, second } = seated(thinking)
    first.leave()
    clock.pass(119_000)
    expect(table.clocks).toEqual([501_000, null])
    expect(second.kinds).toEqual(['seated', 'shown'])
    clock.pass(2_000)
    await expect.poll(() => second.ended).toMatchObject({ outcome: { ending: 'gone' } })
  })

  it('an illegal move loses at once where the legal moves are given', async () => {
    const { first } = seated(thinking)
    first.handle.move('9')
    await expect.poll(() => first.ended).toMatchObject({ outcome: { ending: 'illegal' } })
  })
})
