import { describe, expect, it } from 'vitest'
import { agentGames } from '../../../test/support/driven.ts'
import { FakeClock } from '../../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../../test/support/memory-match-store.ts'
import { TestArena } from '../../../test/support/test-arena.ts'
import { TestConnection } from '../../../test/support/test-connection.ts'
import { TestPlayer } from '../../../test/support/test-player.ts'
import type { Account } from '../../arena/account.ts'
import { openingsOf } from '../../games/openings.ts'
import type { Message, Session } from '../connection.ts'

const setUp = () => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const house = () => () => ({
    account: { id: 99, name: 'house-level-1', kind: 'house' } as const,
    terms: { move: 15_000, illegal: 'retry', late: 'forfeit', away: 'forfeit' } as const,
    tell: () => {},
  })
  const arena = new TestArena({ clock, matchStore, house, queueWait: 120_000, roll: () => 0 })
  const protocol = agentGames(arena, arena.matchmaking, clock, 15_000)
  const dial = (id: number, text: string) => {
    const line = new TestConnection()
    const account: Account = { id, name: `agent-${id}`, kind: 'player' }
    return { line, listener: protocol.open(line, account, { kind: 'command', text }) }
  }
  /** Two paired agents, by seat. */
  const pair = (text: string) => {
    const [a, b] = [dial(1, text), dial(2, text)]
    return a.line.messages[1].player === 0 ? ([a, b] as const) : ([b, a] as const)
  }
  return { clock, matchStore, arena, dial, pair }
}

const move = (listener: Session<Message>, move: unknown) =>
  listener.receive(JSON.stringify({ type: 'move', move }))
const settled = () => new Promise<void>(resolve => setImmediate(resolve))

describe('a match of thinking agents', () => {
  it('has a bank beside the time for a move, which hello and each state tell', () => {
    const { clock, pair } = setUp()
    const [a, b] = pair('ttt --speed thinking')
    expect(a.line.messages[1]).toEqual({
      ...{ type: 'hello', player: 0, game: 'ttt', opponent: 'agent-2', match: 1 },
      ...{ moveTimeout: 20, bank: 600, speed: 'thinking', ladder: 'open', rated: true },
    })
    expect(a.line.last).toMatchObject({ timeLeft: 620_000, observation: { legal: { length: 9 } } })
    clock.pass(50_000)
    move(a.listener, '4')
    expect(b.line.last).toMatchObject({ yourTurn: true, timeLeft: 620_000 })
    move(b.listener, '0')
    expect(a.line.last.timeLeft).toBe(590_000)
    expect('clocks' in a.line.last).toBe(false)
  })

  it('is told of the times of all seats where they differ', () => {
    const { dial } = setUp()
    const { line } = dial(1, 'ttt --speed thinking --practice')
    const bySeat = (own: unknown, other: unknown) =>
      line.messages[1].player === 0 ? [own, other] : [other, own]
    const own = { first: 20, move: 20, bank: 600 }
    expect(line.messages[1].timeouts).toEqual(bySeat(own, { first: 15, move: 15 }))
    expect(line.last.clocks).toHaveLength(2)
  })

  it('counts on a ladder of its own', async () => {
    const { matchStore, pair } = setUp()
    const [a, b] = pair('ttt --speed thinking --ladder blind')
    a.listener.receive('{"type":"resign"}')
    await settled()
    expect(b.line.last).toMatchObject({ type: 'result', outcome: 'win', rated: true })
    expect(matchStore.matches[0]!.ladder?.id).toBe('ttt+thinking+blind')
  })
})

