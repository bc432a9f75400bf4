import { deflateRawSync } from 'node:zlib'
import { oddLine } from '../hostile-json.ts'
import type { Luck } from '../luck.ts'
import { mutate } from '../mutate.ts'
import type { Attack, Scene } from '../scene.ts'
import type { Wire } from '../wire.ts'

export const webSocket: readonly Attack[] = [
  {
    name: 'odd handshakes',
    run: async scene => {
      const { luck, place } = scene
      const wire = scene.dial('http')
      const lines = hail(luck.pick(place.crowd).token, luck.pick(queries)).split('\r\n')
      for (let times = luck.from(1, 3); times > 0; times--) {
        const at = luck.from(1, lines.length - 3)
        const [name] = lines[at]!.split(':')
        lines[at] = luck.pick([
          `${name}: ${luck.oddText().replace(/[\r\n\0]/g, '')}`,
          lines[at]!.toUpperCase(),
          `${lines[at]}\r\n${lines[at]}`,
          'X: y',
        ])
      }
      const frames = Buffer.concat(luck.list(0, 5, () => oddFrame(luck)))
      await wire.trickle(luck, Buffer.concat([Buffer.from(lines.join('\r\n')), frames]))
      await wire.rest(luck.from(0, 200))
      await wire.leave(luck)
    },
  },
  {
    name: 'odd frames',
    weight: 4,
    run: async scene => {
      const { luck } = scene
      const wire = await letIn(scene, luck.pick(queries))
      for (let times = luck.from(1, 30); times > 0 && wire.open; times--) {
        wire.send(oddFrame(luck))
        if (luck.once(3)) await wire.rest(luck.from(0, 30))
      }
      await wire.rest(luck.from(0, 300))
      await wire.leave(luck)
    },
  },
  {
    name: 'frames against the rules',
    weight: 3,
    run: async scene => {
      const { luck } = scene
      const wire = await letIn(scene, luck.pick(queries))
      for (let times = luck.from(1, 4); times > 0 && wire.open; times--) {
        const wrong = Buffer.concat(luck.pick(unruly)(luck))
        await wire.trickle(luck, wrong)
        wire.send(frame(luck, { first: 0x81, payload: Buffer.from('{"type":"ping"}') }))
      }
      if (luck.once(4)) wire.socket.end()
      await wire.rest(luck.from(0, 300))
      await wire.leave(luck)
    },
  },
  {
    name: 'frames on the heels of the handshake',
    run: async scene => {
      const { luck, place } = scene
      const wire = scene.dial('http')
      const hello = Buffer.from(hail(luck.pick(place.crowd).token, luck.pick(queries)))
      await wire.trickle(luck, Buffer.concat([hello, ...luck.list(1, 20, () => oddFrame(luck))]))
      await wire.leave(luck)
    },
  },
  {
    name: 'a bomb of zeros',
    run: async scene => {
      const { luck } = scene
      const wire = await letIn(scene, '?game=ttt')
      const bomb = deflateRawSync(Buffer.alloc(luck.pick([100_000, 20_000_000])))
      await wire.trickle(luck, frame(luck, { first: luck.pick([0xc1, 0xc2, 0x41]), payload: bomb }))
      await wire.rest(luck.from(0, 200))
      await wire.leave(luck)
    },
  },
  {
    name: 'a message without end',
    run: async scene => {
      const { luck } = scene
      const wire = await letIn(scene, luck.pick(queries))
      wire.send(frame(luck, { first: 0x01, payload: Buffer.from('{"type":"') }))
      const size = luck.pick([0, 1, 10, 5_000])
      const piece = frame(luck, { first: 0x00, payload: Buffer.alloc(size, 'x') })
      for (let times = luck.from(10, 6_000); times > 0 && wire.open; times--) {
        wire.send(piece)
        if (times % 500 === 0) await wire.rest(1)
      }
      await wire.rest(luck.from(0, 200))
      await wire.leave(luck)
    },
  },
  {
    name: 'asks and does not read',
    run: async scene => {
      const { luck } = scene
      const wire = await letIn(scene, '')
      wire.socket.pause()
      const ask = luck.pick([
        frame(luck, { first: 0x81, payload: Buffer.from('{"type":"ping"}') }),
        frame(luck, { first: 0x89, payload: Buffer.alloc(125) }),
      ])
      const many = Buffer.concat(Array.from({ length: 2_000 }, () => ask))
      for (let times = luck.from(1, 15); times > 0 && wire.open; times--) {
        wire.send(many)
        await wire.rest(20)
      }
      await wire.leave(luck)
    },
  },
]

const queries = [
  ...['', '?game=ttt', '?game=ttt&practice=1', '?game=nothing', '?game=chess&practice=hard'],
  ...['?game=ttt&matches=1e9', '?game=__proto__', '?game=ttt&opponent=%ff', '?game=ttt&game=c4'],
]

const hail = (token: string, query: string): string =>
  `GET /play${query} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Authorization: Bearer ${token}\r\nSec-WebSocket-Version: 13\r\n` +
  'Sec-WebSocket-Extensions: permessage-deflate\r\nSec-WebSocket-Protocol: agentgames\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

