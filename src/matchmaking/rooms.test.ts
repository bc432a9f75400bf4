import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { TestArena, type TestArenaOptions } from '../../test/support/test-arena.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import { hubProtocol } from '../arena/player.ts'
import { roomOf } from '../arena/room-setup.ts'
import { bazaar } from '../games/bazaar.ts'
import { chess } from '../games/chess.ts'
import { debateTopics } from '../games/debate-topics.ts'
import { Dice } from '../games/dice.ts'
import type { Game } from '../games/game.ts'
import { go9 } from '../games/go.ts'
import type { RoomEvent, RoomId, RoomTable } from './rooms.ts'
import { roomIds, withFewOver } from './rooms.ts'

interface HostOptions extends Partial<TestArenaOptions> {
  /** The seed of every match. */
  readonly seed?: number
}

const setUp = ({ seed = 4, rooms, ...options }: HostOptions = {}) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const dice = Dice.fromSeed(1)
  const failures: unknown[] = []
  const arena = new TestArena({
    clock,
    matchStore,
    house: () => undefined,
    queueWait: 120_000,
    failed: error => failures.push(error),
    rooms: { roll: n => (n === 2 ** 32 ? seed : dice.roll(n)), ...rooms },
    ...options,
  })
  const events: RoomEvent[] = []
  arena.rooms.watch(event => events.push(event))
  const player = (id: number, how: ConstructorParameters<typeof TestPlayer>[2] = {}) =>
    new TestPlayer(arena, id, how)
  /** The table of a room with a free seat, of this title. */
  const free = (room: RoomId, title?: string): RoomTable => {
    const table = arena.rooms
      .tables(room)
      .find(
        ({ status, seats, prompt }) =>
          status === 'waiting' && seats.includes(null) && prompt.title === (title ?? prompt.title),
      )
    if (table === undefined) throw new Error(`no free table in ${room}`)
    return table
  }
  const sit = (player: TestPlayer, table: RoomTable) => {
    const refusal = arena.rooms.sit(player, table.id)
    FakeClock.finishTick()
    return refusal
  }
  /** Seats these two at a table, and lets it count down. */
  const meet = (one: TestPlayer, two: TestPlayer, table: RoomTable): RoomTable => {
    expect([sit(one, table), sit(two, table)]).toEqual([null, null])
    clock.pass(3_000)
    return table
  }
  const kinds = () => events.map(({ kind }) => kind).filter(kind => kind !== 'changed')
  return {
    clock,
    matchStore,
    arena,
    rooms: arena.rooms,
    events,
    kinds,
    failures,
    player,
    ...{ free, sit, meet },
  }
}

/** Makes an account stronger, by so many wins. */
const lift = async (matchStore: MemoryMatchStore, account: number, wins: number) => {
  for (let i = 0; i < wins; i++) {
    const accounts = [account, 1000 + i]
    const match = matchStore.begin({
      game: 'chess',
      seed: 1,
      accounts,
      unrated: null,
      startedAt: 0,
    })
    const outcome = { ending: 'rules', places: [1, 2], faults: [null, null], detail: '' } as const
    await matchStore.finish(match, outcome, [])
  }
}

const settled = () => new Promise<void>(resolve => setImmediate(resolve))

const names = ({ seats }: RoomTable) => seats.map(sitter => sitter?.player.account.name ?? null)

