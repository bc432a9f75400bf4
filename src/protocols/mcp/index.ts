import { type Context, Hono } from 'hono'
import type { Account } from '../../arena/account.ts'
import { internalError } from '../../arena/codes.ts'
import { bearer } from '../../http-input.ts'
import { type WireRefusal, wireCodes } from '../codes.ts'
import type { Gate } from '../gate.ts'
import { statusOf } from '../http/status.ts'
import { textOf } from '../play/answers.ts'
import { ownCodes as playCodes } from '../play/codes.ts'
import type { Verb } from '../play/operations.ts'
import type { HttpAnswer, Protocol, ProtocolHost, ProtocolModule } from '../protocol.ts'
import type { HttpEnv } from '../routes.ts'
import { type OwnCode, ownRefusals } from './codes.ts'
import { errorText } from './error-text.ts'
import { Exchanges, type MakeCall } from './exchanges.ts'
import { openThread } from './open-thread.ts'
import { isForeignTo } from './origin.ts'
import type { Called, OpenThread } from './thread.ts'

/** The Model Context Protocol, over Streamable HTTP. docs/mcp.md describes it. */
export const mcp = (thread: OpenThread): ProtocolModule => ({
  id: 'mcp',
  codes: [...Object.keys(playCodes), ...Object.keys(ownRefusals)],
  open: (host): Protocol => {
    const about = () => ({ version: host.version, site: host.addresses.site })
    const exchanges = new Exchanges<Verb>({
      open: (caller, failed) => thread(caller, about, failed),
      failed: error => host.failed(error),
    })
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

const routes = (host: ProtocolHost, exchanges: Exchanges<Verb>): Hono<HttpEnv> => {
  const app = new Hono<HttpEnv>()
  app.post('/', async c => {
    const { gate } = c.env
    if (isForeignTo(host.addresses.site, c.req.header('origin'))) return refuse(c, 'foreign-origin')
    const authorization = c.req.header('authorization')
    if (authorization === undefined) gate.admitGuest()
    const login =
      authorization === undefined ? null : await gate.login(bearer(authorization) ?? '', ['token'])
    if (login !== null && 'code' in login) return sent(answerTo(login))
    const body = await c.req.text()
    if (/^\s*\[/.test(body)) return refuse(c, 'batch')
    return exchanges.answer(c, { body }, callsOf(host, c, login?.account ?? null))
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

/** Makes the calls of an account, or of a client without one. */
const callsOf =
  (
    { play }: ProtocolHost,
    { env }: Context<HttpEnv>,
    account: Account | null,
  ): MakeCall<Verb, Called> =>
  async (verb, given, signal) => {
    const { gate, source } = env
    const keep: Gate['keep'] = seat => gate.keep(seat)
    const caller = { account, protocol: 'mcp', source, signal, keep } as const
    const reply = await play.call(caller, verb, JSON.parse(given))
    const { body } = reply
    const isRefused = body.status === 'refused'
    // The wire has counted its own.
    if (isRefused && !Object.hasOwn(wireCodes, String(body.code))) gate.refused(String(body.code))
    return { text: textOf(reply), isRefused }
  }

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
