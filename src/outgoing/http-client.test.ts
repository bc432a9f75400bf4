import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { certificate } from '../../test/support/certificate.ts'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { readConfig } from '../config.ts'
import { unmetered } from '../meter.ts'
import { CallFailure } from './call-failure.ts'
import { HttpClient, type HttpClientOptions } from './http-client.ts'
import type { CallAnswer, HttpRequest } from './http-request.ts'
import { readJson } from './read-json.ts'

const allowing = (setting: string) => readConfig({ AGENTBBS_CALL_OUT: setting }).callOut

/** What every test leaves behind: no timer, and no connection. */
let left: (() => unknown)[] = []
afterEach(async () => {
  for (const check of left) await expect.poll(check).toBe(0)
  left = []
})

const open = (given: Partial<HttpClientOptions> = {}) => {
  const clock = new FakeClock()
  const called: (readonly [outcome: string, ms: number])[] = []
  const client = new HttpClient({
    clock,
    meter: { ...unmetered, called: (outcome, ms) => called.push([outcome, ms]) },
    callOut: allowing('loopback'),
    ...given,
  })
  left.push(() => clock.pending)
  const get = (url: string, more: Partial<HttpRequest> = {}) =>
    client.call<CallAnswer>({ url, ...more }, answer => answer)
  const getJson = (url: string, more: Partial<HttpRequest> = {}) =>
    client.call({ url, ...more }, readJson)
  /** Lets the wait before a retry pass. */
  const pause = async (ms: number) => {
    await expect.poll(() => clock.pending).toBe(1)
    clock.pass(ms)
  }
  return { clock, client, get, getJson, called, pause }
}

/** Listens, and counts connections. */
const listening = async <T extends Server | ReturnType<typeof createServer>>(
  server: T,
  address = '127.0.0.1',
) => {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.listen(0, address)
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  left.push(() => sockets.size)
  const { port } = server.address() as AddressInfo
  return { port, url: `http://${address}:${port}/`, connections: () => connections, sockets }
}

const serve = (listener: RequestListener) => listening(createHttpServer(listener))

/** Answers each connection with these bytes, and keeps it open. */
const saying = (bytes: string, then: (socket: Socket) => void = () => {}) =>
  listening(
    createServer(socket => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write(bytes, 'latin1')
        then(socket)
      })
    }),
  )

const ok = (body: string, more = '') =>
  `HTTP/1.1 200 OK\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`

const failure = (result: unknown): CallFailure => {
  expect(result).toBeInstanceOf(CallFailure)
  return result as CallFailure
}
const causeOf = (result: unknown) => failure(result).cause

describe('a call', () => {
  it('brings status, headers and body of the answer, whatever the status', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(418, { 'X-Kind': 'pot' }).end('no coffee'),
    )
    expect(await open().get(url)).toMatchObject({
      status: 418,
      headers: { 'x-kind': 'pot' },
      body: 'no coffee',
      validTo: undefined,
    })
  })

  it('sends method, path, headers and body as given, and no cookies, and wants nothing compressed', async () => {
    const seen: unknown[] = []
    const { url } = await serve(async (request, response) => {
      seen.push([request.method, request.url, request.headers, await text(request)])
      response.setHeader('Set-Cookie', 'a=b').end()
    })
    const { get } = open()
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"ü":1}',
    } as const
    await get(`${url}mcp?x=1`, request)
    await get(`${url}mcp?x=1`, request)
    const headers = {
      host: new URL(url).host,
      connection: 'close',
      'user-agent': 'AgentBBS',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'content-length': '8',
    }
    expect(seen).toEqual(Array(2).fill(['POST', '/mcp?x=1', headers, '{"ü":1}']))
  })

  it('goes through no proxy, whatever the environment says', async () => {
    const proxy = await serve((_, response) => response.end('proxy'))
    const { url } = await serve((_, response) => response.end('server'))
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'])
      vi.stubEnv(name, name.startsWith('NODE') ? '1' : proxy.url)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await open().get(url)).toMatchObject({ body: 'server' })
    expect(proxy.connections()).toBe(0)
  })

  it('throws what its reader throws, and a request that cannot be sent: both are errors of our own', async () => {
    const { url } = await serve((_, response) => response.end())
    const { client, get } = open()
    const reading = client.call({ url }, () => {
      throw new Error('a fault of the reader')
    })
    await expect(reading).rejects.toThrow('a fault of the reader')
    await expect(get(url, { headers: { 'x-a': 'b\r\nx-c: d' } })).rejects.toThrow(/x-a header/)
  })

  it('can ask for another protocol, and ends where the server agrees', async () => {
    const upgrade = { upgrade: 'websocket', headers: { 'sec-websocket-version': '13' } }
    const refusing = await serve((request, response) =>
      response.writeHead(401).end(request.headers.upgrade),
    )
    expect(await open().get(refusing.url, upgrade)).toMatchObject({ status: 401 })
    const agreeing = createHttpServer().on('upgrade', (_, socket) => {
      socket.write('HTTP/1.1 101 Fine\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
      socket.resume().on('end', () => socket.end())
    })
    const { url } = await listening(agreeing)
    expect(await open().get(url, upgrade)).toMatchObject({ status: 101, body: '' })
  })

  it('is counted by its outcome, with its duration', async () => {
    const server = createHttpServer()
    const { url } = await listening(server)
    const { clock, get, called } = open()
    const calling = get(url)
    await once(server, 'request')
    clock.pass(10_000)
    await calling
    await get('gopher://example.org')
    expect(called).toEqual([
      ['timeout', 10_000],
      ['bad-url', 0],
    ])
  })
})

