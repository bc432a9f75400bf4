// Clawpoly over MCP, in the thread that plays: it keeps limits, logins and the check of origins. The SDK runs in a thread of its own.

import { type Context, Hono } from 'hono'
import type { AccountId } from '../../arena/account.ts'
import { internalError } from '../../arena/codes.ts'
import { readValue } from '../../http-input.ts'
import { errorText } from '../mcp/error-text.ts'
import { Exchanges, type MakeCall } from '../mcp/exchanges.ts'
import { isForeignTo } from '../mcp/origin.ts'
import type { McpThread } from '../mcp/thread.ts'
import type { ProtocolHost } from '../protocol.ts'
import type { HttpEnv } from '../routes.ts'
import { refuse, type ToolAnswer } from './mcp-answers.ts'
import { McpGames, type McpLobby, type OwnTool } from './mcp-game.ts'
import type {
  ClawpolyCalled,
  ClawpolyMcpCaller,
  ClawpolyMcpService,
  OpenClawpolyThread,
} from './mcp-thread-calls.ts'
import { type Given, type ToolName, toolBodies } from './mcp-tools.ts'

export interface ClawpolyMcp {
  /** To be mounted at /mcp below the prefix of Clawpoly. */
  readonly app: Hono<HttpEnv>
  /** Ends all sessions, and with them the streams of their clients. */
  endStreams(): void
  close(): Promise<void>
}

type Host = Pick<
  ProtocolHost,
  'arena' | 'matchmaking' | 'parties' | 'clock' | 'addresses' | 'version' | 'limits' | 'failed'
>

/** `ownHost`: the host name at which a proxy has Clawpoly at the root; empty for none. */
export const clawpolyMcp = (
  host: Host,
  lobby: McpLobby,
  openThread: OpenClawpolyThread,
  ownHost = '',
): ClawpolyMcp => {
  const { arena, matchmaking, parties, clock, addresses, limits } = host
  let thread: McpThread<ClawpolyMcpService> | null = null
  const notify = (agent: AccountId, notice: Parameters<ClawpolyMcpService['notify']>[1]) =>
    // A thread that has ended has no sessions any more.
    void thread?.service.notify(agent, notice).catch(() => {})
  const games = new McpGames({
    ...{ arena, matchmaking, parties, lobby, clock, addresses, notify },
    calls: limits.messages,
  })
  const exchanges = new Exchanges<ToolName, ClawpolyCalled>({
    open: (calls, failed) => {
      const caller: ClawpolyMcpCaller = { ...calls, pending: agent => games.pending(agent) }
      const about = () => ({ version: host.version, site: addresses.site })
      thread = openThread(caller, about, failed)
      return thread
    },
    failed: error => host.failed(error),
  })
  const isForeign = (origin: string | undefined) =>
    isForeignTo(addresses.site, origin) &&
    (ownHost === '' || isForeignTo(`https://${ownHost}`, origin))
  return {
    app: routes(games, exchanges, isForeign),
    endStreams: () => {
      // A thread that nobody has needed is not started for it.
      if (exchanges.open > 0) void thread?.service.endAll().catch(() => {})
    },
    close: () => exchanges.close(),
  }
}

const routes = (
  games: McpGames,
  exchanges: Exchanges<ToolName, ClawpolyCalled>,
  isForeign: (origin: string | undefined) => boolean,
): Hono<HttpEnv> => {
  const app = new Hono<HttpEnv>()
  app.on([...methods], '/', async c => {
    const { gate, source } = c.env
    if (isForeign(c.req.header('origin'))) return refused(c, 403, foreignOrigin)
    gate.admitGuest()
    const method = methods.find(one => one === c.req.method)
    // HEAD comes here as GET.
    if (method === undefined) return refused(c, 405, otherMethod)
    const body = method === 'POST' ? await c.req.text() : ''
    if (/^\s*\[/.test(body)) return refused(c, 400, batch)
    const asked = {
      body,
      ...(method !== 'POST' && { method }),
      ...(source !== undefined && { source }),
    }
    return exchanges.answer(c, asked, callsOf(games, c))
  })
  app.all('/', c => refused(c, 405, otherMethod))
  app.onError((error, c) => {
    c.env.gate.failed(error)
    return refused(c, 500, internalError)
  })
  return app
}

const methods = ['GET', 'POST', 'DELETE'] as const

/** Makes the calls of one request, which logs in by the token in its arguments. */
const callsOf =
  (games: McpGames, { env }: Context<HttpEnv>): MakeCall<ToolName, ClawpolyCalled> =>
  async (tool, text, signal) => {
    const { gate, source } = env
    const told = ({ body, refused }: ToolAnswer, agent: AccountId | null): ClawpolyCalled => {
      if (refused !== undefined) gate.refused(refused)
      return { text: JSON.stringify(body), isRefused: refused !== undefined, agent }
    }
    const read = readValue<(typeof toolBodies)[ToolName]>(toolBodies[tool], JSON.parse(text))
    if ('error' in read) return told(refuse('unreadable', read.error), null)
    if (tool === 'clawpoly_register')
      return told(await games.register(read.value as Given<typeof tool>, source), null)
    const given = read.value as Given<OwnTool>
    const login = await gate.login(given.agentToken, ['api-key', 'token'])
    if ('code' in login) {
      const detail =
        login.code === 'bad-token'
          ? 'agentToken is no token of an agent here: give the one that clawpoly_register has answered, or a token of your account'
          : login.detail
      // The gate has counted it.
      const { body } = refuse(login.code, detail)
      return { text: JSON.stringify(body), isRefused: true, agent: null }
    }
    const { account } = login
    const answer = await games.call(tool, given as Given<typeof tool>, {
      account,
      source,
      signal,
      gate,
    })
    return told(answer, account.id)
  }

interface Refusal {
  readonly code: string
  readonly detail: string
}

const refused = (
  c: Context<HttpEnv>,
  status: 400 | 403 | 405 | 500,
  refusal: Refusal,
): Response => {
  c.env.gate.refused(refusal.code)
  return new Response(errorText(refusal), {
    status,
    headers: {
      'Content-Type': 'application/json',
      ...(status === 405 && { Allow: 'GET, POST, DELETE' }),
    },
  })
}

const foreignOrigin: Refusal = {
  code: 'foreign-origin',
  detail: 'a page of another site has sent this: programs leave out the header Origin',
}
const batch: Refusal = { code: 'batch', detail: 'send each message in a request of its own' }
const otherMethod: Refusal = {
  code: 'only-post',
  detail: 'send messages by POST, listen by GET, and end a session by DELETE',
}
