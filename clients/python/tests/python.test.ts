// The Python client against a real host, over real sockets. What needs no host is in test_agentbbs.py.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { seatRange } from '../../../src/games/game.ts'
import { games } from '../../../src/games/index.ts'
import { certificate } from '../../../test/support/certificate.ts'
import { cuttingRelays } from '../../../test/support/cutting-relay.ts'
import { dataFolder } from '../../../test/support/data-folder.ts'
import { effort } from '../../../test/support/effort.ts'
import { newEvent } from '../../../test/support/event-crowd.ts'
import { Host } from '../../../test/support/host.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const python = (args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn('python3', ['-W', 'error', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', ...env },
  })

it('passes the tests that need no host', async () => {
  const child = python(['-m', 'unittest', 'discover', '-s', 'tests'])
  const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')])
  expect(said).toMatch(/^Ran \d+ tests/m)
  expect([code, said.trimEnd().split('\n').at(-1)]).toEqual([0, 'OK'])
})

const hasMypy = spawnSync('python3', ['-m', 'mypy', '--version']).status === 0
it.skipIf(!hasMypy)('passes mypy --strict', async () => {
  const child = python(['-m', 'mypy', '--strict', '--cache-dir', '/dev/null', 'agentbbs.py'])
  expect(await text(child.stdout!)).toContain('Success')
})

const names = ['ada', 'bert', 'cleo', 'dirk']
const tokens: string[] = []
let host: Host

beforeAll(async () => {
  host = await Host.start({
    ...{ AGENTBBS_PAIR_CAP: '0', AGENTBBS_REGISTRATION: 'open' },
    AGENTBBS_AGON_COUNTDOWN: '0.2',
  })
  for (const name of names) tokens.push((await host.account(name)).token)
})
afterAll(() => host?.stop())

const http = (port = host.http) => `http://127.0.0.1:${port}`
const websocket = (port = host.http) => `ws://127.0.0.1:${port}/play`

// biome-ignore lint/suspicious/noExplicitAny: a test says which fields it expects
type Played = any

/** Runs an agent that plays at random, and answers what it printed. */
const agent = async (
  who: number,
  url: string,
  /** Undefined where the event says it. */
  game: string | undefined,
  task: object = {},
  env: NodeJS.ProcessEnv = {},
): Promise<Played> => {
  const all = { url, token: tokens[who], game, seed: who, ...task }
  const child = python(['tests/random_agent.py', JSON.stringify(all)], env)
  const [out, err, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close'),
  ])
  return { code, err, ...(out && JSON.parse(out)) }
}

describe('both transports', () => {
  const all = effort({
    usual: games.filter(({ id }) => ['c4', 'echo', 'dance-battle'].includes(id)),
    ci: games,
  })
  it.concurrent.each(all.map(game => [game.id, seatRange(game).min] as const))(
    'play %s with each other',
    async (game, seats) => {
      const played = await Promise.all(
        names.slice(0, seats).map((_, who) =>
          agent(who, who % 2 ? websocket() : http(), game, {
            isAsync: who < 2,
            options: { speed: 'thinking' },
          }),
        ),
      )
      const [{ match, places }] = played[0].results
      for (const { code, err, results, turns } of played) {
        expect([code, err]).toEqual([0, ''])
        expect(results).toMatchObject([{ match, places, rated: true }])
        const place = places[results[0].seat]
        const shared = places.filter((one: number) => one === 1).length > 1
        expect(results[0].outcome).toBe(place > 1 ? 'loss' : shared ? 'draw' : 'win')
        expect(turns.length).toBeGreaterThan(0)
        expect(turns[0]).toMatchObject({ game, match, refused: null, strikes: 0 })
        expect(turns[0].opponents).toHaveLength(seats - 1)
      }
    },
    120_000,
  )
})

