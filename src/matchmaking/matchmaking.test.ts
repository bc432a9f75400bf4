import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { strictTerms } from '../../test/support/played.ts'
import { TestArena, type TestArenaOptions } from '../../test/support/test-arena.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import type { Player } from '../arena/player.ts'
import { c4 } from '../games/c4.ts'
import { Dice } from '../games/dice.ts'
import type { Game } from '../games/game.ts'
import { gomoku } from '../games/gomoku.ts'
import { ttt } from '../games/ttt.ts'

const setUp = (queueWait = 120_000, options: Partial<TestArenaOptions> = {}) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const dice = Dice.fromSeed(1)
  const failures: unknown[] = []
  const arena = new TestArena({
    clock,
    matchStore,
    house: (_, level) => (level === 'easy' ? () => house : undefined),
    levels: () => ['easy', 'hard'],
    queueWait,
    failed: error => failures.push(error),
    roll: n => dice.roll(n),
    ...options,
  })
  const player = (id: number) => new TestPlayer(arena, id)
  return { clock, matchStore, arena, player, failures }
}

describe('matchmaking', () => {
  it('two players that wait for the same game are paired', () => {
    const { player } = setUp()
    const [a, b] = [player(1).seek(), player(2).seek()]
    expect([a.opponent, b.opponent]).toEqual(['Agent-2', 'Agent-1'])
    expect(new Set([a.seated!.seat, b.seated!.seat])).toEqual(new Set([0, 1]))
  })

  it('a player without an opponent is told once, when its wait times out', () => {
    const { clock, player } = setUp(1000)
    const lone = player(1).seek()
    clock.pass(999)
    expect(lone.messages).toEqual([])
    clock.pass(10_000)
    expect(lone.kinds).toEqual(['unmatched'])
    player(2).seek()
    expect(lone.kinds).toEqual(['unmatched'])
  })

  it('a player that has left the queue is never paired', () => {
    const { player } = setUp()
    const gone = player(1).seek()
    gone.leave()
    const other = player(2).seek()
    expect([gone.kinds, other.kinds]).toEqual([[], []])
  })

  it('two connections of one account may wait, but never meet', () => {
    const { clock, player } = setUp()
    const [a, again] = [player(1).seek(), player(1).seek()]
    clock.pass(100_000)
    expect([a.kinds, again.kinds]).toEqual([[], []])
    const other = player(2).seek()
    expect(other.opponent).toBe('Agent-1')
    expect([a, again].filter(agent => agent.seated)).toHaveLength(1)
  })

  it('a thousand players that join at the same moment are each seated once', () => {
    const { arena, player } = setUp()
    const agents = Array.from({ length: 1000 }, (_, id) => player(id).seek())
    expect(agents.every(agent => agent.kinds.join() === 'seated,shown')).toBe(true)
    expect(arena.tables.size).toBe(500)
    expect(arena.waiting).toEqual([])
  })

  it('the nearest rating is preferred, and the window widens with the wait', async () => {
    const { clock, matchStore, player } = setUp()
    await lift(matchStore, 1, 40)
    await lift(matchStore, 2, 10)
    // Two others play already, so that waiting longer may bring a nearer opponent.
    player(8).seek()
    player(9).seek()
    const [strong, fair] = [player(1).seek(), player(2).seek()]
    expect(strong.opponent ?? fair.opponent).toBeUndefined()
    const novice = player(3).seek()
    expect(novice.opponent).toBe('Agent-2')
    expect(strong.seated).toBeUndefined()
    const late = player(4).seek()
    clock.pass(10_000)
    expect(late.opponent).toBe('Agent-1')
  })

  it('two players that name each other meet in an unrated match, and wait for no other opponent', () => {
    const { player } = setUp()
    const a = player(1).seek({ opponent: 'agent-2' })
    const stranger = player(3).seek()
    const oneWay = player(2).seek()
    expect(a.seated).toBeUndefined()
    expect(stranger.opponent).toBe('Agent-2')
    expect(oneWay.opponent).toBe('Agent-3')
    const b = player(2).seek({ opponent: 'AGENT-1' })
    expect([a.opponent, b.opponent]).toEqual(['Agent-2', 'Agent-1'])
    expect(a.seated!.unrated).toMatch(/appointment/)
  })

  it('a named opponent that cannot play is refused at once', () => {
    const { player, arena } = setUp(120_000, {
      opponent: name => (name === 'bob' ? { why: 'not here' } : { name }),
    })
    expect(player(1).seek({ opponent: 'bob' }).messages).toEqual([
      { kind: 'dismissed', code: 'no-such-opponent', detail: 'not here' },
    ])
    expect(player(1).seek({ opponent: 'AGENT-1' }).messages).toEqual([
      {
        kind: 'dismissed',
        code: 'no-such-opponent',
        detail: 'an account cannot play against itself',
      },
    ])
    expect(arena.waiting).toEqual([])
    player(1).seek({ opponent: 'agent-2' })
    expect(arena.waiting).toHaveLength(1)
  })

  it('a named opponent is found by what the store takes its name for', () => {
    const { player } = setUp(120_000, { opponent: name => ({ name: name.replace('_', '-') }) })
    const a = player(1).seek({ opponent: 'agent_2' })
    const b = player(2).seek({ opponent: 'Agent-1' })
    expect([a.opponent, b.opponent]).toEqual(['Agent-2', 'Agent-1'])
  })

  it('pairing does not scan players that wait for named opponents', () => {
    const { player, clock } = setUp()
    const waiting = Array.from({ length: 100 }, (_, i) => player(i + 10))
    for (const agent of waiting) agent.seek({ opponent: 'nobody' })
    // One timer for each wait, and none for pairing again.
    expect(clock.pending).toBe(waiting.length)
    for (const agent of waiting) agent.leave()
    expect(clock.pending).toBe(0)
  })

  it('seat 0 goes to the player that has had it less often against this opponent', async () => {
    const { player } = setUp()
    let lead = 0
    for (let i = 0; i < 10; i++) {
      const [a, b] = [player(1).seek(), player(2).seek()]
      lead += a.seated!.seat === 0 ? 1 : -1
      expect(Math.abs(lead)).toBeLessThanOrEqual(1)
      b.handle.resign()
      await settled()
    }
  })

  it('a game for four seats pairs four players', () => {
    const { player } = setUp()
    const four: Game = { ...(ttt as Game), id: 'four', seats: 4 }
    const agents = [1, 2, 2, 3].map(id => player(id).seek({ game: four }))
    expect(agents.some(agent => agent.seated)).toBe(false)
    const last = player(4).seek({ game: four })
    expect(last.seated!.accounts.map(account => account.id).sort()).toEqual([1, 2, 3, 4])
  })
})

