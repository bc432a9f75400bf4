import type { Hono } from 'hono'
import type { Clock } from '../../src/clock.ts'
import { mcp } from '../../src/protocols/mcp/index.ts'
import { openService } from '../../src/protocols/mcp/service.ts'
import type { McpThread, OpenThread } from '../../src/protocols/mcp/thread.ts'
import type { ProtocolHost } from '../../src/protocols/protocol.ts'
import type { HttpEnv } from '../../src/protocols/routes.ts'
import { inThisThread } from '../../src/threads/calls.ts'
import { settled } from './loa-house.ts'
import type { Answer } from './play-agent.ts'
import { Outgoing, PlayHouse } from './play-house.ts'

/** A host without a wire, on which agents play by MCP, and by HTTP. Their names are their tokens. */
export class McpHouse extends PlayHouse {
  readonly #app: Hono<HttpEnv>

  /** `thread` runs the SDK: this one, by the clock of the house, unless another is given. */
  constructor(thread?: OpenThread) {
    super()
    const { play, clock } = this
    const host: Partial<ProtocolHost> = {
      ...{ play, clock, version: '1.0.0', addresses: { site: 'https://bbs.example.org' } },
      failed: error => this.failures.push(error),
    }
    this.#app = mcp(thread ?? inOneThread(clock)).open(host as ProtocolHost).routes!.app
  }

  /** Sends a message, and returns once it waits or is answered. Null for a client without a token. */
  async send(name: string | null, message: unknown, init: RequestInit = {}): Promise<Sent> {
    const outgoing = new Outgoing()
    const cut = new AbortController()
    const { method, params } = (message ?? {}) as Answer
    const isModern = params?._meta?.[`${meta}protocolVersion`] !== undefined
    const request = new Request('http://localhost/', {
      method: 'POST',
      body: typeof message === 'string' ? message : JSON.stringify(message),
      ...init,
      headers: {
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        ...(isModern && { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method }),
        ...(isModern && params.name !== undefined && { 'Mcp-Name': params.name }),
        ...(name !== null && { Authorization: `Bearer ${name}` }),
        ...init.headers,
      },
      signal: cut.signal,
    })
    const sent = new Sent(outgoing, cut)
    void Promise.resolve(this.#app.fetch(request, this.envOf(outgoing))).then(response =>
      sent.answered(response),
    )
    await settled(turns)
    await this.pass(0)
    return sent
  }

  /** Calls a tool. */
  tool(name: string | null, tool: string, given: unknown, params: object = {}): Promise<Sent> {
    return this.send(name, message('tools/call', { name: tool, arguments: given, ...params }))
  }

  override async pass(ms: number): Promise<void> {
    await super.pass(ms)
    await settled(turns)
  }
}

/** In which an answer of the SDK has come. */
const turns = 24
const meta = 'io.modelcontextprotocol/'

export const message = (method: string, params: object = {}) => {
  return { jsonrpc: '2.0', id: 7, method, params }
}

/** What a request of 2026-07-28 says of its client. */
export const envelope = {
  [`${meta}protocolVersion`]: '2026-07-28',
  [`${meta}clientInfo`]: { name: 'test', version: '1' },
  [`${meta}clientCapabilities`]: {},
}

const inOneThread =
  (clock: Clock): OpenThread =>
  (caller, about): McpThread => ({
    service: inThisThread(openService({ host: inThisThread(caller), about: about(), clock })),
    close: async () => {},
  })

/** One request. */
class Sent {
  status = 0
  headers: Headers | null = null
  #body = ''
  readonly #outgoing: Outgoing
  readonly #cut: AbortController

  constructor(outgoing: Outgoing, cut: AbortController) {
    this.#outgoing = outgoing
    this.#cut = cut
  }

  /** The messages that have come: the answer, and what came before it. */
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
    this.status = this.#outgoing.headersSent ? 200 : response.status
    this.headers = response.headers
    if (!this.#outgoing.headersSent) this.#body = await response.text()
  }
}
