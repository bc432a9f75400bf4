import { MessageChannel, type Worker } from 'node:worker_threads'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { Account } from '../../arena/account.ts'
import { serve } from '../../threads/calls.ts'
import { ServiceThread } from '../../threads/service-thread.ts'
import { startThread } from '../../threads/start-thread.ts'
import { wireCodes } from '../codes.ts'
import type { ProtocolHost } from '../protocol.ts'
import type { HttpEnv } from '../routes.ts'
import { errorText } from './error-text.ts'
import type { McpAbout, McpCaller, McpService } from './thread.ts'

/** A request whose answer is being made. */
interface Exchange {
  readonly call: McpCaller['call']
  readonly write: McpCaller['write']
}

/**
 * Has requests answered by a thread of its own, where the SDK runs: it takes a quarter of a millisecond for each, which no move
 * shall wait for. The calls of tools come back from there.
 */
export class Exchanges {
  readonly #host: Pick<ProtocolHost, 'play' | 'version' | 'addresses' | 'failed'>
  readonly #open = new Map<number, Exchange>()
  readonly #thread: ServiceThread<McpService>
  #last = 0
  /** What has ended the thread. */
  #failure: Error | null = null

  /** `start`: starts the thread, unless another one is given. */
  constructor(
    host: Pick<ProtocolHost, 'play' | 'version' | 'addresses' | 'failed'>,
    start: (caller: McpCaller, about: McpAbout) => Worker = startMcpThread,
  ) {
    this.#host = host
    const caller: McpCaller = {
      call: (id, ...given) => this.#exchange(id).call(id, ...given),
      write: (id, ...given) => this.#exchange(id).write(id, ...given),
    }
    const { version, addresses } = host
    this.#thread = new ServiceThread(
      () => start(caller, { version, site: addresses.site }),
      error => {
        this.#failure = error
        host.failed(error)
      },
    )
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  /** Answers a POST of an account, or of a client without one. */
  async answer(c: Context<HttpEnv>, account: Account | null, body: string): Promise<Response> {
    const { outgoing, gate, source } = c.env
    const id = ++this.#last
    const left = new AbortController()
    const { signal } = c.req.raw
    const leave = () => {
      left.abort()
      void this.#thread.service.cut(id).catch(() => {})
    }
    this.#open.set(id, {
      call: async (_, verb, given) => {
        const caller = {
          ...({ account, protocol: 'mcp', source, signal: left.signal } as const),
          keep: gate.keep.bind(gate),
        }
        const reply = await this.#host.play.call(caller, verb, JSON.parse(given))
        const isRefused = reply.body.status === 'refused'
        const code = String(reply.body.code)
        // The wire has counted its own.
        if (isRefused && !Object.hasOwn(wireCodes, code)) gate.refused(code)
        return { text: JSON.stringify(reply.body), isRefused }
      },
      write: (_, { status, headers }, text) => {
        if (!outgoing.headersSent) outgoing.writeHead(status, headers.flat())
        if (!outgoing.writableEnded) outgoing.write(text)
      },
    })
    signal.addEventListener('abort', leave)
    try {
      const headers = [...c.req.raw.headers].filter(([name]) =>
        /^(accept|content-type|mcp-.*)$/.test(name),
      )
      const made = await this.#thread.service.answer(id, { headers, body })
      if (made !== null)
        return new Response(made.body || null, {
          status: made.status,
          headers: made.headers.map(copied),
        })
      if (!outgoing.writableEnded) outgoing.end()
      return RESPONSE_ALREADY_SENT
    } catch (error) {
      if (error !== this.#failure) gate.failed(error)
      return failed(c, idOf(body))
    } finally {
      signal.removeEventListener('abort', leave)
      left.abort()
      this.#open.delete(id)
    }
  }

  #exchange(id: number): Exchange {
    const exchange = this.#open.get(id)
    if (exchange === undefined) throw new Error('the client has left')
    return exchange
  }
}

const startMcpThread = (caller: McpCaller, about: McpAbout): Worker => {
  const { port1, port2 } = new MessageChannel()
  serve(port1, caller)
  return startThread(import.meta.url, './mcp-thread', {
    workerData: { port: port2, about },
    transferList: [port2],
  })
}

/** The thread that made the answer has ended, or failed. */
const failed = ({ env: { outgoing } }: Context<HttpEnv>, id: unknown): Response => {
  const text = errorText(
    { code: 'internal', detail: 'internal error, which has been logged: make the call again' },
    id,
  )
  if (!outgoing.headersSent)
    return new Response(text, { status: 500, headers: { 'Content-Type': 'application/json' } })
  if (!outgoing.writableEnded) outgoing.end(`event: message\ndata: ${text}\n\n`)
  return RESPONSE_ALREADY_SENT
}

/** The id of a message, which its answer has, too. */
const idOf = (body: string): unknown => {
  try {
    return JSON.parse(body).id
  } catch {
    return undefined
  }
}

const copied = ([name, value]: readonly [string, string]): [string, string] => [name, value]
