import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { TestArena } from '../../test/support/test-arena.ts'
import { TestConnection } from '../../test/support/test-connection.ts'
import type { Account } from '../arena/account.ts'
import { lag } from '../arena/clocks.ts'
import { agentGames } from '../protocols/agentgames/index.ts'
import { KeepAlive } from '../wire/keep-alive.ts'
import { maxStep, StallWatch } from './stall-watch.ts'

const moveTime = 15_000

/** An event loop like that of Node: each turn runs due timers, then reads messages, then runs setImmediate. */
class Loop {
  readonly machine = new FakeClock()
  readonly stalls: number[] = []
  #arrived: (() => void)[] = []
  #rest: (() => void)[] = []
  readonly clock = new StallWatch(this.machine, run => void this.#rest.push(run))

  constructor() {
    this.clock.watch(ms => this.stalls.push(ms))
  }

  /** Puts a message into the kernel, to be read in the next turn. */
  arrives(read: () => void): void {
    this.#arrived.push(read)
  }

  turn(): void {
    this.machine.pass(0)
    for (const read of this.#arrived.splice(0)) read()
    for (const run of this.#rest.splice(0)) run()
  }

  pass(ms: number): void {
    for (let i = 0; i < ms; i++) {
      this.machine.stall(1)
      this.turn()
    }
  }
}

const setUp = () => {
  const loop = new Loop()
  const matchStore = new MemoryMatchStore()
  const { clock, machine } = loop
  const arena = new TestArena({ clock, matchStore, house: () => undefined, queueWait: 120_000 })
  const protocol = agentGames(arena, arena, clock, moveTime)
  const dial = (id: number, text = 'ttt') => {
    const line = new TestConnection()
    const account: Account = { id, name: `agent-${id}`, kind: 'player' }
    return { line, listener: protocol.open(line, account, { kind: 'command', text }) }
  }
  const pair = () => {
    const [a, b] = [dial(1), dial(2)]
    return a.line.messages[1].player === 0 ? ([a, b] as const) : ([b, a] as const)
  }
  const moves = ({ listener }: ReturnType<typeof dial>, cell: string) =>
    loop.arrives(() => listener.receive(JSON.stringify({ type: 'move', move: cell })))
  return { loop, machine, matchStore, arena, dial, pair, moves }
}

describe('while the event loop is blocked', () => {
  it('an answer that arrives during a stall is in time', () => {
    const { loop, machine, pair, moves } = setUp()
    const [x, o] = pair()
    loop.pass(moveTime - 10)
    machine.stall(5)
    moves(x, '4')
    machine.stall(20_000)
    loop.turn()
    expect(o.line.last).toMatchObject({ type: 'state', yourTurn: true, timeLeft: moveTime })
  })

  it.each([31, 100, 300, 5_000, 20_000, 3_600_000])(
    'in a stall of %i ms, an answer 10 ms before the deadline is in time, wherever the stall begins',
    stall => {
      for (let before = 0; before <= 40; before += 2) {
        const { loop, machine, pair, moves } = setUp()
        const [x, o] = pair()
        loop.pass(moveTime - 10 - before)
        machine.stall(before)
        moves(x, '4')
        machine.stall(stall)
        loop.turn()
        loop.turn()
        expect(o.line.last, `begun ${before} ms before`).toMatchObject({
          type: 'state',
          yourTurn: true,
        })
      }
    },
  )

  it.each([0, 3, 6, 9, 12])(
    'an answer is in time while the loop is busy with other messages (%i ms on)',
    offset => {
      // It arrives during the stall, and many other messages are read before it.
      const after = setUp()
      const [x, o] = after.pair()
      after.loop.pass(moveTime - 10 - offset)
      after.machine.stall(offset)
      after.loop.arrives(() => after.machine.stall(28))
      after.moves(x, '4')
      after.machine.stall(100)
      after.loop.turn()
      expect(o.line.last).toMatchObject({ type: 'state', yourTurn: true })
      // It arrives while other messages are read, too late to be read in the same turn.
      const during = setUp()
      const [y, p] = during.pair()
      during.loop.pass(moveTime - 11 - offset)
      during.machine.stall(offset)
      during.loop.arrives(() => {
        during.machine.stall(1)
        during.moves(y, '4')
        during.machine.stall(28)
      })
      during.loop.turn()
      during.machine.stall(30)
      during.loop.turn()
      expect(p.line.last).toMatchObject({ type: 'state', yourTurn: true })
    },
  )

  it('no clock runs during a stall, and every seat keeps the time that it had left', () => {
    const { loop, machine, arena, pair, moves } = setUp()
    const [x, o] = pair()
    loop.pass(5_000)
    machine.stall(20_000)
    loop.pass(20)
    const [left] = [...arena.tables.values()][0]!.clocks
    expect(left).toBeGreaterThan(10_000 - maxStep - 30)
    expect(left).toBeLessThanOrEqual(10_000)
    loop.pass(9_900)
    moves(x, '4')
    loop.turn()
    expect(o.line.last).toMatchObject({ type: 'state', yourTurn: true, timeLeft: moveTime })
  })

  it('a seat that does not answer loses later, by the length of the stall', async () => {
    const { loop, machine, matchStore, pair } = setUp()
    const [x] = pair()
    loop.pass(5_000)
    machine.stall(20_000)
    loop.pass(moveTime - 5_000 - 10)
    await settled()
    expect(x.line.last).toMatchObject({ type: 'state' })
    loop.pass(10 + lag + maxStep)
    await settled()
    expect(x.line.last).toMatchObject({
      reason: 'forfeit: move timeout',
      detail: 'no move within 15 s',
    })
    expect(matchStore.matches).toHaveLength(1)
  })

  it('a stall is not counted in the time of a move, and the date is right', async () => {
    const { loop, machine, matchStore, pair, moves } = setUp()
    const [x] = pair()
    loop.pass(1_000)
    machine.stall(20_000)
    loop.turn()
    moves(x, '4')
    loop.turn()
    x.listener.receive('{"type":"resign"}')
    await settled()
    const [, , ms] = matchStore.matches[0]!.moves[0]!
    expect(ms).toBeGreaterThanOrEqual(1_000)
    expect(ms).toBeLessThanOrEqual(1_000 + maxStep)
    expect(loop.clock.date()).toBe(machine.date())
    expect(loop.clock.elapsed()).toBe(21_000)
  })

  it('a wait for an opponent and the time for a join are longer by the stall', () => {
    const { loop, machine, dial } = setUp()
    const [waits, joins] = [dial(1), dial(2, '')]
    machine.stall(600_000)
    loop.pass(29_000)
    expect([waits.line.ended, joins.line.ended]).toEqual([null, null])
    loop.pass(1_100)
    expect(joins.line.last).toMatchObject({ code: 'join-timeout' })
    loop.pass(90_000)
    expect(waits.line.last).toMatchObject({ code: 'no-opponent' })
  })

  it('no keep-alive answer is missed', () => {
    const { machine, loop } = setUp()
    const pulse = new KeepAlive(loop.clock, { every: 15_000, unanswered: 2 })
    let cut = 0
    const client = {
      unansweredPings: 0,
      ping: () => loop.arrives(answer),
      timedOut: () => void cut++,
    }
    const answer = () => {
      client.unansweredPings = 0
    }
    pulse.add(client)
    for (let i = 0; i < 10; i++) {
      machine.stall(60_000)
      loop.turn()
      loop.pass(50)
    }
    expect(cut).toBe(0)
    client.ping = () => {}
    loop.pass(61_000)
    expect(cut).toBeGreaterThan(0)
  })
})

it('each long turn of the event loop is subtracted from the clock', () => {
  const { loop, machine, pair, moves } = setUp()
  const [x, o] = pair()
  for (let i = 0; i < 400; i++) {
    machine.stall(100)
    loop.turn()
  }
  moves(x, '4')
  loop.turn()
  expect(o.line.last).toMatchObject({ type: 'state', yourTurn: true })
})

it('without stalls the clock is that of the machine, and a late seat loses at the deadline', async () => {
  const { loop, machine, pair } = setUp()
  const [x] = pair()
  for (let i = 0; i < moveTime / 25; i++) {
    machine.stall(25)
    loop.turn()
    expect(loop.clock.now()).toBe(machine.now())
  }
  await settled()
  expect(x.line.last).toMatchObject({ type: 'state' })
  loop.pass(lag + 1)
  await settled()
  expect(x.line.last).toMatchObject({ reason: 'forfeit: move timeout' })
})

it('the clock only goes forward', () => {
  const { loop, machine } = setUp()
  let last = loop.clock.now()
  const look = () => {
    const now = loop.clock.now()
    expect(now).toBeGreaterThanOrEqual(last)
    last = now
  }
  for (let i = 0; i < 2_000; i++) {
    machine.stall((i * i) % 71)
    look()
    if (i % 3 === 0) loop.turn()
    look()
  }
})

it('timers set before a stall keep their distance, and a cancelled timer stays cancelled', () => {
  const { loop, machine } = setUp()
  const rung: string[] = []
  loop.clock.after(1_000, () => rung.push('second'))
  loop.clock.after(500, () => rung.push('first'))
  const never = loop.clock.after(600, () => rung.push('never'))
  machine.stall(10_000)
  loop.turn()
  expect(rung).toEqual([])
  never.cancel()
  loop.pass(480)
  expect(rung).toEqual(['first'])
  loop.pass(500)
  expect(rung).toEqual(['first', 'second'])
})

it('a stall is reported once, if it is long enough', () => {
  const { loop, machine } = setUp()
  machine.stall(900)
  loop.pass(100)
  machine.stall(20_000)
  loop.pass(100)
  expect(loop.stalls).toHaveLength(1)
  expect(Math.abs(loop.stalls[0]! - 20_000)).toBeLessThan(maxStep)
})

it('an answer 10 ms before the deadline is in time at any stall length', () => {
  expect(maxStep).toBeLessThan(lag + 10)
})

const settled = () => new Promise<void>(resolve => setImmediate(resolve))
