import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { c4 } from '../games/c4.ts'
import { Dice } from '../games/dice.ts'
import { echo } from '../games/echo.ts'
import { type Game, isFinal, type Viewer } from '../games/game.ts'
import { gomoku } from '../games/gomoku.ts'
import { ttt } from '../games/ttt.ts'
import { unmetered } from '../meter.ts'
import { Arena, type ArenaOptions, type SeekRequest } from './arena.ts'
import { agentsLadder } from './ladder.ts'
import { Unkept } from './match-store.ts'
import type { Ended, Player, PlayerMessage, Seated, SeatHandle } from './player.ts'
import type { Terms } from './terms.ts'

const terms: Terms = {
  move: 15_000,
  illegal: 'forfeit',
  late: 'forfeit',
  away: 'forfeit',
}

type Setting = Pick<
  ArenaOptions,
  'seatsPerAccount' | 'practicePerAccount' | 'copyCap' | 'meter' | 'opponent'
>

const setUp = (
  queueWait = 120_000,
  { seatsPerAccount, practicePerAccount, copyCap = 0, meter = unmetered, opponent }: Setting = {},
) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const dice = Dice.fromSeed(1)
  const failures: unknown[] = []
  const arena = new Arena({
    clock,
    matchStore,
    house: (_, level) => (level === 'easy' ? house : undefined),
    levels: () => ['easy', 'hard'],
    ...(opponent && { opponent }),
    queueWait,
    copyCap,
    ...(seatsPerAccount === undefined ? {} : { seatsPerAccount }),
    ...(practicePerAccount === undefined ? {} : { practicePerAccount }),
    failed: error => failures.push(error),
    roll: n => dice.roll(n),
    meter,
  })
  const player = (id: number) => new Agent(arena, id)
  return { clock, matchStore, arena, player, failures }
}

describe('the luck and the setup of a match', () => {
  const opened = (game: Game) => {
    const { matchStore, player } = setUp()
    player(1).seek({ game })
    player(2).seek({ game })
    return matchStore.matches[0]!
  }

  it('a match has a seed of 32 bits and no setup by default', () => {
    expect(opened(c4)).toMatchObject({ seed: expect.any(Number), setup: null })
  })

  it('a match has a seed of 128 bits and a setup where the game asks for them', () => {
    const given: unknown[] = []
    const game: Game = {
      ...(c4 as Game),
      seedBits: 128,
      setup: { pie: true },
      start: (...start) => {
        given.push(start)
        return c4.start(...start)
      },
    }
    const { seed, setup } = opened(game)
    expect(seed).toMatch(/^[0-9a-f]{32}$/)
    expect(setup).toEqual({ pie: true })
    expect(given).toEqual([[seed, 2, setup]])
  })

  it('a match without agents has the setup for people', () => {
    const game: Game = { ...(c4 as Game), setupForPeople: { pie: true } }
    const pair = (...people: readonly boolean[]) => {
      const { arena, matchStore } = setUp()
      for (const [i, isPerson] of people.entries()) new Agent(arena, i + 1, isPerson).seek({ game })
      return matchStore.matches[0]!.setup
    }
    expect(pair(true, true)).toEqual({ pie: true })
    expect(pair(true, false)).toBeNull()
    expect(pair(false, false)).toBeNull()
  })
})

/** Never moves. */
const house: Player = {
  account: { id: 999, name: 'house-easy', kind: 'house' },
  terms,
  tell: () => {},
}

/** A player that collects its messages, and acts only when the test does. */
class Agent implements Player {
  readonly account
  readonly terms = terms
  readonly messages: PlayerMessage[] = []
  readonly isPerson?: true
  readonly #arena: Arena
  leave: () => void = () => {}

  constructor(arena: Arena, id: number, isPerson = false) {
    this.#arena = arena
    if (isPerson) this.isPerson = true
    this.account = { id, name: `Agent-${id}`, kind: 'player' as const }
  }

