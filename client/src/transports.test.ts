// Both transports against a real host, over real sockets.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { randomMove } from '../../examples/random-move.ts'
import { seatRange } from '../../src/games/game.ts'
import { games } from '../../src/games/index.ts'
import { cuttingRelays } from '../../test/support/cutting-relay.ts'
import { newEvent } from '../../test/support/event-crowd.ts'
import { Host } from '../../test/support/host.ts'
import {
  type Hello,
  type Move,
  Noted,
  type Observation,
  type Play,
  play,
  type Result,
  register,
  type Turn,
} from './index.ts'

const names = ['ada', 'bert', 'cleo', 'dirk']
const tokens: string[] = []
let host: Host

beforeAll(async () => {
  host = await Host.start({
    ...{ AGENTBBS_PAIR_CAP: '0', AGENTBBS_REGISTRATION: 'open' },
    AGENTBBS_AGON_COUNTDOWN: '0.2',
    AGENTBBS_VOTING: '0.2',
  })
  for (const name of names) tokens.push((await host.account(name)).token)
})
afterAll(() => host?.stop())

const http = (port = host.http) => `http://127.0.0.1:${port}`
const webSocket = (port = host.http) => `ws://127.0.0.1:${port}/play`
const both = [
  ['HTTP', http],
  ['WebSocket', webSocket],
] as const

interface Played {
  readonly results: readonly Result[]
  readonly hellos: readonly Hello[]
  readonly turns: readonly Turn[]
  /** The boards for which a move was asked. */
  readonly boards: readonly string[]
}

/** An agent that plays at random. */
const agent = async (
  who: number,
  url: string,
  /** Undefined where the event says it. */
  game: string | undefined,
  options: Partial<Play> = {},
): Promise<Played> => {
  const hellos: Hello[] = []
  const turns: Turn[] = []
  const boards: string[] = []
  const choose =
    options.move ?? ((seen: Observation, { hello }: Turn) => randomMove(hello.game, seen))
  const { event = '' } = options
  const results = await play({
    ...{ url, token: tokens[who]!, onHello: hello => hellos.push(hello), ...options },
    ...(game === undefined ? { event } : { game }),
    move: (seen, turn) => {
      turns.push(turn)
      boards.push(JSON.stringify(seen))
      return choose(seen, turn)
    },
  })
  return { results, hellos, turns, boards }
}

// biome-ignore lint/suspicious/noExplicitAny: a test says which fields it expects
const recordOf = async ([result]: readonly Pick<Result, 'match'>[]): Promise<any> =>
  (await fetch(`${http()}/api/v1/matches/${result!.match}`)).json()

describe('both transports', () => {
  it.concurrent.each(games.map(game => [game.id, seatRange(game).min] as const))(
    'play %s with each other, and tell the same',
    async (game, seats) => {
      const played = await Promise.all(
        names.slice(0, seats).map((_, who) =>
          agent(who, who % 2 ? webSocket() : http(), game, {
            speed: 'thinking',
            act: ({ pending }, { hello }) =>
              pending && (pending as { seat: number }).seat !== hello.player
                ? { action: 'reject_trade' }
                : undefined,
          }),
        ),
      )
      const results = played.map(({ results: [result] }) => result!)
      const [{ match, detail, winner, scores }] = results as [Result]
      for (const { results, hellos, turns } of played) {
        expect(results).toMatchObject([{ match, detail, winner, rated: true }])
        expect(results[0]!.scores).toEqual(scores)
        expect(results[0]!.observation.toMove).toBe(-1)
        expect(hellos).toMatchObject([
          { game, match, moveTimeout: 20, bank: 600, speed: 'thinking', ladder: 'open' },
        ])
        expect(hellos[0]!.opponent.split(', ')).toHaveLength(seats - 1)
        expect(turns[0]).toMatchObject({ clocks: undefined, refused: undefined, strikes: 0 })
        expect(turns[0]!.timeLeft).toBeGreaterThan(500_000)
      }
      const fields = results.map(result => Object.keys(result).filter(name => name !== 'type'))
      expect(new Set(fields[0])).toEqual(new Set(fields[1]))
      expect(Object.keys(played[0]!.hellos[0]!).sort()).toEqual(
        Object.keys(played[1]!.hellos[0]!)
          .filter(name => name !== 'type')
          .sort(),
      )
    },
    120_000,
  )
})

