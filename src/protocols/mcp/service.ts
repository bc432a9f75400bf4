import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Clock } from '../../clock.ts'
import type { Remote } from '../../threads/calls.ts'
import { openServer } from './server.ts'
import {
  type Head,
  type McpAbout,
  type McpCaller,
  type McpRequest,
  type McpService,
  signOfLife,
} from './thread.ts'

interface ServiceOptions {
  readonly host: Remote<McpCaller>
  readonly about: McpAbout
  readonly clock: Clock
}

/** Speaks MCP, of 2026-07-28 and of 2025. It keeps nothing from one request to the next. */
export const openService = ({ host, about, clock }: ServiceOptions): McpService => {
  const open = new Map<number, AbortController>()
  const handle = async (id: number, request: Request) => {
    const server = () =>
      openServer({ about, clock, call: (verb, body) => host.call(id, verb, body) })
    const handler = createMcpHandler(server, { responseMode: 'sse', keepAliveMs: signOfLife })
    const response = await handler.fetch(request)
    const head: Head = { status: response.status, headers: [...response.headers] }
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    if (!isStream) return { ...head, body: await response.text() }
    const decoder = new TextDecoder()
    for await (const piece of response.body!)
      await host.write(id, head, decoder.decode(piece, { stream: true }))
    return null
  }
  return {
    answer: async (id, { headers, body }: McpRequest) => {
      const left = new AbortController()
      open.set(id, left)
      try {
        return await handle(
          id,
          new Request(`${about.site}/mcp`, {
            ...{ method: 'POST', body, signal: left.signal },
            headers: headers.map(([name, value]): [string, string] => [name, value]),
          }),
        )
      } finally {
        open.delete(id)
      }
    },
    cut: id => open.get(id)?.abort(),
  }
}
