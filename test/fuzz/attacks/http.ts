import { gzipSync } from 'node:zlib'
import type { Luck } from '../luck.ts'
import { mutate } from '../mutate.ts'
import { paths } from '../recordings.ts'
import type { Attack, Scene } from '../scene.ts'

export const http: readonly Attack[] = [
  {
    name: 'odd requests',
    weight: 4,
    run: async scene => {
      const { luck } = scene
      const wire = scene.dial('http')
      for (let times = luck.from(1, 6); times > 0 && wire.open; times--) {
        await wire.trickle(luck, Buffer.from(oddRequest(scene), luck.pick(['utf8', 'latin1'])))
        await wire.rest(luck.from(0, 60))
      }
      await wire.leave(luck)
    },
  },
  {
    name: 'request bodies that are not expected',
    run: async scene => {
      const { luck } = scene
      const wire = scene.dial('http')
      const bomb = gzipSync(Buffer.alloc(luck.pick([1_000, 8_000_000])))
      const path = luck.pick([...paths, '/play'])
      const method = luck.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      const length = luck.pick([bomb.length, 0, 5, 1e9, bomb.length * 2])
      const chunked = luck.once(2)
      const head = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
      wire.send(
        `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\n${head}\r\n\r\n`,
      )
      for (let at = 0; at < bomb.length && wire.open; at += 4_000) {
        const piece = bomb.subarray(at, at + 4_000)
        if (chunked) wire.send(`${luck.once(9) ? 'ffffffff' : piece.length.toString(16)}\r\n`)
        wire.send(piece)
        if (chunked) wire.send('\r\n')
        await wire.rest(luck.pick([0, 0, 10]))
      }
      await wire.rest(luck.from(0, 300))
      await wire.leave(luck)
    },
  },
  {
    name: 'streams that are left',
    weight: 2,
    run: async scene => {
      const { luck } = scene
      const from = luck.address()
      const wires = luck.list(1, 6, () => scene.dial('http', from))
      for (const wire of wires) {
        const id = luck.once(3) ? luck.oddNumber() : luck.from(1, 200)
        const path = luck.pick(['/api/v1/live/events', `/api/v1/matches/${id}/events`])
        const last = luck.pick([
          '',
          `Last-Event-ID: ${luck.oddNumber()}\r\n`,
          'Last-Event-ID: end\r\n',
        ])
        const query = luck.pick(['', '?from=1', '?from=-1', `?from=${luck.oddNumber()}`])
        wire.send(`GET ${path}${query} HTTP/1.1\r\nHost: x\r\n${last}\r\n`)
        if (luck.once(3)) wire.socket.end()
      }
      await wires[0]!.rest(luck.from(0, 1_500))
      await Promise.all(wires.map(wire => wire.leave(luck)))
    },
  },
  {
    name: 'many requests in one go',
    run: async scene => {
      const { luck, place } = scene
      const wire = scene.dial('http')
      const request = luck.pick(place.recordings.http)
      wire.send(Buffer.concat(luck.list(2, 60, () => request)))
      if (luck.once(2)) wire.socket.pause()
      await wire.rest(luck.from(0, 500))
      await wire.leave(luck)
    },
  },
  {
    name: 'requests within requests',
    weight: 2,
    run: async scene => {
      const { luck } = scene
      const wire = scene.dial('http')
      for (let times = luck.from(1, 3); times > 0 && wire.open; times--) {
        await wire.trickle(luck, Buffer.from(luck.pick(smuggled)(luck), 'latin1'))
        if (luck.once(2)) wire.send(luck.pick(scene.place.recordings.http))
      }
      if (luck.once(3)) wire.socket.end()
      await wire.rest(luck.from(0, 300))
      await wire.leave(luck)
    },
  },
  {
    name: 'pages that are not read',
    run: async scene => {
      const { luck } = scene
      const from = luck.address()
      const wires = luck.list(1, 12, () => scene.dial('http', from))
      const path = luck.pick(['/match/1/picture.png', '/api/v1/matches?limit=500', ...paths])
      const asked = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
      for (const wire of wires) {
        wire.socket.pause()
        wire.send(asked.repeat(luck.from(1, 16)))
      }
      await wires[0]!.rest(luck.from(0, 1_500))
      await Promise.all(wires.map(wire => wire.leave(luck)))
    },
  },
]

