import { describe, expect, it } from 'vitest'
import { agentGames } from '../../../test/support/driven.ts'
import { FakeClock } from '../../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../../test/support/memory-match-store.ts'
import { fc } from '../../../test/support/properties.ts'
import { TestArena as Arena } from '../../../test/support/test-arena.ts'
import { TestConnection } from '../../../test/support/test-connection.ts'
import type { Account } from '../../arena/account.ts'
import type { Refusal } from '../../arena/codes.ts'
import type { Seated } from '../../arena/player.ts'
import { gameOf } from '../../games/index.ts'
import type { MakePlayer } from '../../matchmaking/practice.ts'
import type { Message, Session } from '../connection.ts'
import type { MessageLimits } from '../protocol.ts'
import { codes } from './codes.ts'
import { type Opening, readJoin, readOpening } from './join.ts'
import { type JoinWords, parse } from './messages.ts'

const setUp = (messageLimits?: MessageLimits, roll?: (n: number) => number) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const arena = new Arena({
    ...{ clock, matchStore, house, queueWait: 120_000 },
    ...(roll && { roll }),
  })
  const protocol = agentGames(arena, arena, clock, 15_000, messageLimits)
  const dial = (id: number, opening: Opening = command('ttt')) => {
    const line = new TestConnection()
    const account: Account = { id, name: `agent-${id}`, kind: 'player' }
    return { line, listener: protocol.open(line, account, opening) }
  }
  /** Two paired agents, by seat. */
  const pair = (opening?: Opening) => {
    const a = dial(1, opening)
    const b = dial(2, opening)
    return a.line.messages[1].player === 0 ? ([a, b] as const) : ([b, a] as const)
  }
  return { clock, matchStore, arena, dial, pair }
}

/** A house player that never moves. */
const house = (_: unknown, strength: string): MakePlayer | undefined =>
  strength === 'default' || strength === 'hard'
    ? () => ({
        account: { id: 99, name: `house-${strength}`, kind: 'house' },
        terms: {
          move: 1e6,
          illegal: 'retry',
          late: 'forfeit',
          away: 'forfeit',
        },
        tell: () => {},
      })
    : undefined

const command = (text: string): Opening => ({ kind: 'command', text })
const query = (text: string): Opening => ({ kind: 'query', params: new URLSearchParams(text) })
const say = (listener: Session<Message>, message: unknown) =>
  listener.receive(JSON.stringify(message))
const move = (listener: Session<Message>, move: unknown) => say(listener, { type: 'move', move })
const settled = () => new Promise<void>(resolve => setImmediate(resolve))

const legal = ['0', '1', '2', '3', '4', '5', '6', '7', '8']
const empty = Array(9).fill('.')

describe('where seats may act out of turn', () => {
  const offer = { action: 'propose_trade', offer: {}, request: { gold: 1 } }
  const withdraw = { action: 'reject_trade' }
  const accept = { action: 'accept_trade' }

  const stall = () => {
    const { pair } = setUp()
    const [a, b] = pair(command('bazaar'))
    const first = a.line.last.observation.first
    return first === 0 ? ([a, b] as const) : ([b, a] as const)
  }

  it('a board has a number, and an answer that crosses an action of the other seat costs nothing', () => {
    const [writer, other] = stall()
    const { turn } = writer.line.last
    move(other.listener, offer)
    expect(writer.line.last).toMatchObject({ yourTurn: true, turn: turn + 1 })
    move(other.listener, withdraw)
    move(writer.listener, accept)
    expect(writer.line.last).toEqual({
      type: 'error',
      code: 'stale-move',
      error: 'another seat acted first: No pending trade to accept',
    })
    move(writer.listener, { action: 'message', content: 'Too late.' })
    expect(writer.line.last).toMatchObject({ type: 'state', yourTurn: false })
  })

  it('an answer that names its board is not applied to a later board', () => {
    const [writer, other] = stall()
    move(other.listener, offer)
    const { turn } = writer.line.last
    move(other.listener, withdraw)
    move(other.listener, { ...offer, request: { gold: 2 } })
    say(writer.listener, { type: 'move', turn, move: accept })
    expect(writer.line.last).toMatchObject({ type: 'error', code: 'stale-move' })
    say(writer.listener, { type: 'move', turn: turn + 2, move: accept })
    expect(writer.line.last.observation.trades).toHaveLength(1)
  })

  it('offers do not restart the clock', async () => {
    const { pair, clock } = setUp()
    const [a, b] = pair(command('bazaar'))
    const writer = a.line.last.observation.first === 0 ? a : b
    for (let i = 0; i < 14; i++) {
      clock.pass(1_000)
      move(writer.listener, i % 2 === 0 ? offer : withdraw)
    }
    expect(writer.line.last).toMatchObject({ yourTurn: true, timeLeft: 1_000 })
    clock.pass(1_100)
    await settled()
    expect(writer.line.last).toMatchObject({ outcome: 'loss', reason: 'forfeit: move timeout' })
  })
})