const letIn = async (scene: Scene, query: string): Promise<Wire> => {
  const wire = await opened(scene, query)
  if (wire.heard.toString('latin1').startsWith('HTTP/1.1 101 ')) scene.strikes()
  return wire
}

/** A connection whose handshake has been answered. */
export const opened = async (scene: Scene, query: string, token?: string): Promise<Wire> => {
  const wire = scene.dial('http')
  scene.needsLogin()
  wire.send(hail(token ?? scene.luck.pick(scene.place.crowd).token, query))
  await wire.hears('\r\n\r\n', 3_000)
  return wire
}

export const frame = (
  luck: Luck,
  { first, payload }: { readonly first: number; readonly payload: Buffer },
): Buffer => {
  const mask = luck.bytes(4)
  const { length } = payload
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = first
  head[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127)
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, mask, payload.map((byte, i) => byte ^ mask[i & 3]!)])
}

/** Each breaks one rule of RFC 6455, or tests its limits. */
const unruly: readonly ((luck: Luck) => readonly Buffer[])[] = [
  // Without a mask.
  () => [Buffer.from([0x81, 2]), Buffer.from('{}')],
  // Pings and pongs in pieces, too long, and too many.
  luck => [frame(luck, { first: luck.pick([0x08, 0x09, 0x0a]), payload: Buffer.from('x') })],
  luck => [frame(luck, { first: luck.pick([0x88, 0x89, 0x8a]), payload: Buffer.alloc(126) })],
  luck => [many(luck.pick([100, 3_000]), frame(luck, { first: 0x89, payload: luck.bytes(125) }))],
  luck => [many(3_000, frame(luck, { first: 0x8a, payload: Buffer.alloc(0) }))],
  // Unknown opcodes and bits.
  luck => [frame(luck, { first: 0x83 + luck.roll(5), payload: Buffer.from('x') })],
  luck => [frame(luck, { first: 0x8b + luck.roll(5), payload: Buffer.from('x') })],
  luck => [frame(luck, { first: luck.pick([0x91, 0xa1, 0xc1, 0xf1]), payload: Buffer.from('x') })],
  // Empty fragments, a message within a message, and thousands of fragments.
  luck => [frame(luck, { first: luck.pick([0x00, 0x80]), payload: Buffer.from('x') })],
  luck => [0x01, 0x89, 0x81].map(first => frame(luck, { first, payload: Buffer.from('{}') })),
  luck => [
    frame(luck, { first: 0x01, payload: Buffer.from('{') }),
    many(luck.pick([10, 5_000]), frame(luck, { first: 0x00, payload: Buffer.alloc(luck.roll(2)) })),
    frame(luck, { first: 0x80, payload: Buffer.from('}') }),
  ],
  // Text that is not UTF-8, and a letter in two fragments.
  luck => [frame(luck, { first: 0x81, payload: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]) })],
  luck => [
    frame(luck, { first: 0x01, payload: Buffer.from([0x22, 0xc3]) }),
    frame(luck, { first: 0x80, payload: Buffer.from([0xa9, 0x22]) }),
  ],
  // Valid and invalid close frames, with more frames after them.
  luck => [
    frame(luck, {
      first: 0x88,
      payload: luck.pick([
        Buffer.alloc(0),
        Buffer.from([3]),
        ...[0, 999, 1000, 1004, 1005, 1006, 1015, 2999, 3000, 4999, 5000, 65_535].map(code =>
          Buffer.from([code >> 8, code & 255]),
        ),
        Buffer.from([3, 232, 0xff, 0xfe]),
        Buffer.concat([Buffer.from([3, 232]), Buffer.alloc(123, 'x')]),
      ]),
    }),
  ],
  // Lengths in more bytes than they need, and one beyond any number.
  luck => [Buffer.from([0x81, 0xfe, 0, 2]), luck.bytes(6)],
  luck => [Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 2]), luck.bytes(6)],
  luck => [Buffer.from([0x81, 0xff, 0xff]), luck.bytes(30)],
]

const many = (times: number, frame: Buffer): Buffer =>
  Buffer.concat(Array.from({ length: times }, () => frame))

const oddFrame = (luck: Luck): Buffer => {
  const whole = frame(luck, {
    first: luck.once(3)
      ? luck.roll(256)
      : luck.pick([0x81, 0x81, 0x01, 0x80, 0x00, 0x89, 0x8a, 0x82]),
    payload: luck.pick([
      () => Buffer.from(oddLine(luck)),
      () => luck.bytes(luck.roll(130)),
      () => Buffer.alloc(0),
      // A close frame with an invalid code.
      () => Buffer.from([luck.roll(20), luck.roll(256), 0xff]),
    ])(),
  })
  if (luck.once(8)) return mutate(luck, whole)
  if (luck.once(10)) {
    // A wrong length.
    const head = Buffer.from([0x81, 0xff, ...luck.bytes(8), ...luck.bytes(4)])
    if (luck.once(2)) head.fill(0, 2, 5)
    return Buffer.concat([head, whole])
  }
  return whole
}