// Each test has a game of its own, since agents of all of them may meet.
describe('a connection that is cut at random', () => {
  const relayed = cuttingRelays()

  it.concurrent.each([1, 2, 3, 4])(
    'by HTTP costs nothing (seed %i)',
    async seed => {
      const relay = await relayed(host.http, { seed, cuts: 20, bytes: 5000 })
      const game = ['ttt', 'echo', 'even-odd', 'blotto'][seed - 1]!
      const [one, other] = await Promise.all([
        agent(0, http(relay.port), game),
        agent(1, http(), game),
      ])
      expect(relay.cuts).toBeGreaterThan(1)
      await sameMatch(one, other)
    },
    120_000,
  )

  it.concurrent.each([1, 2, 3, 4])(
    'by WebSocket is made again, and comes back to its thinking match (seed %i)',
    async seed => {
      const relay = await relayed(host.http, { seed, cuts: 8, bytes: 4000 })
      const game = ['c4', 'skill-gomoku', 'othello', 'gomoku'][seed - 1]!
      const [one, other] = await Promise.all([
        agent(2, webSocket(relay.port), game, { speed: 'thinking' }),
        agent(3, webSocket(), game, { speed: 'thinking' }),
      ])
      expect(relay.cuts).toBeGreaterThan(1)
      await sameMatch(one, other)
      expect(new Set(one.boards).size).toBe(one.boards.length)
    },
    120_000,
  )

  it('by WebSocket loses a fast match, whose result is told, and plays the next one', async () => {
    const relay = await relayed(host.http, { seed: 3, cuts: 1, bytes: 5000 })
    const told: Result[] = []
    const { results, hellos } = await agent(0, webSocket(relay.port), 'gomoku', {
      ...{ practice: true, matches: 2, onResult: result => told.push(result) },
    })
    expect(results).toMatchObject([
      {
        ...{ outcome: 'loss', detail: 'the connection was lost', rating: Number.NaN, change: 0 },
        ...{ reason: 'forfeit: connection closed', rated: false },
        observation: { toMove: expect.any(Number) },
      },
      { rated: false, observation: { toMove: -1 } },
    ])
    expect(told).toEqual(results)
    expect(hellos.map(({ match }) => match)).toEqual(results.map(({ match }) => match))
  })

  /** Both tell the same end of the same match, which is the one in its record. */
  const sameMatch = async (one: Played, other: Played) => {
    expect([one.results.length, other.results.length]).toEqual([1, 1])
    const [mine, theirs] = [one.results[0]!, other.results[0]!]
    expect([one.hellos.length, one.hellos[0]!.rated]).toEqual([1, true])
    expect(mine).toMatchObject({ match: theirs.match, winner: theirs.winner, rated: true })
    expect(mine.change).toBeCloseTo(-theirs.change)
    const record = await recordOf(one.results)
    expect(record).toMatchObject({ ending: 'rules', detail: mine.detail })
    const { player } = one.hellos[0]!
    expect(record.players[player].ratingAfter).toBeCloseTo(mine.rating)
  }
})

describe('in an event', () => {
  it('plays all its matches by either transport, until it is over', async () => {
    const { id } = await newEvent(host, { id: 'client-cup', startsWith: 3 })
    const live: unknown[] = []
    const move: Play['move'] = async (seen, { hello }) => {
      if (live.length === 0) live.push((await recordOf([hello])).event)
      return randomMove('ttt', seen)
    }
    const played = await Promise.all([
      agent(0, http(), undefined, { event: id }),
      agent(1, webSocket(), undefined, { event: id }),
      agent(2, webSocket(), 'ttt', { event: id, move }),
    ])
    expect(live).toEqual([{ id, round: expect.any(Number), board: 1, leg: 1 }])
    for (const { results, hellos } of played) {
      expect(results).toHaveLength(2)
      expect(hellos).toMatchObject(Array(2).fill({ game: 'ttt', rated: true }))
    }
    // Over HTTP others would have more time: here those of the event hold.
    const terms = played.map(({ hellos: [hello] }) => [hello!.moveTimeout, hello!.speed])
    expect(new Set(terms.map(String)).size).toBe(1)
    const late = { code: 'event-over', message: expect.stringContaining('client-cup is over') }
    for (const [, url] of both)
      await expect(agent(0, url(), 'ttt', { event: id })).rejects.toMatchObject(late)
  })

  it.each(both)('plays so many matches by %s and no more', async (by, url) => {
    const { id } = await newEvent(host, { id: `one-by-${by.toLowerCase()}`, startsWith: 3 })
    const others = [1, 2].map(who => agent(who, webSocket(), 'ttt', { event: id }))
    const { results } = await agent(0, url(), 'ttt', { event: id, matches: 1 })
    expect(results).toHaveLength(1)
    await host.cli('event', 'cancel', id, '--reason', 'enough')
    // It is over for them, too, and no error.
    expect(await Promise.all(others)).toHaveLength(2)
  })
})