  seek(request: Partial<SeekRequest> = {}): this {
    const waiting = this.#arena.seek(this, { game: ttt, ...request }, () => {})
    if (typeof waiting === 'function') this.leave = waiting
    else this.messages.push({ kind: 'refused', ...waiting })
    return this
  }

  tell(message: PlayerMessage): void {
    this.messages.push(message)
  }

  get seated(): Seated | undefined {
    return this.messages.findLast(message => message.kind === 'seated')
  }

  get handle(): SeatHandle {
    return this.seated!.handle
  }

  get opponent(): string | undefined {
    return this.seated?.accounts.find(account => account.id !== this.account.id)?.name
  }

  get ended(): Ended | undefined {
    return this.messages.findLast(message => message.kind === 'ended')
  }

  get kinds(): string[] {
    return this.messages.map(message => message.kind)
  }
}

const settled = () => new Promise<void>(resolve => setImmediate(resolve))

describe('the meter of the arena', () => {
  const told: (readonly [what: string, ms: number])[] = []
  const note = (what: string) => (_: string, ms: number) => void told.push([what, ms])
  const meter = {
    ...unmetered,
    seated: note('seated'),
    moved: note('moved'),
    resulted: note('resulted'),
  }

  it('the arena reports each wait, each legal move and each result to the meter', async () => {
    const { clock, player } = setUp(120_000, { meter })
    const a = player(1).seek()
    clock.pass(3_000)
    const b = player(2).seek()
    expect(told.splice(0)).toEqual([
      ['seated', 0],
      ['seated', 3_000],
    ])
    const [first, second] = a.seated!.seat === 0 ? [a, b] : [b, a]
    second.handle.move('0')
    first.handle.move('0')
    expect(told.splice(0)).toEqual([['moved', 0]])
    second.handle.resign()
    await settled()
    expect(told.splice(0)).toEqual([['resulted', 0]])
  })
})

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
    expect(arena.seek(player(1), { game: ttt, opponent: 'bob' }, () => {})).toEqual({
      code: 'bad-join',
      detail: 'opponent: not here',
    })
    expect(arena.seek(player(1), { game: ttt, opponent: 'AGENT-1' }, () => {})).toMatchObject({
      code: 'bad-join',
      detail: 'opponent: an account cannot play against itself',
    })
    expect(arena.waiting).toEqual([])
    arena.seek(player(1), { game: ttt, opponent: 'agent-2' }, () => {})
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

  it('a player that names itself as opponent is refused', () => {
    const { player } = setUp()
    expect(player(1).seek({ opponent: 'agent-1' }).messages[0]).toMatchObject({ code: 'bad-join' })
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

describe('a table', () => {
  it('both players get the same observation object, and only one of them is asked for a move', () => {
    const { player } = setUp()
    const [a, b] = [player(1).seek(), player(2).seek()]
    const [first, second] = a.seated!.seat === 0 ? [a, b] : [b, a]
    const shown = first.messages.findLast(message => message.kind === 'shown')!
    const other = second.messages.findLast(message => message.kind === 'shown')!
    expect(shown.observation).toBe(other.observation)
    expect(shown.observation).toMatchObject({
      toMove: 0,
      legal: ['0', '1', '2', '3', '4', '5', '6', '7', '8'],
    })
    expect([shown.yourTurn, shown.timeLeft]).toEqual([true, 15_000])
    expect([other.yourTurn, other.timeLeft]).toEqual([false, null])
  })

  it('the saved ratings are announced, and no timer is left', async () => {
    const { clock, matchStore, player, arena } = setUp()
    const [a, b] = [player(1).seek(), player(2).seek()]
    b.handle.resign()
    await settled()
    // The seat resigned before it had played: it loses in full, and the other gains a quarter.
    expect(a.ended).toMatchObject({ quick: true, change: { rating: 1504, change: 4 } })
    expect(b.ended).toMatchObject({ quick: true, change: { rating: 1484, change: -16 } })
    expect(matchStore.standing(1, agentsLadder('ttt')).rating).toBe(1504)
    expect(clock.pending).toBe(0)
    expect(arena.tables.size).toBe(0)
  })

  it.each([3_600_000, -3_600_000])(
    'a jump of the wall clock by %d ms changes no deadline',
    async ms => {
      const { clock, player } = setUp()
      const [a, b] = [player(1).seek(), player(2).seek()]
      const [mover, waiter] = a.seated!.seat === 0 ? [a, b] : [b, a]
      clock.pass(14_000)
      clock.jump(ms)
      clock.pass(900)
      mover.handle.move('4')
      clock.pass(14_900)
      expect(waiter.ended).toBeUndefined()
      clock.pass(200)
      await settled()
      expect(waiter.ended!.outcome.ending).toBe('late')
    },
  )

  it.each([
    ['is reported', new Error('a fault'), 1],
    ['is not, where the operator knows already', new Unkept('the disk is full'), 0],
  ])('players are told when a result cannot be saved, which %s', async (_, broken, reports) => {
    const { matchStore, player, failures } = setUp()
    const [a, b] = [player(1).seek(), player(2).seek()]
    matchStore.broken = broken
    a.handle.resign()
    await settled()
    for (const agent of [a, b]) expect(agent.messages.at(-1)).toMatchObject({ kind: 'aborted' })
    expect(matchStore.matches[0]).toMatchObject({
      outcome: null,
      aborted: 'the result could not be kept',
    })
    expect(failures).toHaveLength(reports)
  })

  it('a bug in the rules aborts that match and no other', async () => {
    const { player, failures } = setUp()
    const faulty: Game = {
      ...(ttt as Game),
      id: 'faulty',
      play: () => {
        throw new Error('a bug')
      },
    }
    const [a, b] = [player(1).seek({ game: faulty }), player(2).seek({ game: faulty })]
    const [c] = [player(3).seek(), player(4).seek()]
    a.handle.move('4')
    b.handle.move('4')
    await settled()
    expect(a.messages.at(-1)).toMatchObject({ kind: 'aborted', detail: 'internal error: a bug' })
    expect(c.kinds).toEqual(['seated', 'shown'])
    expect(failures).toEqual([new Error('a bug')])
  })

  it.each(['view', 'status'] as const)(
    'a seat whose move makes %s throw loses the match',
    async part => {
      const { matchStore, player, failures } = setUp()
      const faulty: Game = {
        ...(ttt as Game),
        id: 'faulty',
        [part]: (state: unknown, viewer: Viewer) => {
          if (isFinal(ttt.status(state as never))) throw new Error('a bug')
          return ttt[part](state as never, viewer)
        },
      }
      const [a, b] = [player(1).seek({ game: faulty }), player(2).seek({ game: faulty })]
      const [first, second] = a.seated!.seat === 0 ? [a, b] : [b, a]
      for (const [turn, cell] of ['0', '3', '1', '4', '2'].entries())
        (turn % 2 === 0 ? first : second).handle.move(cell)
      await settled()
      expect(first.messages.at(-1)).toMatchObject({ kind: 'ended', change: { change: -16 } })
      expect(second.messages.at(-1)).toMatchObject({
        kind: 'ended',
        quick: true,
        change: { change: 4 },
      })
      expect(matchStore.matches[0]).toMatchObject({
        outcome: {
          ending: 'illegal',
          places: [2, 1],
          faults: ['illegal', null],
          detail: 'the move of seat 0 caused an internal error',
        },
        moves: { length: 4 },
      })
      expect(failures).toEqual([new Error('a bug')])
    },
  )

  it('an error caused by a sealed move costs the seat that sealed it, not the seat that revealed it', async () => {
    const { matchStore, player, failures } = setUp()
    const faulty: Game = {
      ...(echo as Game),
      id: 'faulty',
      play: (state, seat, move) => {
        const next = echo.play(state as never, seat, move)
        if (JSON.stringify(next).includes('[[7,')) throw new Error('a bug')
        return next
      },
    }
    const [a, b] = [player(1).seek({ game: faulty }), player(2).seek({ game: faulty })]
    const [first, second] = a.seated!.seat === 0 ? [a, b] : [b, a]
    first.handle.move(7)
    second.handle.move(3)
    await settled()
    expect(matchStore.matches[0]!.outcome).toMatchObject({
      places: [2, 1],
      faults: ['illegal', null],
    })
    expect(failures).toEqual([new Error('a bug')])
  })

  it('an error while a player is told of a move aborts the match', async () => {
    const { player, failures } = setUp()
    const [a, b] = [player(1).seek(), player(2).seek()]
    const [first, second] = a.seated!.seat === 0 ? [a, b] : [b, a]
    const tell = second.tell.bind(second)
    second.tell = message => {
      if (message.kind === 'shown') throw new Error('a bug')
      tell(message)
    }
    first.handle.move('4')
    await settled()
    expect(first.messages.at(-1)).toMatchObject({ kind: 'aborted' })
    expect(failures).toEqual([new Error('a bug')])
  })

  it('an error at the check for duplicate matches aborts that match and no other', async () => {
    const { matchStore, player, failures } = setUp(undefined, { copyCap: 1 })
    const [c, d] = [player(3).seek(), player(4).seek()]
    matchStore.ratedToday = () => {
      throw new Error('the disk fails')
    }
    c.handle.resign()
    await settled()
    for (const agent of [c, d]) expect(agent.messages.at(-1)).toMatchObject({ kind: 'aborted' })
    expect(failures).toEqual([new Error('the disk fails')])
    expect(matchStore.matches.map(({ aborted }) => aborted)).toEqual([
      'internal error: the disk fails',
    ])
  })

  it('if telling one player the end throws, the others are still told', async () => {
    const { player, failures, matchStore } = setUp()
    const [a, b, c, d] = [1, 2, 3, 4].map(id => player(id))
    for (const deaf of [a!, c!]) {
      const tell = deaf.tell.bind(deaf)
      deaf.tell = message => {
        if (message.kind === 'ended' || message.kind === 'aborted') throw new Error('a bug')
        tell(message)
      }
    }
    for (const agent of [a!, b!]) agent.seek()
    b!.handle.resign()
    await settled()
    expect(b!.messages.at(-1)).toMatchObject({ kind: 'ended', change: { change: -16 } })
    for (const agent of [c!, d!]) agent.seek()
    matchStore.finish = () => Promise.reject(new Error('no'))
    d!.handle.resign()
    await settled()
    expect(d!.messages.at(-1)).toMatchObject({ kind: 'aborted' })
    expect(failures.map(error => (error as Error).message)).toEqual(['a bug', 'no', 'a bug'])
  })

  it('a move after the end is refused', async () => {
    const { player } = setUp()
    const [a, b] = [player(1).seek(), player(2).seek()]
    a.handle.resign()
    await settled()
    b.handle.move('4')
    expect(b.messages.at(-1)).toMatchObject({ kind: 'refused', code: 'not-your-turn' })
  })

  it('the moves of a long match are saved while it is live', () => {
    const { clock, matchStore, player } = setUp()
    const [a, b] = [player(1).seek(), player(2).seek()]
    const [first, second] = a.seated!.seat === 0 ? [a, b] : [b, a]
    first.handle.move('4')
    clock.pass(5000)
    second.handle.move('0')
    expect(matchStore.matches[0]!.moves).toEqual([
      [0, '4', 0],
      [1, '0', 5000],
    ])
  })

  it('a player that disconnects while it is being seated loses that match', async () => {
    const { arena, player } = setUp()
    const a = player(1).seek()
    const hasty = player(2)
    const tell = hasty.tell.bind(hasty)
    hasty.tell = message => {
      tell(message)
      if (message.kind === 'seated') message.handle.lost()
    }
    hasty.seek()
    await settled()
    expect(a.ended!.outcome).toMatchObject({ ending: 'gone' })
    expect(arena.tables.size).toBe(0)
  })
})

describe('spectators', () => {
  it('a listener gets every event of every match, in order', async () => {
    const { arena, player } = setUp()
    const seen: unknown[] = []
    const stop = arena.watch(event => seen.push(event.kind === 'moved' ? event.move : event.kind))
    const [a, b] = [player(1).seek(), player(2).seek()]
    const [first, second] = a.seated!.seat === 0 ? [a, b] : [b, a]
    first.handle.move('4')
    expect(arena.tables.get(1)!.observation).toMatchObject({ toMove: 1 })
    expect(arena.tables.get(1)!.clocks).toEqual([null, 15_000])
    expect(arena.tables.get(1)!.look().board!.rows.join('')).toContain('X')
    second.handle.resign()
    await settled()
    stop()
    player(3).seek()
    player(4).seek()
    expect(seen).toEqual(['began', [0, '4', 0], 'ended'])
  })

  it('a listener that throws does not harm a match', async () => {
    const { arena, failures, player } = setUp()
    arena.watch(() => {
      throw new Error('a bug in the page')
    })
    const [a] = [player(1).seek(), player(2).seek()]
    a.handle.resign()
    await settled()
    expect(a.ended).toBeDefined()
    expect(failures).toEqual([new Error('a bug in the page')])
  })
})

describe('draining', () => {
  it('draining dismisses waiting players, lets matches finish, and aborts those that do not', async () => {
    const { arena, clock, player } = setUp()
    const lone = player(5).seek({ game: { ...(ttt as Game), id: 'other' } })
    const [a, , c] = [1, 2, 3, 4].map(id => player(id).seek()) as [Agent, Agent, Agent, Agent]
    const closed = arena.close(10_000)
    expect(lone.kinds).toEqual(['closing'])
    expect(player(6).seek().messages[0]).toMatchObject({ code: 'shutting-down' })
    a.handle.resign()
    await settled()
    expect(a.ended).toBeDefined()
    clock.pass(10_000)
    await closed
    expect(c.messages.at(-1)).toMatchObject({ kind: 'aborted', detail: 'the host is stopping' })
  })

  it('a hurried end aborts live matches, but waits for results that are being saved', async () => {
    const { arena, player, matchStore } = setUp()
    const [a, b, c] = [1, 2, 3, 4].map(id => player(id).seek()) as [Agent, Agent, Agent, Agent]
    let hurry = () => {}
    const closed = arena.close(
      60_000,
      new Promise(resolve => {
        hurry = resolve
      }),
    )
    b.handle.resign()
    hurry()
    await closed
    expect(a.ended).toBeDefined()
    expect(c.messages.at(-1)).toMatchObject({ kind: 'aborted', detail: 'the host is stopping' })
    expect(matchStore.matches.map(({ outcome }) => outcome?.ending)).toEqual([
      'resigned',
      undefined,
    ])
    expect(arena.tables.size).toBe(0)
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
    const due: { at: number; a: Agent; b: Agent }[] = []
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

/** Raises the rating of an account by wins. */
const lift = async (matchStore: MemoryMatchStore, account: number, wins: number) => {
  for (let i = 0; i < wins; i++) {
    const accounts = [account, 1000 + i]
    const match = matchStore.begin({ game: 'ttt', seed: 1, accounts, unrated: null, startedAt: 0 })
    const outcome = { ending: 'rules', places: [1, 2], faults: [null, null], detail: '' } as const
    await matchStore.finish(match, outcome, [])
  }
}

describe('the limit on seats of one account', () => {
  const tooMany = { kind: 'refused', code: 'too-many-matches', retryAfter: 10 }

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
  it('an account at its limit on practice matches is refused until one is over', async () => {
    const { player } = setUp(120_000, { practicePerAccount: 2 })
    const practise = (id: number) => player(id).seek({ practice: 'easy' })
    const first = practise(1)
    expect(practise(1).seated).toBeDefined()
    const detail = 'this account plays 2 practice matches: try again when one is over'
    expect(practise(1).messages).toEqual([
      { kind: 'refused', code: 'too-many-matches', detail, retryAfter: 10 },
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
        kind: 'refused',
        code: 'bad-join',
        detail: 'practice: no house player "god<U+009B>like" plays ttt; there are easy, hard',
      },
    ])
  })
})
