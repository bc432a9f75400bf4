import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { type HttpHost, startHttpHost } from '../../test/support/http-host.ts'
import { likeAgentGames } from '../../test/support/test-protocol.ts'
import { WebSocketAgent } from '../../test/support/websocket-agent.ts'

let host: HttpHost
beforeEach(async () => {
  host = await startHttpHost({ moveTimeout: 400 })
  for (const name of ['alice', 'bob']) host.register(name)
})
afterEach(() => host.close())

/** Alice and Bob at a table, each having read all that came before the first move. */
const seated = async (dial = (name: string) => host.dial(name)) => {
  const agents = [dial('alice'), dial('bob')]
  const players: WebSocketAgent[] = []
  for (const agent of agents) {
    players[(await agent.next('hello')).player] = agent
    await agent.next('state')
  }
  return players as [WebSocketAgent, WebSocketAgent]
}

test('two clients play a match, message by message as in the contract', async () => {
  const first = host.dial('alice')
  expect(await first.next()).toEqual({ type: 'queued', game: 'ttt' })
  const second = host.dial('bob')
  expect(await second.next()).toEqual({ type: 'queued', game: 'ttt' })
  const hellos = [await first.next(), await second.next()]
  expect(hellos.map(hello => hello.player).toSorted()).toEqual([0, 1])
  for (const [i, opponent] of ['bob', 'alice'].entries())
    expect(hellos[i]).toEqual({
      type: 'hello',
      player: expect.any(Number),
      game: 'ttt',
      opponent,
      match: 1,
      moveTimeout: 0.4,
      rated: true,
    })
  const players = hellos[0]!.player === 0 ? [first, second] : [second, first]
  const board = Array(9).fill('.')
  for (const [turn, cell] of [0, 3, 1, 4, 2].entries()) {
    const legal = board.flatMap((mark, i) => (mark === '.' ? [String(i)] : []))
    const toMove = turn % 2
    const observation = { board: [...board], toMove, legal }
    expect(await players[toMove]!.next()).toEqual({
      type: 'state',
      observation,
      yourTurn: true,
      timeLeft: expect.any(Number),
    })
    expect(await players[1 - toMove]!.next()).toEqual({
      type: 'state',
      observation,
      yourTurn: false,
    })
    players[toMove]!.move(String(cell))
    board[cell] = toMove === 0 ? 'X' : 'O'
  }
  const observation = { board, toMove: -1, legal: [] }
  const result = { type: 'result', winner: 0, match: 1, rated: true, observation }
  const detail = 'three in a row'
  expect(await players[0]!.next()).toEqual({
    ...result,
    outcome: 'win',
    rating: 1516,
    change: 16,
    detail,
  })
  expect(await players[1]!.next()).toEqual({
    ...result,
    outcome: 'loss',
    rating: 1484,
    change: -16,
    detail,
  })
  expect(await Promise.all([first.closed, second.closed])).toEqual([1000, 1000])
  await expect.poll(() => host.roster.size).toBe(0)
})

test('the token may come in a header, and the game in a join', async () => {
  const bob = host.dial('bob')
  const alice = await new WebSocketAgent(`ws://${host.address}/play`, {
    headers: { authorization: 'Bearer alice' },
  }).opened()
  alice.say({ type: 'join', game: 'ttt' })
  expect((await alice.next('hello')).opponent).toBe('bob')
  expect((await bob.next('hello')).opponent).toBe('alice')
})

test('several matches can be played on one connection', async () => {
  const agents = ['alice', 'bob'].map(name => host.dial(name, 'game=ttt&matches=3'))
  await Promise.all(
    agents.map(async agent => {
      for (let i = 0; i < 3; i++) expect((await agent.playFirstLegal()).type).toBe('result')
      expect(await agent.closed).toBe(1000)
    }),
  )
  expect(host.matchStore.matches).toHaveLength(3)
})

test('an impossible join in the address gets an error and close code 1008', async () => {
  const agent = host.dial('alice', 'game=nochess')
  expect(await agent.next()).toMatchObject({ type: 'error', code: 'unknown-game' })
  expect(await agent.closed).toBe(1008)
})

