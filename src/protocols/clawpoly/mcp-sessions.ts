import { randomUUID } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport as Transport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { AccountId } from '../../arena/account.ts'
import type { Clock, Timer } from '../../clock.ts'
import { quoted } from '../../games/words.ts'
import { Counter } from '../../limits/counter.ts'
import type { Remote } from '../../threads/calls.ts'
import { errorText } from '../mcp/error-text.ts'
import type { Head, McpAbout, McpRequest } from '../mcp/thread.ts'
import { numbered, openServer } from './mcp-server.ts'
import type {
  ClawpolyMcpCaller,
  ClawpolyMcpService,
  Notice,
  SessionLimits,
} from './mcp-thread-calls.ts'

interface SessionsOptions {
  readonly host: Remote<ClawpolyMcpCaller>
  readonly about: McpAbout
  readonly clock: Clock
  readonly limits: SessionLimits
}

type Answer = Head & { readonly body: string }

/** The sessions of all clients. Each has a server of the SDK, and ends when no request of it has been open for a while. */
export class Sessions implements ClawpolyMcpService {
  readonly #options: SessionsOptions
  /** By id; the one that has been used longest ago first. */
  readonly #sessions = new Map<string, Session>()
  readonly #ofAddress = new Counter<string>()
  /** The sessions in which an agent has called a tool. */
  readonly #ofAgent = new Map<AccountId, Set<Session>>()
  /** Stops the stream of a request whose client has left. */
  readonly #open = new Map<number, () => void>()

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  async answer(id: number, asked: McpRequest): Promise<Answer | null> {
    const [, name] = asked.headers.find(([name]) => name === 'mcp-session-id') ?? []
    let session = name === undefined ? undefined : this.#sessions.get(name)
    if (name !== undefined && session === undefined) return refused(404, noSuchSession(name))
    if (session === undefined) {
      const refusal = this.#refusal(asked)
      if (refusal !== null) return refusal
      session = this.#begin(asked.source ?? '')
    }
    this.#enter(session)
    try {
      return await this.#handle(id, session, asked)
    } finally {
      this.#leave(session)
    }
  }

  cut(id: number): void {
    this.#open.get(id)?.()
  }

  notify(agent: AccountId, notice: Notice): void {
    for (const session of this.#ofAgent.get(agent) ?? []) tell(session, notice)
  }

  endAll(): void {
    for (const session of [...this.#sessions.values()]) this.#end(session)
  }

  /** Why no session begins with this request; null where one does. */
  #refusal({ method, source = '', body }: McpRequest): Answer | null {
    if (method !== undefined || !isInitialize(body)) return refused(400, noSession)
    const { perAddress, inAll } = this.#options.limits
    if (this.#ofAddress.of(source) >= perAddress) return refused(429, tooMany(perAddress))
    if (this.#sessions.size < inAll) return null
    const idle = [...this.#sessions.values()].find(({ requests }) => requests === 0)
    if (idle === undefined) return refused(503, full(inAll))
    this.#end(idle)
    return null
  }

  #begin(source: string): Session {
    const { about, host } = this.#options
    const transport = new Transport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => {
        this.#sessions.set(id, session)
        this.#ofAddress.add(source)
      },
      onsessionclosed: () => this.#end(session),
    })
    const server = openServer({
      about,
      call: async (id, tool, given) => {
        const called = await host.call(id, tool, given)
        if (called.agent !== null) this.#follow(session, called.agent)
        return called
      },
      cancelled: message => transport.closeSSEStream(message),
    })
    const session: Session = {
      ...{ transport, server, source, agents: new Set<AccountId>() },
      ...{ requests: 0, timer: null },
    }
    return session
  }

  async #handle(id: number, session: Session, asked: McpRequest): Promise<Answer | null> {
    const { method = 'POST', headers, body } = asked
    const { transport, server } = session
    if (server.transport === undefined) await server.connect(transport as never)
    const request = new Request(`${this.#options.about.site}/mcp`, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      ...(method === 'POST' && { body }),
    })
    const response = await transport.handleRequest(request, numbered(id))
    const head: Head = { status: response.status, headers: [...response.headers] }
    if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
      return { ...head, body: await response.text() }
    const isStanding = method === 'GET'
    const sent = this.#send(id, head, response.body!, isStanding)
    if (isStanding) await this.#tellPending(session)
    await sent
    return null
  }

