import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server'
import type { Clock, Timer } from '../../clock.ts'
import type { Verb } from '../play/operations.ts'
import { playAMatch } from './prompt.ts'
import { readResource, resources, templates } from './resources.ts'
import { type Called, type McpAbout, signOfLife } from './thread.ts'
import { instructions, tools } from './tools.ts'

interface McpServerOptions {
  readonly about: McpAbout
  readonly clock: Clock
  /** Has a call made, whose body is JSON. */
  call(verb: Verb, body: string): Promise<Called>
}

/** One server for each request: what it needs to know comes with that. */
export const openServer = ({ about, clock, call }: McpServerOptions): Server => {
  const { version, site: websiteUrl } = about
  const server = new Server(
    { name: 'agentbbs', title: 'AgentBBS', version, websiteUrl },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions,
      jsonSchemaValidator: withoutElicitation,
      cacheHints: {
        'tools/list': lasting,
        'prompts/list': lasting,
        'resources/list': lasting,
        'resources/templates/list': lasting,
        'resources/read': lasting,
        'server/discover': lasting,
      },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name, arguments: given = {} } = params
    if (!tools.some(tool => tool.name === name))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${name}`)
    const token = mcpReq._meta?.progressToken
    const stop =
      token === undefined
        ? () => {}
        : everySign(clock, count =>
            mcpReq.notify({
              method: 'notifications/progress',
              params: { progressToken: token, progress: count, message: 'waiting' },
            }),
          )
    try {
      const { text, isRefused } = await call(name as Verb, JSON.stringify(given))
      return { content: [{ type: 'text', text }], ...(isRefused && { isError: true }) }
    } finally {
      stop()
    }
  })
  server.setRequestHandler('resources/list', () => ({ resources: [...resources] }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [...templates],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const text = readResource(uri)
    if (text === undefined) throw new ResourceNotFoundError(uri, `there is no resource ${uri}`)
    return { contents: [text] }
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: [playAMatch.prompt] }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    if (params.name !== playAMatch.prompt.name)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt ${params.name}`)
    const text = playAMatch.text(params.arguments ?? {})
    if (typeof text !== 'string')
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, text.error)
    return { messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
  return server
}

/** Lists and rules change with the version of the host alone. */
const lasting = { ttlMs: 3_600_000, cacheScope: 'public' } as const

/** The default one takes two thirds of the time of a call to be made, and checks what is never asked here. */
const withoutElicitation = {
  getValidator: () => {
    throw new Error('nothing is elicited')
  },
}

/** Calls this with 1, 2, 3 … at each sign of life, until the returned function is called. */
const everySign = (clock: Clock, give: (count: number) => void): (() => void) => {
  let timer: Timer
  const next = (count: number) => {
    timer = clock.after(signOfLife, () => {
      give(count)
      next(count + 1)
    })
  }
  next(1)
  return () => timer.cancel()
}
