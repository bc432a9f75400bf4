import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type Answer, PlayAgent } from './play-agent.ts'

/** The eras of the specification, each with the SDK's own client. */
export const eras = ['2026-07-28', '2025-11-25'] as const
export type Era = (typeof eras)[number]

const about = { name: 'test', version: '1' }

/** A client of this host, without a token for null. */
export const connect = async (port: number, token: string | null, era: Era): Promise<Client> => {
  const url = new URL(`http://127.0.0.1:${port}/mcp`)
  const requestInit = token === null ? {} : { headers: { Authorization: `Bearer ${token}` } }
  if (era === '2025-11-25') {
    const client = new Client2025(about)
    await client.connect(new Transport2025(url, { requestInit }) as never)
    // What the tests call is the same in both.
    return client as never
  }
  const client = new Client(about, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  return client
}

/** An agent that plays by MCP, with the SDK's own client. */
export class McpAgent extends PlayAgent {
  readonly #client: Promise<Client>
  readonly #era: Era
  /** The tools that were called: what went out, and what came in. */
  readonly heard: { readonly tool: string; readonly given: unknown; readonly text: string }[] = []

  constructor(port: number, token: string, era: Era = '2026-07-28') {
    super(port, token)
    this.#era = era
    this.#client = connect(port, token, era)
  }

  override async ask(tool: string, given: unknown, options = {}): Promise<[number, Answer]> {
    const client: Answer = await this.#client
    const call = { name: tool, arguments: given }
    // The client of 2025 can be given a schema first.
    const { isError, content } = await (this.#era === '2025-11-25'
      ? client.callTool(call, undefined, options)
      : client.callTool(call, options))
    const [{ text }] = content
    this.heard.push({ tool, given, text })
    return [isError ? 400 : 200, JSON.parse(text)]
  }

  async close(): Promise<void> {
    await (await this.#client).close()
  }
}
