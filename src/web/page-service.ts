import { Hono, type HonoRequest } from 'hono'
import type { Account } from '../arena/account.ts'
import { type Ending, endings } from '../arena/ending.ts'
import type { EventId } from '../events/plan.ts'
import { gameOf, games } from '../games/index.ts'
import { type MatchStatus, matchStatuses, publicRecord, statusOf } from '../record/match-record.ts'
import { longestName } from '../store/names.ts'
import { type Answer, json, type Ready, ready } from './answer.ts'
import { Api } from './api/api.ts'
import { liveBody } from './api/bodies.ts'
import { type LogParameters, logAnswer } from './api/log.ts'
import { Assets } from './assets.ts'
import { calendarOf } from './calendar.ts'
import { findMatch, type PageContext, type ShownMatch, shownLive } from './context.ts'
import { pagesForAgents } from './for-agents.ts'
import type { LiveBoard, LiveMatch } from './live-match.ts'
import { isApi, type PageEnv, type PageRequest, pathOf, type SignedIn } from './page-request.ts'
import { agentPage } from './pages/agent.ts'
import { Docs } from './pages/docs.ts'
import { notFoundPage } from './pages/errors.ts'
import { eventPage } from './pages/event.ts'
import { eventParts } from './pages/event-parts.ts'
import { eventsPage } from './pages/events.ts'
import { frontPage } from './pages/front.ts'
import { gamePage, gamesPage } from './pages/games.ts'
import { ladderPage, laddersPage } from './pages/ladder.ts'
import type { Site } from './pages/layout.ts'
import { type LogForm, logFormPage, logPage } from './pages/log.ts'
import { matchPage } from './pages/match.ts'
import { overallPage } from './pages/overall.ts'
import { card, matchRow } from './pages/parts.ts'
import { pointsPage } from './pages/points.ts'
import { championsPage, seasonPage, seasonsPage } from './pages/seasons.ts'
import { Pictures } from './picture/picture.ts'
import { Texts } from './texts.ts'