describe('JSON', () => {
  it('is read whatever the status is', async () => {
    const { url } = await serve((_, response) => response.writeHead(500).end('{"error":[1]}'))
    expect(await open().getJson(url)).toEqual({ error: [1] })
  })

  it.each([
    [200, '<html>\u001b[2J\n', 'not-json', '"<html>\\u001b[2J\\n", which is not JSON'],
    [200, '', 'not-json', 'no body'],
    [404, 'nothing here', 'status', '404 with "nothing here"'],
    [503, '', 'status', '503 with no body'],
  ])(
    'missing in an answer of status %i with the body %j is %s',
    async (status, body, cause, says) => {
      const { url } = await serve((_, response) => response.writeHead(status).end(body))
      const failed = failure(await open().getJson(url))
      expect(failed).toMatchObject({ cause, status })
      expect(failed.says).toContain(says)
    },
  )
})

describe('what cannot be called', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    'localhost',
    'localhost.',
    'LOCALHOST',
  ])('is a private address, as in http://%s: no connection is made', async host => {
    const { port, connections } = await serve((_, response) => response.end())
    const resolve = async () => ['127.0.0.1', '::1']
    const { get } = open({ callOut: allowing('public'), resolve })
    const failed = failure(await get(`http://${host}:${port}/`))
    expect(failed.cause).toBe('refused-address')
    expect(failed.says).toMatch(/ is not called, because \S+ is an? .+: AGENTBBS_CALL_OUT /)
    expect(connections()).toBe(0)
  })

  it.each(['', 'example.org', 'ftp://example.org/', 'file:///etc/passwd', 'ws://a.b', 'http://'])(
    'is %j, which is no URL of HTTP',
    async url => {
      const failed = failure(await open().get(url))
      expect(failed.cause).toBe('bad-url')
      expect(failed.says).toContain(JSON.stringify(url))
    },
  )

  it('is a URL that is too long', async () => {
    expect(causeOf(await open().get(`http://127.0.0.1/${'a'.repeat(2048)}`))).toBe('bad-url')
  })

  it.each(['http://ann:secret@127.0.0.1/', 'http://secret@127.0.0.1/', 'ftp://ann:secret@b.c'])(
    'is %s with its user or password, which are not repeated',
    async url => {
      const failed = failure(await open().get(url))
      expect(failed.cause).toBe('bad-url')
      expect(JSON.stringify(failed)).not.toMatch(/ann|secret/)
    },
  )

  it('is a name that leads to an allowed address first and to another one later', async () => {
    const good = await listening(
      createHttpServer((_, response) => response.end('good')),
      '127.0.0.2',
    )
    const answers = [['127.0.0.2'], ['127.0.0.1'], ['::1', '10.0.0.1']]
    const asked: string[] = []
    const { get } = open({
      callOut: allowing('127.0.0.2'),
      resolve: async name => {
        asked.push(name)
        return answers.shift()!
      },
    })
    const url = `http://rebinding.example:${good.port}/`
    expect(await get(url)).toMatchObject({ body: 'good' })
    expect(failure(await get(url)).says).toContain('127.0.0.1 is a loopback address')
    expect(failure(await get(url)).says).toContain('::1 is a loopback address')
    expect(asked).toEqual(Array(3).fill('rebinding.example'))
  })

  it('is left out where a name has other addresses', async () => {
    const bad = await serve((_, response) => response.end('bad'))
    const good = createHttpServer((_, response) => response.end('good'))
    await once(good.listen(bad.port, '127.0.0.2'), 'listening')
    onTestFinished(() => void good.close())
    const resolve = async () => ['127.0.0.1', '::1', '127.0.0.2']
    const { get } = open({ callOut: allowing('127.0.0.2'), resolve })
    expect(await get(`http://two.example:${bad.port}/`)).toMatchObject({ body: 'good' })
    expect(bad.connections()).toBe(0)
  })

  it('is a redirect, which is not followed', async () => {
    const secret = await serve((_, response) => response.end('secret'))
    const { url } = await serve((_, response) =>
      response.writeHead(302, { Location: `${secret.url}latest/\u009bmeta?key=hidden` }).end(),
    )
    const failed = failure(await open().get(url))
    expect(failed).toMatchObject({ cause: 'redirect', status: 302 })
    expect(failed.says).toContain(`leads to "${secret.url}latest/`)
    expect(failed.says).not.toMatch(/hidden|\u009b/)
    expect(secret.connections()).toBe(0)
  })
})

