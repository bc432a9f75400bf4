import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { inspectRoutes } from 'hono/dev'
import { TrieRouter } from 'hono/router/trie-router'
import { type HttpClient, type HttpEnv, isBelow, type Mount } from '../protocols/routes.ts'

/** The routes at the root, and what is answered where no route answers. */
export interface Pages {
  /** Its routes write to Node's response. To GET and HEAD they answer without looking at `c.req.raw`. */
  readonly app: Hono<HttpEnv>
  /** No route of this method answers; `methods` are those that have one at this path. */
  otherwise(env: HttpEnv['Bindings'], methods: readonly string[]): Response | Promise<Response>
  /** An internal error. */
  failed(env: HttpEnv['Bindings'], error: unknown): Response
}

/** Everything that is answered over HTTP, apart from the health endpoints and the paths of WebSockets. */
export interface Site {
  /** Answers a request. Resolves once the work is done: with what the answer waits for, if it has to wait. */
  answer(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    client: HttpClient,
  ): Promise<Waiting | undefined>
  /** The methods that have a route at this path. */
  methods(path: string): readonly string[]
}

/** An answer that comes later. */
export class Waiting {
  readonly until: Promise<unknown>

  constructor(until: Promise<unknown>) {
    this.until = until
  }
}

/** Puts all routes into one router: those of the pages, and those of each mount under its prefix. */
export const openSite = (pages: Pages, mounts: readonly Mount[] = []): Site => {
  const root = new Hono<HttpEnv>({ getPath: (_, given) => pathOf(given!.env!.incoming) })
  root.route('/', pages.app)
  for (const { prefix, app } of mounts) root.route(prefix, app)
  const methods = methodsOf(root)
  root.notFound(({ env, req }) => pages.otherwise(env, methods(req.path)))
  root.onError((error, { env }) => pages.failed(env, error))
  const isMounted = (path: string) => mounts.some(mount => isBelow(path, mount))
  return {
    methods,
    answer: (incoming, outgoing, client) => {
      const env: HttpEnv['Bindings'] = { incoming, outgoing, ...client }
      outgoing.on('error', () => outgoing.destroy())
      return isRead(incoming) && !isMounted(pathOf(incoming))
        ? answerPage(root, pages, env)
        : answerRoute(root, pages, env)
    },
  }
}

/** A `Request` and a `Response` would cost 20 µs, as much as a third of a short answer. */
const answerPage = (
  root: Hono<HttpEnv>,
  pages: Pages,
  env: HttpEnv['Bindings'],
): Promise<Waiting | undefined> => {
  const made = async () => root.fetch({ method: env.incoming.method } as Request, env)
  return inThisTurn(made().catch(error => pages.failed(env, error)))
}

const answerRoute = (
  root: Hono<HttpEnv>,
  pages: Pages,
  env: HttpEnv['Bindings'],
): Promise<Waiting | undefined> => {
  const fetch = async (request: Request) => {
    const response = await root.fetch(request, env)
    // The wire has ended the request itself, because its login became invalid.
    return env.outgoing.headersSent ? RESPONSE_ALREADY_SENT : response
  }
  const listen = getRequestListener(fetch, {
    // For requests without a Host header, as HTTP/1.0 allows.
    hostname: 'localhost',
    // Other code uses Request and Response, too.
    overrideGlobalObjects: false,
    errorHandler: error =>
      error instanceof RequestError ? invalid(error) : pages.failed(env, error),
  })
  return inThisTurn(listen(env.incoming, env.outgoing))
}

/** An answer that takes longer than this turn of the event loop waits for something. */
const inThisTurn = async (answered: Promise<unknown>): Promise<Waiting | undefined> => {
  let isAnswered = false
  const until = answered.then(() => {
    isAnswered = true
  })
  await Promise.race([until, endOfTurn()])
  return isAnswered ? undefined : new Waiting(until)
}

/** Resolves after all that can run in this turn of the event loop. */
const endOfTurn = () =>
  new Promise<void>(resolve => queueMicrotask(() => process.nextTick(resolve)))

export const isRead = ({ method }: IncomingMessage): boolean =>
  method === 'GET' || method === 'HEAD'

/** The path as it was sent: its parameters are decoded only by the route. */
const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0]!

const invalid = ({ message }: RequestError) =>
  new Response(`This request is not valid: ${message}.\n`, { status: 400 })

/** Finds the methods that have a route at a path. Middleware is not a route. */
const methodsOf = (app: Hono<HttpEnv>): Site['methods'] => {
  const router = new TrieRouter<string>()
  for (const { method, path, isMiddleware } of inspectRoutes(app))
    if (method !== 'ALL') router.add('ALL', path, method)
    else if (!isMiddleware) for (const each of everyMethod) router.add('ALL', path, each)
  return path => {
    const found = new Set(router.match('ALL', path)[0].map(([method]) => method))
    return everyMethod.filter(method => found.has(method === 'HEAD' ? 'GET' : method))
  }
}

const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