describe('against a seat with other times for its moves', () => {
  /** A player of another protocol, which waits for the same game. */
  const slow = (arena: Arena) => {
    let seated: Seated | undefined
    arena.seek(
      {
        account: { id: 7, name: 'slow', kind: 'player' },
        terms: {
          move: 90_000,
          first: { of: 'seat', time: 180_000 },
          illegal: 'retry',
          late: 'forfeit',
          away: 'ignored',
        },
        tell: news => {
          if (news.kind === 'seated') seated = news
        },
      },
      { game: gameOf('ttt')! },
    )
    return (cell: string) => {
      seated!.handle.move(cell)
      FakeClock.finishTick()
    }
  }
  const bySeat = <T>(own: number, mine: T, other: T) => (own === 0 ? [mine, other] : [other, mine])

  it.each([0, 1])('its times are told, and whose clock runs, to seat %i', async seat => {
    // The shuffle of two players leaves them, or swaps them.
    const { arena, clock, dial } = setUp(undefined, n => (seat === 0 ? 0 : n - 1))
    const { line, listener } = dial(1)
    const slowMoves = slow(arena)
    const [, hello, first] = line.messages
    expect(hello).toEqual({
      ...{ type: 'hello', player: seat, game: 'ttt', opponent: 'slow', match: 1 },
      moveTimeout: 15,
      timeouts: bySeat(seat, { first: 15, move: 15 }, { first: 180, move: 90 }),
      rated: true,
    })
    const clocks = (mine: number | null, other: number | null) => ({
      ...(mine === null ? {} : { timeLeft: mine }),
      yourTurn: mine !== null,
      clocks: bySeat(seat, mine, other),
    })
    expect(first).toMatchObject(seat === 0 ? clocks(15_000, null) : clocks(null, 180_000))
    if (seat === 0) move(listener, '0')
    expect(line.last).toEqual({
      type: 'state',
      observation: expect.anything(),
      ...clocks(null, 180_000),
    })
    clock.pass(179_000)
    slowMoves('4')
    expect(line.last).toMatchObject(clocks(15_000, null))
    move(listener, '1')
    expect(line.last).toMatchObject(clocks(null, 90_000))
    clock.pass(91_000)
    await settled()
    expect(line.last).toMatchObject({ outcome: 'win', detail: 'no move within 90 s' })
  })

  it('nothing is told of times in a match after that among seats with equal times', async () => {
    const { arena, dial } = setUp()
    const { line, listener } = dial(1, command('ttt --matches 2'))
    slow(arena)
    say(listener, { type: 'resign' })
    await settled()
    const before = line.sent.length
    dial(2)
    expect(line.messages.slice(before).map(({ type }) => type)).toEqual(['hello', 'state'])
    for (const text of line.sent.slice(before)) expect(text).not.toMatch(/timeouts|clocks/)
  })
})

describe('a whole match', () => {
  it('a match follows the contract, message by message, for both seats', async () => {
    const { pair } = setUp()
    const [x, o] = pair()
    for (const [mover, cell] of [
      [x, '4'],
      [o, '0'],
      [x, '2'],
      [o, '1'],
      [x, '6'],
    ] as const)
      move(mover.listener, cell)
    await settled()

    const boards = ['.........', '....X....', 'O...X....', 'O.X.X....', 'OOX.X....'].map(row =>
      row.split(''),
    )
    const states = (seat: number) =>
      boards.map((board, turn) => ({
        type: 'state',
        observation: {
          board,
          toMove: turn % 2,
          legal: legal.filter((_, i) => board[i] === '.'),
        },
        yourTurn: turn % 2 === seat,
        ...(turn % 2 === seat ? { timeLeft: 15_000 } : {}),
      }))
    const last = { board: 'OOX.X.X..'.split(''), toMove: -1, legal: [] }
    const whole = (seat: number, opponent: string) => [
      { type: 'queued', game: 'ttt' },
      {
        type: 'hello',
        player: seat,
        game: 'ttt',
        opponent,
        match: 1,
        moveTimeout: 15,
        rated: true,
      },
      ...states(seat),
      {
        type: 'result',
        winner: 0,
        outcome: seat === 0 ? 'win' : 'loss',
        rating: seat === 0 ? 1516 : 1484,
        match: 1,
        change: seat === 0 ? 16 : -16,
        detail: 'three in a row',
        rated: true,
        observation: last,
      },
    ]
    const names = [x, o].map(({ line }) => line.messages[1].opponent)
    expect(new Set(names)).toEqual(new Set(['agent-1', 'agent-2']))
    expect(x.line.messages).toEqual(whole(0, names[0]))
    expect(o.line.messages).toEqual(whole(1, names[1]))
    expect([x.line.ended, o.line.ended]).toEqual([true, true])
  })

  it('a drawn match has no winner', async () => {
    const { pair } = setUp()
    const [x, o] = pair()
    for (const [i, cell] of ['4', '0', '8', '2', '1', '7', '3', '5', '6'].entries())
      move((i % 2 === 0 ? x : o).listener, cell)
    await settled()
    for (const { line } of [x, o])
      expect(line.last).toMatchObject({ winner: -1, outcome: 'draw', rating: 1500, change: 0 })
    expect(x.line.last).not.toHaveProperty('reason')
  })

  it('a connection plays as many matches as its join asked for', async () => {
    const { pair } = setUp()
    const [x, o] = pair(command('ttt --matches 2'))
    say(x.listener, { type: 'resign' })
    await settled()
    expect(x.line.ended).toBeNull()
    expect(x.line.messages.filter(({ type }) => type === 'queued')).toHaveLength(2)
    say(o.listener, { type: 'resign' })
    await settled()
    expect([x.line.ended, o.line.ended]).toEqual([true, true])
  })
})