  /** Sends a stream piece by piece, until it ends or its client leaves. */
  async #send(id: number, head: Head, body: ReadableStream, isStanding: boolean): Promise<void> {
    const { host } = this.#options
    const reader = body.getReader()
    const stop = () => void reader.cancel().catch(() => {})
    this.#open.set(id, stop)
    const decoder = new TextDecoder()
    try {
      // A proxy passes the head on with the first bytes.
      if (isStanding) await host.write(id, head, ': open\n\n')
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        await host.write(id, head, decoder.decode(value, { stream: true }))
      }
    } catch {
      // The client has left.
      stop()
    } finally {
      this.#open.delete(id)
    }
  }

  /** A decision may be owed since before the stream was opened. */
  async #tellPending(session: Session): Promise<void> {
    for (const agent of session.agents) {
      const notice = await this.#options.host.pending(agent)
      if (notice !== null) tell(session, notice)
    }
  }

  #follow(session: Session, agent: AccountId): void {
    const { agents, transport } = session
    if (agents.has(agent) || !this.#sessions.has(transport.sessionId!)) return
    const [oldest] = agents
    if (agents.size >= mostAgents) this.#unfollow(session, oldest!)
    agents.add(agent)
    const followers = this.#ofAgent.get(agent)
    if (followers === undefined) this.#ofAgent.set(agent, new Set([session]))
    else followers.add(session)
  }

  #unfollow(session: Session, agent: AccountId): void {
    session.agents.delete(agent)
    const followers = this.#ofAgent.get(agent)
    followers?.delete(session)
    if (followers?.size === 0) this.#ofAgent.delete(agent)
  }

  #enter(session: Session): void {
    session.timer?.cancel()
    session.timer = null
    session.requests++
  }

  #leave(session: Session): void {
    const { transport } = session
    session.requests--
    const id = transport.sessionId
    if (id === undefined || !this.#sessions.has(id)) {
      // Its initialize was refused, or it has ended.
      if (session.requests === 0) void transport.close()
      return
    }
    // Now it has been used last.
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    if (session.requests > 0) return
    const { clock, limits } = this.#options
    session.timer = clock.after(limits.idle, () => this.#end(session))
  }

  #end(session: Session): void {
    const { transport, source, timer, agents } = session
    if (!this.#sessions.delete(transport.sessionId!)) return
    timer?.cancel()
    this.#ofAddress.remove(source)
    for (const agent of agents) this.#unfollow(session, agent)
    void transport.close()
  }
}

interface Session {
  readonly transport: Transport
  readonly server: Server
  /** The address that has begun it. */
  readonly source: string
  /** The agents that have called a tool in it. */
  readonly agents: Set<AccountId>
  /** How many of its requests are open. */
  requests: number
  /** Ends it. Null while a request is open. */
  timer: Timer | null
}

/** Of more agents in one session the first are not told of their decisions. */
const mostAgents = 16

/** A client that does not listen is told nothing. */
const tell = ({ server, transport }: Session, data: Notice): void => {
  const { sessionId } = transport
  void server
    .sendLoggingMessage({ level: 'info', logger: 'clawpoly', data }, sessionId)
    .catch(() => {})
}

const isInitialize = (body: string): boolean => {
  try {
    return JSON.parse(body)?.method === 'initialize'
  } catch {
    return false
  }
}

interface Refusal {
  readonly code: string
  readonly detail: string
  readonly retryAfter?: number
}

const noSuchSession = (name: string): Refusal => ({
  code: 'no-such-session',
  detail: `there is no session ${quoted(name)}: it has ended, or nothing came for too long; send initialize without mcp-session-id for a new one`,
})

const noSession: Refusal = {
  code: 'no-session',
  detail:
    'send initialize first, by POST, and then its mcp-session-id as a header of every request',
}

const tooMany = (most: number): Refusal => ({
  code: 'too-many-sessions',
  detail: `your address has ${most} sessions: end one by DELETE, or use one for all agents`,
  retryAfter: 60,
})

const full = (most: number): Refusal => ({
  code: 'full',
  detail: `this host has ${most} sessions, and all are in use: try again in 60 s`,
  retryAfter: 60,
})

const refused = (status: 400 | 404 | 429 | 503, refusal: Refusal): Answer => {
  const { retryAfter } = refusal
  return {
    status,
    headers: [
      ['content-type', 'application/json'],
      ...(retryAfter === undefined ? [] : [['retry-after', String(retryAfter)] as const]),
    ],
    body: errorText(refusal),
  }
}
