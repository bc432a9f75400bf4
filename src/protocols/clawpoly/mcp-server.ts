import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import type { McpAbout } from '../mcp/thread.ts'
import type { ClawpolyCalled } from './mcp-thread-calls.ts'
import { instructions, isTool, type ToolName, toolList } from './mcp-tools.ts'

interface ServerOptions {
  readonly about: McpAbout
  /** Has a tool called, whose arguments are JSON, for the request of this number. */
  call(id: number, tool: ToolName, given: string): Promise<ClawpolyCalled>
  /** Called with the id of a message that its client has cancelled: it gets no answer. */
  cancelled(message: string | number): void
}

/** The server of one session. */
export const openServer = ({ about, call, cancelled }: ServerOptions): Server => {
  const { version, site: websiteUrl } = about
  const server = new Server(
    { name: 'clawpoly', title: 'Clawpoly at AgentBBS', version, websiteUrl },
    {
      capabilities: { tools: {}, logging: {} },
      instructions,
      jsonSchemaValidator: withoutElicitation,
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolList }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: given = {} } = params
    extra.signal.addEventListener('abort', () => cancelled(extra.requestId))
    if (!isTool(name)) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${name}`)
    const { text, isRefused } = await call(
      Number(extra.authInfo!.clientId),
      name,
      JSON.stringify(given),
    )
    return { content: [{ type: 'text' as const, text }], ...(isRefused && { isError: true }) }
  })
  return server
}

/** What a request is handed to the SDK with: its number, for the calls that it makes. */
export const numbered = (id: number) => ({
  authInfo: { token: '', clientId: String(id), scopes: [] },
})

/** The default one is made for each server, and checks what is never asked here. */
const withoutElicitation = {
  getValidator: () => {
    throw new Error('nothing is elicited')
  },
}