describe('forfeits', () => {
  it.each([
    [
      'an illegal move',
      'forfeit: illegal move',
      'cell 4 is taken',
      ({ listener }) => move(listener, '4'),
    ],
    [
      'a move that is no string',
      'forfeit: illegal move',
      'move must be a string, got number',
      ({ listener }) => move(listener, 5),
    ],
    [
      'a message without a move',
      'forfeit: illegal move',
      'move is missing',
      ({ listener }) => say(listener, { type: 'move' }),
    ],
    ['silence', 'forfeit: move timeout', 'no move within 15 s', (_, clock) => clock.pass(16_000)],
    [
      'a lost connection',
      'forfeit: connection closed',
      'the connection was lost',
      ({ listener }) => listener.closed(),
    ],
    [
      'a resignation',
      'resignation',
      'resignation',
      ({ listener }) => say(listener, { type: 'resign' }),
    ],
  ] as [
    string,
    string,
    string,
    (loser: { listener: Session<Message> }, clock: FakeClock) => void,
  ][])('%s gives the match to the other side', async (_, reason, detail, lose) => {
    const { clock, pair } = setUp()
    const [x, o] = pair()
    move(x.listener, '4')
    lose(o, clock)
    await settled()
    expect(x.line.last).toMatchObject({
      type: 'result',
      winner: 0,
      outcome: 'win',
      reason,
      detail,
    })
    expect(x.line.ended).toBe(true)
  })

  it('an agent that disconnects out of turn loses at once', async () => {
    const { pair } = setUp()
    const [x, o] = pair()
    o.listener.closed()
    await settled()
    expect(x.line.last).toMatchObject({ winner: 0, reason: 'forfeit: connection closed' })
  })
})

