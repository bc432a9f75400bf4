import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { startHttpHost } from '../../test/support/http-host.ts'
import { type Health, isLocal, listenHealth } from './health-endpoints.ts'

const health = (ready = true): Health => ({ ready: () => ready, metrics: async () => 'up 1\n' })

const housed = async (given: Health) => {
  const server = await startHttpHost({ health: given })
  onTestFinished(() => server.close())
  return async (path: string, init?: RequestInit) => {
    const answer = await fetch(`http://${server.address}${path}`, init)
    return [answer.status, await answer.text()]
  }
}

it('this machine can ask whether the host is alive and ready, and for its metrics', async () => {
  const ask = await housed(health())
  expect(await ask('/healthz')).toEqual([200, 'ok'])
  expect(await ask('/readyz')).toEqual([200, 'ready'])
  expect(await ask('/metrics?debug=1')).toEqual([200, 'up 1\n'])
  expect(await ask('/metrics', { method: 'HEAD' })).toEqual([200, ''])
  expect(await ask('/metrics', { method: 'POST' })).toEqual([405, 'Only GET and HEAD.\n'])
})

it.each([
  ['localhost:8090', 200],
  ['LOCALHOST', 200],
  ['127.0.0.1', 200],
  ['[::1]:8090', 200],
  ['192.0.2.7:80', 200],
  ['bbs.example', 200],
  ['bbs.example:8090', 200],
  ['rebound.example:8090', 421],
  ['localhost.rebound.example', 421],
  ['127.0.0.1.rebound.example', 421],
  ['', 421],
])('metrics with the Host header %j are answered with %i', async (host, status) => {
  const server = await startHttpHost({ health: health(), host: 'bbs.example' })
  onTestFinished(() => server.close())
  const socket = connect(server.port, '127.0.0.1')
  socket.end(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  const answered = await text(socket)
  expect(Number(answered.slice(9, 12))).toBe(status)
  expect(answered.includes('up 1')).toBe(status === 200)
})

it('a draining host is alive and not ready', async () => {
  const ask = await housed(health(false))
  expect(await ask('/healthz')).toEqual([200, 'ok'])
  expect(await ask('/readyz')).toEqual([503, 'stopping'])
})

it('where metrics are off there are none', async () => {
  const ask = await housed({ ready: () => true, metrics: null })
  expect(await ask('/metrics')).toEqual([404, 'There is nothing here.\n'])
})

it('metrics that fail are answered with 500', async () => {
  const ask = await housed({ ready: () => true, metrics: () => Promise.reject(new Error('no')) })
  expect(await ask('/metrics')).toEqual([500, 'Internal error.\n'])
})

it.each(['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via'])(
  'a request that was forwarded, as %s tells, gets no metrics',
  async header => {
    const ask = await housed(health())
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await ask(path, { headers: { [header]: '203.0.113.7' } }))[0], path).toBe(404)
  },
)

it.each([
  ['127.0.0.1', true],
  ['127.8.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:203.0.113.7', false],
  ['203.0.113.127', false],
  ['10.127.0.1', false],
  ['2001:db8::1', false],
  [undefined, false],
])('%s is of this machine: %s', (remoteAddress, local) => {
  const request = { socket: { remoteAddress }, headers: {} } as unknown as IncomingMessage
  expect(isLocal(request)).toBe(local)
})

it('an address of their own serves the health endpoints to every client, and nothing else', async () => {
  const address = { host: '127.0.0.1', port: 0 }
  const own = await listenHealth(address, health(), pino({ level: 'silent' }))
  onTestFinished(() => own.close())
  const ask = async (path: string) =>
    (
      await fetch(`http://127.0.0.1:${own.port}${path}`, {
        headers: { 'X-Forwarded-For': '203.0.113.7' },
      })
    ).status
  expect(await Promise.all(['/metrics', '/readyz', '/healthz', '/', '/play'].map(ask))).toEqual([
    ...[200, 200, 200, 404, 404],
  ])
})

it('many connections to the address of the health endpoints do not use up the file descriptors', async () => {
  const wire = await listenHealth(
    { host: '127.0.0.1', port: 0 },
    health(),
    pino({ level: 'silent' }),
  )
  onTestFinished(() => wire.close())
  let closed = 0
  const crowd = Array.from({ length: 100 }, () =>
    connect(wire.port, '127.0.0.1')
      .on('error', () => {})
      .on('close', () => closed++),
  )
  await expect.poll(() => closed).toBe(36)
  for (const socket of crowd) socket.destroy()
  const ask = () => fetch(`http://127.0.0.1:${wire.port}/readyz`).then(({ status }) => status)
  await expect.poll(() => ask().catch(() => 0)).toBe(200)
})