test('an agent without an opponent is told so after the wait', async () => {
  const lonely = await startHttpHost({ queueWait: 100 })
  lonely.register('alice')
  const alice = lonely.dial('alice')
  expect(await alice.next()).toEqual({ type: 'queued', game: 'ttt' })
  expect(await alice.next()).toEqual({
    type: 'error',
    error: 'no opponent found — try again later',
    code: 'no-opponent',
  })
  expect(await alice.closed).toBe(1008)
  await lonely.close()
})

test('a banned account is disconnected', async () => {
  const { account } = host.register('mallory')
  const mallory = await host.dial('mallory').opened()
  host.accounts.ban(account)
  await host.roster.review()
  expect(await mallory.next('error')).toMatchObject({ code: 'banned' })
  expect(await mallory.closed).toBe(1008)
})

test('a session that throws ends its own connection and no other', async () => {
  const faulty = await startHttpHost({
    protocols: [
      likeAgentGames((connection, account) => ({
        receive: message => {
          if (account.name === 'mallory') throw new Error('broken')
          connection.send(String(message))
        },
        dismiss: () => {},
        closed: () => {},
      })),
    ],
  })
  for (const name of ['alice', 'mallory']) faulty.register(name)
  const [alice, mallory] = [await faulty.dial('alice').opened(), faulty.dial('mallory')]
  await mallory.opened()
  mallory.say({})
  expect(await mallory.next()).toMatchObject({ type: 'error', code: 'internal' })
  expect(await mallory.closed).toBe(1008)
  alice.say({ still: 'here', type: 'echo' })
  expect(await alice.next('echo')).toEqual({ still: 'here', type: 'echo' })
  alice.webSocket.close()
  await faulty.close()
})

test('what waits to be written counts as unsent, and the session hears when there is nothing', async () => {
  const unsent: number[] = []
  const drained: number[] = []
  const own = await startHttpHost({
    protocols: [
      likeAgentGames(connection => ({
        receive: message => {
          connection.send(String(message).padEnd(50_000), true)
          unsent.push(connection.unsent)
        },
        dismiss: () => {},
        drained: () => drained.push(connection.unsent),
        closed: () => {},
      })),
    ],
  })
  own.register('alice')
  const alice = await own.dial('alice').opened()
  for (let i = 0; i < 2; i++) {
    alice.say({ type: 'echo' })
    await alice.next('echo')
  }
  alice.webSocket.close()
  await own.close()
  expect(unsent).toEqual([50_004, 50_004])
  // The first is the answer to the handshake.
  expect(drained).toEqual([0, 0, 0])
})

test.each([
  ['an illegal move', '9', 'a move is a cell from "0" to "8", row by row, got "9"'],
  ['a move of the wrong type', 4, 'move must be a string, got number'],
  ['a missing move', undefined, 'move is missing'],
])('%s forfeits', async (_, move, detail) => {
  const [first, second] = await seated()
  first.move(move)
  const reason = 'forfeit: illegal move'
  expect(await first.next()).toMatchObject({ type: 'result', outcome: 'loss', reason, detail })
  expect(await second.next()).toMatchObject({ type: 'result', outcome: 'win', reason, winner: 1 })
  expect(await Promise.all([first.closed, second.closed])).toEqual([1000, 1000])
})

test('silence past the deadline forfeits', async () => {
  const [first, second] = await seated()
  const reason = 'forfeit: move timeout'
  expect(await second.next()).toMatchObject({ type: 'result', outcome: 'win', reason })
  expect(await first.next()).toMatchObject({ type: 'result', outcome: 'loss', reason })
})

test.each([
  ['closing', (agent: WebSocketAgent) => agent.webSocket.close()],
  ['resetting', (agent: WebSocketAgent) => socketOf(agent).resetAndDestroy()],
  ['half-closing', (agent: WebSocketAgent) => socketOf(agent).end()],
  ['breaking the framing', (agent: WebSocketAgent) => socketOf(agent).write('\xff\xff', 'latin1')],
])('%s forfeits at once, on either side’s turn', async (_, leave) => {
  for (const leaver of [0, 1]) {
    const players = await seated()
    leave(players[leaver]!)
    expect(await players[1 - leaver]!.next()).toMatchObject({
      type: 'result',
      winner: 1 - leaver,
      reason: 'forfeit: connection closed',
    })
  }
})