describe('messages out of place', () => {
  it('a move out of turn is refused, and never queued', async () => {
    const { pair } = setUp()
    const [x, o] = pair()
    move(o.listener, '8')
    expect(o.line.last).toEqual({
      type: 'error',
      error: 'it is not your turn',
      code: 'not-your-turn',
    })
    move(x.listener, '4')
    expect(o.line.last).toMatchObject({ type: 'state', yourTurn: true })
    expect(o.line.last.observation.board[8]).toBe('.')
  })

  it('a resignation counts at any time in a match, and is refused outside of one', async () => {
    const { pair } = setUp()
    const [x, o] = pair(command('ttt --matches 2'))
    say(o.listener, { type: 'resign' })
    // The match is over, but its result is not on disk yet.
    say(o.listener, { type: 'resign' })
    say(x.listener, { type: 'resign' })
    const over = { code: 'not-your-turn', error: 'the match is over' }
    for (const { line } of [x, o]) expect(line.last).toMatchObject(over)
    await settled()
    for (const { line } of [x, o])
      expect(line.messages.find(({ type }) => type === 'result')).toMatchObject({
        winner: 0,
        reason: 'resignation',
      })
  })

  it('a resignation or a move in the queue is refused, and the wait goes on', () => {
    const { dial } = setUp()
    const { line, listener } = dial(1)
    say(listener, { type: 'resign' })
    expect(line.last).toMatchObject({ code: 'not-your-turn' })
    expect(line.ended).toBeNull()
  })

  it('a move in the queue is refused', () => {
    const { dial } = setUp()
    const { line, listener } = dial(1)
    move(listener, '4')
    expect(line.last).toMatchObject({ code: 'not-your-turn' })
  })

  it('a second join is refused', () => {
    const { dial } = setUp()
    const { line, listener } = dial(1)
    say(listener, { type: 'join', game: 'ttt' })
    expect(line.last).toMatchObject({ code: 'already-joined' })
  })

  it.each([
    'hello',
    '',
    '[]',
    'null',
    '"move"',
    '3',
    '{"type":"dance"}',
    '{"move":"4"}',
    '{"type":["move"]}',
    '{"__proto__":{"type":"move"}}',
    '{"type":"move","move":"4","note":7}',
    '{"type":"move","move":"4","note":null}',
    JSON.stringify({ type: 'move', move: '4', note: 'n'.repeat(281) }),
    `${'['.repeat(30_000)}`,
  ])('the invalid message %.40s is answered and costs nothing', text => {
    const { pair } = setUp()
    const [x, o] = pair()
    x.listener.receive(text)
    expect(x.line.last).toMatchObject({ type: 'error', code: 'bad-message' })
    move(x.listener, '4')
    expect(o.line.last).toMatchObject({ yourTurn: true })
  })

  it('the note of a move is kept, and no player is told of it', async () => {
    const { pair, matchStore } = setUp()
    const [x, o] = pair()
    for (const [i, cell] of ['0', '3', '1', '4', '2'].entries())
      say((i % 2 === 0 ? x : o).listener, { type: 'move', move: cell, note: `a\nsecret ${i}` })
    await settled()
    expect(x.line.last).toMatchObject({ type: 'result', outcome: 'win' })
    expect(JSON.stringify([x.line.messages, o.line.messages])).not.toContain('secret')
    expect(matchStore.matches[0]!.notes).toEqual(
      Object.fromEntries([0, 1, 2, 3, 4].map(i => [i + 1, `a secret ${i}`])),
    )
  })

  it('the 20th invalid message of a match ends the connection and loses the match', async () => {
    const { pair } = setUp()
    const [x, o] = pair()
    for (let i = 0; i < 19; i++) x.listener.receive('?')
    expect(x.line.ended).toBeNull()
    x.listener.receive('?')
    await settled()
    expect(x.line.last).toMatchObject({ code: 'too-many-errors' })
    expect(x.line.ended).toBe(false)
    expect(o.line.last).toMatchObject({ winner: 1, reason: 'forfeit: connection closed' })
  })

  it('invalid messages are counted for each match by itself', async () => {
    const { pair } = setUp()
    const [x] = pair(command('ttt --matches 2'))
    for (let i = 0; i < 19; i++) x.listener.receive('?')
    say(x.listener, { type: 'resign' })
    await settled()
    expect(x.line.messages.filter(({ type }) => type === 'hello')).toHaveLength(2)
    for (let i = 0; i < 19; i++) x.listener.receive('?')
    expect(x.line.ended).toBeNull()
    x.listener.receive('?')
    expect(x.line.last).toMatchObject({ code: 'too-many-errors' })
  })

  it('a line that is too long ends the connection and loses the match', async () => {
    const { pair } = setUp()
    const [x, o] = pair()
    o.listener.receive({ code: 'line-too-long', detail: 'a line is longer than 64 KiB' })
    await settled()
    expect(o.line.last).toMatchObject({ code: 'line-too-long' })
    expect(o.line.ended).toBe(false)
    expect(x.line.last).toMatchObject({ reason: 'forfeit: connection closed' })
  })

  it('a ping is answered at any time', () => {
    const { dial } = setUp()
    const { line, listener } = dial(1, command(''))
    say(listener, { type: 'ping' })
    expect(line.last).toEqual({ type: 'pong' })
  })

  it('messages after the end are ignored', async () => {
    const { pair } = setUp()
    const [x] = pair()
    say(x.listener, { type: 'resign' })
    await settled()
    const { length } = x.line.sent
    move(x.listener, '4')
    x.listener.receive('?')
    x.listener.closed()
    expect(x.line.sent).toHaveLength(length)
  })
})

