import { once } from 'node:events'
import { connect } from 'node:net'
import { Hono } from 'hono'
import { afterEach, expect, it, vi } from 'vitest'
import { type HttpHost, startHttpHost } from '../../test/support/http-host.ts'
import { readConfig } from '../config.ts'
import { refused } from '../protocols/agentgames/http.ts'
import type { HttpEnv } from '../protocols/routes.ts'
import { openSite } from './site.ts'

let host: HttpHost
let errors: unknown[]
afterEach(async () => {
  await host.close()
  expect(errors).toEqual([])
})

/** A host with these routes at `/toy`, and a page at `/page`. */
const open = async (
  add: (app: Hono<HttpEnv>) => unknown,
  settings: Parameters<typeof startHttpHost>[0] = {},
) => {
  errors = []
  const toy = new Hono<HttpEnv>()
  add(toy)
  const routes = { prefix: '/toy', app: toy }
  const site = openSite(
    {
      app: new Hono<HttpEnv>().get('/page', ({ env }) => {
        env.outgoing.end('a page')
        return new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
      }),
      otherwise: (_, methods) =>
        new Response(methods.join(), { status: methods.length > 0 ? 405 : 404 }),
      failed: (_, error) => {
        errors.push(error)
        return new Response('failed', { status: 500 })
      },
    },
    [routes],
  )
  const protocol = { id: 'toy', lastWords: () => null, httpAnswer: refused, routes }
  const { answer: pages, methods } = site
  host = await startHttpHost({ ...settings, protocols: [protocol], pages, methods })
}

const at = (path: string) => `http://${host.address}${path}`
const post = (path: string, body: RequestInit['body']) =>
  fetch(at(path), { method: 'POST', body, duplex: 'half' } as RequestInit)
const answer = async (response: Response | Promise<Response>) => {
  const { status, headers } = await response
  return [status, await (await response).text(), headers.get('allow')].filter(part => part !== null)
}
/** Only this machine's own requests have no source. */
const onlyEdge = readConfig({ AGENTBBS_TRUSTED_PROXIES: '127.0.0.1' }).trustedProxies

/** What comes back for these bytes, until the server closes. */
const raw = async (from: string, bytes: string) => {
  const socket = connect({ port: host.port, host: '127.0.0.1', localAddress: from })
  socket.on('error', () => {}).write(bytes)
  let text = ''
  socket.on('data', data => {
    text += data
  })
  await once(socket, 'close')
  return text
}

const echo = (app: Hono<HttpEnv>) => app.post('/echo', async c => c.text(await c.req.text()))

it('a body comes whole to a route of its method, and to no other', async () => {
  await open(app =>
    echo(app)
      .delete('/echo', c => c.text('gone'))
      .get('/echo/:name', c => c.text(c.req.param('name'))),
  )
  expect(await answer(post('/toy/echo', 'x'.repeat(65_536)))).toEqual([200, 'x'.repeat(65_536)])
  expect(await answer(post('/toy/echo', ''))).toEqual([200, ''])
  const chunks = '3\r\n€\r\n'.repeat(20_000)
  const chunked = `POST /toy/echo HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`
  expect((await raw('127.0.0.1', chunked)).split('\r\n\r\n')[1]).toBe('€'.repeat(20_000))
  expect(await answer(fetch(at('/toy/echo'), { method: 'DELETE' }))).toEqual([200, 'gone'])
  expect(await answer(fetch(at('/toy/echo')))).toEqual([405, 'POST,DELETE'])
  expect(await answer(fetch(at('/toy/echo'), { method: 'PUT', body: 'x' }))).toEqual([
    405,
    'Only POST and DELETE.\n',
    'POST, DELETE',
  ])
  const both = [405, 'Only GET and HEAD.\n', 'GET, HEAD']
  for (const path of ['/toy/echo/a%20b', '/toy', '/page', '/play', '/nothing', '/toyecho'])
    expect(await answer(post(path, 'x'))).toEqual(both)
  expect(await answer(fetch(at('/toy/echo/a%20b')))).toEqual([200, 'a b'])
  expect(await answer(fetch(at('/toy/echo/a'), { method: 'HEAD' }))).toEqual([200, ''])
  expect(await answer(fetch(at('/toy/nothing')))).toEqual([404, ''])
  expect(await answer(fetch(at('/page')))).toEqual([200, 'a page'])
})

it('middleware is not a route, and a route for all methods is one for each', async () => {
  await open(app =>
    app
      .use(async (c, next) => {
        await next()
        c.header('x-toy', 'yes')
      })
      .get('/one', c => c.text('one'))
      .all('/all', c => c.text(c.req.method)),
  )
  expect(await answer(post('/toy/one', 'x'))).toEqual([405, 'Only GET and HEAD.\n', 'GET, HEAD'])
  expect(await answer(post('/toy/all', 'x'))).toEqual([200, 'POST'])
  expect((await fetch(at('/toy/one'))).headers.get('x-toy')).toBe('yes')
})

it.each([
  ['announced', 'x'.repeat(65_537)],
  ['in chunks', new Blob(['x'.repeat(65_537)]).stream()],
] as const)('a body of more than 64 KiB is refused with the limit: %s', async (_, body) => {
  await open(echo)
  expect(await answer(post('/toy/echo', body))).toEqual([
    413,
    'This body is too long: at most 65536 bytes are taken.\n',
  ])
})

it('a body that does not come in the time of a login is refused', async () => {
  await open(echo, { limits: { loginTime: 300 } })
  const head = 'POST /toy/echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n'
  expect(await raw('127.0.0.1', `${head}four`)).toMatch(/^HTTP\/1.1 408 .*Connection: close/s)
  expect(await answer(post('/toy/echo', 'five.'))).toEqual([200, 'five.'])
})

