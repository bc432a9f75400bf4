import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { type HttpHost, startHttpHost } from '../../test/support/http-host.ts'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { unmetered } from '../meter.ts'
import { StallWatch } from '../process/stall-watch.ts'

let host: HttpHost
let told: string[]
afterEach(() => host.close())

const open = async (given: Parameters<typeof startHttpHost>[0] = {}) => {
  told = []
  host = await startHttpHost({
    ...given,
    meter: {
      ...unmetered,
      refused: code => told.push(code),
      loginFailed: wire => told.push(wire),
    },
  })
  host.register('alice')
}

/** A trusted edge at 127.0.0.1, and the rest of the loopback range for the open internet. */
const onlyEdge = readConfig({ AGENTBBS_TRUSTED_PROXIES: '127.0.0.1' }).trustedProxies

const dial = (from = '127.0.0.1'): Socket =>
  connect({ port: host.port, host: '127.0.0.1', localAddress: from }).on('error', () => {})

const said = (socket: Socket) =>
  new Promise<string>(resolve => {
    let text = ''
    socket.on('data', data => {
      text += data
    })
    socket.on('close', () => resolve(text))
  })

/** What comes back for these lines, until the server closes. */
const ask = (from: string, ...lines: string[]) => {
  const socket = dial(from)
  socket.end(`${lines.join('\r\n')}\r\n\r\n`)
  return said(socket)
}

