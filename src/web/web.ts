import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { gameOf, games } from '../games/index.ts'
import { type Answer, json, send } from './answer.ts'
import { Api, isEnding, isStatus, pageOf } from './api/api.ts'
import { Assets } from './assets.ts'
import { findMatch, type ShownMatch, type WebContext } from './context.ts'
import { agentPage } from './pages/agent.ts'
import { Docs } from './pages/docs.ts'
import { errorPage, notFoundPage } from './pages/errors.ts'
import { frontPage } from './pages/front.ts'
import { gamePage, gamesPage } from './pages/games.ts'
import { ladderPage, laddersPage } from './pages/ladder.ts'
import type { Site } from './pages/layout.ts'
import { matchPage } from './pages/match.ts'
import { Pictures } from './picture/picture.ts'
import { type Routes, router } from './router.ts'

export interface WebOptions extends WebContext {
  readonly log: Logger
}

export interface Web {
  /** Answers all paths except `/play` and `/healthz`. Resolves once the answer is chosen. */
  listener(
    request: IncomingMessage,
    response: ServerResponse,
    source: string | undefined,
  ): Promise<void>
  /** The number of open event streams, and of those that follow one match. */
  readonly streams: { readonly open: number; readonly following: number }
  /** Sends the clocks of live matches again, because they stood still. */
  resendClocks(): void
  /** Cuts all event streams. */
  close(): void
}

/** Pages, the API and event streams. Only GET and HEAD: nothing here changes anything. */
export const openWeb = (context: WebOptions): Web => {
  const site: Site = { assets: new Assets(), host: context.host }
  const api = new Api(context)
  const routeOf = router({ ...api.routes, ...pages(context, site) })

  const answerTo = async (request: IncomingMessage, response: ServerResponse) => {
    const [path = '/', search] = (request.url ?? '/').split('?', 2)
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed(request)
    const asset = site.assets.file(path)
    if (asset) return asset
    const route = routeOf(path)
    const query = new URLSearchParams(search)
    const answer = await route?.handler({ params: route.params, query, request, response })
    if (answer !== undefined) return answer
    return path.startsWith('/api/')
      ? json({ error: `there is no ${path.slice(0, 100)}` }, { status: 404 })
      : notFoundPage(site)
  }

  return {
    listener: (request, response, source) => {
      const failed = (err: unknown) =>
        context.log.error({ wire: 'http', path: pathOf(request), err }, 'answer failed')
      response.on('error', () => response.destroy())
      return answerTo(request, response)
        .catch((err: unknown) => {
          context.log.error({ wire: 'http', path: pathOf(request), err }, 'page failed')
          return response.headersSent ? 'handled' : errorPage(site)
        })
        .then(answer => {
          if (answer !== 'handled')
            send({ request, response, source }, answer, context.textStreamer, failed)
        })
        .catch((err: unknown) => {
          failed(err)
          response.destroy()
        })
    },
    get streams() {
      return api.streams
    },
    resendClocks: () => api.resendClocks(),
    close: () => api.close(),
  }
}

const pages = (context: WebContext, site: Site): Routes => {
  const docs = new Docs()
  const pictures = new Pictures()
  const { users, matches } = context.store
  const withMatch = <T>(id: string, answer: (match: ShownMatch) => T): T | Answer => {
    const match = /^\d{1,15}$/.test(id) ? findMatch(context, Number(id)) : undefined
    return match === undefined
      ? notFoundPage(site, `There is no match ${id.slice(0, 20)}.`)
      : answer(match)
  }
  return {
    '/': () => frontPage(context, site),
    '/ladder': () => laddersPage(context, site),
    '/ladder/:game': ({ params, query }) => {
      const ladder = context.store.ladders.find(params.game!)
      const search = (query.get('q') ?? '').trim().slice(0, 32)
      return ladder && ladderPage(context, site, ladder, { page: pageOf(query), search })
    },
    '/match/:id': ({ params, query }) =>
      withMatch(params.id!, match => matchPage(context, site, match, plyOf(query))),
    '/match/:id/embed': ({ params, query }) =>
      withMatch(params.id!, match => matchPage(context, site, match, plyOf(query), true)),
    '/match/:id/picture.png': ({ params }) =>
      withMatch(params.id!, async match => ({
        type: 'image/png',
        body: await pictures.of(match),
        maxAge: match.table === null ? 86_400_000 : 10_000,
      })),
    '/agent/:name': ({ params, query }) => {
      const user = users.find(params.name!)
      const ending = query.get('ending') ?? ''
      const status = query.get('status') ?? ''
      const before = query.get('before') ?? ''
      return user
        ? agentPage(context, site, user, {
            game: gameOf(query.get('game') ?? '')?.id,
            against: (query.get('against') ?? '').slice(0, 32),
            ending: isEnding(ending) ? ending : undefined,
            status: isStatus(status) ? status : undefined,
            before: /^\d{1,15}$/.test(before) ? Number(before) : undefined,
          })
        : notFoundPage(site, `There is no agent called ${params.name!.slice(0, 40)}.`)
    },
    '/games': () => gamesPage(site),
    '/games/:id': ({ params }) => {
      const game = gameOf(params.id!)
      return game && gamePage(site, game)
    },
    '/docs': ({ query }) => docs.list(site, (query.get('q') ?? '').slice(0, 100)),
    '/docs/*': ({ params }) => docs.page(site, params.rest!),
    '/favicon.ico': () => site.assets.file(site.assets.address('favicon.svg')),
    '/robots.txt': () => ({
      type: 'text/plain; charset=utf-8',
      body: `User-agent: *\nDisallow: /api/\nDisallow: /play\nSitemap: https://${context.host}/sitemap.xml\n`,
      maxAge: 3_600_000,
    }),
    '/sitemap.xml': () => {
      const newest = matches.newest({ status: 'done', limit: 100 })
      const paths = [
        ...['/', '/ladder', '/games'],
        ...games.flatMap(({ id }) => [`/ladder/${id}`, `/games/${id}`]),
        ...docs.addresses,
        ...newest.map(({ id }) => `/match/${id}`),
      ]
      const urls = paths.map(path => `<url><loc>https://${context.host}${path}</loc></url>`)
      return {
        type: 'application/xml; charset=utf-8',
        body: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`,
        maxAge: 3_600_000,
      }
    },
  }
}

/** The path without the query, which may hold a token, and without tokens in the path itself. */
const pathOf = ({ url = '' }: IncomingMessage) =>
  url.replace(/\?.*$/s, '').replace(/abbs_[\w-]+/g, 'abbs_…')

const methodNotAllowed = (request: IncomingMessage): Answer => {
  request.resume()
  return {
    status: 405,
    type: 'text/plain; charset=utf-8',
    body: 'Only GET and HEAD.\n',
    headers: { Allow: 'GET, HEAD', Connection: 'close' },
  }
}

const plyOf = (query: URLSearchParams): number | null => {
  const ply = query.get('ply') ?? ''
  return /^\d{1,6}$/.test(ply) ? Number(ply) : null
}