describe('a connection that is lost in a match of thinking agents', () => {
  const text = 'ttt --speed thinking'

  it('may be followed by another one, which comes back to the seat by the same join', async () => {
    const { clock, arena, dial, pair } = setUp()
    const [a, b] = pair(text)
    const heard = b.line.messages.length
    a.listener.closed()
    clock.pass(60_000)
    const again = dial(a.line.messages[1].opponent === 'agent-2' ? 1 : 2, text)
    FakeClock.finishTick()
    expect(again.line.messages).toEqual([
      a.line.messages[1],
      { ...a.line.messages[2], timeLeft: 560_000 },
    ])
    expect([b.line.messages.length, arena.waiting]).toEqual([heard, []])
    for (const [n, cell] of ['4', '0', '2', '1', '6'].entries())
      move((n % 2 === 0 ? again : b).listener, cell)
    await settled()
    expect(again.line.last).toMatchObject({ type: 'result', outcome: 'win' })
    expect(again.line.ended).toBe(true)
    expect(a.line.messages).toHaveLength(3)
  })

  it("may be followed by another one in a match on the people's ladder, too", () => {
    const { arena, dial } = setUp()
    const agent = dial(1, text)
    new TestPlayer(arena, 2).seek({
      ladder: 'people',
      meets: { speed: 'thinking', listing: 'open' },
    })
    expect(agent.line.messages[1]).toMatchObject({ type: 'hello', moveTimeout: 20, bank: 600 })
    agent.listener.closed()
    const again = dial(1, text)
    FakeClock.finishTick()
    expect(again.line.messages[0]).toEqual(agent.line.messages[1])
  })

  it('loses after 2 minutes, or when its time is up', async () => {
    const { clock, pair } = setUp()
    const [a, b] = pair(text)
    a.listener.closed()
    clock.pass(119_000)
    expect(b.line.last.type).toBe('state')
    clock.pass(2_000)
    await settled()
    expect(b.line.last).toMatchObject({ outcome: 'win', reason: 'forfeit: connection closed' })
  })

  it.each([
    ['ttt'],
    ['c4 --speed thinking'],
    ['ttt --speed thinking --ladder blind'],
    ['ttt --speed thinking --practice'],
  ])('is not followed by the join %s', other => {
    const { arena, dial, pair } = setUp()
    const [a] = pair(text)
    a.listener.closed()
    const { line } = dial(1, other)
    FakeClock.finishTick()
    expect(line.messages[0].type).toBe('queued')
    expect(arena.seatsOf(1)[0]!.isAttached).toBe(false)
  })

  it('leaves its seat to a connection that has joined before and waits', () => {
    const { arena, dial, pair } = setUp()
    const [a] = pair(text)
    const early = dial(1, text)
    expect(early.line.messages.map(({ type }) => type)).toEqual(['queued'])
    a.listener.closed()
    FakeClock.finishTick()
    expect(early.line.messages.map(({ type }) => type)).toEqual(['queued', 'hello', 'state'])
    expect([arena.waiting, arena.seatsOf(1)[0]!.isAttached]).toEqual([[], true])
  })

  it('a client that comes back and leaves at once is absent again', () => {
    const { arena, dial, pair } = setUp()
    const [a] = pair(text)
    a.listener.closed()
    const again = dial(1, text)
    again.listener.closed()
    FakeClock.finishTick()
    expect(arena.seatsOf(1)[0]!.isAttached).toBe(false)
    expect(dial(1, text).line.messages[0].match).toBe(1)
  })

  it('the account can be seated again meanwhile, once for each join', () => {
    const { arena, dial, pair } = setUp()
    const [a] = pair(text)
    dial(1, text)
    expect(arena.waiting).toHaveLength(1)
    a.listener.dismiss({ code: 'silent', detail: 'no answer' })
    FakeClock.finishTick()
    dial(1, text)
    expect(arena.waiting).toHaveLength(1)
  })

  it('is not followed by another one once its seat is out, though the others play on', () => {
    const { arena, dial } = setUp()
    const join = 'dance-battle --speed thinking'
    const agents = [1, 2, 3, 4].map(id => dial(id, join))
    FakeClock.finishTick()
    agents[0]!.listener.receive('{"type":"resign"}')
    agents[0]!.listener.closed()
    FakeClock.finishTick()
    expect([arena.tables.size, arena.seatsOf(1).map(({ isIn }) => isIn)]).toEqual([1, [false]])
    expect(dial(1, join).line.messages[0].type).toBe('queued')
  })

  it('ends where another connection takes its seat, and the match goes on', () => {
    const { arena, pair } = setUp()
    const [a, b] = pair(text)
    arena.seatsOf(1)[0]!.attach({ tell: () => {} })
    FakeClock.finishTick()
    expect(a.line.last).toMatchObject({ type: 'error', code: 'replaced' })
    expect([a.line.ended, b.line.last.type]).toEqual([false, 'state'])
    expect(arena.seatsOf(1)[0]!.isAttached).toBe(true)
  })

  it('a banned account loses at once', async () => {
    const { pair } = setUp()
    const [a, b] = pair(text)
    a.listener.dismiss({ code: 'banned', detail: 'banned' })
    await settled()
    expect(b.line.last).toMatchObject({ outcome: 'win', detail: 'banned by the operator' })
  })
})

