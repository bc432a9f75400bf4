import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EventStream } from '../../../test/support/event-stream.ts'
import { systemClock } from '../../clock.ts'
import { Stream } from './stream.ts'

let stream: Stream
let emptied = 0
const server = createServer((request, response) =>
  stream.open(response, Number(request.headers['last-event-id'] ?? -1) + 1),
)
beforeAll(async () => {
  stream = new Stream(systemClock, () => emptied++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => server.close())

const port = () => (server.address() as AddressInfo).port
const url = () => `http://127.0.0.1:${port()}/`

test('a client that does not read is cut at the limit, and continues where it was', async () => {
  const reader = new EventStream(url())
  const idleClient = connect(port(), '127.0.0.1')
  idleClient.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  // Waits for the first bytes, and reads no others.
  await once(idleClient, 'readable')
  expect(stream.clientCount).toBe(2)
  const big = 'x'.repeat(2_000_000)
  let events = 0
  while (stream.clientCount === 2 && events < 40) {
    stream.add('big', String(events++), big)
    await reader.next()
  }
  expect(stream.clientCount).toBe(1)
  idleClient.destroy()
  const returning = new EventStream(url(), String(events - 2))
  expect((await returning.next())!.id).toBe(String(events - 1))
  returning.cut()
  reader.cut()
})

test('all clients get the same events, whenever they connected', async () => {
  stream.keepNewest(0)
  const from = stream.next
  const first = new EventStream(url(), String(from - 1))
  stream.add('a', String(from), 1)
  expect(await first.next()).toEqual({ event: 'a', id: String(from), data: 1 })
  const second = new EventStream(url(), String(from - 1))
  stream.add('b', String(from + 1), 2)
  stream.end()
  expect([...first.events, ...(await first.rest())].map(({ event }) => event)).toEqual(['a', 'b'])
  expect((await second.rest()).map(({ event }) => event)).toEqual(['a', 'b'])
  await expect.poll(() => stream.clientCount).toBe(0)
  expect(emptied).toBeGreaterThan(0)
})
