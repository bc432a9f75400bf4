import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { HttpEnv } from '../routes.ts'
import { errorText } from './error-text.ts'
import type { Called, Head, McpCaller, McpRequest, McpThread } from './thread.ts'

/** Makes the calls of one request: `signal` is aborted when its client leaves. */
export type MakeCall<Tool extends string, Answer extends Called> = (
  tool: Tool,
  body: string,
  signal: AbortSignal,
) => Promise<Answer>

interface ExchangesOptions<Tool extends string, Answer extends Called> {
  /** Gives the thread, for which `caller` makes the calls. `failed` is called with the error that has ended it. */
  open(caller: McpCaller<Tool, Answer>, failed: (error: Error) => void): McpThread
  /** Logs what has ended a thread. */
  failed(error: unknown): void
}

/**
 * Has requests answered by a thread of its own, where an SDK runs: it takes a quarter of a millisecond for each, for which no move
 * shall wait. The calls of tools come back from there.
 */
export class Exchanges<Tool extends string, Answer extends Called = Called> {
  /** What the thread asks for a request, by the number of that. */
  readonly #open = new Map<number, Exchange<Tool, Answer>>()
  readonly #thread: McpThread
  #last = 0
  /** What has ended the thread, and was logged. */
  #failure: Error | null = null

  constructor({ open, failed }: ExchangesOptions<Tool, Answer>) {
    const caller: McpCaller<Tool, Answer> = {
      call: (id, tool, body) => this.#exchange(id).call(tool, body),
      write: (id, head, text) => this.#exchange(id).write(head, text),
    }
    this.#thread = open(caller, error => {
      this.#failure = error
      failed(error)
    })
  }

  /** How many requests have no answer yet. */
  get open(): number {
    return this.#open.size
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  /** Answers a request of a client, whose calls are made by `call`. */
  async answer(
    c: Context<HttpEnv>,
    asked: Omit<McpRequest, 'headers'>,
    call: MakeCall<Tool, Answer>,
  ): Promise<Response> {
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
    this.#open.set(id, exchangeOf(c, call, left.signal))
    try {
      const headers = [...c.req.raw.headers].filter(([name]) => isRead.test(name))
      const made = await service.answer(id, { ...asked, headers })
      if (made !== null) return responseOf(made)
      if (!outgoing.writableEnded) outgoing.end()
      return RESPONSE_ALREADY_SENT
    } catch (error) {
      if (error !== this.#failure) gate.failed(error)
      return failed(c, asked.body)
    } finally {
      signal.removeEventListener('abort', leave)
      // Where the thread has ended, its call still waits.
      left.abort()
      this.#open.delete(id)
    }
  }

  #exchange(id: number): Exchange<Tool, Answer> {
    const exchange = this.#open.get(id)
    if (exchange === undefined) throw new Error('the client has left')
    return exchange
  }
}

interface Exchange<Tool extends string, Answer extends Called> {
  call(tool: Tool, body: string): Promise<Answer>
  write(head: Head, text: string): void
}

const exchangeOf = <Tool extends string, Answer extends Called>(
  { env: { outgoing } }: Context<HttpEnv>,
  call: MakeCall<Tool, Answer>,
  signal: AbortSignal,
): Exchange<Tool, Answer> => ({
  call: (tool, body) => call(tool, body, signal),
  write: ({ status, headers }, text) => {
    if (!outgoing.headersSent) outgoing.writeHead(status, headers.flat())
    if (!outgoing.writableEnded) outgoing.write(text)
  },
})

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
