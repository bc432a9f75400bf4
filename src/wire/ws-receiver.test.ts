// What src/wire/frame-reader.ts relies on in the Receiver of ws, which ws exports and does not document. A new version of
// ws that changes any of it fails here, by name.

import type { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import * as ws from 'ws'

interface Receiver extends EventEmitter {
  write(chunk: Buffer): boolean
}

const { Receiver } = ws as unknown as { Receiver: new (options: object) => Receiver }
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

/** What a receiver tells of these chunks, before the call that brought them has returned. */
const told = (options: object, ...chunks: Buffer[]): unknown[][] => {
  const events: unknown[][] = []
  const receiver = new Receiver({ isServer: true, ...options })
  for (const event of ['message', 'ping', 'pong', 'conclude'])
    receiver.on(event, (...args) => events.push([event, ...args]))
  for (const chunk of chunks) receiver.write(chunk)
  return events.slice()
}

const errorOf = async (options: object, ...chunks: Buffer[]) => {
  const receiver = new Receiver({ isServer: true, ...options })
  const error = new Promise<{ code: string; message: string }>(resolve =>
    receiver.on('error', resolve),
  )
  for (const chunk of chunks) receiver.write(chunk)
  return error
}

/** A short frame of a client, masked with zeros, which leaves it readable. */
const frame = (first: number, payload: Buffer | string = ''): Buffer => {
  const bytes = Buffer.from(payload)
  return Buffer.concat([Buffer.from([first, 0x80 | bytes.length, 0, 0, 0, 0]), bytes])
}
const final = 0x80
const [piece, text, binary, close, ping, pong] = [0, 1, 2, 8, 9, 10] as const

it('the version of ws is the one whose source was read, to the last digit', () => {
  const pinned = json('package.json').dependencies.ws
  expect(pinned).toMatch(/^\d+\.\d+\.\d+$/)
  expect(json('package-lock.json').packages[''].dependencies.ws).toBe(pinned)
  expect(json(createRequire(import.meta.url).resolve('ws/package.json')).version).toBe(pinned)
})

it('events come in the call that brings their bytes, several at once', () => {
  const chunk = Buffer.concat([
    frame(final | text, 'one'),
    frame(final | ping, 'p'),
    frame(final | pong, 'q'),
    frame(final | binary, 'two'),
    frame(final | close, Buffer.from([0x03, 0xe8])),
  ])
  expect(told({ allowSynchronousEvents: true, binaryType: 'nodebuffer' }, chunk)).toEqual([
    ['message', Buffer.from('one'), false],
    ['ping', Buffer.from('p')],
    ['pong', Buffer.from('q')],
    ['message', Buffer.from('two'), true],
    ['conclude', 1000, expect.anything()],
  ])
})

it('fragments come as one message', () => {
  expect(told({}, frame(text, 'a'), frame(piece, 'b'), frame(final | piece, 'c'))).toEqual([
    ['message', Buffer.from('abc'), false],
  ])
})

it('skipUTF8Validation passes on what is not UTF-8, which is otherwise an error', async () => {
  const bytes = Buffer.from([0xff, 0xfe])
  expect(told({ skipUTF8Validation: true }, frame(final | text, bytes))).toEqual([
    ['message', bytes, false],
  ])
  expect(await errorOf({}, frame(final | text, bytes))).toMatchObject({
    code: 'WS_ERR_INVALID_UTF8',
  })
})

it('a message beyond maxPayload is refused by the header of its frame, with an error code of its own', async () => {
  const tooLong = { code: 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' }
  const head = frame(final | text, 'x'.repeat(11)).subarray(0, 6)
  expect(await errorOf({ maxPayload: 10 }, head)).toMatchObject(tooLong)
  const pieces = [frame(text, 'x'.repeat(6)), frame(final | piece, 'x'.repeat(5)).subarray(0, 6)]
  expect(await errorOf({ maxPayload: 10 }, ...pieces)).toMatchObject(tooLong)
  expect(told({ maxPayload: 10 }, frame(final | text, 'x'.repeat(10)))).toHaveLength(1)
})

it('maxFragments and maxBufferedChunks bound what one message takes up', async () => {
  const pieces = [frame(text, 'x'), frame(piece, 'x'), frame(piece, 'x')]
  expect(await errorOf({ maxFragments: 2 }, ...pieces)).toMatchObject({
    code: 'WS_ERR_TOO_MANY_BUFFERED_PARTS',
  })
  const bytes = [...frame(final | text, 'xxxxxx')].map(byte => Buffer.from([byte]))
  expect(await errorOf({ maxBufferedChunks: 3 }, ...bytes)).toMatchObject({
    code: 'WS_ERR_TOO_MANY_BUFFERED_PARTS',
  })
})

it.each([
  ['a frame without a mask', Buffer.from([final | text, 0])],
  ['a reserved bit', frame(final | 0x40 | text)],
  ['an opcode that is none', frame(final | 3)],
])('isServer refuses %s, with an error that begins the same', async (_, bytes) => {
  expect((await errorOf({}, bytes)).message).toMatch(/^Invalid WebSocket frame: /)
})

it('has no property with the name that the frame reader sets on it', () => {
  expect('reader' in new Receiver({})).toBe(false)
})