const upgrade = (from: string, token: string | null, ...headers: string[]) =>
  ask(
    from,
    `GET /play?game=whist${token === null ? '' : `&token=${token}`} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  )
const statusOf = (response: string) => Number(response.slice(9, 12))
const bodyOf = (response: string) => JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4))
const naming = (source: string) => `X-Forwarded-For: ${source}`

describe('bad tokens', () => {
  it('lock out that address alone: 429 with the seconds to wait, whatever token comes then', async () => {
    await open({ trustedProxies: onlyEdge, limits: { lockoutAfter: 3 } })
    for (let i = 0; i < 3; i++) expect(statusOf(await upgrade('127.0.0.7', 'wrong'))).toBe(401)
    const refused = await upgrade('127.0.0.7', 'alice')
    expect(statusOf(refused)).toBe(429)
    expect(refused).toContain('\r\nRetry-After: 30\r\n')
    expect(bodyOf(refused)).toEqual({
      type: 'error',
      error: 'too many failed logins from your address: try again in 30 s',
      code: 'locked-out',
      retryAfter: 30,
    })
    expect(statusOf(await upgrade('127.0.0.8', 'alice'))).toBe(101)
    expect(told).toEqual([
      ...Array.from({ length: 3 }, () => ['websocket', 'bad-token']).flat(),
      'locked-out',
      'unknown-game',
    ])
  })

  it('count more than no token', async () => {
    await open({ trustedProxies: onlyEdge, limits: { lockoutAfter: 2 } })
    for (let i = 0; i < 9; i++) expect(statusOf(await upgrade('127.0.0.7', null))).toBe(401)
    expect(statusOf(await upgrade('127.0.0.7', 'alice'))).toBe(101)
  })

  it('count for the address that the edge names, and not for the edge', async () => {
    await open({ limits: { lockoutAfter: 1 } })
    expect(statusOf(await upgrade('127.0.0.1', 'wrong', naming('192.0.2.7')))).toBe(401)
    expect(statusOf(await upgrade('127.0.0.1', 'alice', naming('192.0.2.7')))).toBe(429)
    expect(statusOf(await upgrade('127.0.0.1', 'alice', naming('192.0.2.8')))).toBe(101)
    expect(statusOf(await upgrade('127.0.0.1', 'alice'))).toBe(101)
    // What the client itself had put in front of it counts for nothing.
    expect(statusOf(await upgrade('127.0.0.1', 'alice', naming('192.0.2.8, 192.0.2.7')))).toBe(429)
  })

  it('cannot be made to count for another address', async () => {
    await open({ trustedProxies: onlyEdge, limits: { lockoutAfter: 1 } })
    expect(statusOf(await upgrade('127.0.0.7', 'wrong', naming('127.0.0.8')))).toBe(401)
    expect(statusOf(await upgrade('127.0.0.8', 'alice'))).toBe(101)
    expect(statusOf(await upgrade('127.0.0.7', 'alice', naming('127.0.0.9')))).toBe(429)
  })
})

describe('an address', () => {
  it('has a limit of connections that are not agents', async () => {
    await open({ trustedProxies: onlyEdge, limits: { unauthenticatedPerAddress: 2 } })
    const silent = [dial('127.0.0.7'), dial('127.0.0.7')]
    await Promise.all(silent.map(socket => once(socket, 'connect')))
    const refused = await ask('127.0.0.7', 'GET /healthz HTTP/1.1', 'Host: h')
    expect(statusOf(refused)).toBe(429)
    expect(bodyOf(refused)).toMatchObject({ code: 'too-many-connections', retryAfter: 15 })
    expect(
      statusOf(await ask('127.0.0.8', 'GET /healthz HTTP/1.1', 'Host: h', 'Connection: close')),
    ).toBe(200)
    for (const socket of silent) socket.destroy()
    await expect
      .poll(async () =>
        statusOf(await ask('127.0.0.7', 'GET /healthz HTTP/1.1', 'Host: h', 'Connection: close')),
      )
      .toBe(200)
  })

  it('behind an edge has a limit of requests at once, over all connections', async () => {
    await open({
      limits: { unauthenticatedPerAddress: 2 },
      pages: (_, response) => void response.writeHead(200).write('an event stream'),
    })
    const streams = [1, 2].map(() => {
      const socket = dial()
      socket.write(`GET /events HTTP/1.1\r\nHost: h\r\n${naming('192.0.2.7')}\r\n\r\n`)
      return socket
    })
    await Promise.all(streams.map(socket => once(socket, 'data')))
    const health = (source: string) =>
      ask('127.0.0.1', 'GET /healthz HTTP/1.1', 'Host: h', naming(source), 'Connection: close')
    expect(statusOf(await health('192.0.2.7'))).toBe(429)
    expect(statusOf(await health('192.0.2.8'))).toBe(200)
    expect(statusOf(await upgrade('127.0.0.1', 'alice', naming('192.0.2.7')))).toBe(429)
    streams[0]!.destroy()
    await expect.poll(async () => statusOf(await health('192.0.2.7'))).toBe(200)
    streams[1]!.destroy()
  })

  it('has a limit of agents', async () => {
    await open({ limits: { connectionsPerAddress: 2 } })
    const headers = { 'X-Forwarded-For': '192.0.2.7' }
    const agents = [1, 2].map(() => host.dial('alice', '', headers))
    await Promise.all(agents.map(agent => agent.opened()))
    expect(statusOf(await upgrade('127.0.0.1', 'alice', naming('192.0.2.7')))).toBe(429)
    agents[0]!.webSocket.close()
    await expect
      .poll(async () => statusOf(await upgrade('127.0.0.1', 'alice', naming('192.0.2.7'))))
      .toBe(101)
    agents[1]!.webSocket.close()
  })
})

describe('pages', () => {
  /** Stays on the line for its answer: who hangs up before gets none. */
  const page = (from: string, ...headers: string[]) => {
    const lines = ['GET /page HTTP/1.1', 'Host: h', 'Connection: close', ...headers]
    const socket = dial(from)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    return said(socket)
  }
  /** Takes longer than the 50 ms that an address has at once, of 1 ms a second. */
  const slow = {
    limits: { pageTime: 1 },
    pages: (_: unknown, response: ServerResponse) => {
      const until = performance.now() + 100
      while (performance.now() < until);
      response.end('a page')
    },
  }

  it('that took too long to make are refused for a while: 429 with the seconds to wait', async () => {
    await open({ ...slow, trustedProxies: onlyEdge })
    expect(statusOf(await page('127.0.0.7'))).toBe(200)
    const refused = await page('127.0.0.7')
    expect(statusOf(refused)).toBe(429)
    const { code, retryAfter } = bodyOf(refused)
    expect(code).toBe('too-fast')
    expect(refused).toContain(`\r\nRetry-After: ${retryAfter}\r\n`)
    expect(told).toEqual(['too-fast'])
  })

  it('that took too long to make count for that address alone, and not for its agents', async () => {
    await open({ ...slow, trustedProxies: onlyEdge })
    await page('127.0.0.7')
    expect(statusOf(await page('127.0.0.7'))).toBe(429)
    expect(statusOf(await page('127.0.0.8'))).toBe(200)
    expect(statusOf(await upgrade('127.0.0.7', 'alice'))).toBe(101)
    const health = ['GET /healthz HTTP/1.1', 'Host: h', 'Connection: close']
    expect(statusOf(await ask('127.0.0.7', ...health))).toBe(200)
  })

  it('that took too long to make count for the address that the edge names', async () => {
    await open(slow)
    expect(statusOf(await page('127.0.0.1', naming('2001:db8::1')))).toBe(200)
    expect(statusOf(await page('127.0.0.1', naming('2001:db8::2')))).toBe(429)
    expect(statusOf(await page('127.0.0.1', naming('2001:db8:1::1')))).toBe(200)
    expect(statusOf(await page('127.0.0.1'))).toBe(200)
    expect(statusOf(await page('127.0.0.1'))).toBe(200)
  })

  it('that are all asked for at once are limited too', async () => {
    await open({ ...slow, trustedProxies: onlyEdge })
    const answers = await Promise.all(Array.from({ length: 10 }, () => page('127.0.0.7')))
    expect(answers.map(statusOf).sort()).toEqual([200, ...Array(9).fill(429)])
  })

  it('are made one at a time, and an agent is answered meanwhile', async () => {
    const waiting: (() => void)[] = []
    await open({
      pages: async (_, response) => {
        await new Promise<void>(resolve => waiting.push(resolve))
        response.end('a page')
      },
    })
    const answers = [1, 2, 3].map(() => page('127.0.0.1'))
    const alice = await host.dial('alice', '').opened()
    for (let made = 1; made <= 3; made++) {
      await expect.poll(() => waiting).toHaveLength(made)
      alice.say({ type: 'ping' })
      expect(await alice.next()).toEqual({ type: 'pong' })
      expect(waiting).toHaveLength(made)
      waiting.at(-1)!()
    }
    expect((await Promise.all(answers)).map(statusOf)).toEqual([200, 200, 200])
    alice.webSocket.close()
  })

  it('that are not read are the last ones for that address, and no other', async () => {
    await open({
      trustedProxies: onlyEdge,
      pages: (request, response) =>
        void response.end(request.url === '/long' ? Buffer.alloc(32 << 20) : 'a page'),
    })
    const socket = dial('127.0.0.7')
    socket.write('GET /long HTTP/1.1\r\nHost: h\r\n\r\n')
    await once(socket, 'data')
    socket.pause()
    expect(bodyOf(await page('127.0.0.7'))).toEqual({
      type: 'error',
      error: 'read what you have asked for before you ask for more: try again in 10 s',
      code: 'too-fast',
      retryAfter: 10,
    })
    expect(statusOf(await page('127.0.0.8'))).toBe(200)
    socket.destroy()
    await expect.poll(async () => statusOf(await page('127.0.0.7'))).toBe(200)
  })

  it('with all that belongs to them are not limited for an ordinary reader', async () => {
    await open({ pages: (_, response) => void response.end('a file') })
    for (let i = 0; i < 1_000; i++) {
      const response = await fetch(`http://${host.address}/file/${i}`, {
        headers: { 'X-Forwarded-For': '192.0.2.7' },
      })
      expect([response.status, await response.text()]).toEqual([200, 'a file'])
    }
  })
})