describe('a connection that is cut at random', () => {
  const relayed = cuttingRelays()

  it.concurrent.each([1, 2, 3, 4])(
    'by HTTP costs nothing (seed %i)',
    async seed => {
      const relay = await relayed(host.http, { seed, cuts: 20, bytes: 2500 })
      const game = ['ttt', 'c4', 'even-odd', 'blotto'][seed - 1]!
      const [one, other] = await Promise.all([
        agent(0, http(relay.port), game, { seed, isAsync: seed % 2 === 0 }),
        agent(1, http(), game, { seed }),
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
      // Others than above: those that play at once would meet.
      const game = ['echo', 'bazaar', 'othello', 'gomoku'][seed - 1]!
      const options = { speed: 'thinking' }
      const [one, other] = await Promise.all([
        agent(2, websocket(relay.port), game, { seed, options, isAsync: seed % 2 === 0 }),
        agent(3, websocket(), game, { seed, options }),
      ])
      expect(relay.cuts).toBeGreaterThan(1)
      await sameMatch(one, other)
    },
    120_000,
  )

  it('by WebSocket loses a fast match, whose result is told, and plays the next one', async () => {
    const relay = await relayed(host.http, { seed: 3, cuts: 1, bytes: 5000 })
    const options = { practice: true, matches: 2 }
    const { code, err, results } = await agent(0, websocket(relay.port), 'gomoku', { options })
    expect([code, err]).toEqual([0, ''])
    expect(results).toMatchObject([
      { outcome: 'loss', detail: 'the connection was lost', board: null },
      { rated: false, board: {} },
    ])
  })

  /** Both tell the same end of the same match, which is the one in its record. */
  const sameMatch = async (one: Played, other: Played) => {
    expect([one.code, one.err, other.code, other.err]).toEqual([0, '', 0, ''])
    const [mine, theirs] = [one.results, other.results]
    expect([mine.length, theirs.length]).toEqual([1, 1])
    expect(mine[0]).toMatchObject({ match: theirs[0].match, places: theirs[0].places, rated: true })
    const answer = await fetch(`${http()}/api/v1/matches/${mine[0].match}`)
    const record = (await answer.json()) as Played
    expect(record).toMatchObject({ ending: 'rules', detail: mine[0].detail })
    expect(record.players.map(({ place }: { place: number }) => place)).toEqual(mine[0].places)
    for (const { seat, rating } of [mine[0], theirs[0]])
      expect(record.players[seat].ratingAfter).toBeCloseTo(rating)
  }
})

describe('in an event', () => {
  it('plays all its matches by either transport, until it is over', async () => {
    const { id } = await newEvent(host, { id: 'python-cup', startsWith: 4 })
    const played = await Promise.all(
      names.map((_, who) =>
        agent(who, who % 2 ? websocket() : http(), who < 3 ? undefined : 'ttt', {
          options: { event: id },
          isAsync: who < 2,
        }),
      ),
    )
    for (const { code, err, results } of played) {
      expect([code, err]).toEqual([0, ''])
      expect(results).toHaveLength(3)
    }
    for (const url of [http(), websocket()])
      expect(await agent(0, url, undefined, { options: { event: id } })).toMatchObject({
        ...{ err: '', code: 'event-over', message: 'python-cup is over' },
      })
  })

  it.each([
    ['http', http],
    ['websocket', websocket],
  ] as const)('plays so many matches by %s and no more', async (by, url) => {
    const { id } = await newEvent(host, { id: `one-by-${by}`, startsWith: 3 })
    const others = [1, 2].map(who => agent(who, url(), undefined, { options: { event: id } }))
    const one = agent(0, url(), 'ttt', { options: { event: id, matches: 1 } })
    expect(await one).toMatchObject({ err: '', results: [{ rated: true }] })
    await host.cli('event', 'cancel', id, '--reason', 'enough')
    // It is over for them, too, and no error.
    expect(await Promise.all(others)).toMatchObject(Array(2).fill({ code: 0, err: '' }))
  })
})

it('an agent by each transport gets matches that begin with an opening', async () => {
  const options = { openings: true, speed: 'thinking', matches: 2 }
  const played = await Promise.all(
    [http(), websocket()].map((url, who) => agent(who, url, 'othello', { options })),
  )
  const [one, other] = played.map(({ results }) => results)
  expect(one[0].board.opening.length).toBeGreaterThan(1)
  expect(other[0].board.opening).toEqual(one[0].board.opening)
  expect(one[1].seat).not.toBe(one[0].seat)
})

it('an agent by each transport meets the other at a table', async () => {
  const { rooms } = (await (await fetch(`${http()}/api/v1/rooms`)).json()) as Played
  const [{ id }] = rooms.find(({ id }: Played) => id === 'trade_deal').tables
  const played = await Promise.all(
    [http(), websocket()].map((url, who) => agent(who, url, 'bazaar', { options: { table: id } })),
  )
  const [one, other] = played.map(({ results }) => results)
  expect(played).toMatchObject([{ err: '' }, { err: '' }])
  expect([one.length, one[0].match]).toEqual([1, other[0].match])
})

it('is asked for the next match of an event where the host has lost the seat', async () => {
  const asked: string[] = []
  const answers = [
    { status: 'waiting', seat: 'one' },
    { status: 'refused', code: 'no-seat', error: 'this account has no seat "one"' },
    { status: 'waiting', seat: 'two' },
    { status: 'refused', code: 'event-over', error: 'cup is over' },
  ]
  const server = createHttpServer((request, response) => {
    const call = request.url!.split('/').at(-1)!
    response.end(JSON.stringify(answers[asked.push(call) - 1]))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const url = http((server.address() as AddressInfo).port)
  const played = await agent(0, url, undefined, { options: { event: 'cup' } })
  expect(played).toMatchObject({ err: '', code: 0, results: [] })
  expect(asked).toEqual(['join', 'wait', 'join', 'wait'])
})

describe('an agent', () => {
  it.each([
    ['http', http],
    ['websocket', websocket],
  ] as const)('plays several matches of practice by %s', async (_, url) => {
    const options = { practice: 'level-1', matches: 3 }
    const { code, err, results } = await agent(0, url(), 'ttt', { options })
    expect([code, err]).toEqual([0, ''])
    expect(results).toHaveLength(3)
    const unrated = 'practice against the house'
    expect(results).toMatchObject(Array(3).fill({ rated: false, unrated, change: 0 }))
  })

  it.each([
    ['http', http, { ladder: 'blind' }],
    ['websocket', websocket, { ladder: 'blind', speed: 'thinking' }],
  ] as const)('is told of its illegal moves by %s, and chooses again', async (_, url, options) => {
    const task = { options: { practice: true, ...options }, wrong: ['9', 'x'], free: true }
    const { err, results, turns } = await agent(0, url(), 'ttt', task)
    expect([err, results.length]).toEqual(['', 1])
    expect(turns.slice(0, 4)).toMatchObject([
      { refused: null, strikes: 0 },
      { refused: expect.stringContaining('9'), strikes: 1 },
      { refused: expect.stringContaining('x'), strikes: 2 },
      { refused: null, strikes: 2 },
    ])
    expect(turns[1].time_left).toBeGreaterThan(1)
    expect(results[0].detail).not.toContain('illegal')
  })

  it.each([
    ['http', http, 'error', false, 1],
    ['http', http, 'interrupt', false, 130],
    ['http', http, 'error', true, 1],
    ['websocket', websocket, 'error', false, 1],
    ['websocket', websocket, 'exit', false, 1],
    ['websocket', websocket, 'error', true, 1],
  ] as const)('that fails resigns by %s', async (_, url, fails, isAsync, exit) => {
    const [failed, other] = await Promise.all([
      agent(0, url(), 'c4', { fails, isAsync }),
      agent(1, url(), 'c4'),
    ])
    expect([failed.code === 0, failed.results]).toEqual([false, undefined])
    expect(exit === 1 ? failed.code : 130).toBe(exit)
    expect(failed.err).toMatch(
      { error: /no idea$/m, interrupt: /KeyboardInterrupt/, exit: /^no idea$/m }[fails],
    )
    expect(other.results).toMatchObject([
      { outcome: 'win', detail: expect.stringMatching(/resign/) },
    ])
  })

  it.each([
    ['http', http],
    ['websocket', websocket],
  ] as const)('says its version, and why it moves, by %s', async (by, url) => {
    const version = { version: `${by}-1`, model: 'dice' }
    const task = { options: { practice: true, agent: version }, note: 'chance' }
    const { err, results } = await agent(0, url(), 'ttt', task)
    expect([err, results.length]).toEqual(['', 1])
    const answer = await fetch(`${http()}/api/v1/matches/${results[0].match}`)
    const { players, moves } = (await answer.json()) as Played
    const { seat } = results[0]
    expect(players[seat].name).toBe(`ada~${by}-1`)
    const notes = moves.filter((move: Played) => move.seat === seat).map(({ note }: Played) => note)
    expect(new Set(notes)).toEqual(new Set(['chance']))
  })

  it.each([
    ['http', http],
    ['websocket', websocket],
  ] as const)('hears the code and the words of a refusal by %s', async (_, url) => {
    expect(await agent(0, url(), 'tto')).toMatchObject({
      ...{ err: '', code: expect.stringMatching(/^(unreadable|unknown-game)$/) },
      message: expect.stringContaining('"tto"'),
    })
    const stranger = await agent(0, url(), 'ttt', { token: 'abbs_stranger' })
    expect(stranger).toMatchObject({ code: 'bad-token', err: '' })
    expect(JSON.stringify(stranger)).not.toContain('abbs_stranger')
    expect(await agent(0, url(1), 'ttt')).toMatchObject({
      code: 'connection-failed',
      next: 'start the host, or correct its address',
    })
  })
})

it('registers an account, calls all six verbs, and asks at once where another loop runs', async () => {
  const program = `
import asyncio, sys
sys.path.insert(0, ".")
import agentbbs
url = sys.argv[1]
client = agentbbs.Client(url, agentbbs.register(url, "new-one"))
lobby = client.lobby("ttt")
assert lobby["rules"] and lobby["games"][0]["id"] == "ttt"
seat = client.join("ttt", practice=True, wait_s=5, detail="brief")["seat"]
async def notebook():
    return client.wait(seat)
board = asyncio.run(notebook())
answer = client.move(seat, board["ply"], board["legal"][0], wait_s=5)
over = client.leave(seat)
assert over["status"] == "over", over
assert client.record(over["match"])["record"]["id"] == over["match"]
async def main():
    try:
        await agentbbs.register_async(url, "new-one")
    except agentbbs.AgentError as error:
        print(error.code, error.message)
    try:
        await agentbbs.AsyncClient(url, await agentbbs.register_async(url, "new-two")).wait(seat)
    except agentbbs.AgentError as error:
        print(error.code, error.next)
asyncio.run(main())
`
  const child = python(['-c', program, http()])
  const [out, err] = await Promise.all([text(child.stdout!), text(child.stderr!)])
  expect(err).toBe('')
  expect(out).toMatch(/^http-409 the name new-one is taken\nno-seat .*lobby.*\n$/)
})

it.each(['https', 'wss'])('plays by TLS: %s', async scheme => {
  const folder = dataFolder()
  const { cert, key } = certificate(folder)
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, socket => {
    const plain = connect(host.http, '127.0.0.1')
    socket.on('error', () => {}).pipe(plain)
    plain.on('error', () => {}).pipe(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const url = `${scheme}://localhost:${(server.address() as AddressInfo).port}`
  const options = { practice: true }
  expect(await agent(0, url, 'ttt', { options })).toMatchObject({ code: 'bad-certificate' })
  const { err, results } = await agent(0, url, 'ttt', { options }, { SSL_CERT_FILE: cert })
  expect([err, results.length]).toEqual(['', 1])
})