describe('a server that', () => {
  it.each([
    ['says nothing', ''],
    ['sends its headers without end, slowly', 'HTTP/1.1 200 OK\r\nX-A: '],
    ['sends its body slowly', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab'],
    ['sends a chunk slowly', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'],
  ])('%s runs out of time', async (_, bytes) => {
    const { url, sockets } = await saying(bytes)
    const { clock, get } = open()
    const calling = get(url, { within: 5_000 })
    await expect.poll(() => sockets.size).toBe(1)
    clock.pass(4_999)
    expect(clock.pending).toBe(1)
    clock.pass(1)
    expect(failure(await calling)).toMatchObject({
      cause: 'timeout',
      says: `${url.slice(0, -1)} did not answer in time`,
    })
  })

  it.each([
    ['a body without end', 'HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(9_000)],
    [
      'chunks without end',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
      `2328\r\n${'x'.repeat(9_000)}\r\n`,
    ],
    ['headers without end', 'HTTP/1.1 200 OK\r\n', `X-A: ${'x'.repeat(2_000)}\r\n`],
    ['one header without end', 'HTTP/1.1 200 OK\r\nX-A: ', 'x'.repeat(2_000)],
    [
      'an extension of a chunk without end',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;',
      'x'.repeat(9_000),
    ],
    ['provisional answers without end', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    [
      'trailers without end',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n',
      `X-A: ${'x'.repeat(2_000)}\r\n`,
    ],
  ])('sends %s is cut', async (_, start, more) => {
    const { url } = await saying(start, socket => {
      const go = () => {
        while (socket.writable && socket.write(more)) {}
      }
      socket.on('drain', go)
      go()
    })
    expect(causeOf(await open().get(url))).toBe('too-long')
  })

  it('sends as much as the limit is read, and not one byte more', async () => {
    const { url } = await serve((request, response) =>
      response.end('x'.repeat(Number(request.url!.slice(1)))),
    )
    const { get } = open()
    expect(await get(`${url}65536`)).toMatchObject({ status: 200 })
    expect(failure(await get(`${url}65537`))).toMatchObject({ cause: 'too-long', status: 200 })
    expect(causeOf(await get(`${url}11`, { longest: 10 }))).toBe('too-long')
  })

  it('compresses its answer although that was not asked for is told so', async () => {
    const { url } = await serve((_, response) =>
      response.setHeader('Content-Encoding', 'gzip').end(gzipSync('x'.repeat(2 ** 20))),
    )
    const failed = failure(await open().get(url))
    expect(failed).toMatchObject({ cause: 'compressed', status: 200 })
    expect(failed.says).toContain('"gzip"')
  })

  it.each([
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    [
      'changes the protocol unasked',
      'HTTP/1.1 101 Fine\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    ],
    ['gives two lengths', ok('abc', 'Content-Length: 5\r\n')],
    ['gives a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
    ['says to go on with what was sent whole', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('%s has broken the exchange', async (_, bytes) => {
    const { url } = await saying(bytes)
    expect(causeOf(await open().get(url))).toBe('broken')
  })

  it.each([
    ['at once', ''],
    ['in its headers', 'HTTP/1.1 200 OK\r\nX-A: b'],
    ['in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'],
    ['in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc'],
  ])('closes %s has broken the exchange', async (_, bytes) => {
    const { url } = await saying(bytes, socket => socket.end())
    expect(causeOf(await open().get(url))).toBe('broken')
  })

  it('sends a second answer has it ignored', async () => {
    const { url } = await saying(ok('one') + ok('two'))
    expect(await open().get(url)).toMatchObject({ body: 'one' })
  })

  it('is not there is unreachable', async () => {
    const server = createServer()
    const { url } = await listening(server)
    server.close()
    const failed = failure(await open().get(url))
    expect(failed.cause).toBe('unreachable')
    expect(failed.says).toBe(`${url.slice(0, -1)} could not be connected to: ECONNREFUSED`)
  })

  it('has a name without an address is not found', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('x'), { code: 'ENOTFOUND' })
    }
    const failed = failure(await open({ resolve }).get('http://nowhere.example/'))
    expect(failed).toMatchObject({ cause: 'no-name', says: expect.stringContaining('ENOTFOUND') })
  })

  it('has a name that is resolved slowly is unreachable after 3 s', async () => {
    const { clock, get } = open({ resolve: () => new Promise(() => {}) })
    const calling = get('http://slow.example/')
    clock.pass(3_000)
    expect(causeOf(await calling)).toBe('unreachable')
  })

  it('takes a connection, but does not speak TLS there, is unreachable after 3 s', async () => {
    const { port, sockets } = await listening(createServer(socket => socket.resume()))
    const { clock, get } = open()
    const calling = get(`https://127.0.0.1:${port}/`)
    await expect.poll(() => sockets.size).toBe(1)
    clock.pass(3_000)
    expect(causeOf(await calling)).toBe('unreachable')
  })
})

describe('TLS', () => {
  const secure = async () => {
    const { cert, key } = certificate(dataFolder())
    const authorities = readFileSync(cert, 'utf8')
    const server = createTlsServer({ cert: authorities, key: readFileSync(key) }, (_, response) =>
      response.end('secret'),
    )
    const { port } = await listening(server)
    const names: unknown[] = []
    server.on('secureConnection', ({ servername }) => names.push(servername))
    return { port, authorities, names }
  }
  const resolve = async () => ['127.0.0.1']

  it('brings the end of the certificate', async () => {
    const { port, authorities } = await secure()
    const result = await open({ authorities, resolve }).get(`https://localhost:${port}/`)
    expect(result).toMatchObject({ status: 200, body: 'secret' })
    const days = (Date.parse((result as CallAnswer).validTo!) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29)
    expect(await open({ authorities, resolve }).get(`https://localhost.:${port}/`)).toMatchObject({
      status: 200,
    })
  })

  it('asks for the certificate of the name, without a dot at its end', async () => {
    const { port, authorities, names } = await secure()
    const { get } = open({ authorities, resolve })
    for (const host of ['localhost', 'localhost.'])
      expect(await get(`https://${host}:${port}/`)).toMatchObject({ status: 200 })
    expect(names).toEqual(['localhost', 'localhost'])
  })

  it('needs a certificate that is trusted, whatever the environment says', async () => {
    const { port } = await secure()
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    onTestFinished(() => void vi.unstubAllEnvs())
    const failed = failure(await open({ resolve }).get(`https://localhost:${port}/`))
    expect(failed.cause).toBe('tls')
    expect(failed.says).toContain('DEPTH_ZERO_SELF_SIGNED_CERT')
  })

  it('needs a certificate of the name that was called', async () => {
    const { port, authorities } = await secure()
    const { get } = open({ authorities, resolve })
    for (const host of ['other.example', '127.0.0.1'])
      expect(failure(await get(`https://${host}:${port}/`))).toMatchObject({
        cause: 'tls',
        says: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
      })
  })

  it('is not spoken by a server of plain HTTP', async () => {
    const { port } = await serve((_, response) => response.end())
    expect(causeOf(await open().get(`https://127.0.0.1:${port}/`))).toBe('tls')
  })
})

describe('a retry', () => {
  /** Ends the first connections. */
  const failing = async (times: number) => {
    const server = await serve((request, response) =>
      server.connections() <= times ? request.socket.destroy() : response.end('"well"'),
    )
    return server
  }

  it('comes after 1 s, 2 s and 4 s, never sooner by chance', async () => {
    const { url, connections } = await failing(3)
    const { clock, getJson, pause } = open()
    const calling = getJson(url, { retries: 3 })
    for (const [i, wait] of [1_000, 2_000, 4_000].entries()) {
      await pause(wait - 1)
      expect(clock.pending).toBe(1)
      expect(connections()).toBe(i + 1)
      clock.pass(1)
    }
    expect(await calling).toBe('well')
    expect(connections()).toBe(4)
  })

  it('is not made unless the caller allows it, and no more often', async () => {
    const { url, connections } = await failing(9)
    const { getJson, pause } = open()
    expect(causeOf(await getJson(url))).toBe('broken')
    expect(connections()).toBe(1)
    const calling = getJson(url, { retries: 1 })
    await pause(1_000)
    expect(causeOf(await calling)).toBe('broken')
    expect(connections()).toBe(3)
  })

  it('is made after a timeout too, where each try has a time of its own', async () => {
    const { url, connections } = await serve(() => {})
    const { get, clock, pause } = open()
    const result = get(url, { within: 60_000, perTry: 10_000, retries: 1 })
    await expect.poll(connections).toBe(1)
    clock.pass(10_000)
    await pause(1_000)
    await expect.poll(connections).toBe(2)
    clock.pass(10_000)
    expect(causeOf(await result)).toBe('timeout')
  })

  it('is not made after the time for all of it', async () => {
    const { url, connections } = await failing(9)
    const { getJson } = open()
    expect(causeOf(await getJson(url, { retries: 3, within: 500 }))).toBe('broken')
    expect(connections()).toBe(1)
  })

  it.each([
    [503, 2],
    [404, 1],
    [200, 1],
  ])('after an answer of status %i without JSON makes it %i tries', async (status, tries) => {
    const { url, connections } = await serve((_, response) => response.writeHead(status).end('-'))
    const { getJson, pause } = open()
    const calling = getJson(url, { retries: 1 })
    if (tries === 2) await pause(1_000)
    await calling
    expect(connections()).toBe(tries)
  })
})

describe('a circuit breaker', () => {
  it('leaves an endpoint alone after 5 failures in a row, and tries one call after 60 s', async () => {
    let isWell = false
    const held: (() => void)[] = []
    const { url, connections } = await serve((request, response) => {
      if (!isWell) request.socket.destroy()
      else held.push(() => response.end('well'))
    })
    const { clock, get } = open()
    for (let i = 0; i < 5; i++) expect(causeOf(await get(url))).toBe('broken')
    expect(failure(await get(url))).toMatchObject({ cause: 'circuit-open', retryAfter: 60 })
    clock.pass(59_000)
    expect(failure(await get(url))).toMatchObject({ cause: 'circuit-open', retryAfter: 1 })
    clock.pass(1_000)
    expect(causeOf(await get(url))).toBe('broken')
    expect(failure(await get(url))).toMatchObject({ cause: 'circuit-open', retryAfter: 60 })
    expect(connections()).toBe(6)

    isWell = true
    clock.pass(60_000)
    const trial = get(url)
    await expect.poll(() => held).toHaveLength(1)
    expect(failure(await get(url))).toMatchObject({ cause: 'circuit-open', retryAfter: 1 })
    held.pop()!()
    expect(await trial).toMatchObject({ body: 'well' })
    const next = get(url)
    await expect.poll(() => held).toHaveLength(1)
    held.pop()!()
    expect(await next).toMatchObject({ body: 'well' })
  })

  it('is one for each endpoint, also where one server has several', async () => {
    const { url } = await serve((request, response) =>
      request.url === '/bad' ? request.socket.destroy() : response.end('good'),
    )
    const { get } = open()
    for (let i = 0; i < 5; i++) await get(`${url}bad`)
    expect(causeOf(await get(`${url}bad#again`))).toBe('circuit-open')
    expect(await get(`${url}good`)).toMatchObject({ body: 'good' })
  })

  it('stops retries', async () => {
    const { url, connections } = await serve(request => request.socket.destroy())
    const { get, pause } = open()
    for (let i = 0; i < 4; i++) await get(url)
    const calling = get(url, { retries: 3 })
    await pause(1_000)
    expect(causeOf(await calling)).toBe('circuit-open')
    expect(connections()).toBe(5)
  })

  it('is kept for the 1000 endpoints that were called last', async () => {
    const { url } = await serve(request => request.socket.destroy())
    const { get } = open()
    const flood = async (from: number, to: number) => {
      for (let port = from; port < to; port++) await get(`http://10.0.0.1:${port}/`)
    }
    for (let i = 0; i < 5; i++) await get(url)
    await flood(20_000, 20_600)
    expect(causeOf(await get(url))).toBe('circuit-open')
    await flood(21_000, 21_999)
    expect(causeOf(await get(url))).toBe('circuit-open')
    await flood(30_000, 31_000)
    expect(causeOf(await get(url))).toBe('broken')
  })
})

describe('calls under way', () => {
  const unresolved = () => open({ resolve: () => new Promise(() => {}) })

  it('are 20 to one origin at most', async () => {
    const held: (() => void)[] = []
    const { url } = await serve((_, response) => held.push(() => response.end()))
    const { get } = open()
    const calls = Array.from({ length: 20 }, () => get(url))
    expect(failure(await get(url))).toMatchObject({ cause: 'busy', retryAfter: 1 })
    await expect.poll(() => held).toHaveLength(20)
    held.pop()!()
    await Promise.any(calls)
    const next = get(url)
    await expect.poll(() => held).toHaveLength(20)
    for (const answer of held) answer()
    expect(await next).toMatchObject({ status: 200 })
  })

  it('are 500 in all at most', async () => {
    const { client, get } = unresolved()
    const calls = Array.from({ length: 500 }, (_, i) => get(`http://bot${i % 25}.example/`))
    expect(causeOf(await get('http://another.example/'))).toBe('busy')
    client.close()
    await Promise.all(calls)
  })

  it('end when the client is closed, with the waits for retries, and no new ones are made', async () => {
    const silent = await serve(() => {})
    const bad = await serve(request => request.socket.destroy())
    const { clock, client, get } = open()
    const calls = [get(silent.url), get(bad.url, { retries: 3 })]
    await expect.poll(() => silent.sockets.size).toBe(1)
    // The two timers of the first call, and the wait of the second.
    await expect.poll(() => clock.pending).toBe(3)
    client.close()
    expect((await Promise.all(calls)).map(causeOf)).toEqual(['closed', 'closed'])
    expect(causeOf(await get(silent.url))).toBe('closed')
  })
})

describe('a URL is refused before any call is made to it', () => {
  it.each([
    ['ftp://a.example/', 'bad-url'],
    ['http://10.0.0.1/mcp', 'refused-address'],
    ['http://inside.example:8101/mcp', 'refused-address'],
    ['http://missing.example/', 'no-name'],
  ])('%s', async (url, cause) => {
    const resolve = async (name: string) => {
      if (name.startsWith('missing')) throw new Error('ENOTFOUND')
      return name.startsWith('inside') ? ['10.0.0.1'] : ['127.0.0.1']
    }
    const { client } = open({ resolve })
    expect(causeOf(await client.refusal(url))).toBe(cause)
    expect(await client.refusal('http://agent.example:8101/mcp')).toBeNull()
  })
})

it('no failure repeats a token, be it in the query, the path or a header', async () => {
  const found: CallFailure[] = []
  const faults = [
    await saying('SSH-2.0-x\r\n'),
    await saying('', socket => socket.end()),
    await saying('HTTP/1.1 302 Found\r\nLocation: /a?token=SECRET\r\nContent-Length: 0\r\n\r\n'),
    await saying(ok('x', 'Content-Encoding: br\r\n')),
    await saying(ok('x'.repeat(70_000))),
  ]
  const { get, getJson } = open()
  const request = { headers: { authorization: 'Bearer SECRET' } }
  for (const { url } of faults)
    for (let i = 0; i < 6; i++) found.push(failure(await get(`${url}SECRET?token=SECRET`, request)))
  found.push(failure(await get('ws://127.0.0.1/?token=SECRET')))
  found.push(failure(await getJson('http://10.0.0.1/SECRET?token=SECRET')))
  expect(new Set(found.map(({ cause }) => cause))).toEqual(
    new Set([
      ...['broken', 'redirect', 'compressed', 'too-long'],
      ...['circuit-open', 'bad-url', 'refused-address'],
    ]),
  )
  expect(JSON.stringify(found)).not.toContain('SECRET')
})