describe('the tables of a room', () => {
  it('have one with two free seats for each prompt from the start', () => {
    const { rooms } = setUp()
    const titles = roomIds.map(room => rooms.tables(room).map(({ prompt }) => prompt.title))
    expect([titles[0], titles[1], titles[4]]).toEqual([
      ['Classical', 'Blitz'],
      ['Go 9x9'],
      ['Bazaar'],
    ])
    expect(titles.slice(2, 4).map(topics => new Set(topics).size)).toEqual([3, 3])
    expect(titles[2]!.every(topic => debateTopics.includes(topic))).toBe(true)
    for (const room of roomIds)
      for (const table of rooms.tables(room)) {
        expect(table).toMatchObject({ room, status: 'waiting', seats: [null, null], match: null })
        expect(table.id).toMatch(/^t-[a-z]{8}$/)
        expect(rooms.table(table.id)).toBe(table)
      }
  })

  it('keep one free table for each prompt, whatever is sat at, left, begun and ended', async () => {
    const { clock, rooms, player, free, sit } = setUp()
    const check = () => {
      for (const room of roomIds) {
        const open = rooms
          .tables(room)
          .filter(({ status, seats }) => status === 'waiting' && seats.includes(null))
        const lone = open.filter(({ seats }) => seats.some(seat => seat !== null))
        const prompts = open
          .filter(table => !lone.includes(table))
          .map(({ prompt }) => prompt.title)
        expect(new Set(open.map(({ prompt }) => prompt.title)).size).toBe(
          { chess: 2, go: 1, regular_debate: 3, spicy_debate: 3, trade_deal: 1 }[room],
        )
        expect(new Set(prompts).size).toBe(prompts.length)
      }
    }
    const dice = Dice.fromSeed(7)
    const players = Array.from({ length: 12 }, (_, id) => player(id + 1))
    for (let i = 0; i < 400; i++) {
      const one = dice.pick(players)
      const table = free(dice.pick(roomIds))
      if (dice.roll(3) === 0) rooms.leave(one)
      else sit(one, table)
      clock.pass(dice.roll(4_000))
      if (dice.roll(20) === 0) await settled()
      check()
    }
    expect(
      roomIds.some(room => rooms.tables(room).some(({ status }) => status === 'finished')),
    ).toBe(true)
  })

  it('a debate that begins leaves its place to a table with another topic', () => {
    const { rooms, player, meet } = setUp()
    const before = rooms.tables('regular_debate')
    const used = meet(player(1), player(2), before[1]!)
    const after = rooms.tables('regular_debate').filter(({ status }) => status === 'waiting')
    expect(after.map(({ id }) => id)).toContain(before[0]!.id)
    expect(after.map(({ id }) => id)).toContain(before[2]!.id)
    expect(after).toHaveLength(3)
    expect(after.map(({ prompt }) => prompt.title)).not.toContain(used.prompt.title)
    expect(used.prompt.setup).toEqual({ topic: used.prompt.title })
  })

  it('that are over are shown to people as the newest five alone', () => {
    const table = (id: string, status: RoomTable['status']) => ({ id, status }) as RoomTable
    const over = [1, 2, 3, 4, 5, 6, 7].map(n => table(`over ${n}`, 'finished'))
    const shown = withFewOver([table('free', 'waiting'), table('live', 'in_match'), ...over])
    expect(shown.map(({ id }) => id)).toEqual([
      ...['free', 'live'],
      ...[1, 2, 3, 4, 5].map(n => `over ${n}`),
    ])
  })

  it('are listed for 5 minutes after their match', async () => {
    const { clock, rooms, player, free, meet } = setUp()
    const [one, two] = [player(1), player(2)]
    const table = meet(one, two, free('go'))
    expect(table.status).toBe('in_match')
    one.handle.resign()
    FakeClock.finishTick()
    await settled()
    expect(rooms.table(table.id)).toMatchObject({ status: 'finished' })
    expect(names(table)).toEqual(['Agent-1', 'Agent-2'])
    clock.pass(299_999)
    expect(rooms.tables('go')).toHaveLength(2)
    clock.pass(1)
    expect(rooms.table(table.id)).toBeUndefined()
    expect(rooms.tables('go')).toHaveLength(1)
  })

  it('show what their sitters are rated on the standard ladder and in the room, and after the match what it made of that', async () => {
    const { player, free, meet } = setUp()
    const [one, two] = [player(1), player(2)]
    const table = meet(one, two, free('chess', 'Blitz'))
    expect(table.seats.map(seat => seat?.rating)).toEqual([1500, 1500])
    expect(table.seats.map(seat => seat?.elo)).toEqual([1200, 1200])
    two.handle.resign()
    FakeClock.finishTick()
    await settled()
    const after = [one, two].map(({ ended }) => ended!.change.rating)
    expect(after[1]).toBe(1484)
    expect(table.seats.map(seat => seat?.rating)).toEqual(after)
    expect(table.seats.map(seat => seat?.elo)).toEqual([1216, 1184])
  })
})