it('a request with a body that asks for another protocol is told to leave that out', async () => {
  await open(echo)
  const head = 'POST /toy/echo HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n'
  expect(await raw('127.0.0.1', `${head}Content-Length: 1\r\n\r\nx`)).toMatch(
    /^HTTP\/1.1 400 .*leave out the header Upgrade/s,
  )
})

it('bodies of one address take 1 MiB at most while they wait for their answers', async () => {
  const waiting: (() => void)[] = []
  await open(
    app =>
      app.post(
        '/wait',
        c => new Promise<Response>(done => waiting.push(() => done(c.text('done')))),
      ),
    { trustedProxies: onlyEdge },
  )
  const body = 'x'.repeat(65_536)
  const ask = (from: string) =>
    raw(
      from,
      `POST /toy/wait HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
  const first = Array.from({ length: 16 }, () => ask('127.0.0.7'))
  await expect.poll(() => waiting).toHaveLength(16)
  expect(await ask('127.0.0.7')).toMatch(/^HTTP\/1.1 429 .*"code":"too-fast"/s)
  const other = ask('127.0.0.8')
  await expect.poll(() => waiting).toHaveLength(17)
  for (const done of waiting) done()
  for (const answered of [...(await Promise.all(first)), await other])
    expect(answered).toMatch(/^HTTP\/1.1 200 /)
  const next = ask('127.0.0.7')
  await expect.poll(() => waiting).toHaveLength(18)
  waiting[17]!()
  expect(await next).toMatch(/^HTTP\/1.1 200 /)
})

it('a route that waits delays no other, and its wait is no page time and no stall', async () => {
  const waiting: (() => void)[] = []
  await open(
    app =>
      app.get(
        '/wait',
        c => new Promise<Response>(done => waiting.push(() => done(c.text('done')))),
      ),
    // Less than one page of 50 ms.
    { trustedProxies: onlyEdge, limits: { stallTime: 200, pageTime: 1 } },
  )
  const ask = () =>
    raw('127.0.0.7', 'GET /toy/wait HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')
  const first = [ask(), ask()]
  await expect.poll(() => waiting).toHaveLength(2)
  await new Promise(resolve => setTimeout(resolve, 700))
  const third = ask()
  await expect.poll(() => waiting).toHaveLength(3)
  for (const done of waiting) done()
  for (const answered of await Promise.all([...first, third])) expect(answered).toMatch(/done$/)
})

it('a route that streams to a client that does not read is cut after the stall time', async () => {
  let isCancelled = false
  const stream = () =>
    new ReadableStream({
      pull: controller => controller.enqueue(new Uint8Array(65_536)),
      cancel: () => {
        isCancelled = true
      },
    })
  await open(app => app.get('/stream', c => c.body(stream())), { limits: { stallTime: 300 } })
  const socket = connect({ port: host.port, host: '127.0.0.1' }).on('error', () => {})
  socket.write('GET /toy/stream HTTP/1.1\r\nHost: h\r\n\r\n')
  await once(socket, 'data')
  socket.pause()
  await expect.poll(() => host.connectionLimiter.connections, { timeout: 10_000 }).toBe(0)
  expect(isCancelled).toBe(true)
  socket.destroy()
})

it('a route that waits is told that its client has left', async () => {
  const left: string[] = []
  await open(app =>
    app.get(
      '/wait/:name',
      c =>
        new Promise<Response>(done =>
          c.req.raw.signal.addEventListener('abort', () => {
            left.push(c.req.param('name'))
            done(c.text('late'))
          }),
        ),
    ),
  )
  const leaving = new AbortController()
  const asked = fetch(at('/toy/wait/ada'), { signal: leaving.signal }).catch(() => 'left')
  await expect.poll(() => host.connectionLimiter.connections).toBe(1)
  await fetch(at('/page'))
  leaving.abort()
  expect(await asked).toBe('left')
  await expect.poll(() => left).toEqual(['ada'])
})

it('a route that answers after the wire has ended its request changes nothing', async () => {
  const shown = vi.spyOn(console, 'error')
  let answerLate = (_: Response) => {}
  await open(app =>
    app.get('/wait', c => {
      c.env.gate.login('ada', ['token'])
      return new Promise<Response>(done => {
        answerLate = done
      })
    }),
  )
  host.register('ada')
  const asked = fetch(at('/toy/wait'))
  await expect.poll(() => host.roster.size).toBe(1)
  host.roster.clear({ code: 'revoked', detail: 'no more' })
  const { status } = await asked
  expect(status).toBe(401)
  answerLate(new Response('late'))
  expect(await answer(fetch(at('/page')))).toEqual([200, 'a page'])
  expect(shown).not.toHaveBeenCalled()
})

it('an error in a route goes to the app of the route if that takes errors, and else to the pages', async () => {
  const fail = (thrown: unknown) => (app: Hono<HttpEnv>) =>
    app.get('/fail', () => {
      throw thrown
    })
  await open(app => fail(new Error('a'))(app).onError((error, c) => c.text(error.message, 418)))
  expect(await answer(fetch(at('/toy/fail')))).toEqual([418, 'a'])
  await host.close()
  for (const thrown of [new Error('b'), 'no error at all']) {
    await open(fail(thrown))
    expect(await answer(fetch(at('/toy/fail')))).toEqual([500, 'failed'])
    expect(errors.splice(0)).toEqual([thrown])
    await host.close()
  }
  await open(fail('none'))
})

it('a request that HTTP does not allow is refused with the reason', async () => {
  await open(echo)
  expect(
    await raw('127.0.0.1', 'GET /toy/x HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'),
  ).toMatch(/^HTTP\/1.1 400 .*This request is not valid: Invalid/s)
})
