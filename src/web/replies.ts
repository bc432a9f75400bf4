import type { IncomingMessage, ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Logger } from 'pino'
import { agentOf } from '../arena/account.ts'
import type { Arena } from '../arena/arena.ts'
import type { HttpEnv } from '../protocols/routes.ts'
import type { PageTime, Reader, TextStream, TextStreamer } from '../scheduling/text-stream.ts'
import type { Remote } from '../threads/calls.ts'
import { type Answer, json, type Ready, ready } from './answer.ts'
import { lastEventIdOf } from './api/events.ts'
import { liveAt } from './live-match.ts'
import { isApi, pathOf, type SignedIn } from './page-request.ts'
import type { MadeAnswer, PageService } from './page-service.ts'
import { errorPage } from './pages/errors.ts'
import type { Site } from './pages/layout.ts'
import type { SignIns } from './sign-ins.ts'

type Env = HttpEnv['Bindings']

/** What a route answers. 'handled' means that the response is written. */
export type Reply = Answer | 'handled'

interface ReplyContext {
  readonly arena: Arena
  readonly log: Logger
  readonly pages: Remote<PageService>
  readonly pageTime: PageTime
  readonly textStreamer: TextStreamer
  readonly signIns: Pick<SignIns, 'reader'>
}

/** Sends answers: those of routes, those that another thread makes, and errors, as JSON for the API and else as a page. */
export class Replies {
  readonly #context: ReplyContext
  readonly #site: Site
  #isClosed = false

  constructor(context: ReplyContext, site: Site) {
    this.#context = context
    this.#site = site
  }

  send(env: Env, reply: Reply): Response {
    if (reply === 'handled') return RESPONSE_ALREADY_SENT
    const { method, headers } = env.incoming
    const { body, ...head } = ready(reply, { method, known: headers['if-none-match'] })
    return write(env.outgoing, { ...head, body: body as Uint8Array | null })
  }

  /** Answers with what the thread for pages makes. */
  async forward(env: Env): Promise<'handled'> {
    const { incoming } = env
    const { arena, pages } = this.#context
    const made = await pages.answer({
      method: incoming.method!,
      url: incoming.url!,
      known: incoming.headers['if-none-match'],
      lastEventId: lastEventIdOf(incoming.headers['last-event-id']),
      live: liveAt(arena, pathOf(incoming)),
      reader: await this.#readerOf(incoming),
    })
    return this.sendMade(env, made)
  }

  /** Only the page of a match differs by who reads it: who has signed in may vote there. */
  async #readerOf({ headers, url }: IncomingMessage): Promise<SignedIn | null> {
    const { arena, signIns } = this.#context
    const [, match] = /^\/match\/(\d{1,15})$/.exec(pathOf({ url })) ?? []
    if (match === undefined || headers.cookie === undefined) return null
    const account = await signIns.reader(headers)
    const table = arena.tables.get(Number(match))
    return account && { name: account.name, votesFor: table?.votedFor(agentOf(account)) ?? null }
  }

  /** Sends what the thread for pages has made. */
  sendMade(env: Env, made: MadeAnswer): 'handled' {
    this.#context.pageTime.use(env.source, made.ms)
    if (made.text === null) write(env.outgoing, made)
    else this.#stream(env, made, made.text)
    return 'handled'
  }

  /** No route of this method answers; `methods` are those that have one at this path. */
  async otherwise(env: Env, methods: readonly string[]): Promise<Response> {
    if (methods.length === 0) return this.send(env, await this.forward(env))
    const allowed = methods.join(', ')
    const answer = isApi(pathOf(env.incoming))
      ? json({ error: `only ${allowed}` })
      : { type: 'text/plain; charset=utf-8', body: `Only ${allowed}.\n` }
    return this.send(env, {
      ...answer,
      status: 405,
      headers: { ...answer.headers, Allow: allowed },
    })
  }

  failed(env: Env, error: unknown): Response {
    this.pageFailed(env.incoming.url, error)
    if (env.outgoing.headersSent) {
      env.outgoing.destroy()
      return RESPONSE_ALREADY_SENT
    }
    return this.send(
      env,
      isApi(pathOf(env.incoming))
        ? json({ error: 'internal error' }, { status: 500 })
        : errorPage(this.#site),
    )
  }

  /** A page that is made here. */
  page(env: Env, make: (site: Site) => Answer): Response {
    return this.send(env, make(this.#site))
  }

  /** Logs that a page could not be made. */
  pageFailed(url: string | undefined, err: unknown): void {
    if (!this.#isClosed)
      this.#context.log.error({ wire: 'http', path: loggedPath(url), err }, 'page failed')
  }

  #answerFailed(url: string | undefined, err: unknown): void {
    if (!this.#isClosed)
      this.#context.log.error({ wire: 'http', path: loggedPath(url), err }, 'answer failed')
  }

  /** From now on pages fail because the host stops. */
  close(): void {
    this.#isClosed = true
  }

  /** Sends a long body as it is made. */
  #stream(env: Env, { status, headers }: MadeAnswer, { id, holds }: Text): void {
    const { outgoing, source } = env
    const { pages, textStreamer } = this.#context
    const failed = (error: unknown) => this.#answerFailed(outgoing.req.url, error)
    const text = {
      holds,
      next: () => pages.texts.next(id),
      stop: () => void pages.texts.stop(id).catch(failed),
    }
    if (outgoing.destroyed) {
      text.stop()
      return
    }
    outgoing.writeHead(status, headers)
    streamBody(outgoing, textStreamer.stream(source, text, readerOf(outgoing)), failed)
  }
}

type Text = NonNullable<MadeAnswer['text']>

/** It writes to Node's response: a body that is as long as a page costs less so than through a `Response`. */
const write = (
  response: ServerResponse,
  { status, headers, body }: Ready<Uint8Array>,
): Response => {
  if (!response.destroyed) response.writeHead(status, headers).end(body ?? undefined)
  return RESPONSE_ALREADY_SENT
}

const readerOf = (response: ServerResponse): Reader => ({
  get unsent() {
    return response.writableLength
  },
  write: text => void response.write(text),
})

/** Streams a body. If it stops before its end, the connection is cut, so that the client sees an incomplete body. */
const streamBody = (
  response: ServerResponse,
  textStream: TextStream,
  failed: (error: unknown) => void,
): void => {
  response.on('drain', () => textStream.drained())
  response.on('close', () => textStream.gone())
  textStream.done.then(
    stopped => void (stopped === null ? response.end() : response.destroy()),
    error => {
      failed(error)
      response.destroy()
    },
  )
}

/** Without tokens, which may be in the path itself, too. */
const loggedPath = (url?: string) => pathOf({ url }).replace(/abbs_[\w-]+/g, 'abbs_…')