describe('the countdown', () => {
  it('begins with the second player, and opens the match of the number that it told after 3 s', () => {
    const { clock, arena, events, kinds, player, free, sit } = setUp()
    const table = free('chess', 'Classical')
    const [one, two] = [player(1), player(2)]
    sit(one, table)
    expect(table.match).toBeNull()
    sit(two, table)
    expect(events.find(({ kind }) => kind === 'countdown')).toMatchObject({ match: 1, seconds: 3 })
    expect(table).toMatchObject({ status: 'waiting', match: 1 })
    clock.pass(2_999)
    expect([one.kinds, two.kinds]).toEqual([[], []])
    clock.pass(1)
    expect(kinds()).toEqual(['seated', 'seated', 'countdown', 'began'])
    expect(one.seated).toMatchObject({
      match: 1,
      game: chess,
      unrated: null,
      ladder: { id: 'chess' },
    })
    expect([...arena.tables.keys()]).toEqual([1])
    expect(table.status).toBe('in_match')
  })

  it('keeps its number when other matches begin meanwhile', () => {
    const { clock, arena, matchStore, player, free, sit } = setUp()
    const [one, two] = [player(1), player(2)]
    sit(one, free('go'))
    sit(two, free('go'))
    player(3).seek()
    player(4).seek()
    clock.pass(3_000)
    expect([...arena.tables].map(([id, { deal }]) => [id, deal.game.id])).toEqual([
      [2, 'ttt'],
      [1, 'go9'],
    ])
    expect(one.seated!.match).toBe(1)
    expect(matchStore.reserve()).toBe(3)
  })

  it('ends when one of the two leaves; the other sits on, and the next one counts anew', () => {
    const { clock, arena, events, rooms, player, free, sit } = setUp()
    const table = free('trade_deal')
    const [one, two, three] = [player(1), player(2), player(3)]
    sit(one, table)
    sit(two, table)
    expect(free('trade_deal')).not.toBe(table)
    clock.pass(2_000)
    rooms.leave(one)
    expect(events.slice(-4).map(({ kind }) => kind)).toEqual([
      'changed',
      'freed',
      'cancelled',
      'changed',
    ])
    expect([names(table), table.match]).toEqual([[null, 'Agent-2'], null])
    expect(free('trade_deal')).toBe(table)
    clock.pass(5_000)
    expect(arena.tables.size).toBe(0)
    sit(three, table)
    expect([names(table), table.match]).toEqual([['Agent-3', 'Agent-2'], 2])
    clock.pass(3_000)
    expect(two.opponent).toBe('Agent-3')
    expect(one.kinds).toEqual([])
  })

  it('that ends brings two together that would wait for each other at two tables', () => {
    const { clock, rooms, player, free, sit } = setUp()
    const [one, two, three] = [player(1), player(2), player(3)]
    const table = free('go')
    sit(one, table)
    sit(two, table)
    sit(three, free('go'))
    rooms.leave(one)
    expect([names(table), table.match]).toEqual([['Agent-3', 'Agent-2'], 2])
    expect(rooms.tables('go').map(names)).toEqual([
      [null, null],
      ['Agent-3', 'Agent-2'],
    ])
    clock.pass(3_000)
    expect([two.opponent, three.opponent]).toEqual(['Agent-3', 'Agent-2'])
  })

  it('that ends leaves two of one owner, and two with other topics, where they are', () => {
    const { matchStore, rooms, player, free, sit } = setUp()
    matchStore.owners.set(2, 9).set(3, 9)
    const leaveAlone = (table: RoomTable, beside: () => RoomTable) => {
      const [one, two, three] = [player(1), player(2), player(3)]
      sit(one, table)
      sit(two, table)
      const other = beside()
      sit(three, other)
      rooms.leave(one)
      expect([names(table), names(other)]).toEqual([
        [null, 'Agent-2'],
        ['Agent-3', null],
      ])
      rooms.leave(two)
      rooms.leave(three)
    }
    leaveAlone(free('go'), () => free('go'))
    matchStore.owners.clear()
    const debate = free('regular_debate')
    leaveAlone(debate, () => rooms.tables('regular_debate').find(({ seats }) => !seats[0])!)
  })

  it('gives the seats free again, and tells both, where the match cannot be opened', async () => {
    const { clock, arena, matchStore, kinds, failures, player, free, sit } = setUp()
    const table = free('go')
    const [one, two] = [player(1), player(2)]
    sit(one, table)
    sit(two, table)
    const full = new Error('the disk is full')
    matchStore.begin = () => {
      throw full
    }
    clock.pass(3_000)
    await settled()
    expect([one.messages, two.messages]).toEqual(
      Array.from({ length: 2 }, () => [
        expect.objectContaining({ kind: 'dismissed', code: 'internal' }),
      ]),
    )
    expect(failures).toEqual([full])
    expect(kinds().slice(-3)).toEqual(['freed', 'freed', 'cancelled'])
    expect([names(table), table.match, matchStore.held]).toEqual([[null, null], null, 0])
    expect([sit(one, table), arena.waiting.length]).toEqual([null, 1])
  })

  it('is not begun where no number can be reserved: both are told, and the table is free', () => {
    const { matchStore, failures, player, free, sit } = setUp()
    const table = free('go')
    const [one, two] = [player(1), player(2)]
    matchStore.reserve = () => {
      throw new Error('no number')
    }
    sit(one, table)
    sit(two, table)
    expect([one.kinds, two.kinds]).toEqual([['dismissed'], ['dismissed']])
    expect(failures).toHaveLength(1)
    expect([names(table), matchStore.held]).toEqual([[null, null], 0])
  })

  it('a player that leaves once the match has begun has lost its connection to it', async () => {
    const { rooms, player, free, meet } = setUp()
    const [one, two] = [player(1), player(2)]
    meet(one, two, free('go'))
    rooms.leave(one)
    FakeClock.finishTick()
    await settled()
    expect(two.ended!.outcome).toMatchObject({ ending: 'gone', places: [2, 1] })
  })
})

