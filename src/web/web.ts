import { Hono, type HonoRequest } from 'hono'
import type { Logger } from 'pino'
import { type Ending, endings } from '../arena/ending.ts'
import { gameOf, games } from '../games/index.ts'
import type { Pages } from '../http/site.ts'
import type { HttpEnv } from '../protocols/routes.ts'
import { type MatchStatus, matchStatuses } from '../record/match-record.ts'
import type { Answer } from './answer.ts'
import { Api } from './api/api.ts'
import { Assets } from './assets.ts'
import { findMatch, type ShownMatch, type WebContext } from './context.ts'
import { agentPage } from './pages/agent.ts'
import { Docs } from './pages/docs.ts'
import { notFoundPage } from './pages/errors.ts'
import { frontPage } from './pages/front.ts'
import { gamePage, gamesPage } from './pages/games.ts'
import { ladderPage, laddersPage } from './pages/ladder.ts'
import type { Site } from './pages/layout.ts'
import { matchPage } from './pages/match.ts'
import { Pictures } from './picture/picture.ts'
import { Replies, type Reply } from './replies.ts'

export interface WebOptions extends WebContext {
  readonly log: Logger
}

export interface Web {
  readonly pages: Pages
  /** The number of open event streams, and of those that follow one match. */
  readonly streams: { readonly open: number; readonly following: number }
  /** Sends the clocks of live matches again, because they stood still. */
  resendClocks(): void
  /** Cuts all event streams. */
  close(): void
}

/** Pages, the API and event streams. */
export const openWeb = (context: WebOptions): Web => {
  const site: Site = { assets: new Assets(), host: context.host }
  const replies = new Replies(context.log, context.textStreamer, site)
  const app = new Hono<HttpEnv>()
  addPages(app, replies, context, site)
  const api = new Api(context)
  api.addRoutes(app, replies)
  return {
    pages: {
      app,
      notFound: (env, methods) => replies.notFound(env, methods),
      failed: (env, error) => replies.failed(env, error),
    },
    get streams() {
      return api.streams
    },
    resendClocks: () => api.resendClocks(),
    close: () => api.close(),
  }
}

const addPages = (app: Hono<HttpEnv>, replies: Replies, context: WebContext, site: Site): void => {
  const docs = new Docs()
  const pictures = new Pictures()
  const { users, matches } = context.store
  const get = <Path extends string>(
    path: Path,
    answer: (request: PageRequest<Path>) => Reply | Promise<Reply>,
  ) => app.get(path, c => replies.send(c.env, answer(c)))
  const withMatch = <T>(id: string, answer: (match: ShownMatch) => T): T | Answer => {
    const match = /^\d{1,15}$/.test(id) ? findMatch(context, Number(id)) : undefined
    return match === undefined
      ? notFoundPage(site, `There is no match ${id.slice(0, 20)}.`)
      : answer(match)
  }

  get('/', () => frontPage(context, site))
  get('/assets/:file', ({ req }) => site.assets.file(req.path))
  get('/ladder', () => laddersPage(context, site))
  get('/ladder/:game', ({ req, env }) => {
    const ladder = context.store.ladders.find(req.param('game'))
    const query = queryOf(env)
    const search = (query.get('q') ?? '').trim().slice(0, 32)
    return ladder && ladderPage(context, site, ladder, { page: pageOf(query), search })
  })
  get('/match/:id', ({ req, env }) =>
    withMatch(req.param('id'), match => matchPage(context, site, match, plyOf(queryOf(env)))),
  )
  get('/match/:id/embed', ({ req, env }) =>
    withMatch(req.param('id'), match => matchPage(context, site, match, plyOf(queryOf(env)), true)),
  )
  get('/match/:id/picture.png', ({ req }) =>
    withMatch(req.param('id'), async match => ({
      type: 'image/png',
      body: await pictures.of(match),
      maxAge: match.table === null ? 86_400_000 : 10_000,
    })),
  )
  get('/agent/:name', ({ req, env }) => {
    const name = req.param('name')
    const user = users.find(name)
    const query = queryOf(env)
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
      : notFoundPage(site, `There is no agent called ${name.slice(0, 40)}.`)
  })
  get('/games', () => gamesPage(site))
  get('/games/:id', ({ req }) => {
    const game = gameOf(req.param('id'))
    return game && gamePage(site, game)
  })
  get('/docs', ({ env }) => docs.list(site, (queryOf(env).get('q') ?? '').slice(0, 100)))
  get('/docs/:path{.+}', ({ req }) => docs.page(site, req.param('path')))
  get('/favicon.ico', () => site.assets.file(site.assets.address('favicon.svg')))
  get('/robots.txt', () => ({
    type: 'text/plain; charset=utf-8',
    body: [
      'User-agent: *',
      'Disallow: /api/',
      ...(context.place.play === null ? [] : ['Disallow: /play']),
      `Sitemap: https://${context.host}/sitemap.xml\n`,
    ].join('\n'),
    maxAge: 3_600_000,
  }))
  get('/sitemap.xml', () => {
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
  })
}

interface PageRequest<Path extends string> {
  readonly req: Pick<HonoRequest<Path>, 'param' | 'path'>
  readonly env: HttpEnv['Bindings']
}

/** The query of a page. Pages ignore what they do not understand. */
const queryOf = ({ incoming }: HttpEnv['Bindings']) =>
  new URLSearchParams(incoming.url?.split('?', 2)[1])

const plyOf = (query: URLSearchParams): number | null => {
  const ply = query.get('ply') ?? ''
  return /^\d{1,6}$/.test(ply) ? Number(ply) : null
}

const pageOf = (query: URLSearchParams): number => {
  const page = query.get('page') ?? ''
  return /^\d{1,15}$/.test(page) && Number(page) >= 1 && Number(page) <= 1_000_000
    ? Number(page)
    : 1
}

const isEnding = (name: string): name is Ending => Object.hasOwn(endings, name)
const isStatus = (name: string): name is MatchStatus =>
  (matchStatuses as readonly string[]).includes(name)