describe('joining', () => {
  it('a join message has to arrive within 30 s', () => {
    const { clock, dial } = setUp()
    const slow = dial(1, command(''))
    const quick = dial(2, command(''))
    expect(quick.line.notes[0]).toContain('{"type":"join","game":"ttt"}')
    clock.pass(29_000)
    say(quick.listener, { type: 'join', game: 'c4', matches: 3 })
    expect(quick.line.messages).toEqual([{ type: 'queued', game: 'c4' }])
    clock.pass(1000)
    expect(slow.line.last).toMatchObject({ code: 'join-timeout' })
    expect([slow.line.ended, quick.line.ended]).toEqual([false, null])
  })

  it('an agent without an opponent is told when its wait times out', () => {
    const { clock, dial } = setUp()
    const { line } = dial(1)
    clock.pass(120_000)
    expect(line.last).toEqual({
      type: 'error',
      error: 'no opponent found — try again later',
      code: 'no-opponent',
    })
    expect(line.ended).toBe(false)
  })

  it('an agent is told if only agents of its own owner were waiting', () => {
    const { clock, dial, matchStore } = setUp()
    matchStore.owners.set(2, 1)
    const lines = [dial(1).line, dial(2).line]
    clock.pass(120_000)
    for (const line of lines)
      expect(line.last).toMatchObject({
        error: 'no opponent found — only agents of your own owner were waiting',
        code: 'no-opponent',
      })
  })

  it('an agent that is paused while it waits is told why, and its connection ends', () => {
    const { arena, dial, matchStore } = setUp()
    const { line } = dial(1)
    matchStore.pauses.set(1, { reason: 'it stalls', by: 'host' })
    arena.review()
    expect(line.last).toMatchObject({
      type: 'error',
      code: 'paused',
      error: expect.stringContaining('agent-1 is paused: it stalls.'),
    })
    expect(line.ended).toBe(false)
    expect(dial(1).line.messages).toMatchObject([{ type: 'error', code: 'paused' }])
  })

  it('an agent that disconnects while it waits is never paired', () => {
    const { dial } = setUp()
    dial(1).listener.closed()
    const { line } = dial(2)
    expect(line.messages).toEqual([{ type: 'queued', game: 'ttt' }])
  })

  it('practice begins at once, and its messages say that it is unrated', async () => {
    const { dial } = setUp()
    const { line, listener } = dial(1, command('--practice ttt'))
    const unrated = 'practice against the house'
    expect(line.messages.slice(0, 2)).toMatchObject([
      { type: 'queued' },
      { type: 'hello', opponent: 'house-default', rated: false, unrated },
    ])
    say(listener, { type: 'resign' })
    await settled()
    expect(line.last).toMatchObject({ rating: 1500, change: 0, rated: false, unrated })
  })

  it('an agent whose session the host ends is told why', () => {
    const { dial } = setUp()
    const { line, listener } = dial(1)
    listener.dismiss({ code: 'banned', detail: 'this account is banned' })
    expect(line.last).toMatchObject({ type: 'error', code: 'banned' })
    expect(line.ended).toBe(false)
  })

  it.each([
    ['banned', 'banned by the operator'],
    ['revoked', 'its key or token was revoked'],
    ['shutting-down', 'the connection was lost'],
  ] as const)('the opponent of one who is sent away as %s is told so', async (code, detail) => {
    const { pair } = setUp()
    const [x, o] = pair()
    x.listener.dismiss({ code, detail: 'a reason for the loser alone' })
    await settled()
    expect(o.line.last).toMatchObject({
      type: 'result',
      outcome: 'win',
      reason: 'forfeit: connection closed',
      detail,
    })
  })

  const read = (opening: Opening) => {
    const words = readOpening(opening)
    if (words === undefined || 'code' in words) return words
    const join = readJoin(words)
    return 'code' in join ? join : { ...join, game: join.game.id, ladder: join.ladder.id }
  }
  const plain = {
    ...{ game: 'ttt', matches: 1, practice: undefined, opponent: undefined },
    ...{ ladder: 'ttt', openings: false, event: null, version: null },
  }
  const version = { version: '2.1', model: null, harness: null }

  it.each([
    [command('ttt'), plain],
    [command('  ttt  --matches 20 '), { ...plain, matches: 20 }],
    [command('ttt --matches=20'), { ...plain, matches: 20 }],
    [command('ttt --practice'), { ...plain, practice: 'default' }],
    [command('--practice ttt'), { ...plain, practice: 'default' }],
    [command('ttt --practice hard --matches 2'), { ...plain, practice: 'hard', matches: 2 }],
    [command('ttt --opponent agent-bob'), { ...plain, opponent: 'agent-bob' }],
    [command(''), undefined],
    [query('game=ttt'), plain],
    [query('game=ttt&matches=20'), { ...plain, matches: 20 }],
    [query('game=ttt&practice=1&token=x'), { ...plain, practice: 'default' }],
    [query('game=ttt&practice=0'), plain],
    [query('game=ttt&practice=hard'), { ...plain, practice: 'hard' }],
    [query('token=x'), undefined],
    [command('ttt --speed thinking'), { ...plain, ladder: 'ttt+thinking' }],
    [command('--ladder=blind ttt --speed=fast'), { ...plain, ladder: 'ttt+blind' }],
    [command('ttt --speed fast --ladder open'), plain],
    [query('game=ttt&speed=thinking&ladder=blind'), { ...plain, ladder: 'ttt+thinking+blind' }],
    [command('ttt --version 2.1'), { ...plain, version }],
    [query('game=ttt&version=2.1'), { ...plain, version }],
    [
      command('ttt --version=2.1 --model "a model 4" --harness loop-1'),
      { ...plain, version: { ...version, model: 'a model 4', harness: 'loop-1' } },
    ],
    [
      query('game=ttt&version=2.1&model=a%20%1b%5b2J%E2%80%AEmodel%0d&harness=%20'),
      { ...plain, version: { ...version, model: 'a [2Jmodel', harness: null } },
    ],
  ] as [Opening, unknown][])('%j is understood', (opening, expected) => {
    expect(read(opening)).toEqual(expected)
  })

  it.each([
    [command('tto'), 'unknown-game', /no game "tto" \(did you mean ttt\?\); there are ttt, c4/],
    [command('ttt c4'), 'bad-join', /"c4".*GAME, or --event EVENT, \[--matches N\]/],
    [command('ttt --rated'), 'bad-join', /no option --rated/],
    [command('ttt --pratice'), 'bad-join', /--pratice \(did you mean --practice\?\)/],
    [command('ttt --matches'), 'bad-join', /1 to 1000/],
    [command('ttt --matches 0'), 'bad-join', /1 to 1000, got 0$/],
    [command('ttt --matches many'), 'bad-join', /1 to 1000, got "many"$/],
    [command('ttt pratice'), 'bad-join', /"pratice" \(did you mean --practice\?\)/],
    [command('ttt --practice --practice=0'), 'bad-join', /^practice is given twice, as "" and "0"/],
    [command('ttt --matches -3'), 'bad-join', /1 to 1000/],
    [command('ttt --matches 1001'), 'bad-join', /1 to 1000/],
    [command('--practice'), 'bad-join', /name a game/],
    [command('ttt --practice --opponent bob'), 'bad-join', /exclude each other/],
    [query('game='), 'unknown-game', /no game ""/],
    [query('game=ttt&pratice=1'), 'bad-join', /"pratice" \(did you mean practice\?\)/],
    [query('game=ttt&matchs=3'), 'bad-join', /"matchs" \(did you mean matches\?\)/],
    [query('gmae=ttt'), 'bad-join', /"gmae" \(did you mean game\?\)/],
    [query('game=ttt&%1b[2J=1'), 'bad-join', /no option "<U\+001B>\[2J"; there are game, matches/],
    [query('game=ttt&%c2%9bx=1'), 'bad-join', /no option "<U\+009B>x"/],
    [query('game=%c2%9b'), 'unknown-game', /no game "<U\+009B>"/],
    [command('ttt \u009b2J'), 'bad-join', /understand "<U\+009B>2J"/],
    [query('game=ttt&code=1'), 'bad-join', /no option "code"/],
    [query('game=ttt&practice=1&practice=0'), 'bad-join', /twice, as "1" and "0"/],
    [query('game=ttt&game=c4'), 'bad-join', /^game is given twice, as "ttt" and "c4"$/],
    [query('game=ttt&matches=1e1'), 'bad-join', /1 to 1000/],
    [query('game=ttt&opponent='), 'bad-join', /name of an account/],
    [query('game=ttt&speed=slow'), 'bad-join', /^speed: fast or thinking, got "slow"$/],
    [command('ttt --speed'), 'bad-join', /^speed: fast or thinking, got ""$/],
    [command('ttt --speed fast --speed fast'), 'bad-join', /^speed is given twice/],
    [query('game=ttt&ladder=people'), 'bad-join', /^ladder: open or blind, got "people"$/],
    [command('echo --ladder blind'), 'bad-join', /^ladder: no list of moves is given in echo/],
    [command('ttt --blind'), 'bad-join', /no option --blind/],
    [command('ttt --agent 2.1'), 'bad-join', /no option --agent/],
    [query('game=ttt&agent=2.1'), 'bad-join', /no option "agent"/],
    [query('game=ttt&model=x'), 'bad-join', /^agent.version is missing; expected: 1 to 16 letters/],
    [query('game=ttt&version=2~1'), 'bad-join', /^agent.version is "2~1"; expected: 1 to 16/],
    [command('ttt --version 1 --version 2'), 'bad-join', /^version is given twice, as "1" and/],
  ] as [Opening, string, RegExp][])('%j is refused', (opening, code, detail) => {
    expect(read(opening)).toEqual({ code, detail: expect.stringMatching(detail) })
  })

  it.each([
    [{ type: 'join' }, 'bad-join'],
    [{ type: 'join', game: 7 }, 'bad-join'],
    [{ type: 'join', game: 'ttt', pratice: true }, 'bad-join'],
    [{ type: 'join', game: 'ttt', matches: '2' }, 'bad-join'],
    [{ type: 'join', game: 'ttt', matches: 1.5 }, 'bad-join'],
    [{ type: 'join', game: 'ttt', practice: 1 }, 'bad-join'],
    [{ type: 'join', game: 'ttt', practice: 'godlike' }, 'bad-join'],
    [{ type: 'join', game: 'ttt', opponent: {} }, 'bad-join'],
    [{ type: 'join', game: 'ttt', opponent: 'Agent-1' }, 'bad-join'],
    [{ type: 'join', game: 'ttt', speed: 'Thinking' }, 'bad-join'],
    [{ type: 'join', game: 'ttt', speed: ['thinking'] }, 'bad-join'],
    [{ type: 'join', game: 'ttt', ladder: true }, 'bad-join'],
    [{ type: 'join', game: 'even-odd', ladder: 'blnd' }, 'bad-join'],
    [{ type: 'join', game: 'toString' }, 'unknown-game'],
    [{ type: 'join', game: 'ttt', version: '2.1' }, 'bad-join'],
    [{ type: 'join', game: 'ttt', agent: '2.1' }, 'bad-join'],
    [{ type: 'join', game: 'ttt', agent: null }, 'bad-join'],
    [{ type: 'join', game: 'ttt', agent: {} }, 'bad-join'],
    [{ type: 'join', game: 'ttt', agent: { version: 2.1 } }, 'bad-join'],
    [{ type: 'join', game: 'ttt', agent: { version: '' } }, 'bad-join'],
    [{ type: 'join', game: 'ttt', agent: { version: '1'.repeat(17) } }, 'bad-join'],
    [{ type: 'join', game: 'ttt', agent: { version: '1\n' } }, 'bad-join'],
    [{ type: 'join', game: 'ttt', agent: { version: '1', modle: 'x' } }, 'bad-join'],
    [{ type: 'join', game: 'ttt', agent: { version: '1', model: '🙂'.repeat(61) } }, 'bad-join'],
  ])('the join %j is refused and ends the connection', (join, code) => {
    const { dial } = setUp()
    const { line, listener } = dial(1, command(''))
    say(listener, join)
    expect(line.last).toMatchObject({ type: 'error', code })
    expect(line.ended).toBe(false)
  })
})

