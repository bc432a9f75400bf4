import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import type { Account } from '../../arena/account.ts'
import { bearer, readJson } from '../../http-input.ts'
import { wireCodes } from '../codes.ts'
import { type Reply, refused, textOf } from '../play/answers.ts'
import { type Code, ownCodes } from '../play/codes.ts'
import { bodies, prefix, type Verb } from '../play/operations.ts'
import type { Caller } from '../play/play.ts'
import type { Protocol, ProtocolHost, ProtocolModule } from '../protocol.ts'
import type { HttpEnv } from '../routes.ts'
import { statusOf } from './status.ts'

/** JSON over HTTP with long polls. docs/http.md describes it. */
export const httpModule: ProtocolModule = {
  id: 'http',
  codes: Object.keys(ownCodes),
  open: (host): Protocol => ({
    id: 'http',
    // It has neither SSH nor WebSockets.
    lastWords: () => null,
    httpAnswer: ({ code, detail, retryAfter }) => {
      const reply = refused('http', code, detail, { retryAfter })
      return {
        status: statusOf(code),
        type: 'application/json',
        body: JSON.stringify(reply.body),
        headers: headersOf(statusOf(code), reply),
      }
    },
    routes: { prefix, app: routes(host) },
  }),
}

const routes = ({ play, clock }: ProtocolHost): Hono<HttpEnv> => {
  const app = new Hono<HttpEnv>()
  for (const verb of Object.keys(bodies) as Verb[])
    app.post(`/${verb}`, c => answer(c, clock, called(c, play, verb)))
  app.all('*', c =>
    answer(c, clock, refused('http', 'nothing-here', `there is no ${c.req.method} ${c.req.path}`)),
  )
  app.onError((error, c) => {
    c.env.gate.failed(error)
    return answer(c, clock, refused('http', 'internal', 'internal error; it has been logged'))
  })
  return app
}

/** A reply, with the status of one that was not read. */
type Answered = Reply & { readonly status?: number }

/** Logs in, reads the body, and has the call answered. */
const called = async (
  c: Context<HttpEnv>,
  play: ProtocolHost['play'],
  verb: Verb,
): Promise<Answered> => {
  const { source, gate } = c.env
  const header = c.req.header('authorization')
  let account: Account | null = null
  // Who has no token yet may look.
  if (header !== undefined || verb !== 'lobby') {
    const login = await gate.login(bearer(header) ?? '', ['token'])
    if ('code' in login)
      return refused('http', login.code, login.detail, { retryAfter: login.retryAfter })
    account = login.account
  }
  const read = await readJson(c.req, z.unknown())
  if ('error' in read) return { ...refused('http', 'unreadable', read.error), status: read.status }
  const caller: Caller = {
    ...{ account, protocol: 'http', source, signal: c.req.raw.signal },
    keep: seat => gate.keep(seat),
  }
  return play.call(caller, verb, read.value)
}

/**
 * Sends the answer once it is there. A call that waits is sent spaces meanwhile, which JSON allows before a value: after the first
 * of them its status is 200, whatever the answer says.
 */
const answer = async (
  c: Context<HttpEnv>,
  clock: ProtocolHost['clock'],
  answered: Answered | Promise<Answered>,
): Promise<Response> => {
  const { outgoing, gate } = c.env
  const breathe = () => {
    if (!outgoing.headersSent) outgoing.writeHead(200, headers)
    if (!outgoing.writableEnded) outgoing.write(' ')
    timer = clock.after(signOfLife, breathe)
  }
  let timer = clock.after(signOfLife, breathe)
  const reply = await Promise.resolve(answered).finally(() => timer.cancel())
  const { body } = reply
  const code = body.status === 'refused' ? (body.code as Code) : null
  // The wire has counted its own.
  if (code !== null && !Object.hasOwn(wireCodes, code)) gate.refused(code)
  const text = `${textOf(reply)}\n`
  if (!outgoing.headersSent) {
    const status = reply.status ?? (code === null ? 200 : statusOf(code))
    return new Response(text, { status, headers: { ...headers, ...headersOf(status, reply) } })
  }
  if (!outgoing.writableEnded) outgoing.end(text)
  return RESPONSE_ALREADY_SENT
}

/** So often, in milliseconds, a call that waits is sent a space, for proxies that cut what is silent. */
const signOfLife = 15_000

/** Proxies pass each byte on at once, and keep none. */
const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
}

const headersOf = (status: number, { retryAfter }: Reply) => ({
  ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
  ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
})