describe('the coin of a table', () => {
  // By §10 of AGON: the first draw of the seed, 0 where participant_1 goes first.
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [2, [1, 0]],
    [3, [1, 0]],
    [4, [0, 1]],
    [0x9e3779b9, [0, 1]],
    [0xffffffff, [1, 0]],
  ] as const)(
    'falls for the seed %i so that the participants have the seats %j',
    (seed, participants) => {
      const { arena, matchStore, player, free, meet } = setUp({ seed })
      const [one, two] = [player(1), player(2)]
      const table = meet(one, two, free('chess', 'Blitz'))
      expect([one.seated!.seat, two.seated!.seat]).toEqual(participants)
      const { deal } = arena.tables.get(1)!
      expect(deal.seed).toBe(seed)
      expect(deal.setup).toEqual({
        room: { id: 'chess', table: table.id, title: 'Blitz', participants },
      })
      expect(roomOf(matchStore.matches[0]!.setup!)).toEqual(deal.setup!.room)
    },
  )

  it.each([0, 2])('is thrown by Bazaar itself, where seat 0 is participant_1 (seed %i)', seed => {
    const { arena, player, free, meet } = setUp({ seed })
    const [one, two] = [player(1), player(2)]
    meet(one, two, free('trade_deal'))
    expect([one.seated!.seat, two.seated!.seat]).toEqual([0, 1])
    // The oldest rules of Bazaar, whose first draw is the same coin.
    expect(arena.tables.get(1)!.observation).toMatchObject({ first: seed === 0 ? 0 : 1 })
    expect(arena.tables.get(1)!.deal.setup).not.toHaveProperty('goals')
  })
})

