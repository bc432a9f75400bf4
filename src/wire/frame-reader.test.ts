import { expect, test } from 'vitest'
import { fc } from '../../test/support/properties.ts'
import { FrameReader } from './frame-reader.ts'

const longest = 70_000

/** What a reader makes of these bytes, when they come in pieces of at most these sizes. */
const read = async (bytes: Buffer, ...sizes: number[]): Promise<string[]> => {
  const told: string[] = []
  const reader = new FrameReader(longest, {
    text: message => told.push(`text ${message}`),
    binary: () => told.push('binary'),
    pinged: payload => told.push(`ping ${payload}`),
    ponged: () => told.push('pong'),
    closed: () => told.push('close'),
    tooLong: () => told.push('too long'),
    broken: () => told.push('broken'),
  })
  // A reader unmasks where the bytes are, which the next reading must not see.
  const copy = Buffer.from(bytes)
  for (let at = 0, i = 0; at < copy.length; i++) {
    const size = sizes[i % sizes.length] ?? copy.length
    reader.read(copy.subarray(at, at + size))
    at += size
  }
  await new Promise(resolve => setImmediate(resolve))
  return told
}

const [piece, text, binary, close, ping, pong] = [0, 1, 2, 8, 9, 10]

interface Frame {
  readonly opcode: number
  readonly payload?: string
  readonly final?: boolean
  readonly mask?: readonly number[]
}

const frame = ({ opcode, payload = '', final = true, mask = [1, 2, 3, 4] }: Frame): Buffer => {
  const bytes = Buffer.from(payload)
  const { length } = bytes
  const short = length < 126 ? length : length < 65_536 ? 126 : 127
  const extended = Buffer.alloc(short < 126 ? 0 : short === 126 ? 2 : 8)
  if (short === 126) extended.writeUInt16BE(length)
  if (short === 127) extended.writeBigUInt64BE(BigInt(length))
  return Buffer.concat([
    Buffer.from([(final ? 0x80 : 0) | opcode, 0x80 | short]),
    extended,
    Buffer.from(mask),
    bytes.map((byte, i) => byte ^ mask[i % 4]!),
  ])
}

const aMessage = fc.record({
  pieces: fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { minLength: 1, maxLength: 4 }),
  isText: fc.boolean(),
  pings: fc.boolean(),
  mask: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 }),
})

test('what a client sends arrives, however it is cut into frames and packets', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(fc.array(aMessage, { maxLength: 8 }), sizes, async (messages, sizes) => {
      const frames: Buffer[] = []
      const expected: string[] = []
      for (const { pieces, isText, pings, mask } of messages) {
        for (const [i, payload] of pieces.entries()) {
          const opcode = i > 0 ? piece : isText ? text : binary
          frames.push(frame({ opcode, payload, final: i === pieces.length - 1, mask }))
          if (!pings) continue
          // Control frames may come between the pieces of a message.
          frames.push(frame({ opcode: ping, payload: 'p', mask }), frame({ opcode: pong, mask }))
          if (i < pieces.length - 1) expected.push('ping p', 'pong')
        }
        expected.push(isText ? `text ${pieces.join('')}` : 'binary')
        if (pings) expected.push('ping p', 'pong')
      }
      expect(await read(Buffer.concat(frames), ...sizes)).toEqual(expected)
    }),
  )
})

test('garbage is told as an error and never throws', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
      fc.nat(50),
      async (bytes, size) => {
        const told = await read(Buffer.from(bytes), size + 1)
        const last = told.findIndex(word => /^(close|too long|broken)/.test(word))
        expect(last === -1 || last === told.length - 1).toBe(true)
      },
    ),
    { numRuns: 2_000 },
  )
})

test.each([0, 1, 125, 126, 127, 65_535, 65_536, longest])(
  '%i bytes are a message',
  async length => {
    const payload = 'x'.repeat(length)
    expect(await read(frame({ opcode: text, payload }))).toEqual([`text ${payload}`])
    expect(await read(frame({ opcode: text, payload }), 1_000)).toEqual([`text ${payload}`])
  },
)

test('a message that is too long is refused by its header, in one frame or in many', async () => {
  const whole = frame({ opcode: text, payload: 'x'.repeat(longest + 1) })
  expect(await read(whole.subarray(0, 14))).toEqual(['too long'])
  const half = 'x'.repeat(longest / 2)
  const pieces = [
    frame({ opcode: text, payload: half, final: false }),
    frame({ opcode: piece, payload: half, final: false }),
    frame({ opcode: ping }),
    frame({ opcode: piece, payload: 'x' }),
  ]
  expect(await read(Buffer.concat(pieces))).toEqual(['ping ', 'too long'])
})

test.each([
  ['a reserved bit', Buffer.from([0xc1, 0x80])],
  ['a frame without a mask', Buffer.from([0x81, 0x00])],
  ['opcode 3', Buffer.from([0x83, 0x80])],
  ['opcode 11', Buffer.from([0x8b, 0x80])],
  ['a ping in pieces', frame({ opcode: ping, final: false })],
  ['a long ping', frame({ opcode: ping, payload: 'x'.repeat(126) })],
  ['a piece of nothing', frame({ opcode: piece })],
  [
    'a message in the middle of another',
    Buffer.concat([frame({ opcode: text, final: false }), frame({ opcode: text })]),
  ],
])('%s is not WebSocket, and nothing after it is read', async (_, bytes) => {
  const more = frame({ opcode: text, payload: 'more' })
  expect(await read(Buffer.concat([bytes, more]))).toEqual(['broken'])
})

test('nothing is read after a close', async () => {
  const frames = [frame({ opcode: close, payload: '' }), frame({ opcode: text, payload: 'more' })]
  expect(await read(Buffer.concat(frames), 3)).toEqual(['close'])
})