describe('the limit on seats of one account', () => {
  const tooMany = { kind: 'dismissed', code: 'too-many-matches', retryAfter: 10 }

  it('an account at its limit on seats is refused in every game until it leaves a seat', async () => {
    const { clock, player } = setUp(120_000, { seatsPerAccount: 2 })
    const waiting = player(1).seek()
    const other = player(1).seek({ game: c4 })
    expect(player(1).seek({ game: c4 }).messages).toMatchObject([tooMany])
    expect(player(2).seek({ game: gomoku }).messages).toEqual([])
    waiting.leave()
    const playing = player(1).seek()
    const opponent = player(3).seek()
    expect(playing.seated).toBeDefined()
    expect(player(1).seek().messages).toMatchObject([tooMany])
    opponent.handle.resign()
    await settled()
    expect(player(1).seek().messages).toEqual([])
    expect(player(1).seek().messages).toMatchObject([tooMany])
    clock.pass(120_000)
    expect(other.messages).toMatchObject([{ kind: 'unmatched' }])
    expect(player(1).seek().messages).toEqual([])
  })
})

describe('practice', () => {
  it('makes no house player an opponent that those in the queue could wait for', () => {
    const { player, matchStore } = setUp()
    expect(player(1).seek({ practice: 'easy' }).seated).toBeDefined()
    // The store knows of no account that is neither waiting nor playing, as a house player is not.
    const [a, b] = [player(1).seek(), player(2).seek()]
    expect([a.opponent, b.opponent]).toEqual(['Agent-2', 'Agent-1'])
    expect(matchStore.held).toBe(2)
  })

  it('an account at its limit on practice matches is refused until one is over', async () => {
    const { player } = setUp(120_000, { practicePerAccount: 2 })
    const practise = (id: number) => player(id).seek({ practice: 'easy' })
    const first = practise(1)
    expect(practise(1).seated).toBeDefined()
    const detail = 'this account plays 2 practice matches: try again when one is over'
    expect(practise(1).messages).toEqual([
      { kind: 'dismissed', code: 'too-many-matches', detail, retryAfter: 10 },
    ])
    expect(practise(2).seated).toBeDefined()
    expect(player(1).seek().messages).toEqual([])
    first.handle.resign()
    await settled()
    expect(practise(1).seated).toBeDefined()
  })

  it('an unknown level is refused with the list of levels', () => {
    const { player } = setUp()
    expect(player(1).seek({ practice: 'god\u009blike' }).messages).toEqual([
      {
        kind: 'dismissed',
        code: 'no-such-level',
        detail: 'no house player "god<U+009B>like" plays ttt; there are easy, hard',
      },
    ])
  })
})
describe('twenty bots that keep playing', () => {
  it('bots that keep playing meet all others, and all have seat 0 about as often', async () => {
    const bots = 20
    const rounds = 1000
    const { clock, matchStore, player } = setUp()
    const dice = Dice.fromSeed(5)
    // Bots of different speed and strength.
    const pace = Array.from({ length: bots }, () => 600 + dice.roll(400))
    const skill = Array.from({ length: bots }, () => dice.next())
    const agents = Array.from({ length: bots }, (_, id) => player(id))
    const due: { at: number; a: TestPlayer; b: TestPlayer }[] = []
    const begin = () => {
      for (const agent of agents) {
        const seated = agent.seated
        if (seated === undefined || seated.seat !== 0) continue
        agent.messages.length = 0
        const other = agents.find(one => one !== agent && one.seated?.match === seated.match)!
        const time = (pace[agent.account.id]! + pace[other.account.id]!) * (0.5 + dice.next())
        due.push({ at: clock.now() + time, a: agent, b: other })
        const loser = dice.next() < 0.5 + (skill[other.account.id]! - skill[agent.account.id]!) / 2
        finish.set(due.at(-1)!, () => (loser ? seated.handle : other.handle).resign())
      }
    }
    const finish = new Map<(typeof due)[0], () => void>()
    for (const agent of agents) agent.seek()
    begin()
    while (matchStore.matches.length < (bots * rounds) / 2) {
      due.sort((a, b) => b.at - a.at)
      const next = due.at(-1)
      if (next === undefined || next.at > clock.now() + 100) clock.pass(100)
      else {
        due.pop()
        clock.pass(Math.max(0, next.at - clock.now()))
        finish.get(next)!()
        finish.delete(next)
        await Promise.resolve()
        await settled()
        for (const agent of [next.a, next.b]) {
          agent.messages.length = 0
          agent.seek()
        }
      }
      begin()
    }
    const games = Array(bots).fill(0)
    const firsts = Array(bots).fill(0)
    const pairs = new Map<string, number[]>()
    for (const { accounts } of matchStore.matches) {
      for (const account of accounts) games[account]++
      firsts[accounts[0]!]++
      const key = [...accounts].sort((a, b) => a - b).join()
      const pair = pairs.get(key) ?? [0, 0]
      pair[accounts[0]! < accounts[1]! ? 0 : 1]!++
      pairs.set(key, pair)
    }
    const mean = (matchStore.matches.length * 2) / bots
    const share = matchStore.matches.length / ((bots * (bots - 1)) / 2)
    for (const n of games) expect(Math.abs(n / mean - 1)).toBeLessThan(0.2)
    for (const [a, b] of pairs.values()) {
      expect((a! + b!) / share).toBeLessThan(2)
      expect(Math.abs(a! - b!)).toBeLessThanOrEqual(1)
    }
    for (const [bot, n] of games.entries())
      expect(Math.abs(n - 2 * firsts[bot])).toBeLessThanOrEqual(2)
  })
})

/** Never moves. */
const house: Player = {
  account: { id: 999, name: 'house-easy', kind: 'house' },
  terms: strictTerms,
  tell: () => {},
}

const settled = () => new Promise<void>(resolve => setImmediate(resolve))

/** Raises the rating of an account by wins. */
const lift = async (matchStore: MemoryMatchStore, account: number, wins: number) => {
  for (let i = 0; i < wins; i++) {
    const accounts = [account, 1000 + i]
    const match = matchStore.begin({ game: 'ttt', seed: 1, accounts, unrated: null, startedAt: 0 })
    const outcome = { ending: 'rules', places: [1, 2], faults: [null, null], detail: '' } as const
    await matchStore.finish(match, outcome, [])
  }
}