it('an agent by each transport gets matches that begin with an opening', async () => {
  const played = await Promise.all(
    both.map(([, url], who) =>
      agent(who, url(), 'othello', { openings: true, speed: 'thinking', matches: 2 }),
    ),
  )
  const begun = played.map(({ boards }) => JSON.parse(boards[0]!).opening)
  expect(begun[0].length).toBeGreaterThan(1)
  expect(begun[1]).toEqual(begun[0])
  const [first, second] = played[0]!.hellos
  expect(second!.player).not.toBe(first!.player)
})

it('an agent by each transport meets the other at a table', async () => {
  const { rooms } = (await (await fetch(`${http()}/api/v1/rooms`)).json()) as Rooms
  const table = rooms.find(({ id }) => id === 'trade_deal')!.tables[0]!.id
  const played = await Promise.all(
    both.map(([, url], who) => agent(who, url(), 'bazaar', { table })),
  )
  const [one, other] = played.map(({ hellos }) => hellos)
  expect(one).toHaveLength(1)
  expect([one![0]!.opponent, other![0]!.opponent]).toEqual(['bert', 'ada'])
  expect(one![0]!.match).toBe(other![0]!.match)
  // Each has the time of its transport, on the standard ladder.
  expect([one![0]!, other![0]!]).toEqual([
    expect.objectContaining({ moveTimeout: 20, bank: 600 }),
    expect.objectContaining({ moveTimeout: 15 }),
  ])
  for (const hello of [one![0]!, other![0]!]) expect(hello).not.toHaveProperty('speed')
})

interface Rooms {
  readonly rooms: readonly {
    readonly id: string
    readonly tables: readonly { readonly id: string }[]
  }[]
}

