import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Logger } from 'pino'
import type { HttpEnv } from '../protocols/routes.ts'
import type { TextStreamer } from '../scheduling/text-stream.ts'
import { type Answer, json, send } from './answer.ts'
import { errorPage, notFoundPage } from './pages/errors.ts'
import type { Site } from './pages/layout.ts'

/** What a route answers. Undefined is 404; 'handled' means that the route writes the response itself. */
export type Reply = Answer | undefined | 'handled'

/** Sends what routes answer, and all errors: as JSON for the API, as a page for the others. */
export class Replies {
  readonly #log: Logger
  readonly #textStreamer: TextStreamer
  readonly #site: Site

  constructor(log: Logger, textStreamer: TextStreamer, site: Site) {
    this.#log = log
    this.#textStreamer = textStreamer
    this.#site = site
  }

  send(env: HttpEnv['Bindings'], reply: Reply | Promise<Reply>): Response | Promise<Response> {
    return reply instanceof Promise
      ? reply.then(found => this.#sendNow(env, found))
      : this.#sendNow(env, reply)
  }

  /** There is no route of this method; `methods` are those that have one at this path. */
  notFound(env: HttpEnv['Bindings'], methods: readonly string[]): Response {
    if (methods.length === 0) return this.#sendNow(env, undefined)
    const allowed = methods.join(', ')
    const answer = isApi(env)
      ? json({ error: `only ${allowed}` })
      : { type: 'text/plain; charset=utf-8', body: `Only ${allowed}.\n` }
    return this.#sendNow(env, {
      ...answer,
      status: 405,
      headers: { ...answer.headers, Allow: allowed },
    })
  }

  failed(env: HttpEnv['Bindings'], error: unknown): Response {
    this.#log.error({ wire: 'http', path: loggedPath(env), err: error }, 'page failed')
    if (env.outgoing.headersSent) {
      env.outgoing.destroy()
      return RESPONSE_ALREADY_SENT
    }
    return this.#sendNow(
      env,
      isApi(env) ? json({ error: 'internal error' }, { status: 500 }) : errorPage(this.#site),
    )
  }

  #sendNow(env: HttpEnv['Bindings'], reply: Reply): Response {
    if (reply === 'handled') return RESPONSE_ALREADY_SENT
    return send(env, reply ?? this.#missing(env), this.#textStreamer, err =>
      this.#log.error({ wire: 'http', path: loggedPath(env), err }, 'answer failed'),
    )
  }

  #missing(env: HttpEnv['Bindings']): Answer {
    return isApi(env)
      ? json({ error: `there is no ${pathOf(env).slice(0, 100)}` }, { status: 404 })
      : notFoundPage(this.#site)
  }
}

const pathOf = ({ incoming: { url = '' } }: HttpEnv['Bindings']) => url.split('?', 1)[0]!
const isApi = (env: HttpEnv['Bindings']) => pathOf(env).startsWith('/api/')

/** Without tokens, which may be in the path itself, too. */
const loggedPath = (env: HttpEnv['Bindings']) => pathOf(env).replace(/abbs_[\w-]+/g, 'abbs_…')
