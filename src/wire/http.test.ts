import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpHost, startHttpHost } from '../../test/support/http-host.ts'
import { letters } from '../../test/support/letters.ts'
import { refused } from '../protocols/agentgames/http.ts'

let host: HttpHost
beforeAll(async () => {
  host = await startHttpHost()
  host.register('alice')
  const { account } = host.register('mallory')
  host.accounts.ban(account)
})
afterAll(() => host.close())

/** What comes back for these lines of a request, until the server closes. */
const raw = (...lines: string[]) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(host.port, '127.0.0.1', () =>
      socket.write(`${lines.join('\r\n')}\r\n\r\n`),
    )
    let text = ''
    socket.on('data', data => {
      text += data
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })

const upgrade = (target: string, ...headers: string[]) =>
  raw(
    `GET ${target} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  )

const bodyOf = (response: string) => response.slice(response.indexOf('\r\n\r\n') + 4)

test('/healthz answers GET and HEAD', async () => {
  const get = await fetch(`http://${host.address}/healthz`)
  expect(get.status).toBe(200)
  expect(get.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(await get.text()).toBe('ok')
  const head = await fetch(`http://${host.address}/healthz`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  const post = await fetch(`http://${host.address}/healthz`, { method: 'POST', body: 'x' })
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test('/play without an upgrade says what it is', async () => {
  const response = await fetch(`http://${host.address}/play?game=ttt`)
  expect(response.status).toBe(426)
  expect(response.headers.get('upgrade')).toBe('websocket')
  expect(await response.text()).toContain('WebSocket')
  const other = await raw(
    'GET /play HTTP/1.1',
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: h2c',
  )
  expect(other).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/)
})

test.each(['/', '/play/', '/plays', '/../play', '/healthz/x'])('%s is not there', async path => {
  expect((await fetch(`http://${host.address}${path}x`)).status).toBe(404)
  expect(await upgrade(`${path}?token=alice`)).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
})

test('other pages can be mounted beside the game', async () => {
  const other = await startHttpHost({ pages: (_, response) => response.end('a page') })
  expect(await (await fetch(`http://${other.address}/about`)).text()).toBe('a page')
  expect((await fetch(`http://${other.address}/healthz`)).status).toBe(200)
  await other.close()
})

test.each([
  ['no token', '/play?game=ttt', []],
  ['a wrong token', '/play?game=ttt&token=nonsense', []],
  ['an empty token', '/play?game=ttt&token=', []],
  ['a wrong header', '/play?game=ttt', ['Authorization: Bearer nonsense']],
  ['another scheme', '/play?game=ttt', ['Authorization: Basic YWxpY2U6']],
])('%s is refused with 401', async (_, target, headers) => {
  const response = await upgrade(target, ...headers)
  expect(response).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/)
  expect(response).toContain('\r\nConnection: close\r\n')
  const body = bodyOf(response)
  expect(response).toContain(`\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`)
  expect(JSON.parse(body)).toEqual({
    type: 'error',
    error: expect.any(String),
    code: 'bad-token',
  })
  expect(body).not.toContain('nonsense')
})

test('a banned account is refused with 403', async () => {
  const response = await upgrade('/play?game=ttt&token=mallory')
  expect(response).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
  expect(JSON.parse(bodyOf(response))).toEqual({
    type: 'error',
    error: 'this account is banned',
    code: 'banned',
  })
})

test('a revoked token is refused with 401', async () => {
  const { login } = host.register('carol')
  host.accounts.revoke(login)
  expect(await upgrade('/play?token=carol')).toMatch(/^HTTP\/1\.1 401 /)
})

test('an invalid handshake is refused, and garbage does no harm', async () => {
  const keyless = await raw(
    'GET /play?token=alice HTTP/1.1',
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
  )
  expect(keyless).toMatch(/^HTTP\/1\.1 400 /)
  expect(await raw('\x00\x01 noise')).toMatch(/^HTTP\/1\.1 400 /)
  expect(await raw('GET / HTTP/1.1', `X: ${'x'.repeat(20_000)}`)).toMatch(/^HTTP\/1\.1 431 /)
  expect((await fetch(`http://${host.address}/healthz`)).status).toBe(200)
})

test('a host that stops accepting keeps the connections that it has', async () => {
  const other = await startHttpHost()
  other.register('alice')
  const alice = await other.dial('alice', '').opened()
  other.http.stopAccepting({ code: 'shutting-down', detail: 'try again later' })
  const refused = await fetch(`http://${other.address}/healthz`).catch(error => error.cause)
  expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
  alice.say({ type: 'ping' })
  expect(await alice.next()).toEqual({ type: 'pong' })
  await other.close()
})

test('a host that stops answers requests while a session without a connection is kept, and opens no WebSocket', async () => {
  const other = await startHttpHost({ protocols: [letters] })
  const kept = { dismiss: () => {} }
  other.roster.keep(other.register('alice').login, kept)
  other.http.stopAccepting({ code: 'shutting-down', detail: 'try again later' })
  expect((await fetch(`http://${other.address}/healthz`)).status).toBe(200)
  const headers = { Connection: 'Upgrade', Upgrade: 'websocket' }
  const [answer] = await once(
    request(`http://${other.address}/letters`, { headers }).end(),
    'response',
  )
  expect([answer.statusCode, String(await once(answer, 'data'))]).toEqual([
    418,
    'letters: shutting-down\n',
  ])
  other.roster.leave(kept)
  await expect
    .poll(() => fetch(`http://${other.address}/healthz`).catch(error => error.cause))
    .toMatchObject({ code: 'ECONNREFUSED' })
  await other.close()
})

test.each(['h2c', 'websocket'])(
  'an upgrade to %s behind a request that waits for its answer ends that connection alone',
  async protocol => {
    const other = await startHttpHost({
      pages: async (request, response) => {
        if (request.url !== '/waits') response.end('a page')
      },
    })
    const head = (path: string, ...headers: string[]) =>
      [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')
    const upgrade = ['Connection: Upgrade', `Upgrade: ${protocol}`, 'Sec-WebSocket-Version: 13']
    const socket = connect(other.port, '127.0.0.1')
    socket.write(
      head('/waits') + head('/play', ...upgrade, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='),
    )
    await once(socket, 'close')
    expect(await (await fetch(`http://${other.address}/page`)).text()).toBe('a page')
    await other.close()
  },
)

test('a client of AgentGames is refused with 503 while the host stops', () => {
  expect(refused({ code: 'shutting-down', detail: 'try again later' })).toMatchObject({
    status: 503,
    headers: {},
  })
})

test('an address in use is an error, not a crash', async () => {
  const address = { host: '127.0.0.1', port: host.port }
  await expect(startHttpHost({ address })).rejects.toThrow('EADDRINUSE')
})