/** How and when something private is asked for: no cache has it. */
interface At {
  readonly method: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** An answer, and the time that it took. A long body is asked for by the id of its text. */
export interface MadeAnswer extends Ready<Uint8Array> {
  readonly text: { readonly id: string; readonly holds: number } | null
  readonly ms: number
}

/** Makes pages, pictures and answers of the API, for the thread that has the sockets. */
export const openPages = (context: PageContext) => {
  const site: Site = { assets: new Assets(), host: context.host }
  const texts = new Texts()
  const app = new Hono<PageEnv>({ getPath: (_, given) => pathOf(given!.env!.request) })
  addPages(app, context, site)
  new Api(context).addRoutes(app)
  app.notFound(({ env }) => env.answer(missing(site, env.request)))
  app.onError(error => {
    throw error
  })
  const answer = async (request: PageRequest): Promise<MadeAnswer> => {
    const began = performance.now()
    let made: Answer | undefined
    const env: PageEnv['Bindings'] = {
      request,
      answer: answer => {
        made = answer
        return done
      },
    }
    await app.fetch({ method: request.method } as Request, env)
    return sent(made!, request, began)
  }
  const sent = (answer: Answer, asked: Parameters<typeof ready>[1], began: number): MadeAnswer => {
    const { body, ...head } = ready(answer, asked)
    const whole =
      body === null || body instanceof Uint8Array
        ? { body, text: null }
        : { body: null, text: { id: texts.open(body), holds: body.holds } }
    return { ...head, ...whole, ms: performance.now() - began }
  }
  return {
    answer,
    /** The log of an agent as NDJSON, for its owner. */
    log: (reader: Account, parameters: LogParameters, { method, now }: At): MadeAnswer => {
      const began = performance.now()
      return sent(logAnswer(context, reader, parameters, now), { method, known: undefined }, began)
    },
    /** The same as a page. */
    logPage: (reader: Account, form: LogForm, { method, now }: At): MadeAnswer => {
      const began = performance.now()
      const page = logPage(context, site, reader, form, now)
      return sent(page, { method, known: undefined }, began)
    },
    texts: {
      next: (id: string) => texts.next(id),
      stop: (id: string) => texts.stop(id),
    },
    /** What of the page of an event changes while it is played. */
    event: (id: EventId, live: readonly LiveBoard[]) => {
      const event = context.store.eventStates.find(id)!
      const parts = [...eventParts(event, live)].map(([part, { text }]) => [part, text] as const)
      return { entries: event.entries, status: event.status, parts: Object.fromEntries(parts) }
    },
    /** What an event of the front page tells of matches that have changed or ended. */
    changes: (changed: readonly LiveMatch[], ended: readonly LiveMatch[]) => ({
      matches: changed.map(live => {
        const shown = shownLive(context, live)
        return { ...liveBody(context, shown), html: card(shown, live.look).text }
      }),
      results: ended.flatMap(live => resultBody(context, live)),
    }),
  }
}

export type PageService = ReturnType<typeof openPages>

const done = new Response(null)

const missing = (site: Site, request: PageRequest): Answer => {
  const path = pathOf(request)
  return isApi(path)
    ? json({ error: `there is no ${path.slice(0, 100)}` }, { status: 404 })
    : notFoundPage(site)
}

/** A match that has just ended, as the front page shows it: its card, and its row in the table of results. */
const resultBody = (context: PageContext, live: LiveMatch) => {
  const match = context.store.matches.find(live.match.id)
  if (match === undefined) return []
  const over = { ...shownLive(context, live), match }
  return [
    {
      ...publicRecord(match),
      html: card(over, live.look).text,
      line: statusOf(match) === 'done' ? matchRow(match).text : null,
    },
  ]
}

const addPages = (app: Hono<PageEnv>, context: PageContext, site: Site): void => {
  const docs = new Docs()
  const pictures = new Pictures()
  const { store } = context
  const { users, matches } = store
  const get = <Path extends string>(
    path: Path,
    answer: (asked: Asked<Path>) => Answer | undefined | Promise<Answer>,
  ) =>
    app.get(path, async ({ req, env }) => {
      const { request } = env
      const query = new URLSearchParams(request.url.split('?', 2)[1])
      return env.answer((await answer({ req, query, request })) ?? missing(site, request))
    })
  const getMatch = (
    path: `/match/:id${string}`,
    answer: (
      match: ShownMatch,
      ply: number | null,
      reader: SignedIn | null,
    ) => Answer | Promise<Answer>,
  ) =>
    get(path, ({ req, query, request }) => {
      const id: string = req.param('id')
      const match = /^\d{1,15}$/.test(id) ? findMatch(context, Number(id), request.live) : undefined
      return match === undefined
        ? notFoundPage(site, `There is no match ${id.slice(0, 20)}.`)
        : answer(match, plyOf(query), request.reader)
    })

  get('/', ({ request }) => frontPage(context, site, request.live))
  get('/assets/:file', ({ req }) => site.assets.file(req.path))
  get('/ladder', () => laddersPage(context, site))
  get('/ladder/all', ({ query }) => overallPage(context, site, pageOf(query)))
  get('/ladder/:game', ({ req, query }) => {
    const ladder = context.store.ladders.find(req.param('game'))
    const search = (query.get('q') ?? '').trim().slice(0, longestName)
    return ladder && ladderPage(context, site, ladder, { page: pageOf(query), search })
  })
  get('/ladder/:game/seasons', ({ req }) => {
    const ladder = store.ladders.find(req.param('game'))
    return ladder && seasonsPage(context, site, ladder)
  })
  get('/ladder/:game/seasons/:number{\\d{1,9}}', ({ req }) => {
    const ladder = store.ladders.find(req.param('game'))
    const season = ladder && store.seasons.find(ladder.id, Number(req.param('number')))
    return season && seasonPage(context, site, ladder, season)
  })
  get('/champions', () => championsPage(context, site))
  get('/points', ({ query }) => pointsPage(context, site, pageOf(query)))
  get('/events', () => eventsPage(context, site))
  get('/events.ics', () => {
    const newest = store.events.list().slice(0, mostInCalendar)
    const events = newest.flatMap(({ plan }) => store.eventStates.find(plan.id) ?? [])
    return calendarOf(context.host, `Events at ${context.host}`, events)
  })
  get('/events/:id{.+\\.ics}', ({ req }) => {
    const event = store.eventStates.find(req.param('id').replace(/\.ics$/, ''))
    return event && calendarOf(context.host, event.plan.title, [event])
  })
  get('/events/:id', ({ req, query, request: { live } }) => {
    const id: string = req.param('id')
    const event = store.eventStates.find(id)
    return event === undefined
      ? notFoundPage(site, `There is no event ${id.slice(0, 40)}.`)
      : eventPage(context, site, event, { live, round: roundOf(query) })
  })
  getMatch('/match/:id', (match, ply, reader) => matchPage(context, site, match, { ply, reader }))
  getMatch('/match/:id/embed', (match, ply) =>
    matchPage(context, site, match, { ply, reader: null, isEmbed: true }),
  )
  getMatch('/match/:id/picture.png', async match => ({
    type: 'image/png',
    body: await pictures.of(match),
    maxAge: match.live === null ? 86_400_000 : 10_000,
  }))
  get('/agent/:name', ({ req, query }) => {
    const name = req.param('name')
    const user = users.find(name)
    const ending = query.get('ending') ?? ''
    const status = query.get('status') ?? ''
    const before = query.get('before') ?? ''
    return user
      ? agentPage(context, site, user, {
          game: gameOf(query.get('game') ?? '')?.id,
          against: (query.get('against') ?? '').slice(0, longestName),
          ending: isEnding(ending) ? ending : undefined,
          status: isStatus(status) ? status : undefined,
          before: /^\d{1,15}$/.test(before) ? Number(before) : undefined,
        })
      : notFoundPage(site, `There is no agent called ${name.slice(0, 40)}.`)
  })
  get('/log', () => logFormPage(site))
  get('/games', () => gamesPage(site))
  get('/games/:id', ({ req }) => {
    const game = gameOf(req.param('id'))
    return game && gamePage(site, game)
  })
  get('/docs', ({ query }) => docs.list(site, (query.get('q') ?? '').slice(0, 100)))
  get('/docs/:path{.+}', ({ req }) => docs.page(site, req.param('path')))
  get('/favicon.ico', () => site.assets.file(site.assets.address('favicon.svg')))
  for (const [path, answer] of Object.entries(pagesForAgents(context))) get(path, answer)
  get('/robots.txt', () => ({
    type: 'text/plain; charset=utf-8',
    body: [
      ...(context.playsHttp ? ['# Agents may play here: /skill.md says how.'] : []),
      'User-agent: *',
      'Allow: /api/v1/games',
      'Allow: /api/v1/openapi.json',
      'Disallow: /api/',
      ...(context.place.play === null ? [] : ['Disallow: /play']),
      `Sitemap: https://${context.host}/sitemap.xml\n`,
    ].join('\n'),
    maxAge: 3_600_000,
  }))
  get('/sitemap.xml', () => {
    const newest = matches.newest({ status: 'done', limit: 100 })
    const paths = [
      ...['/', '/rooms', '/events', '/ladder', '/ladder/all', '/points', '/games'],
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

/** How many events the calendar of all has: the newest. */
const mostInCalendar = 100

/** A request for a page. Pages ignore what they do not understand in its query. */
interface Asked<Path extends string> {
  readonly req: Pick<HonoRequest<Path>, 'param' | 'path'>
  readonly query: URLSearchParams
  readonly request: PageRequest
}

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

const roundOf = (query: URLSearchParams): number | null => {
  const round = query.get('round') ?? ''
  return /^\d{1,4}$/.test(round) ? Number(round) : null
}

const isEnding = (name: string): name is Ending => Object.hasOwn(endings, name)
const isStatus = (name: string): name is MatchStatus =>
  (matchStatuses as readonly string[]).includes(name)
