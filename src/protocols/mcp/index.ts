import { type Context, Hono } from 'hono'
import { internalError } from '../../arena/codes.ts'
import { bearer } from '../../http-input.ts'
import type { WireRefusal } from '../codes.ts'
import { statusOf } from '../http/status.ts'
import { ownCodes as playCodes } from '../play/codes.ts'
import type { HttpAnswer, Protocol, ProtocolHost, ProtocolModule } from '../protocol.ts'
import type { HttpEnv } from '../routes.ts'
import { type OwnCode, ownRefusals } from './codes.ts'
import { errorText } from './error-text.ts'
import { Exchanges } from './exchanges.ts'
import { openThread } from './open-thread.ts'
import type { OpenThread } from './thread.ts'

/** The Model Context Protocol, over Streamable HTTP. docs/mcp.md describes it. */
export const mcp = (thread: OpenThread): ProtocolModule => ({
  id: 'mcp',
  codes: [...Object.keys(playCodes), ...Object.keys(ownRefusals)],
  open: (host): Protocol => {
    const exchanges = new Exchanges(host, thread)
    return {
      id: 'mcp',
      // It has neither SSH nor WebSockets.
      lastWords: () => null,
      httpAnswer: answerTo,
      routes: { prefix: '/mcp', app: routes(host, exchanges) },
      close: () => exchanges.close(),
    }
  },
})

export const mcpModule = mcp(openThread)

const routes = ({ addresses }: ProtocolHost, exchanges: Exchanges): Hono<HttpEnv> => {
  const app = new Hono<HttpEnv>()
  app.post('/', async c => {
    const { gate } = c.env
    if (isForeignTo(addresses.site, c.req.header('origin'))) return refuse(c, 'foreign-origin')
    const authorization = c.req.header('authorization')
    if (authorization === undefined) gate.admitGuest()
    const login =
      authorization === undefined ? null : await gate.login(bearer(authorization) ?? '', ['token'])
    if (login !== null && 'code' in login) return sent(answerTo(login))
    const body = await c.req.text()
    if (/^\s*\[/.test(body)) return refuse(c, 'batch')
    return exchanges.answer(c, login?.account ?? null, body)
  })
  // Clients of 2025 ask for a stream by GET, and end their session by DELETE: this is the answer for hosts without either.
  app.all('/', () => sent(answer(405, errorText(onlyPost), { Allow: 'POST' })))
  app.all('*', c => refuse(c, 'no-such-path'))
  app.onError((error, c) => {
    c.env.gate.failed(error)
    return sent(answerTo(internalError))
  })
  return app
}

/**
 * Whether a page of another site sends this. Our own has our name: with any name that leads to this machine, a page of that name
 * could send it (DNS rebinding).
 */
const isForeignTo = (site: string, origin: string | undefined): boolean => {
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  const [theirs, ours] = [new URL(origin).hostname, new URL(site).hostname]
  return theirs !== ours && !(loopback.includes(theirs) && loopback.includes(ours))
}

const loopback = ['localhost', '127.0.0.1', '[::1]']

const refuse = (c: Context<HttpEnv>, code: OwnCode): Response => {
  c.env.gate.refused(code)
  const { status, detail } = ownRefusals[code]
  return sent(answer(status, errorText({ code, detail })))
}

const onlyPost = {
  code: 'only-post',
  detail: 'send each message by POST: no stream is open between requests, and no session ends',
}

const answerTo = (refusal: WireRefusal): HttpAnswer => {
  const status = statusOf(refusal.code)
  return answer(status, errorText(refusal), {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer error="invalid_token"' }),
    ...(refusal.retryAfter !== undefined && { 'Retry-After': String(refusal.retryAfter) }),
  })
}

const answer = (status: number, body: string, headers: HttpAnswer['headers'] = {}): HttpAnswer => ({
  status,
  type: 'application/json',
  body,
  headers,
})

const sent = ({ status, type, body, headers }: HttpAnswer): Response =>
  new Response(body, { status, headers: { 'Content-Type': type!, ...headers } })