describe('sitting down', () => {
  it('is refused at a table that is not there, is full, or for another game', () => {
    const { clock, rooms, player, free, sit } = setUp()
    const go = free('go')
    expect(rooms.sit(player(9), 't-nowhere')).toEqual({
      code: 'no-such-table',
      detail: 'there is no table "t-nowhere"',
    })
    sit(player(1), go)
    sit(player(2), go)
    expect(sit(player(3), go)).toEqual({
      code: 'seat-taken',
      detail: `both seats of the table ${go.id} are taken`,
    })
    clock.pass(3_000)
    expect(sit(player(3), go)?.code).toBe('seat-taken')
    expect(player(3).seek({ game: chess, table: free('go').id }).messages).toEqual([
      {
        kind: 'dismissed',
        code: 'no-such-table',
        detail: `${free('go').id} is a table for go9, not for chess`,
      },
    ])
  })

  it('is refused to an agent that sits or plays at a table already, in whatever version', async () => {
    const { clock, player, free, sit } = setUp()
    const go = free('go')
    const version = { id: 11, name: 'Agent-1~v2', kind: 'player', parent: 1 } as const
    const [one, again] = [player(1), player(1, { account: version })]
    sit(one, go)
    expect(sit(again, go)).toEqual({
      code: 'already-seated',
      detail: `this account sits at the table ${go.id} already`,
    })
    expect(sit(again, free('chess'))?.code).toBe('already-seated')
    sit(player(2), go)
    clock.pass(3_000)
    expect(sit(again, free('chess'))?.code).toBe('already-seated')
    one.handle.resign()
    FakeClock.finishTick()
    await settled()
    expect(sit(again, free('chess'))).toBeNull()
  })

  it('is refused to a paused account, and its seat is free again', () => {
    const { matchStore, kinds, player, free, sit } = setUp()
    matchStore.pauses.set(1, { reason: 'it fails', by: 'host' })
    const one = player(1)
    const table = free('go')
    expect(sit(one, table)).toBeNull()
    expect(one.messages).toMatchObject([{ kind: 'dismissed', code: 'paused' }])
    expect([kinds(), names(table)]).toEqual([[], [null, null]])
    matchStore.pauses.clear()
    expect(sit(one, table)).toBeNull()
  })

  it('ends when the account is paused', () => {
    const { arena, matchStore, player, free, sit } = setUp()
    const one = player(1)
    const table = free('go')
    sit(one, table)
    matchStore.pauses.set(1, { reason: 'it fails', by: 'operator' })
    arena.review()
    expect(one.messages).toMatchObject([{ kind: 'dismissed', code: 'paused' }])
    expect(names(table)).toEqual([null, null])
  })

  it('counts among the seats that an account may have', () => {
    const { player, free, sit } = setUp({ seatsPerAccount: 1 })
    const one = player(1).seek()
    const again = player(1)
    sit(again, free('go'))
    expect(again.messages).toMatchObject([{ kind: 'dismissed', code: 'too-many-matches' }])
    one.leave()
    expect(sit(again, free('go'))).toBeNull()
    expect(again.kinds).toEqual(['dismissed'])
  })

  it('of two that ask for the last seat while their accounts are looked up, the first has it', async () => {
    const { matchStore, player, free, sit } = setUp()
    const table = free('go')
    sit(player(1), table)
    const { hold } = matchStore
    matchStore.hold = async accounts => void hold.call(matchStore, accounts)
    expect([
      sit(player(2), table),
      sit(player(2), table)?.code,
      sit(player(3), table)?.code,
    ]).toEqual([null, 'already-seated', 'seat-taken'])
    await settled()
    FakeClock.finishTick()
    expect(names(table)).toEqual(['Agent-1', 'Agent-2'])
  })

  it('a player that leaves while its account is looked up has no seat', async () => {
    const { matchStore, rooms, kinds, player, free, sit } = setUp()
    const { hold } = matchStore
    matchStore.hold = async accounts => void hold.call(matchStore, accounts)
    const [table, one] = [free('go'), player(1)]
    sit(one, table)
    rooms.leave(one)
    await settled()
    FakeClock.finishTick()
    expect([kinds(), names(table), matchStore.held]).toEqual([[], [null, null], 0])
    matchStore.hold = hold
    expect(sit(player(1), table)).toBeNull()
  })

  it('a player that asked by a request waits no longer than in the queue', () => {
    const { clock, player, free } = setUp({ queueWait: 20_000 })
    const table = free('go')
    const one = player(1).seek({ game: go9, table: table.id })
    expect(names(table)).toEqual(['Agent-1', null])
    clock.pass(20_000)
    expect(one.kinds).toEqual(['unmatched'])
    expect(names(table)).toEqual([null, null])
  })

  it('players of a request and of the room meet at one table, each by its own terms', () => {
    const { clock, player, free, sit } = setUp()
    const table = free('chess', 'Classical')
    const [one, two] = [player(1, { terms: table.prompt.terms }), player(2)]
    sit(one, table)
    two.seek({ game: chess, table: table.id })
    clock.pass(3_000)
    expect(one.seated!.terms.map(({ move }) => move)).toEqual([60_000, 15_000])
  })
})

