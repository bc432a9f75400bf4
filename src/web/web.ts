import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { games } from '../games/index.ts'
import { knownLadder } from '../store/ladders.ts'
import { type Answer, json, send } from './answer.ts'
import { Api, isEnding, isStatus, pageOf } from './api/api.ts'
import { Assets } from './assets.ts'
import { type Hall, knownGame, type Told, tellMatch } from './hall.ts'
import { agentPage } from './pages/agent.ts'
import { Docs } from './pages/docs.ts'
import { brokenPage, missingPage } from './pages/errors.ts'
import { frontPage } from './pages/front.ts'
import { gamePage, gamesPage } from './pages/games.ts'
import { ladderPage, laddersPage } from './pages/ladder.ts'
import type { Frame } from './pages/layout.ts'
import { embedPage, matchPage } from './pages/match.ts'
import { Pictures } from './picture/picture.ts'
import { type Routes, router } from './router.ts'

export interface WebOptions extends Hall {
  readonly log: Logger
}

export interface Web {
  /** Answers whatever is not `/play` or `/healthz`; done once it knows what to say. */
  listener(
    request: IncomingMessage,
    response: ServerResponse,
    source: string | undefined,
  ): Promise<void>
  /** How many event streams are open, and how many of them follow one match. */
  readonly streams: { readonly open: number; readonly following: number }
  /** What was told of the clocks of live matches holds no more. */
  clocksMoved(): void
  /** Lets go of everybody who watches. */
  close(): void
}

/** The face of the house: pages, the API, and events. Only GET and HEAD: nothing here changes anything. */
export const openWeb = (hall: WebOptions): Web => {
  const frame: Frame = { assets: new Assets(), host: hall.host }
  const api = new Api(hall)
  const routeOf = router({ ...api.routes, ...pages(hall, frame) })

  const answerTo = async (request: IncomingMessage, response: ServerResponse) => {
    const [path = '/', search] = (request.url ?? '/').split('?', 2)
    if (request.method !== 'GET' && request.method !== 'HEAD') return onlyLooking(request)
    const found = frame.assets.file(path)
    if (found) return found
    const route = routeOf(path)
    const query = new URLSearchParams(search)
    const answer = await route?.handler({ parts: route.parts, query, request, response })
    if (answer !== undefined) return answer
    return path.startsWith('/api/')
      ? json({ error: 'there is none' }, { status: 404 })
      : missingPage(frame)
  }

  return {
    listener: (request, response, source) => {
      const failed = (err: unknown) =>
        hall.log.error({ wire: 'http', path: pathOf(request), err }, 'answer failed')
      response.on('error', () => response.destroy())
      return answerTo(request, response)
        .catch((err: unknown) => {
          hall.log.error({ wire: 'http', path: pathOf(request), err }, 'page failed')
          return response.headersSent ? 'taken' : brokenPage(frame)
        })
        .then(answer => {
          if (answer !== 'taken')
            send({ request, response, source }, answer, hall.textStreamer, failed)
        })
        .catch((err: unknown) => {
          failed(err)
          response.destroy()
        })
    },
    get streams() {
      return api.streams
    },
    clocksMoved: () => api.clocksMoved(),
    close: () => api.close(),
  }
}

const pages = (hall: Hall, frame: Frame): Routes => {
  const docs = new Docs()
  const pictures = new Pictures()
  const { users, matches } = hall.store
  const told = <T>(id: string, answer: (told: Told) => T): T | Answer => {
    const match = /^\d{1,15}$/.test(id) ? tellMatch(hall, Number(id)) : undefined
    return match === undefined
      ? missingPage(frame, `There is no match ${id.slice(0, 20)}.`)
      : answer(match)
  }
  return {
    '/': () => frontPage(hall, frame),
    '/ladder': () => laddersPage(hall, frame),
    '/ladder/:game': ({ parts, query }) => {
      const ladder = knownLadder(parts.game!)
      const search = (query.get('q') ?? '').trim().slice(0, 32)
      return ladder && ladderPage(hall, frame, ladder, { page: pageOf(query), search })
    },
    '/match/:id': ({ parts, query }) =>
      told(parts.id!, match => matchPage(hall, frame, match, plyOf(query))),
    '/match/:id/embed': ({ parts, query }) =>
      told(parts.id!, match => embedPage(hall, frame, match, plyOf(query))),
    '/match/:id/picture.png': ({ parts }) =>
      told(parts.id!, async match => ({
        type: 'image/png',
        body: await pictures.of(match),
        fresh: match.table === null ? 86_400_000 : 10_000,
      })),
    '/agent/:name': ({ parts, query }) => {
      const user = users.find(parts.name!)
      const ending = query.get('ending') ?? ''
      const status = query.get('status') ?? ''
      const before = query.get('before') ?? ''
      return user
        ? agentPage(hall, frame, user, {
            game: knownGame(query.get('game') ?? '')?.id,
            against: (query.get('against') ?? '').slice(0, 32),
            ending: isEnding(ending) ? ending : undefined,
            status: isStatus(status) ? status : undefined,
            before: /^\d{1,15}$/.test(before) ? Number(before) : undefined,
          })
        : missingPage(frame, `There is no agent called ${parts.name!.slice(0, 40)}.`)
    },
    '/games': () => gamesPage(frame),
    '/games/:id': ({ parts }) => {
      const game = knownGame(parts.id!)
      return game && gamePage(frame, game)
    },
    '/docs': ({ query }) => docs.list(frame, (query.get('q') ?? '').slice(0, 100)),
    '/docs/*': ({ parts }) => docs.page(frame, parts.rest!),
    '/favicon.ico': () => frame.assets.file(frame.assets.address('favicon.svg')),
    '/robots.txt': () => ({
      type: 'text/plain; charset=utf-8',
      body: `User-agent: *\nDisallow: /api/\nDisallow: /play\nSitemap: https://${hall.host}/sitemap.xml\n`,
      fresh: 3_600_000,
    }),
    '/sitemap.xml': () => {
      const newest = matches.newest({ status: 'done', limit: 100 })
      const paths = [
        ...['/', '/ladder', '/games'],
        ...games.flatMap(({ id }) => [`/ladder/${id}`, `/games/${id}`]),
        ...docs.addresses,
        ...newest.map(({ id }) => `/match/${id}`),
      ]
      const urls = paths.map(path => `<url><loc>https://${hall.host}${path}</loc></url>`)
      return {
        type: 'application/xml; charset=utf-8',
        body: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`,
        fresh: 3_600_000,
      }
    },
  }
}

/** Without the query, where a token may be, and without one that has got into the path. */
const pathOf = ({ url = '' }: IncomingMessage) =>
  url.replace(/\?.*$/s, '').replace(/abbs_[\w-]+/g, 'abbs_…')

const onlyLooking = (request: IncomingMessage): Answer => {
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
