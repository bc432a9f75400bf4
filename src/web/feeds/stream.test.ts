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

test('a watcher that does not read is cut at its cap, and goes on where it was', async () => {
  const reader = new EventStream(url())
  const sleeper = connect(port(), '127.0.0.1')
  sleeper.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  // Its first bytes are waited for, and no others are read.
  await once(sleeper, 'readable')
  expect(stream.watchers).toBe(2)
  const big = 'x'.repeat(2_000_000)
  let events = 0
  while (stream.watchers === 2 && events < 40) {
    stream.add('big', String(events++), big)
    await reader.next()
  }
  expect(stream.watchers).toBe(1)
  sleeper.destroy()
  const back = new EventStream(url(), String(events - 2))
  expect((await back.next())!.id).toBe(String(events - 1))
  back.cut()
  reader.cut()
})

test('all watchers read the same, whenever they came', async () => {
  stream.keep(0)
  const from = stream.next
  const first = new EventStream(url(), String(from - 1))
  stream.add('a', String(from), 1)
  expect(await first.next()).toEqual({ event: 'a', id: String(from), data: 1 })
  const second = new EventStream(url(), String(from - 1))
  stream.add('b', String(from + 1), 2)
  stream.end()
  expect([...first.events, ...(await first.rest())].map(({ event }) => event)).toEqual(['a', 'b'])
  expect((await second.rest()).map(({ event }) => event)).toEqual(['a', 'b'])
  await expect.poll(() => stream.watchers).toBe(0)
  expect(emptied).toBeGreaterThan(0)
})