it('an account has a limit of connections', async () => {
  await open({ limits: { connectionsPerAccount: 1 } })
  const first = await host.dial('alice', '').opened()
  const refused = await upgrade('127.0.0.1', 'alice')
  expect(statusOf(refused)).toBe(429)
  expect(bodyOf(refused)).toMatchObject({ code: 'too-many-connections', retryAfter: 10 })
  first.webSocket.close()
  await expect.poll(async () => statusOf(await upgrade('127.0.0.1', 'alice'))).toBe(101)
})

it('a client that is refused for other connections of its address is told why, by curl too', async () => {
  await open({
    trustedProxies: onlyEdge,
    limits: { unauthenticatedPerAddress: 3, loginTime: 20_000 },
  })
  const crowd = Array.from({ length: 600 }, () => dial('127.0.0.7'))
  const sorry = /"code":"too-many-connections","retryAfter":20/
  // The 597 that are turned away stay connected for as long as they are let, and read nothing.
  await Promise.all(crowd.map(socket => once(socket, 'connect')))
  const curl = ['-si', '--interface', '127.0.0.7', `http://${host.address}/`]
  for (let i = 0; i < 10; i++) {
    const { stdout } = await promisify(execFile)('curl', curl)
    expect(stdout).toMatch(/^HTTP\/1.1 429 .*\r\nRetry-After: 20\r\n/s)
    expect(stdout).toMatch(sorry)
    expect(await upgrade('127.0.0.7', 'alice')).toMatch(sorry)
  }
  for (const socket of crowd) socket.destroy()
})