/** Requests that two parsers may read differently, and first lines that no browser writes. */
const smuggled: readonly ((luck: Luck) => string)[] = [
  () => `${get}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX${get}\r\n`,
  () =>
    `${get}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n1\r\nZ\r\n0\r\n\r\n${get}\r\n`,
  () => `${get}Transfer-Encoding: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${get}\r\n`,
  () => `${get}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
  () => `${get}Transfer-Encoding:\tchunked\r\n\r\n0;${'x'.repeat(20_000)}\r\n\r\n`,
  () => `${get}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`,
  () => `${get}Transfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n__proto__: z\r\n\r\n`,
  luck =>
    `${get}Content-Length: ${luck.pick(['+5', '5 ', '0', '00', '5\r\nContent-Length: 6'])}\r\n\r\n${get}\r\n`,
  () => `${get}X: y\r\n folded\r\n\tand again\r\n\r\n`,
  () => `${get}X: a\rb\0c\r\n\r\n`,
  () => `${get}Host: another\r\nHost: y\r\n\r\n`,
  () => 'GET / HTTP/1.1\r\n\r\n',
  () => 'GET /\r\n',
  () => 'GET  /  HTTP/1.1\r\nHost: x\r\n\r\n',
  () => 'GET\t/\tHTTP/1.1\nHost: x\n\n',
  () => '\r\n'.repeat(50) + get,
  () => 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\nSSH-2.0-x\r\n',
  () => 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
  luck =>
    `GET http://${luck.pick(['x', '127.0.0.1:22', '[::1', 'a@b:c', ''])}/play?game=ttt HTTP/1.1\r\nHost: x\r\n\r\n`,
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => `${get}Upgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 30\r\n\r\n${get}\r\n`,
  () =>
    `${get}Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
]
const get = 'GET /games HTTP/1.1\r\nHost: x\r\n'

const oddRequest = (scene: Scene): string => {
  const { luck, place } = scene
  if (luck.once(4)) return mutate(luck, luck.pick(place.recordings.http)).toString('latin1')
  const version = luck.pick(['1.1', '1.1', '1.1', '1.1', '1.0', '2.0', '9.9'])
  const headers = luck.list(0, 4, () => oddHeader(luck))
  const eol = luck.once(20) ? '\n' : '\r\n'
  return [
    `${luck.pick(methods)} ${oddPath(luck)} HTTP/${version}`,
    'Host: x',
    ...headers,
    '',
    '',
  ].join(eol)
}

const methods = [
  ...['GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'TRACE', 'CONNECT', 'PATCH'],
  ...['PRI', 'get', 'M-SEARCH', 'G\0T'],
]

const oddPath = (luck: Luck): string => {
  const path = luck.pick(paths)
  const odd = () =>
    luck.once(3) ? luck.oddText().replace(/[\s\0]/g, '+') : escaped(luck.oddText())
  return luck.pick([
    () => path,
    () => path.replace(/[^/?]+(?=\?|$)/, odd()),
    () => path.replace(/\/[^/]+/, `/${odd()}`),
    () => `${path}/${odd()}`,
    () => path.replace(/=[^&]*/g, () => `=${odd()}`),
    () => `${path}${path.includes('?') ? '&' : '?'}${odd()}=${odd()}`,
    () => path.replace(/\d+/, String(luck.oddNumber())),
    () => `//${path}`,
    () => `http://${odd()}${path}`,
    () => `${path}${'?&=%/'.repeat(luck.from(1, 400))}`,
    () => `/docs/${'../../../test/fuzz/'.repeat(luck.from(1, 8))}package.json`,
    () => `/${odd()}`,
    () => '*',
  ])()
}

const sources = [
  ...['192.0.2.7', '2001:db8::7', '::ffff:192.0.2.7', 'fe80::1%eth0', '127.0.0.1', '[::1]:80'],
  ...[
    'unknown',
    '',
    ',',
    '999.1.1.1',
    '__proto__',
    'constructor',
    '9'.repeat(3_000),
    '1, '.repeat(500),
  ],
]

const oddHeader = (luck: Luck): string =>
  luck.pick([
    () => `${luck.pick(['Accept', 'Cookie', 'X'])}: ${luck.oddText().replace(/[\r\n\0]/g, '')}`,
    () => `Connection: ${luck.pick(['close', 'keep-alive', 'Upgrade', 'x, y'])}`,
    () => `Upgrade: ${luck.pick(['websocket', 'h2c', 'WEBSOCKET', 'x'])}\r\nConnection: Upgrade`,
    () => `If-None-Match: ${luck.pick(['*', '"', ','.repeat(1_000), 'W/"x"'])}`,
    () =>
      `Authorization: ${luck.pick(['Bearer', 'Bearer  ', 'Bearer a b', 'Basic eDp4', luck.oddText().replace(/[\r\n\0]/g, '')])}`,
    () => `Last-Event-ID: ${luck.pick(['end', '-1', 'NaN', '1e99', '9'.repeat(500)])}`,
    () => `Content-Length: ${luck.pick(['-1', '0x10', '1, 2', '9'.repeat(30), '10'])}`,
    () => `Transfer-Encoding: ${luck.pick(['chunked', 'gzip, chunked', 'x', 'chunked, identity'])}`,
    () => `X-Forwarded-For: ${luck.pick(sources)}${luck.once(3) ? `, ${luck.pick(sources)}` : ''}`,
    () => `Expect: ${luck.pick(['100-continue', 'x'])}`,
    () => `X: ${'y'.repeat(luck.pick([100, 7_000, 9_000, 60_000]))}`,
    () => luck.list(1, 300, i => `X-${i}: y`).join('\r\n'),
    () => `Range: bytes=${luck.pick(['0-', '-1', '5-2', '0-0,1-1'])}`,
    () => luck.oddText(),
  ])()

/** For a path or a query. */
export const escaped = (text: string): string => {
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ED%A0%80' // half of a character, escaped
  }
}
