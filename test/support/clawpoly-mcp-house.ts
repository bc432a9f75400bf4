import type { Hono } from 'hono'
import type { News, Player } from '../../src/arena/player.ts'
import { clawpoly } from '../../src/games/clawpoly.ts'
import type { Clawpoly } from '../../src/games/clawpoly-state.ts'
import { Dice } from '../../src/games/dice.ts'
import { clawpolyMcp } from '../../src/protocols/clawpoly/mcp.ts'
import type { McpLobby } from '../../src/protocols/clawpoly/mcp-game.ts'
import { Sessions } from '../../src/protocols/clawpoly/mcp-sessions.ts'
import type { OpenClawpolyThread } from '../../src/protocols/clawpoly/mcp-thread-calls.ts'
import type { HttpEnv } from '../../src/protocols/routes.ts'
import { inThisThread } from '../../src/threads/calls.ts'
import { settled } from './loa-house.ts'
import type { Answer } from './play-agent.ts'
import { Outgoing, PlayHouse } from './play-house.ts'

/** A host without a wire, on which agents play Clawpoly by MCP. Their names are their tokens. */
export class ClawpolyMcpHouse extends PlayHouse {
  /** Seconds that an address has to wait for its next room. */
  readonly clawpoly = clawpoly
  roomWait = 0
  /** Why nobody can register; null where everybody can. */
  closed: string | null = null
  readonly #app: Hono<HttpEnv>

  /** `thread` runs the SDK: this one, by the clock of the house, unless another is given. */
  constructor(limits = { perAddress: 3, inAll: 5, idle: 900_000 }, thread?: OpenClawpolyThread) {
    const dice = Dice.fromSeed(7)
    super((game, level) => (game.id === 'clawpoly' && level === 'level-1' ? bot : undefined), {
      roll: n => dice.roll(n),
    })
    const { arena, clock } = this
    const lobby: McpLobby = {
      register: async ({ agentId, name }) =>
        this.closed === null
          ? { agent: { id: agentId, account: this.account(name) }, secret: name }
          : { code: 'FORBIDDEN', error: this.closed },
      room: () => undefined,
      roomLimit: { take: () => this.roomWait },
    }
    const inOneThread: OpenClawpolyThread = (caller, about) => ({
      service: inThisThread(
        new Sessions({ host: inThisThread(caller), about: about(), clock, limits }),
      ),
      close: async () => {},
    })
    const host = {
      ...{ arena, matchmaking: arena.matchmaking, parties: arena.parties, clock },
      ...{ version: '1.0.0', addresses: { site: 'https://bbs.example.org' } },
      limits: { messages: 20, tooFast: 20 },
      failed: (error: unknown) => void this.failures.push(error),
    }
    this.#app = clawpolyMcp(host, lobby, thread ?? inOneThread, 'clawpoly.example.org').app
  }

  /** Sends a request, and returns once it waits or is answered. */
  async send(message: unknown, { headers = {}, ...init }: RequestInit = {}): Promise<Sent> {
    const outgoing = new HeadedOutgoing()
    const cut = new AbortController()
    const method = init.method ?? 'POST'
    const request = new Request('http://localhost/', {
      ...init,
      method,
      ...(method === 'POST' && {
        body: typeof message === 'string' ? message : JSON.stringify(message),
      }),
      headers: {
        Accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(method === 'POST' && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      signal: cut.signal,
    })
    const sent = new Sent(outgoing, cut)
    void Promise.resolve(this.#app.fetch(request, this.envOf(outgoing))).then(response =>
      sent.answered(response),
    )
    await this.pass(0)
    return sent
  }

  /** Begins a session. */
  async session(): Promise<Session> {
    const { session } = await this.send(initialize)
    const began = new Session(this, session!)
    await began.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return began
  }

  override async pass(ms: number): Promise<void> {
    await super.pass(ms)
    await settled(turns)
    await super.pass(0)
    await settled(turns)
  }
}

/** In which an answer of the SDK has come. */
const turns = 24

export const initialize = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
}

/** A session as its client has it. */
class Session {
  readonly id: string
  readonly #house: ClawpolyMcpHouse
  #last = 1

  constructor(house: ClawpolyMcpHouse, id: string) {
    this.#house = house
    this.id = id
  }

  send(message: unknown, init: RequestInit = {}): Promise<Sent> {
    const headers = { 'mcp-session-id': this.id, ...init.headers }
    return this.#house.send(message, { ...init, headers })
  }

  ask(method: string, params: object = {}): Promise<Sent> {
    return this.send({ jsonrpc: '2.0', id: ++this.#last, method, params })
  }

  /** Calls a tool. */
  call(tool: string, given: object): Promise<Sent> {
    return this.ask('tools/call', { name: `clawpoly_${tool}`, arguments: given })
  }

  /** What a tool answers that answers at once. */
  async tool(tool: string, given: object): Promise<Answer> {
    const sent = await this.call(tool, given)
    if (sent.told === null) throw new Error(`${tool} waits`)
    return sent.told
  }

  /** Opens the stream of notifications. */
  listen(): Promise<Sent> {
    return this.send('', { method: 'GET' })
  }
}

class HeadedOutgoing extends Outgoing {
  status = 200
  head: Headers | null = null

  override writeHead(status = 200, headers: readonly string[] = []): void {
    super.writeHead()
    this.status = status
    this.head = new Headers()
    for (let i = 0; i < headers.length; i += 2) this.head.set(headers[i]!, headers[i + 1]!)
  }
}

/** One request. */
class Sent {
  #response: Response | null = null
  #body = ''
  readonly #outgoing: HeadedOutgoing
  readonly #cut: AbortController

  constructor(outgoing: HeadedOutgoing, cut: AbortController) {
    this.#outgoing = outgoing
    this.#cut = cut
  }

  /** 0 before its head has come. */
  get status(): number {
    return this.#outgoing.headersSent ? this.#outgoing.status : (this.#response?.status ?? 0)
  }

  get headers(): Headers | null {
    return this.#outgoing.head ?? this.#response?.headers ?? null
  }

  get session(): string | null {
    return this.headers?.get('mcp-session-id') ?? null
  }

  get isOver(): boolean {
    return this.#response !== null
  }

  /** The messages that have come. */
  get messages(): readonly Answer[] {
    const text = this.#outgoing.text || this.#body
    if (text.startsWith('{')) return [JSON.parse(text)]
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!))
  }

  /** The answer; undefined while the request waits. */
  get answer(): Answer {
    return this.messages.find(({ id }) => id !== undefined)
  }

  /** What a tool has answered; null while it waits. */
  get told(): Answer {
    const { result } = this.answer ?? {}
    return result === undefined ? null : JSON.parse(result.content[0].text)
  }

  /** The client leaves. */
  async cut(): Promise<void> {
    this.#cut.abort()
    await settled(turns)
  }

  async answered(response: Response): Promise<void> {
    this.#response = response
    if (!this.#outgoing.headersSent) this.#body = await response.text()
  }
}

/** A house player that buys what it can, and makes the fallback move else. */
const bot = (): Player => {
  let told: News | null = null
  return {
    account: { id: 900, name: 'house-level-1', kind: 'house' },
    terms: { move: 30_000, illegal: 'retry', late: 'forfeit', away: 'ignored' },
    tell: news => {
      if (news.kind === 'seated') told = news
      if (news.kind !== 'shown' || !news.yourTurn || told?.kind !== 'seated') return
      const { handle, seat } = told
      const state = handle.position() as Clawpoly
      const move = state.phase === 'buy' ? { action: 'buy' } : clawpoly.fallback!(state, seat)
      handle.move(move, news.turn)
    },
  }
}