describe('the parser', () => {
  it('the parser answers any text with a request or a refusal', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map(v => JSON.stringify(v)),
        ),
        text => {
          const result = parse(text)
          expect('type' in result || result.code === 'bad-message').toBe(true)
        },
      ),
    )
  })

  it.each([
    ['\ufeff{"type":"ping"}', /^this is not JSON: "<U\+FEFF>\{/],
    ['move 4', /^this is not JSON: "move 4"; send/],
    ['["move","4"]', /, got "\["move","4"\]"$/],
    ['{"type":"jion"}', /^unknown "type" "jion" \(did you mean join\?\); it is one of join, move/],
    ['{"type":["move"]}', /^"type" is a string, one of join, move/],
    ['{"game":"ttt"}', /^the message has no "type"/],
    ['{"type":"move","move":"4","note":7}', /^a note is a string, got "7": send text, or leave/],
    [
      JSON.stringify({ type: 'move', move: '4', note: 'n'.repeat(281) }),
      /^a note has at most 280 characters, got 281: "n{40}"…; shorten it, or leave it out; the move/,
    ],
    ['x'.repeat(65_536), /^this is not JSON: "x{40}"…; send/],
  ])('a refusal says what was wrong: %.20j', (text, detail) => {
    expect(parse(text)).toEqual({ code: 'bad-message', detail: expect.stringMatching(detail) })
  })

  it('the parser reads no property from a prototype', () => {
    const join = parse('{"type":"join","__proto__":{"game":"ttt","matches":5}}')
    expect(readJoin((join as unknown as { join: JoinWords }).join)).toMatchObject({
      code: 'bad-join',
    })
    expect(parse('{"__proto__":{"type":"ping"}}')).toMatchObject({ code: 'bad-message' })
    expect(parse('{"type":"move","constructor":{"move":"4"}}')).toEqual({ type: 'move' })
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('the parser passes any move on unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const move = JSON.parse(JSON.stringify(value))
        expect(parse(JSON.stringify({ type: 'move', move }))).toEqual({ type: 'move', move })
      }),
    )
  })
})