describe('the terms of AGON', () => {
  const away = {
    stages: [
      { time: 15_000, play: 'stands' },
      { time: 15_000, told: true, play: 'stands' },
    ],
    times: 5,
    together: true,
  }
  it.each([
    ['chess', 'Classical', 60, 120, 2, 7_200, null, 10],
    ['chess', 'Blitz', 15, 120, 2, 7_200, null, 10],
    ['go', 'Go 9x9', 60, 120, 3, 7_200, 243, 10],
    ['regular_debate', undefined, 90, 120, 3, null, 20, 2000],
    ['spicy_debate', undefined, 90, 120, 3, null, 20, 2000],
    ['trade_deal', 'Bazaar', 90, 120, 2, null, 10, 1000],
  ] as const)(
    'are in %s (%s) those of its table',
    (room, title, move, first, strikes, limit, cap, maxChars) => {
      const { prompt } = setUp().free(room, title)
      expect([prompt.cap, prompt.maxChars]).toEqual([cap, maxChars])
      expect(prompt.terms).toEqual({
        move: move * 1000,
        first: { of: 'match', time: first * 1000 },
        illegal: 'retry',
        late: { strikes, counted: 'in a row', next: { clock: move * 1000 } },
        away,
        ...(limit !== null && { limit: { time: limit * 1000, result: 'standings' } }),
      })
    },
  )

  it('give the first move no less than any other', () => {
    const { free } = setUp({
      rooms: { settings: { ...times, classical: 200_000 } },
    })
    expect(free('chess', 'Classical').prompt.terms.first).toEqual({ of: 'match', time: 200_000 })
    expect(free('chess', 'Blitz').prompt.terms.first).toEqual({ of: 'match', time: 300 })
  })

  it('strike a late seat with a new clock of the plain time, and end the match with the last one in a row', async () => {
    const { clock, player, free, meet } = setUp()
    const table = free('chess', 'Blitz')
    const { terms } = table.prompt
    const [one, two] = [player(1, { terms }), player(2, { terms })]
    meet(one, two, table)
    clock.pass(120_025)
    expect(one.messages.slice(-2)).toMatchObject([
      { kind: 'strike', strikes: 1, of: 2 },
      { kind: 'shown', timeLeft: 15_000 },
    ])
    clock.pass(15_025)
    await settled()
    expect(two.ended!.outcome).toMatchObject({ ending: 'late', places: [2, 1] })
  })
})

const times = {
  ...{ classical: 60_000, blitz: 100, go: 100, debate: 100, trade: 100 },
  ...{ firstTurn: 300, countdown: 50, grace: 100 },
}

describe('the ladder of a match at a table', () => {
  it('is the standard one of agents, until the pair has met too often today', async () => {
    const { player, free, meet } = setUp({ pairCap: 1 })
    const reasons = []
    for (let i = 0; i < 2; i++) {
      const [one, two] = [player(1), player(2)]
      meet(one, two, free('go'))
      reasons.push([one.seated!.unrated, one.seated!.ladder.id])
      one.handle.resign()
      FakeClock.finishTick()
      await settled()
    }
    expect(reasons).toEqual([
      [null, 'go9'],
      ['a pair that has met too often today', 'go9'],
    ])
  })

  it('counts nothing between agents of one owner, which may sit together', () => {
    const { matchStore, player, free, meet } = setUp()
    matchStore.owners.set(1, 9).set(2, 9)
    const [one, two] = [player(1), player(2)]
    meet(one, two, free('go'))
    expect(one.seated!.unrated).toBe('agents of one owner')
  })

  it.each([
    [true, null, 'go9+people'],
    [false, 'a casual match', 'go9'],
  ])(
    'is with a person the one of people, where their matches are rated (%s)',
    (peopleRated, unrated, ladder) => {
      const { player, free, meet } = setUp({ rooms: { peopleRated } })
      const [one, two] = [player(1, { protocol: hubProtocol }), player(2)]
      meet(one, two, free('go'))
      expect(two.seated).toMatchObject({ unrated, ladder: { id: ladder } })
    },
  )
})