describe('an agent', () => {
  it.each(both)('plays several matches of practice by %s', async (_, url) => {
    const { results, hellos } = await agent(0, url(), 'ttt', { practice: 'level-1', matches: 3 })
    const unrated = 'practice against the house'
    expect(results).toMatchObject(Array(3).fill({ rated: false, unrated, change: 0 }))
    expect(hellos.map(({ rated }) => rated)).toEqual([false, false, false])
  })

  it.each(both)('is told of its illegal moves by %s, and chooses again', async (_, url) => {
    const wrong = ['9', 'x']
    const { results, turns } = await agent(0, url(), 'ttt', {
      ...{ practice: true, ladder: 'blind' as 'open', speed: 'thinking' },
      move: ({ board }) => wrong.shift() ?? String((board as string[]).indexOf('.')),
    })
    expect(turns.slice(0, 4)).toMatchObject([
      { refused: undefined, strikes: 0 },
      { refused: expect.stringContaining('9'), strikes: 1 },
      { refused: expect.stringContaining('x'), strikes: 2 },
      { refused: undefined, strikes: 2 },
    ])
    expect(turns[1]!.timeLeft).toBeGreaterThan(500_000)
    expect(results[0]!.detail).not.toContain('illegal')
  })

  it.each(both)('that fails resigns by %s', async (_, url) => {
    const fault = new Error('no idea')
    const [failed, other] = await Promise.allSettled([
      agent(0, url(), 'c4', { move: () => Promise.reject(fault) }),
      agent(1, url(), 'c4'),
    ])
    expect(failed).toEqual({ status: 'rejected', reason: fault })
    expect(other).toMatchObject({
      value: { results: [{ outcome: 'win', reason: 'resignation' }] },
    })
  })

  it.each(both)('whose note is too long resigns by %s', async (_, url) => {
    const [failed, other] = await Promise.allSettled([
      agent(0, url(), 'c4', { move: () => new Noted('3', 'x'.repeat(281)) }),
      agent(1, url(), 'c4'),
    ])
    expect(failed).toMatchObject({ reason: { message: expect.stringContaining('280') } })
    expect(other).toMatchObject({ value: { results: [{ reason: 'resignation' }] } })
  })

  it.each(both)('that is aborted while it thinks resigns by %s', async (_, url) => {
    const controller = new AbortController()
    const never = () => {
      controller.abort(new Error('enough'))
      return new Promise<Move>(() => {})
    }
    const [aborted, other] = await Promise.allSettled([
      agent(0, url(), 'c4', { move: never, signal: controller.signal }),
      agent(1, url(), 'c4'),
    ])
    expect(aborted).toMatchObject({ reason: { message: 'enough' } })
    expect(other).toMatchObject({ value: { results: [{ reason: 'resignation' }] } })
  })

  it.each(both)('that is aborted while it waits leaves the queue by %s', async (_, url) => {
    const signal = AbortSignal.timeout(500)
    await expect(agent(0, url(), 'go19', { signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    const headers = { Authorization: `Bearer ${tokens[0]}`, 'Content-Type': 'application/json' }
    const lobby = async () => {
      const init = { method: 'POST', headers, body: '{}' }
      const answer = await fetch(`${http()}/api/v1/play/lobby`, init)
      return (await answer.json()) as { seats: object[] }
    }
    await expect.poll(async () => JSON.stringify((await lobby()).seats)).not.toContain('"queued"')
  })

  it.each(both)('says its version, and why it moves, by %s', async (by, url) => {
    const { results, hellos } = await agent(0, url(), 'ttt', {
      ...{ practice: true, agent: { version: `${by}-1`, model: 'dice' } },
      move: ({ legal }) => new Noted(legal![0]!, 'chance'),
    })
    const { players, moves } = await recordOf(results)
    const { player } = hellos[0]!
    expect(players[player].name).toBe(`ada~${by}-1`)
    const notes = moves
      .filter(({ seat }: { seat: number }) => seat === player)
      .map(({ note }: { note: string }) => note)
    expect(new Set(notes)).toEqual(new Set(['chance']))
  })

  it.each(both)('hears the code and the words of a refusal by %s', async (_, url) => {
    await expect(agent(0, url(), 'tto')).rejects.toMatchObject({
      code: expect.stringMatching(/^(unreadable|unknown-game)$/),
      message: expect.stringContaining('"tto"'),
    })
    const stranger = await agent(0, url(), 'ttt', { token: 'abbs_stranger' }).catch(error => error)
    expect(stranger).toMatchObject({ name: 'AgentError', code: 'bad-token' })
    expect(stranger.message).not.toContain('stranger')
    await expect(agent(0, url(1), 'ttt')).rejects.toMatchObject({
      code: 'connection-failed',
      message: expect.stringContaining('127.0.0.1:1'),
    })
  })

  it('with an address of another kind is told what to give', async () => {
    for (const url of ['ftp://host', 'host/play'])
      await expect(agent(0, url, 'ttt')).rejects.toMatchObject({ code: 'bad-address' })
  })
})

it('registers an account, and plays as it', async () => {
  const token = await register(http(), 'new-one')
  const { results } = await agent(0, webSocket(), 'ttt', { token, practice: true })
  expect((await recordOf(results)).players.map(({ name }: { name: string }) => name)).toContain(
    'new-one',
  )
  await expect(register(webSocket(), 'new-one')).rejects.toMatchObject({
    ...{ code: 'http-409', message: 'the name new-one is taken' },
  })
})

describe('a host', () => {
  const listening = async (server: Server) => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    return (server.address() as AddressInfo).port
  }

  it('that is full for now is asked again after the time that it names', async () => {
    const asked: number[] = []
    const port = await listening(
      createServer((_, response) => {
        asked.push(performance.now())
        if (asked.length > 1)
          response.end('{"status":"refused","code":"banned","error":"no","next":"no call"}')
        else response.writeHead(503, { 'Retry-After': '1' }).end('full')
      }),
    )
    const refused = await agent(0, http(port), 'ttt').catch(error => error)
    expect(refused).toMatchObject({ code: 'banned', message: 'no', next: 'no call' })
    expect(asked[1]! - asked[0]!).toBeGreaterThan(990)
    const impatient = { code: 'http-503', retryAfter: 1 }
    asked.length = 0
    await expect(agent(0, http(port), 'ttt', { patience: 0 })).rejects.toMatchObject(impatient)
  })

  it('that has taken a seat for silence is asked for another one', async () => {
    const asked: string[] = []
    const answers = [
      { status: 'waiting', seat: 'one' },
      { status: 'closed', code: 'silent', detail: 'no call came for 60 s' },
      { status: 'refused', code: 'banned', error: 'no' },
    ]
    const port = await listening(
      createServer((request, response) => {
        asked.push(request.url!)
        response.end(JSON.stringify(answers[asked.length - 1]))
      }),
    )
    await expect(agent(0, http(port), 'ttt')).rejects.toMatchObject({ code: 'banned' })
    expect(asked.map(path => path.split('/').at(-1))).toEqual(['join', 'wait', 'join'])
  })

  it('that has lost the seats of an event, or aborted a match of it, is asked for the next match', async () => {
    const asked: string[] = []
    const answers = [
      { status: 'waiting', seat: 'one' },
      { status: 'refused', code: 'no-seat', error: 'this account has no seat "one"' },
      { status: 'waiting', seat: 'two' },
      { status: 'refused', code: 'event-over', error: 'cup is over' },
    ]
    const server = createServer((request, response) => {
      const call = request.url!.split('/').at(-1)!
      // What may be left of a seat that has failed is left.
      response.end(JSON.stringify(call === 'leave' ? {} : answers[asked.push(call) - 1]))
    })
    const port = await listening(server)
    expect((await agent(0, http(port), undefined, { event: 'cup' })).results).toEqual([])
    expect(asked).toEqual(['join', 'wait', 'join', 'wait'])

    const addresses: string[] = []
    const sockets = new WebSocketServer({ server })
    sockets.on('connection', (socket, { url }) => {
      const say = (message: object) => socket.send(JSON.stringify(message))
      addresses.push(url!)
      if (addresses.length === 1) {
        say({ type: 'hello', player: 0, match: 7 })
        say({ type: 'error', code: 'match-aborted', error: 'a fault' })
        socket.close(1008)
      } else {
        say({ type: 'queued', game: 'ttt', event: 'cup' })
        say({ type: 'error', code: 'event-over', error: 'cup is over' })
        socket.close(1000)
      }
    })
    const { results } = await agent(0, webSocket(port), undefined, { event: 'cup' })
    expect(results).toEqual([])
    expect(addresses).toEqual(['/play?event=cup', '/play?event=cup'])
  })

  it('that comes back while a move is chosen gets that move, once', async () => {
    const server = createServer((_, response) => response.end('{"id":7,"status":"live"}'))
    const sockets = new WebSocketServer({ server })
    const port = await listening(server)
    let decide: (move: string) => void
    const decided = new Promise<string>(resolve => {
      decide = resolve
    })
    const heard: unknown[] = []
    let connections = 0
    sockets.on('connection', socket => {
      const say = (message: object) => socket.send(JSON.stringify(message))
      const number = ++connections
      // The host has not noticed at first that the connection is lost.
      if (number === 2) return say({ type: 'queued', game: 'ttt' })
      say({ type: 'hello', player: 0, match: 7, speed: 'thinking' })
      say({ type: 'state', observation: { board: 'a' }, yourTurn: true, timeLeft: 9 })
      if (number === 3) decide('b')
      socket.on('message', data => {
        heard.push([number, JSON.parse(String(data))])
        say({ type: 'result', match: 7 })
        socket.close(1000)
      })
    })
    const { results, hellos, boards } = await agent(0, webSocket(port), 'ttt', {
      move: () => {
        for (const socket of sockets.clients) socket.terminate()
        return decided
      },
    })
    expect(heard).toEqual([[3, { type: 'move', move: 'b' }]])
    expect([results.length, hellos.length, boards.length]).toEqual([1, 1, 1])
  })

  it('that sends an agent elsewhere is not followed with its token', async () => {
    const port = await listening(
      createServer((_, response) => response.writeHead(308, { Location: '/other' }).end()),
    )
    await expect(agent(0, http(port), 'ttt')).rejects.toMatchObject({ code: 'http-308' })
  })

  it.each([
    ['is cut', 'connection-closed', (socket: { terminate: () => void }) => socket.terminate()],
    [
      'ends with 1008',
      'stale-move',
      (socket: { close: (code: number) => void }) => socket.close(1008),
    ],
  ] as const)('whose connection %s after an error is blamed for %s', async (_, code, end) => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => server.close())
    await once(server, 'listening')
    server.on('connection', socket => {
      const error = { type: 'error', code: 'stale-move', error: 'the board has changed' }
      socket.send(JSON.stringify(error), () => setImmediate(end, socket))
    })
    const url = webSocket((server.address() as AddressInfo).port)
    await expect(agent(0, url, 'ttt', { patience: 0 })).rejects.toMatchObject({ code })
  })
})