describe('a match on a blind ladder', () => {
  it('gives no legal moves, and tells of each strike', async () => {
    const { clock, pair } = setUp()
    const [a, b] = pair('ttt --ladder blind')
    expect(a.line.messages[1]).toMatchObject({ moveTimeout: 15, speed: 'fast', ladder: 'blind' })
    expect(a.line.last.observation).toEqual({ board: Array(9).fill('.'), toMove: 0 })
    clock.pass(5_000)
    move(a.listener, '9')
    expect(a.line.last).toEqual({
      type: 'error',
      error: 'a move is a cell from "0" to "8", row by row, got "9" (strike 1 of 3: move again)',
      code: 'illegal-move',
      match: 1,
      strikes: 1,
    })
    move(a.listener, '4')
    move(b.listener, '4')
    expect(b.line.last).toMatchObject({
      strikes: 1,
      error: expect.stringMatching(/^cell 4 is taken \(strike 1/),
    })
    move(b.listener, '0')
    move(a.listener, '0')
    expect(a.line.last).toMatchObject({ strikes: 2 })
    move(a.listener, '4')
    await settled()
    expect(b.line.last).toMatchObject({
      ...{ outcome: 'win', reason: 'forfeit: illegal move', detail: 'cell 4 is taken' },
    })
    expect('legal' in b.line.last.observation).toBe(false)
  })
})

it('two that ask for different speeds do not meet', () => {
  const { arena, dial } = setUp()
  dial(1, 'ttt')
  dial(2, 'ttt --speed thinking')
  dial(3, 'ttt --ladder blind')
  expect([arena.waiting.length, arena.tables.size]).toEqual([3, 0])
  expect(dial(4, 'ttt --speed fast --ladder open').line.messages[1].opponent).toBe('agent-1')
})

describe('agents that ask for openings', () => {
  it('are told the opening with each board, and play on from there', () => {
    const { pair, arena } = setUp()
    const [a, b] = pair('c4 --openings')
    const { opening } = a.line.last.observation
    expect(openingsOf('c4')).toContainEqual(opening)
    expect(arena.tables.get(1)!.deal.setup).toEqual({ opening })
    const stones = a.line.last.observation.board.flat().filter((mark: string) => mark !== '.')
    expect(stones).toHaveLength(opening.length)
    move(a.listener, a.line.last.observation.legal[0])
    expect(b.line.last).toMatchObject({ yourTurn: true, observation: { opening } })
  })

  it('do not see one where the other agent has not asked', () => {
    const { dial } = setUp()
    const { line } = dial(1, 'c4 --openings')
    dial(2, 'c4')
    expect('opening' in line.messages[2].observation).toBe(false)
  })

  it.each([
    ['echo --openings', 'openings: echo has none; ttt, c4'],
    ['c4 --openings --practice', 'practice and openings exclude each other'],
    ['c4 --openings=x', 'openings: true or false, got "x"'],
  ])('are refused with %j', (words, why) => {
    const { dial } = setUp()
    expect(dial(1, words).line.last).toMatchObject({
      code: 'bad-join',
      error: expect.stringContaining(why),
    })
  })

  it.each(['c4 --openings', '--openings c4', 'c4 --openings true', 'c4 --openings=1'])(
    'may write %j',
    words => {
      const { pair } = setUp()
      expect('opening' in pair(words)[0].line.last.observation).toBe(true)
    },
  )
})