describe('a join', () => {
  const refusals = ['bad-join', 'unknown-game']
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('ttt', 'c4', 'bazaar', 'constructor', '__proto__', true, 0, 1001, 1.5, 20),
    fc.constantFrom('fast', 'thinking', 'open', 'blind'),
  )
  const option = fc.constantFrom(
    ...['game', 'matches', 'practice', 'opponent', 'speed', 'ladder', '__proto__', 'type'],
  )

  it('a join with any content is accepted or refused', () => {
    fc.assert(
      fc.property(fc.dictionary(option, value), words => {
        const join = readJoin(JSON.parse(JSON.stringify(words)))
        if ('code' in join) expect(refusals).toContain(join.code)
        else {
          expect(join.game.id).toBe(words.game)
          expect(Number.isInteger(join.matches) && join.matches >= 1).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('a join is read from any command and any query', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('ttt', '--matches', '--matches=3', '--practice', '--opponent', '--', '-'),
      fc.constantFrom('--constructor', '--__proto__=1', '20', '1e9', '--matches=', 'hard'),
    )
    const openings = fc.oneof(
      fc.array(word).map(words => command(words.join(' '))),
      fc
        .array(fc.tuple(option, fc.oneof(word, fc.constant('1'))))
        .map(pairs => query(new URLSearchParams(pairs).toString())),
      fc.string({ unit: 'binary' }).map(query),
    )
    fc.assert(
      fc.property(openings, opening => {
        const words = readOpening(opening)
        if (words === undefined) return
        const join = 'code' in words ? (words as unknown as Refusal) : readJoin(words)
        if ('code' in join) expect(refusals).toContain(join.code)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('a session', () => {
  it('a session answers any messages in any order, with listed codes only', () => {
    const said = fc.oneof(
      fc.constantFrom('{"type":"join","game":"ttt"}', '{"type":"resign"}', '{"type":"ping"}'),
      fc.constantFrom('{"type":"join","game":"ttt","practice":true}', '{"type":"move"}', '{"type'),
      fc.jsonValue().map(move => JSON.stringify({ type: 'move', move })),
      fc.nat(8).map(cell => `{"type":"move","move":"${cell}"}`),
      fc.jsonValue().map(value => JSON.stringify(value)),
      fc.string(),
    )
    const turn = fc.tuple(fc.nat(2), said, fc.nat(20_000))
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 60 }), turns => {
        const { clock, arena, dial } = setUp()
        const agents = [dial(1, command('')), dial(2, command('')), dial(3)]
        for (const [who, text, ms] of turns) {
          agents[who]!.listener.receive(text)
          clock.pass(ms)
        }
        for (const { line, listener } of agents) {
          for (const { type, code } of line.messages)
            if (type === 'error') expect(Object.keys(codes)).toContain(code)
          listener.closed()
        }
        expect(arena.waiting).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})

describe('the state', () => {
  it('the state has no new field before those that an older agent knows', () => {
    const { pair } = setUp()
    const [x] = pair()
    expect(x.line.sent[2]).toBe(
      `{"type":"state","observation":${JSON.stringify({ board: empty, toMove: 0, legal })},"yourTurn":true,"timeLeft":15000}`,
    )
  })
})

describe('the limit on messages', () => {
  const messageLimits: MessageLimits = { messages: 2, tooFast: 3 }
  const ping = { type: 'ping' }
  const answers = (line: TestConnection) =>
    line.messages.slice(1).map(({ type, code }) => code ?? type)

  it('an agent over the limit is told how long to wait, and is heard after that', () => {
    const { clock, dial } = setUp(messageLimits)
    const { line, listener } = dial(1)
    for (let i = 0; i < 11; i++) say(listener, ping)
    expect(answers(line)).toEqual([...Array(10).fill('pong'), 'too-fast'])
    expect(line.last).toEqual({
      type: 'error',
      error: 'more than 2 messages a second: wait 1 s',
      code: 'too-fast',
      retryAfter: 1,
    })
    for (let i = 0; i < 100; i++) {
      clock.pass(1_000)
      say(listener, ping)
      say(listener, ping)
    }
    expect(answers(line).slice(11)).toEqual(Array(200).fill('pong'))
  })

  it('an agent that does not wait is cut', () => {
    const { dial } = setUp(messageLimits)
    for (const text of [
      '{"type":"ping"}',
      '{"type":"move"}',
      '{"type":"resign"}',
      '{"type":"join"}',
    ]) {
      const { line, listener } = dial(1)
      for (let i = 0; i < 20 && line.ended === null; i++) listener.receive(text)
      expect([answers(line).slice(-4), line.ended]).toEqual([Array(4).fill('too-fast'), false])
    }
  })

  it('refusals are forgotten after a quiet time', () => {
    const { clock, dial } = setUp(messageLimits)
    const { line, listener } = dial(1)
    for (let round = 0; round < 10; round++) {
      for (let i = 0; i < 13; i++) say(listener, ping)
      clock.pass(5_000)
    }
    expect(line.ended).toBeNull()
  })

  it('a move that is owed is never limited', async () => {
    const { dial } = setUp({ messages: 1, tooFast: 1 })
    const a = dial(1, command('c4'))
    for (let i = 0; i < 5; i++) say(a.listener, ping)
    const b = dial(2, command('c4'))
    let moves = 0
    for (let mover = b; mover.line.ended === null && moves < 42; moves++) {
      mover = a.line.last.yourTurn ? a : b
      move(mover.listener, mover.line.last.observation.legal[0])
      await settled()
    }
    expect(moves).toBeGreaterThan(15)
    for (const { line } of [a, b]) {
      expect(line.messages.filter(({ type }) => type === 'error')).toEqual([])
      expect(line.last.type).toBe('result')
    }
  })

  it('a second move, out of turn, counts against the limit', () => {
    const { pair } = setUp({ messages: 1, tooFast: 1 })
    const [{ line, listener }] = pair()
    for (const cell of ['0', '1', '2', '3', '4', '5', '6']) move(listener, cell)
    expect(line.messages.slice(-6).map(({ code }) => code)).toEqual([
      ...Array(5).fill('not-your-turn'),
      'too-fast',
    ])
  })
})
