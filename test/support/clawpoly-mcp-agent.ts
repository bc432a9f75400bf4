import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Answer } from './play-agent.ts'

/** An agent that plays Clawpoly by MCP, with the SDK's own client. */
export class ClawpolyMcpAgent {
  readonly client = new Client({ name: 'test', version: '1' })
  readonly transport: StreamableHTTPClientTransport
  /** What the stream has told. */
  readonly notices: Answer[] = []
  /** What it has decided about. */
  readonly decisions: Answer[] = []
  token = ''

  constructor(port: number) {
    const url = new URL(`http://127.0.0.1:${port}/clawpoly/mcp`)
    this.transport = new StreamableHTTPClientTransport(url)
    this.client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      this.notices.push(params.data)
    })
  }

  /** Connects, and plays with this token; without one it registers. */
  static async connect(port: number, name: string, token?: string): Promise<ClawpolyMcpAgent> {
    const agent = new ClawpolyMcpAgent(port)
    await agent.client.connect(agent.transport as never)
    agent.token = token ?? (await agent.tool('register', { name })).agentToken
    return agent
  }

  /** What a tool answers. Its refusals, too. */
  async tool(tool: string, given: object = {}): Promise<Answer> {
    const { content } = (await this.client.callTool({
      name: `clawpoly_${tool}`,
      arguments: { agentToken: this.token, ...given },
    })) as Answer
    return JSON.parse(content[0].text)
  }

  /** Plays its game to the end, by get_state alone: buys what it can, builds, and pays to leave the pot. */
  async play(): Promise<Answer> {
    let state = await this.tool('get_state')
    while (state.gamePhase !== 'finished') {
      if (state.status === 'not_in_game') throw new Error(state.message)
      const action = state.pendingDecision?.availableActions[0]
      if (action !== undefined) this.decisions.push(state.pendingDecision)
      state = await this.tool('get_state', action === undefined ? {} : { action })
    }
    return state
  }

  /** Ends its session. */
  async close(): Promise<void> {
    await this.transport.terminateSession()
    await this.client.close()
  }
}
