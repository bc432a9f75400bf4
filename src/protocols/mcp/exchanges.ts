import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { Account } from '../../arena/account.ts'
import { wireCodes } from '../codes.ts'
import type { Gate } from '../gate.ts'
import { textOf } from '../play/answers.ts'
import type { Verb } from '../play/operations.ts'
import type { ProtocolHost } from '../protocol.ts'
import type { HttpEnv } from '../routes.ts'
import { errorText } from './error-text.ts'
import type { Called, Head, McpCaller, McpThread, OpenThread } from './thread.ts'

type ExchangesHost = Pick<ProtocolHost, 'play' | 'version' | 'addresses' | 'failed'>

/**
 * Has requests answered by a thread of its own, where the SDK runs: it takes a quarter of a millisecond for each, for which no move
 * shall wait. The calls of tools come back from there.
 */
export class Exchanges {
  readonly #host: ExchangesHost
  /** What the thread asks for a request, by the number of that. */
  readonly #open = new Map<number, Exchange>()
  readonly #thread: McpThread
  #last = 0
  /** What has ended the thread, and was logged. */
  #failure: Error | null = null

  constructor(host: ExchangesHost, openThread: OpenThread) {
    this.#host = host
    const caller: McpCaller = {
      call: (id, verb, body) => this.#exchange(id).call(verb, body),
      write: (id, head, text) => this.#exchange(id).write(head, text),
    }
    const about = () => ({ version: host.version, site: host.addresses.site })
    this.#thread = openThread(caller, about, error => {
      this.#failure = error
      host.failed(error)
    })
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  /** Answers a POST of an account, or of a client without one. */
  async answer(c: Context<HttpEnv>, account: Account | null, body: string): Promise<Response> {
    const { service } = this.#thread
    const { outgoing, gate } = c.env
    const { signal } = c.req.raw
    const id = ++this.#last
    const left = new AbortController()
    const leave = () => {
      left.abort()
      void service.cut(id).catch(() => {})
    }
    signal.addEventListener('abort', leave)
    this.#open.set(id, this.#exchangeOf(c, account, left.signal))
    try {
      const headers = [...c.req.raw.headers].filter(([name]) => isRead.test(name))
      const made = await service.answer(id, { headers, body })
      if (made !== null) return responseOf(made)
      if (!outgoing.writableEnded) outgoing.end()
      return RESPONSE_ALREADY_SENT
    } catch (error) {
      if (error !== this.#failure) gate.failed(error)
      return failed(c, body)
    } finally {
      signal.removeEventListener('abort', leave)
      // Where the thread has ended, its call still waits.
      left.abort()
      this.#open.delete(id)
    }
  }

  #exchangeOf(
    { env: { outgoing, gate, source } }: Context<HttpEnv>,
    account: Account | null,
    signal: AbortSignal,
  ): Exchange {
    const keep: Gate['keep'] = seat => gate.keep(seat)
    return {
      call: async (verb, given) => {
        const caller = { account, protocol: 'mcp', source, signal, keep } as const
        const reply = await this.#host.play.call(caller, verb, JSON.parse(given))
        const { body } = reply
        const isRefused = body.status === 'refused'
        // The wire has counted its own.
        if (isRefused && !Object.hasOwn(wireCodes, String(body.code)))
          gate.refused(String(body.code))
        return { text: textOf(reply), isRefused }
      },
      write: ({ status, headers }, text) => {
        if (!outgoing.headersSent) outgoing.writeHead(status, headers.flat())
        if (!outgoing.writableEnded) outgoing.write(text)
      },
    }
  }

  #exchange(id: number): Exchange {
    const exchange = this.#open.get(id)
    if (exchange === undefined) throw new Error('the client has left')
    return exchange
  }
}

interface Exchange {
  call(verb: Verb, body: string): Promise<Called>
  write(head: Head, text: string): void
}

/** The headers that the SDK reads. */
const isRead = /^(accept|content-type|mcp-.*)$/

const responseOf = ({ status, headers, body }: Head & { readonly body: string }): Response =>
  // 202 has none.
  new Response(body === '' ? null : body, {
    status,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  })

/** The thread that made the answer has ended, or failed. */
const failed = ({ env: { outgoing } }: Context<HttpEnv>, body: string): Response => {
  const detail = 'internal error; it has been logged: make the call again'
  const text = errorText({ code: 'internal', detail }, idOf(body))
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