describe('a player that sits alone', () => {
  it('meets after 10 s one that waits in the queue, who hears of it by the match alone', () => {
    const { clock, rooms, kinds, player, free, sit } = setUp()
    const table = free('chess', 'Classical')
    const [one, two] = [player(1), player(2)]
    sit(one, table)
    two.seek({ game: chess })
    clock.pass(9_999)
    expect(kinds()).toEqual(['seated'])
    clock.pass(1)
    expect(kinds()).toEqual(['seated', 'seated', 'countdown'])
    expect(names(table)).toEqual(['Agent-1', 'Agent-2'])
    expect(rooms.tableOf(2)).toBe(table)
    clock.pass(3_000)
    expect([two.kinds, two.opponent]).toEqual([['seated', 'shown'], 'Agent-1'])
  })

  it('meets one that comes to the queue later within a second', () => {
    const { clock, player, free, sit } = setUp()
    const one = player(1)
    sit(one, free('trade_deal'))
    clock.pass(60_500)
    player(2).seek({ game: bazaar })
    clock.pass(4_000)
    expect(one.opponent).toBe('Agent-2')
  })

  it('meets the one that has waited longest, of equal strength', () => {
    const { clock, matchStore, player, free, sit } = setUp()
    // Three of one owner, so that the queue cannot pair them.
    matchStore.owners.set(2, 9).set(3, 9).set(4, 9)
    const one = player(1)
    sit(one, free('chess'))
    for (const id of [3, 2, 4]) {
      player(id).seek({ game: chess })
      clock.pass(1_000)
    }
    clock.pass(7_000)
    expect(names(free('chess')).concat(one.kinds)).toEqual([null, null])
    clock.pass(3_000)
    expect(one.opponent).toBe('Agent-3')
  })

  it('does not meet one of its own owner', () => {
    const { clock, matchStore, player, free, sit } = setUp()
    matchStore.owners.set(1, 9).set(2, 9)
    const one = player(1)
    sit(one, free('chess'))
    const two = player(2).seek({ game: chess })
    clock.pass(60_000)
    expect([one.kinds, two.kinds]).toEqual([[], []])
  })

  it.each([
    ['asks for openings', { openings: true }],
    ['waits for another one', { opponent: 'Agent-7' }],
    ['waits for another ladder', { ladder: { speed: 'thinking', listing: 'open' } }],
    ['sits at another table itself', null],
  ] as const)('does not meet one that %s', (_, request) => {
    const { clock, player, free, sit } = setUp()
    const [one, two] = [player(1), player(2)]
    sit(one, free('chess', 'Classical'))
    if (request === null) {
      sit(player(2), free('chess', 'Blitz'))
      two.seek({ game: chess })
    } else two.seek({ game: chess, ...request })
    clock.pass(60_000)
    expect([one.kinds, two.kinds]).toEqual([[], []])
  })

  it('meets one of a pair that has met too often only where no one else waits', async () => {
    const { clock, matchStore, player, free, meet, sit } = setUp({ pairCap: 1 })
    const [one, two] = [player(1), player(2)]
    meet(one, two, free('go'))
    two.handle.resign()
    FakeClock.finishTick()
    await settled()
    matchStore.owners.set(2, 9).set(3, 9)
    sit(one, free('go'))
    const [capped, other] = [player(2).seek({ game: go9 }), player(3)]
    clock.pass(5_000)
    other.seek({ game: go9 })
    clock.pass(8_000)
    expect([one.opponent, other.seated?.unrated, capped.kinds]).toEqual(['Agent-3', null, []])
    // Now it is the only one that waits.
    const last = player(1, { account: { id: 1, name: 'Agent-1', kind: 'player' } })
    one.handle.resign()
    FakeClock.finishTick()
    await settled()
    sit(last, free('go'))
    clock.pass(13_000)
    expect(last.seated?.unrated).toBe('a pair that has met too often today')
  })

  it('takes none of two that will meet each other in the queue', async () => {
    const { clock, matchStore, player, free, sit } = setUp()
    await lift(matchStore, 2, 30)
    // Two others play, so that the queue waits for a nearer opponent.
    player(8).seek({ game: chess })
    player(9).seek({ game: chess })
    const one = player(1)
    sit(one, free('chess'))
    clock.pass(9_900)
    const pair = [player(2).seek({ game: chess }), player(3).seek({ game: chess })]
    clock.pass(200)
    expect(pair.map(({ seated }) => seated)).toEqual([undefined, undefined])
    clock.pass(5_000)
    expect(pair.map(({ opponent }) => opponent)).toEqual(['Agent-3', 'Agent-2'])
    expect(one.kinds).toEqual([])
  })

  it('takes one of three, the nearest in strength, so that the other two can meet', async () => {
    const { clock, matchStore, player, free, sit } = setUp()
    await lift(matchStore, 2, 30)
    await lift(matchStore, 3, 200)
    player(8).seek({ game: chess })
    player(9).seek({ game: chess })
    const one = player(1)
    const table = free('chess')
    sit(one, table)
    clock.pass(9_900)
    for (const id of [3, 2, 4]) player(id).seek({ game: chess })
    clock.pass(200)
    expect(names(table)).toEqual(['Agent-1', 'Agent-4'])
  })

  it('that leaves in the countdown sends the other one back to the queue, where its wait goes on', () => {
    const { clock, arena, rooms, player, free, sit } = setUp()
    const table = free('chess')
    const [one, two, three] = [player(1), player(2), player(3)]
    sit(one, table)
    two.seek({ game: chess })
    clock.pass(11_000)
    rooms.leave(one)
    expect([names(table), rooms.tableOf(2)]).toEqual([[null, null], undefined])
    expect(arena.waiting.map(({ player }) => player)).toEqual([two])
    three.seek({ game: chess })
    expect(two.opponent).toBe('Agent-3')
  })

  it('keeps one whose wait would end in the countdown', () => {
    const { clock, player, free, sit } = setUp({ queueWait: 11_000 })
    const [one, two] = [player(1), player(2)]
    sit(one, free('chess'))
    two.seek({ game: chess })
    clock.pass(13_000)
    expect(two.kinds).toEqual(['seated', 'shown'])
  })
})

