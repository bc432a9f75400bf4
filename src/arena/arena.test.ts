import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { TestArena, type TestArenaOptions } from '../../test/support/test-arena.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import { c4 } from '../games/c4.ts'
import { Dice } from '../games/dice.ts'
import { echo } from '../games/echo.ts'
import { type Game, isFinal, type Viewer } from '../games/game.ts'
import { ttt } from '../games/ttt.ts'
import { unmetered } from '../meter.ts'
import { agentsLadder } from './ladder.ts'
import { Unkept } from './match-store.ts'

const setUp = (queueWait = 120_000, options: Partial<TestArenaOptions> = {}) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const dice = Dice.fromSeed(1)
  const failures: unknown[] = []
  const arena = new TestArena({
    clock,
    matchStore,
    house: () => undefined,
    queueWait,
    failed: error => failures.push(error),
    roll: n => dice.roll(n),
    ...options,
  })
  const player = (id: number) => new TestPlayer(arena, id)
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

  it('a match is kept with the protocol that each seat came by', () => {
    const { arena, matchStore } = setUp()
    new TestPlayer(arena, 1, { protocol: 'agentgames' }).seek()
    new TestPlayer(arena, 2).seek()
    const { accounts, protocols } = matchStore.matches[0]!
    expect(protocols).toEqual(accounts.map(id => (id === 1 ? 'agentgames' : null)))
  })

  it('a match without agents has the setup for people', () => {
    const game: Game = { ...(c4 as Game), setupForPeople: { pie: true } }
    const pair = (...protocols: readonly string[]) => {
      const { arena, matchStore } = setUp()
      for (const [i, protocol] of protocols.entries())
        new TestPlayer(arena, i + 1, { protocol }).seek({ game })
      return matchStore.matches[0]!.setup
    }
    expect(pair('hub', 'hub')).toEqual({ pie: true })
    expect(pair('hub', 'agentgames')).toBeNull()
    expect(pair('agentgames', 'agentgames')).toBeNull()
  })
})

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
    FakeClock.finishTick()
    expect(told.splice(0)).toEqual([['moved', 0]])
    second.handle.resign()
    await settled()
    expect(told.splice(0)).toEqual([['resulted', 0]])
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
        (turn % 2 === 0 ? first : second).handle.move(cell, undefined, `note ${turn}`)
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
      expect(matchStore.matches[0]!.notes).toEqual(
        Object.fromEntries([0, 1, 2, 3].map(turn => [turn + 1, `note ${turn}`])),
      )
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
    FakeClock.finishTick()
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
    const [a, , c] = [1, 2, 3, 4].map(id => player(id).seek()) as [
      TestPlayer,
      TestPlayer,
      TestPlayer,
      TestPlayer,
    ]
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
    const [a, b, c] = [1, 2, 3, 4].map(id => player(id).seek()) as [
      TestPlayer,
      TestPlayer,
      TestPlayer,
      TestPlayer,
    ]
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