const socketOf = (agent: WebSocketAgent) =>
  (agent.webSocket as unknown as { _socket: import('node:net').Socket })._socket

test.each([
  ['SIGKILL', 'forfeit: connection closed'],
  ['SIGSTOP', 'forfeit: move timeout'],
] as const)('a client under %s forfeits', async (signal, reason) => {
  const alice = await host.dial('alice').opened()
  const script = `const ws = new (require('ws').WebSocket)(process.argv[1])
    ws.on('message', data => String(data).includes('hello') && console.log(String(data)))`
  const child = spawn(
    process.execPath,
    ['-e', script, `ws://${host.address}/play?game=ttt&token=bob`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const { player } = JSON.parse(String((await once(child.stdout, 'data'))[0]))
  child.kill(signal)
  if (player === 1) {
    // Only who is to move can be late.
    await alice.next('state')
    if (signal === 'SIGSTOP') alice.move('4')
  }
  expect(await alice.next('result')).toMatchObject({ outcome: 'win', reason })
  child.kill('SIGKILL')
})

test('a client that does not answer keep-alive pings is cut, one that answers is not', async () => {
  const clock = new FakeClock()
  const other = await startHttpHost({ clock, keepAlive: 16_000 })
  other.register('alice')
  other.register('bob')
  const [alice, bob] = [
    await other.dial('alice', '').opened(),
    await other.dial('bob', '').opened(),
  ]
  bob.webSocket.pause()
  const round = async () => {
    clock.pass(16_000)
    // The pings of the host are answered before the second of these.
    for (let i = 0; i < 2; i++) {
      alice.say({ type: 'ping' })
      expect(await alice.next()).toEqual({ type: 'pong' })
    }
  }
  for (let i = 0; i < 2; i++) await round()
  expect(other.http.agents).toBe(2)
  await round()
  await expect.poll(() => other.http.agents).toBe(1)
  for (let i = 0; i < 4; i++) await round()
  alice.webSocket.close()
  bob.webSocket.terminate()
  await other.close()
})

test('invalid messages are answered, and the 20th ends the connection', async () => {
  const agent = await host.dial('alice', '').opened()
  const { webSocket } = agent
  for (const text of ['nonsense', '[]', '{}', '{"type":"dance"}', '', '{} {}']) {
    webSocket.send(text)
    expect(await agent.next()).toMatchObject({ type: 'error', code: 'bad-message' })
  }
  webSocket.send(Buffer.from('{"type":"ping"}'), { binary: true })
  expect(await agent.next()).toMatchObject({
    code: 'bad-message',
    error: expect.stringMatching('binary'),
  })
  webSocket.send(Buffer.from([0x22, 0xc3, 0x28, 0x22]), { binary: false })
  expect(await agent.next()).toMatchObject({
    code: 'bad-message',
    error: expect.stringMatching('UTF-8'),
  })
  for (let i = 8; i < 19; i++) webSocket.send('nonsense')
  webSocket.send('{"type":"ping"}')
  await agent.next('pong')
  webSocket.send('nonsense')
  expect(await agent.next()).toMatchObject({ type: 'error', code: 'too-many-errors' })
  expect(await agent.closed).toBe(1008)
})

test('a message may have 64 KiB and not a byte more', async () => {
  const agent = await host.dial('alice', '').opened()
  const ofLength = (length: number) => '{"type":"ping"}'.padEnd(length)
  agent.webSocket.send(ofLength(65_536))
  expect(await agent.next()).toEqual({ type: 'pong' })
  agent.webSocket.send(ofLength(65_537))
  expect(await agent.next()).toMatchObject({ type: 'error', code: 'line-too-long' })
  expect(await agent.closed).toBe(1008)
})

test('a message that is far too long is not received', async () => {
  const agent = await host.dial('alice', '').opened()
  // A message that announces a gigabyte is answered before it comes.
  socketOf(agent).write('\x81\xff\0\0\0\0\x40\0\0\0\0\0\0\0', 'latin1')
  expect(await agent.next()).toMatchObject({ type: 'error', code: 'line-too-long' })
  expect(await agent.closed).toBe(1008)
})

test('a message may come in pieces, and as one byte at a time', async () => {
  const agent = await host.dial('alice', '').opened()
  for (const [i, piece] of ['{"ty', 'pe":', '"ping"}'].entries())
    agent.webSocket.send(piece, { fin: i === 2 })
  expect(await agent.next()).toEqual({ type: 'pong' })
  // A masked text frame whose mask is 0.
  const text = '{"type":"ping"}'
  for (const byte of `\x81${String.fromCharCode(0x80 | text.length)}\0\0\0\0${text}`) {
    socketOf(agent).write(byte, 'latin1')
    await new Promise(resolve => setImmediate(resolve))
  }
  expect(await agent.next()).toEqual({ type: 'pong' })
  agent.webSocket.close()
})

test('thousands of tiny messages are all answered, in one packet or many', async () => {
  const agent = await host.dial('alice', '').opened()
  for (let i = 0; i < 5_000; i++) agent.say({ type: 'ping' })
  for (let i = 0; i < 5_000; i++) expect(await agent.next()).toEqual({ type: 'pong' })
  agent.webSocket.close()
})

test('a move out of turn or after the end is dropped, never kept', async () => {
  const [first, second] = await seated()
  second.move('8')
  expect(await second.next()).toMatchObject({ type: 'error', code: 'not-your-turn' })
  first.move('0')
  first.move('1')
  await first.next('state')
  expect(await first.next()).toMatchObject({ type: 'error', code: 'not-your-turn' })
  expect((await second.next()).observation.board).toEqual(['X', ...Array(8).fill('.')])
  second.say({ type: 'resign' })
  second.move('5')
  expect(await second.next()).toMatchObject({ code: 'not-your-turn', error: 'the match is over' })
  expect(await second.next()).toMatchObject({ type: 'result', reason: 'resignation' })
  expect(await second.closed).toBe(1000)
})

test('a client that never reads is cut before it fills the memory', async () => {
  const socket = connect(host.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write(
    'GET /play?token=alice HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  const text = '{"type":"ping"}'
  const frame = `\x81${String.fromCharCode(0x80 | text.length)}\0\0\0\0${text}`
  const flood = Buffer.from(frame.repeat(10_000), 'latin1')
  const closed = new Promise<void>(resolve => socket.on('close', () => resolve()))
  while (!socket.destroyed)
    if (!socket.write(flood))
      await Promise.race([new Promise(resolve => socket.once('drain', resolve)), closed])
  await expect.poll(() => host.roster.size).toBe(0)
})

test('the result and the close leave in one packet, as do the first messages', async () => {
  const chunks: string[] = []
  const bob = host.dial('bob')
  await bob.next('queued')
  const socket = connect(host.port, '127.0.0.1', () =>
    socket.write(
      'GET /play?game=ttt&token=alice HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    ),
  )
  socket.on('data', data => chunks.push(data.toString('latin1')))
  await bob.next('state')
  bob.say({ type: 'resign' })
  await bob.closed
  await once(socket, 'end')
  socket.destroy()
  expect(chunks).toHaveLength(2)
  expect(chunks[0]).toMatch(/^HTTP\/1\.1 101 .*"type":"queued".*"type":"hello".*"type":"state"/s)
  expect(chunks[1]).toContain('"type":"result"')
  expect(chunks[1]!.slice(-4)).toBe('\x88\x02\x03\xe8')
})

test('a thousand agents that join at the same moment are all paired, once each', async () => {
  // On a busy machine a thousand may take longer than the usual deadlines.
  const time = 120_000
  const crowd = await startHttpHost({
    ...{ queueWait: time, moveTimeout: time, keepAlive: time },
    limits: { loginTime: time },
  })
  const names = Array.from({ length: 1000 }, (_, i) => `agent-${i}`)
  for (const name of names) crowd.register(name)
  const agents = names.map(name => crowd.dial(name))
  const opponents = await Promise.all(
    agents.map(async agent => {
      const { opponent } = await agent.next('hello')
      expect((await agent.playFirstLegal()).type).toBe('result')
      expect(await agent.closed).toBe(1000)
      return opponent
    }),
  )
  for (const [i, opponent] of opponents.entries())
    expect(opponents[names.indexOf(opponent)]).toBe(names[i])
  expect(new Set(opponents).size).toBe(1000)
  expect(crowd.matchStore.matches).toHaveLength(500)
  await crowd.close()
}, 120_000)
