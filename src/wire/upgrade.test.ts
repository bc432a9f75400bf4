// WebSockets whose clients log in before the handshake, while the login is looked up.

import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { type HttpHost, startHttpHost } from '../../test/support/http-host.ts'
import { letters } from '../../test/support/letters.ts'
import type { Protocol } from '../protocols/protocol.ts'

let host: HttpHost
let clock: FakeClock
const open = async (settings: Parameters<typeof startHttpHost>[0] = {}) => {
  clock = new FakeClock()
  host = await startHttpHost({ clock, ...settings })
  host.register('anna')
}
afterEach(() => host.close())

/** The keep-alive of all has a timer from the first WebSocket on. */
const nothingIsLeft = async (timers = 0) => {
  await expect.poll(() => host.connectionLimiter.connections).toBe(0)
  expect([host.roster.size, host.http.agents, clock.pending]).toEqual([0, 0, timers])
}

/** A client that asks for a WebSocket, and sends these frames at once. */
const knocking = async (frames = '', path = '/play?token=anna') => {
  const waiting = host.accounts.waiting
  const socket = connect(host.port, '127.0.0.1').on('error', () => {})
  let heard = ''
  socket.on('data', data => {
    heard += data.toString('latin1')
  })
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 192.0.2.7\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n${frames}`,
    'latin1',
  )
  await expect.poll(() => host.accounts.waiting).toBe(waiting + 1)
  return { socket, heard: () => heard, closed: once(socket, 'close') }
}

/** A short text frame, masked with zeros. */
const frame = (text: string) => `\x81${String.fromCharCode(0x80 | text.length)}\0\0\0\0${text}`

it('what comes along with the handshake is read after it, in order', async () => {
  await open()
  host.accounts.hold()
  const anna = await knocking(frame('{"type":"ping"}') + frame('{"type":"leave"}'))
  anna.socket.write(frame('{"type":"join","game":"ttt"}'), 'latin1')
  expect(anna.heard()).toBe('')
  host.accounts.release()
  await expect.poll(anna.heard).toMatch(/^HTTP\/1.1 101 .*pong.*bad-message.*queued/s)
  anna.socket.destroy()
})

it('a client that hangs up leaves nothing behind', async () => {
  await open()
  host.accounts.hold()
  const both = [await knocking(), await knocking()]
  both[0]!.socket.resetAndDestroy()
  both[1]!.socket.end()
  await both[0]!.closed
  host.accounts.release()
  await both[1]!.closed
  await nothingIsLeft()
})

it('a client that ends its side after its first messages has left', async () => {
  await open()
  host.accounts.hold()
  const anna = await knocking()
  await new Promise<void>(sent => anna.socket.end(frame('{"type":"ping"}'), 'latin1', sent))
  host.accounts.release()
  await anna.closed
  expect(anna.heard()).toMatch(/^HTTP\/1.1 101 .*pong/s)
  await nothingIsLeft(1)
})

it('a fault of the host is answered and logged once, and is no failed login', async () => {
  const logged: string[] = []
  await open({
    limits: { lockoutAfter: 1 },
    log: pino({ level: 'error' }, { write: line => logged.push(JSON.parse(line).err.message) }),
  })
  host.accounts.hold()
  const anna = await knocking()
  host.accounts.release(new Error('the thread ended'))
  await anna.closed
  expect(anna.heard()).toMatch(/^HTTP\/1.1 500 .*"code":"internal"/s)
  expect(logged).toEqual(['the thread ended'])
  await nothingIsLeft()
  await host.dial('anna').opened()
})

it('a host that finds no answer in 15 s says so once, and it is no failed login', async () => {
  await open({ limits: { lockoutAfter: 0.1 } })
  host.accounts.hold()
  const anna = await knocking()
  clock.pass(15_000)
  await anna.closed
  host.accounts.release()
  expect(anna.heard()).toMatch(/^HTTP\/1.1 500 .*"code":"internal"/s)
  await nothingIsLeft()
  await host.dial('anna').opened()
})

it('a client whose place others need is answered once', async () => {
  await open({ limits: { requests: 2 } })
  host.accounts.hold()
  const both = [await knocking(), await knocking()]
  const other = connect({ port: host.port, host: '127.0.0.1', localAddress: '127.0.0.9' })
  await both[0]!.closed
  host.accounts.release()
  expect(both[0]!.heard()).toMatch(/^HTTP\/1.1 503 .*"code":"full".*$/s)
  await expect.poll(both[1]!.heard).toMatch(/^HTTP\/1.1 101 /)
  expect(host.http.agents).toBe(1)
  other.destroy()
  both[1]!.socket.destroy()
})

it('the limit of an account holds for handshakes at once', async () => {
  await open({ limits: { connectionsPerAccount: 1 } })
  host.accounts.hold()
  const both = [await knocking(), await knocking()]
  host.accounts.release()
  await expect.poll(both[0]!.heard).toMatch(/^HTTP\/1.1 101 /)
  await both[1]!.closed
  expect(both[1]!.heard()).toMatch(/^HTTP\/1.1 429 .*"code":"too-many-connections"/s)
  both[0]!.socket.destroy()
  await nothingIsLeft(1)
})

it('a host that has dismissed its clients opens no further session', async () => {
  await open()
  host.accounts.hold()
  const anna = await knocking()
  host.http.dismiss({ code: 'shutting-down', detail: 'the host is stopping' })
  host.accounts.release()
  await anna.closed
  expect(anna.heard()).toMatch(/^HTTP\/1.1 503 .*"code":"shutting-down"/s)
  await nothingIsLeft()
})

/** A protocol that takes its time between login and session. */
const slow = (wait: Promise<void>): Protocol => ({
  ...letters,
  webSockets: [
    {
      path: '/slow',
      plain: { status: 426, body: '' },
      enter: async ({ params, gate }) => {
        await gate.login(params.get('token')!, ['token'])
        await wait
        return () => ({ receive: () => {}, dismiss: () => {}, closed: () => {} })
      },
    },
  ],
})

it('a ban counts from the login on, whenever the session opens', async () => {
  let go = () => {}
  await open({
    protocols: [
      slow(
        new Promise(resolve => {
          go = resolve
        }),
      ),
    ],
  })
  host.accounts.hold()
  const anna = await knocking('', '/slow?token=anna')
  host.accounts.release()
  await expect.poll(() => host.roster.size).toBe(1)
  host.accounts.ban(host.roster.accounts[0]!)
  await host.roster.review()
  go()
  await anna.closed
  expect(anna.heard()).toMatch(/^HTTP\/1.1 418 .*letters: banned/s)
  await nothingIsLeft()
})