it('a full host says so, and the address with the most connections makes room first', async () => {
  await open({ trustedProxies: onlyEdge, limits: { requests: 3 } })
  const crowd = [1, 2, 3].map(() => dial('127.0.0.7'))
  await Promise.all(crowd.map(socket => once(socket, 'connect')))
  const eldest = said(crowd[0]!)
  const health = (from: string) =>
    ask(from, 'GET /healthz HTTP/1.1', 'Host: h', 'Connection: close')
  expect(statusOf(await health('127.0.0.8'))).toBe(200)
  const told = await eldest
  expect([statusOf(told), bodyOf(told).code, bodyOf(told).retryAfter]).toEqual([503, 'full', 10])
  const other = dial('127.0.0.9')
  await once(other, 'connect')
  const full = await health('127.0.0.7')
  expect([statusOf(full), bodyOf(full).code]).toEqual([503, 'full'])
  for (const socket of [...crowd, other]) socket.destroy()
})

describe('a request', () => {
  const get = (path: string, ...headers: string[]) =>
    ask('127.0.0.1', `GET ${path} HTTP/1.1`, 'Host: h', ...headers)

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH'])(
    'of method %s is refused, and the connection with it',
    async method => {
      await open({ pages: () => expect.unreachable() })
      const response = await ask('127.0.0.1', `${method} /page HTTP/1.1`, 'Host: h')
      expect(statusOf(response)).toBe(405)
      expect(response).toContain('\r\nAllow: GET, HEAD\r\n')
    },
  )

  it.each([
    ['a length', 'Content-Length: 1000000000'],
    ['chunks', 'Transfer-Encoding: chunked'],
  ])('with a body, announced by %s, is refused before it comes', async (_, header) => {
    await open({ pages: () => expect.unreachable() })
    expect(statusOf(await get('/page', header))).toBe(413)
  })

  it('has an address of 2 KiB and a head of 8 KiB at most', async () => {
    await open({ pages: (_, response) => void response.end('a page') })
    const longest = `http://${host.address}/${'x'.repeat(2_046)}`
    expect((await fetch(longest)).status).toBe(200)
    expect(statusOf(await get(`/${'x'.repeat(2_048)}`))).toBe(414)
    expect(statusOf(await get('/', `X: ${'x'.repeat(8 * 1024)}`))).toBe(431)
  })

  it('is cut when hundreds of others follow before its answer', async () => {
    let asked = 0
    await open({ pages: () => void asked++ })
    const socket = dial()
    socket.write('GET /page HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(500))
    await said(socket)
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThanOrEqual(16)
  })

  it('is answered in its turn, so that moves are made between two pages', async () => {
    let turn = 0
    let counting = setImmediate(function next() {
      turn++
      counting = setImmediate(next)
    })
    const turns: number[] = []
    await open({
      pages: (_, response) => {
        turns.push(turn)
        response.end()
      },
    })
    const socket = dial()
    socket.write('GET /page HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(10))
    await expect.poll(() => turns).toHaveLength(10)
    clearImmediate(counting)
    socket.destroy()
    expect(new Set(turns).size).toBe(10)
  })
})

describe('an upgrade to another protocol', () => {
  const h2c = ['Host: h', 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAMAAABk']
  it('is ignored, and the page is served, however long', async () => {
    const page = Buffer.alloc(8 << 20, 'page')
    await open({ pages: (_, response) => void response.end(page) })
    const response = await ask('127.0.0.1', 'GET /page HTTP/1.1', ...h2c, 'Upgrade: h2c')
    expect(statusOf(response)).toBe(200)
    expect(response).toContain('\r\nConnection: close\r\n')
    expect(response.length).toBeGreaterThan(page.length)
    // All clients have left.
    await expect.poll(() => host.connectionLimiter.connections).toBe(0)
  })

  it('is ignored, and its connection is cut only when nothing follows', async () => {
    await open({ pages: () => {}, limits: { stallTime: 300 } })
    expect(await ask('127.0.0.1', 'GET /never HTTP/1.1', ...h2c, 'Upgrade: h2c')).toBe('')
  })

  it('is ignored, and does not delay the end of the host while a page is made', async () => {
    let asked = 0
    await open({ pages: () => void asked++ })
    const waiting = dial()
    waiting.write(`GET /never HTTP/1.1\r\n${h2c.join('\r\n')}\r\nUpgrade: h2c\r\n\r\n`)
    await expect.poll(() => asked).toBe(1)
    await host.http.close()
    waiting.destroy()
  })

  it('is ignored as well when the page comes late, or something else is wrong', async () => {
    await open({ pages: (_, response) => void setImmediate(() => response.end('late')) })
    expect(await ask('127.0.0.1', 'GET /late HTTP/1.1', ...h2c, 'Upgrade: h2c')).toMatch(/late$/)
    const asked = (line: string) => ask('127.0.0.1', line, ...h2c, 'Upgrade: h2c')
    expect(statusOf(await asked('GET /play HTTP/1.1'))).toBe(426)
    expect(statusOf(await asked('POST /page HTTP/1.1'))).toBe(405)
    expect(await asked('GET /healthz HTTP/1.1')).toMatch(/ok$/)
  })
})

describe('a connection on which nothing moves', () => {
  it.each([
    ['says nothing', ''],
    ['does not say what it wants', 'GET /play HTTP/1.1\r\n'],
  ])('is cut when it %s', async (_, words) => {
    await open({ limits: { loginTime: 300 } })
    const socket = dial()
    socket.write(words)
    expect(statusOf(await said(socket))).toBe(408)
  })

  it('is cut when its head comes by a byte a time', async () => {
    await open({ limits: { loginTime: 300 } })
    const socket = dial()
    socket.write('GET / HTTP/1.1\r\nX: ')
    const trickle = setInterval(() => socket.write('x'), 20)
    expect(statusOf(await said(socket))).toBe(408)
    clearInterval(trickle)
  })

  it('is cut when no other request follows', async () => {
    await open({ limits: { stallTime: 300 } })
    expect(await get()).toContain('ok')
  })
  const get = () => ask('127.0.0.1', 'GET /healthz HTTP/1.1', 'Host: h')

  it('is cut when the response is not read', async () => {
    await open({
      limits: { stallTime: 300 },
      pages: (_, response) => void response.end(Buffer.alloc(64 << 20)),
    })
    const socket = dial()
    socket.write('GET /page HTTP/1.1\r\nHost: h\r\n\r\n')
    await once(socket, 'data')
    socket.pause()
    // A connection that is gone does not count.
    await expect.poll(() => host.connectionLimiter.connections, { timeout: 10_000 }).toBe(0)
    socket.destroy()
  })

  it('is given back the time in which the host stalled', async () => {
    const machine = new FakeClock()
    let turn = () => {}
    const clock = new StallWatch(machine, run => {
      turn = run
    })
    clock.watch(() => {})
    await open({ clock, limits: { loginTime: 15_000 } })
    const socket = dial()
    socket.write('GET /healthz HTTP/1.1\r\n')
    const answered = said(socket)
    await expect.poll(() => host.connectionLimiter.connections).toBe(1)
    machine.stall(60_000)
    machine.pass(0)
    turn()
    expect(host.connectionLimiter.connections).toBe(1)
    for (let i = 0; i < 500; i++) {
      machine.pass(10)
      turn()
    }
    socket.write('Host: h\r\nConnection: close\r\n\r\n')
    expect(statusOf(await answered)).toBe(200)
    // Who says nothing is cut all the same.
    await expect.poll(() => host.connectionLimiter.connections).toBe(0)
    const mute = dial()
    await expect.poll(() => host.connectionLimiter.connections).toBe(1)
    for (let i = 0; i < 1_600; i++) {
      machine.pass(10)
      turn()
    }
    expect(statusOf(await said(mute))).toBe(408)
  })

  it('is given back that time also while it waits for a response', async () => {
    let stood = 0
    const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + stood }
    let since = 0
    const pages = () => {
      since = performance.now()
      stood = 60_000
    }
    await open({ clock, limits: { stallTime: 300 }, pages })
    const socket = dial()
    socket.write('GET /page HTTP/1.1\r\nHost: h\r\n\r\n')
    await said(socket)
    // Twice the stall time, less what timers may be early by.
    expect(performance.now() - since).toBeGreaterThan(590)
  })

  it('is not cut when an agent that asked for a page before plays on it', async () => {
    await open({ limits: { stallTime: 100, loginTime: 100 } })
    const socket = dial()
    let heard = ''
    socket.on('data', chunk => {
      heard += chunk
    })
    socket.write('GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n')
    await expect.poll(() => heard).toContain('ok')
    socket.write(
      'GET /play?token=alice HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    await expect.poll(() => heard).toContain('101')
    await new Promise(resolve => setTimeout(resolve, 400))
    expect(socket.destroyed || socket.readableEnded).toBe(false)
    socket.destroy()
  })

  it('is not cut when an agent waits for its opponent', async () => {
    await open({ limits: { stallTime: 100, loginTime: 100 } })
    const agent = await host.dial('alice', '').opened()
    const idle = await host.dial('alice', '').opened()
    await new Promise(resolve => setTimeout(resolve, 400))
    for (const one of [agent, idle]) {
      one.say({ type: 'ping' })
      expect(await one.next()).toEqual({ type: 'pong' })
      one.webSocket.close()
    }
  })
})

it('more than a thousand pings between two of the host end the connection', async () => {
  await open()
  const agent = await host.dial('alice', '').opened()
  for (let i = 0; i < 1_001; i++) agent.webSocket.ping()
  expect(await agent.next()).toMatchObject({ type: 'error', code: 'too-fast' })
  expect(await agent.closed).toBe(1008)
})