describe('a room', () => {
  it('goes on after a match that was aborted', async () => {
    const { arena, rooms, player, free, meet } = setUp()
    const [one, two] = [player(1), player(2)]
    const table = meet(one, two, free('go'))
    await arena.tables.get(1)!.abort('a test')
    expect([one.kinds.at(-1), table.status, rooms.tableOf(1)]).toEqual([
      'aborted',
      'finished',
      undefined,
    ])
    meet(one, two, free('go'))
    expect(one.seated!.match).toBe(2)
  })

  it('is closed with the host: those that sit are told, and no countdown goes on', async () => {
    const { clock, arena, matchStore, player, free, sit } = setUp()
    const table = free('go')
    const sitters = [player(1), player(2), player(3), player(4)]
    for (const [i, sitter] of sitters.entries())
      sit(sitter, i < 2 ? table : i < 3 ? free('chess') : free('trade_deal'))
    player(5).seek({ game: chess })
    clock.pass(10_000)
    const closed = arena.close(0)
    clock.pass(1)
    await closed
    expect(sitters[2]!.kinds).toEqual(['closing'])
    expect(sitters[3]!.kinds).toEqual(['closing'])
    expect(sitters[0]!.kinds.at(-1)).toBe('aborted')
    expect(sit(player(6), free('chess'))?.code).toBe('shutting-down')
    clock.pass(400_000)
    expect([arena.tables.size, matchStore.held, clock.pending]).toEqual([0, 0, 0])
  })

  it('tells the others of its tables where one listener throws', () => {
    const { rooms, failures, kinds, player, free, sit } = setUp()
    const broken = new Error('broken')
    const unwatch = rooms.watch(() => {
      throw broken
    })
    sit(player(1), free('go'))
    unwatch()
    expect([kinds(), failures]).toEqual([['seated'], [broken]])
  })

  it('has the games of AGON', () => {
    const { rooms } = setUp()
    const played = roomIds.map(room => rooms.tables(room)[0]!.prompt.game as Game)
    expect(played.map(({ id }) => id)).toEqual(['chess', 'go9', 'debate', 'spicy-debate', 'bazaar'])
  })
})
