import type { Hono } from 'hono'
import { noteBefore } from '../../arena/note.ts'
import type { EventState } from '../../events/state.ts'
import { trf } from '../../events/trf.ts'
import { gameOf, games } from '../../games/index.ts'
import { eventRecord, eventSummary } from '../../record/event-record.ts'
import { type Notation, ndjsonLines, notationOf, notationPieces } from '../../record/export.ts'
import { type MatchRecord, publicRecord } from '../../record/match-record.ts'
import { championJson, seasonJson, seasonRowJson } from '../../record/season-record.ts'
import { isoTime } from '../../record/time-text.ts'
import type { Pieces } from '../../scheduling/text-stream.ts'
import { champions } from '../../store/champions.ts'
import { eventPgn } from '../../store/event-export.ts'
import { type Answer, json, type LongBody } from '../answer.ts'
import { findMatch, type PageContext, type ShownMatch, shownLive } from '../context.ts'
import { eventText, streamStart } from '../feeds/stream.ts'
import type { PageEnv, PageRequest } from '../page-request.ts'
import { perPage } from '../pages/ladder.ts'
import { looksOf, positionsOf, summarizeReplay } from '../replay.ts'
import {
  agentBody,
  fitBody,
  gameBody,
  gameWithRulesBody,
  listPieces,
  liveBody,
  matchPieces,
  standingBody,
} from './bodies.ts'
import { afterEvent, eventStream, noMore } from './events.ts'
import { answerOf, type Handler, type OperationRequest, type QueryOf } from './handler.ts'
import { openApi } from './openapi.ts'
import { type Operation, type Operations, operations } from './operations.ts'

/** The operations that this thread answers. The others, in live-api.ts, open event streams, log in or change something. */
type PageOperation = Exclude<
  keyof Operations,
  | 'GET /api/v1/live/events'
  | 'GET /api/v1/log'
  | 'GET /api/v1/rooms'
  | 'GET /api/v1/tables'
  | 'GET /api/v1/tables/events'
  | `${'POST' | 'DELETE'} ${string}`
>

/** What the pages show, as JSON. */
export class Api {
  readonly #context: PageContext

  constructor(context: PageContext) {
    this.#context = context
  }

  /** Adds a route for every operation. Its query is checked before it is called. */
  addRoutes(app: Hono<PageEnv>): void {
    for (const [name, handler] of Object.entries<Handler<PageRequest, Answer>>(this.#handlers)) {
      const operation: Operation = operations[name as PageOperation]
      app.get(name.replace('GET ', ''), async ({ req, env }) =>
        env.answer(
          await answerOf(operation, handler, { req, env: env.request, url: env.request.url }),
        ),
      )
    }
  }

  get #handlers(): {
    readonly [Name in PageOperation]: Handler<PageRequest, Answer, Name>
  } {
    const context = this.#context
    const { store } = context
    const description = openApi(context.host, context.playsHttp)
    const ofMatch = (answer: (shown: ShownMatch) => Answer) => (request: MatchRequest) =>
      this.#withMatch(request, answer)
    const inNotation = (notation: Notation, type: string) => (shown: ShownMatch) =>
      isOver(shown) && notationOf(shown.match.game) === notation
        ? download(shown, notation, type, () =>
            notationPieces(
              shown.match,
              shown.replay.moves,
              shown.replay.notes,
              siteOf(context, shown.match),
            ),
          )
        : missing(`past match with ${notation}`, String(shown.match.id))
    const ofEvent =
      (answer: (state: EventState) => Answer) =>
      ({ params: { id } }: { readonly params: { readonly id: string } }) => {
        const state = store.eventStates.find(id)
        return state === undefined ? missing('event', id) : answer(state)
      }
    return {
      'GET /api/v1/openapi.json': () => json(description, { maxAge: 60_000 }),
      'GET /api/v1/games': () => json({ games: games.map(gameBody) }),
      'GET /api/v1/games/:id': ({ params }) => {
        const game = gameOf(params.id)
        return game ? json(gameWithRulesBody(game)) : missing('game', params.id)
      },
      'GET /api/v1/ladder/all': ({ query: { page = 1 } }) => {
        const { games, least, rows } = store.rankings.overall()
        const agents = rows.slice((page - 1) * perPage, page * perPage)
        return json({
          ...{ games, least, page, perPage, total: rows.length },
          agents: agents.map(({ account: _, ...row }) => row),
        })
      },
      'GET /api/v1/ladder/:game': ({ params, query }) => {
        const ladder = store.ladders.find(params.game)
        if (ladder === undefined) return missing('ladder', params.game)
        const { page = 1, q = '' } = query
        const provisional = query.provisional && query.provisional === '1'
        const window = { offset: (page - 1) * perPage, limit: perPage, search: q.slice(0, 32) }
        const { rows, total, ranked } = store.rankings.page(ladder, { provisional, ...window })
        return json({
          game: ladder.id,
          counts: ladder.counts.by,
          speed: ladder.variant.speed,
          blind: ladder.variant.listing === 'blind',
          provisional: provisional ?? null,
          page,
          perPage,
          total,
          ranked,
          fit: fitBody(ladder.counts.by === 'elo' ? store.strengths.fit(ladder.id) : undefined),
          agents: rows.map(standingBody),
        })
      },
      'GET /api/v1/ladder/:game/seasons': ({ params }) => {
        const ladder = store.ladders.find(params.game)
        if (ladder === undefined) return missing('ladder', params.game)
        const { id: game } = ladder
        const date = store.seasons.dates().find(date => date.ladder === game)
        return json({
          game,
          seasons: store.seasons.of(game).toReversed().map(seasonJson),
          next: date ? { title: date.title, rule: date.rule, at: isoTime(date.at) } : null,
        })
      },
      'GET /api/v1/ladder/:game/seasons/:number': ({ params }) => {
        const ladder = store.ladders.find(params.game)
        if (ladder === undefined) return missing('ladder', params.game)
        const season = store.seasons.find(ladder.id, Number(params.number))
        if (season === undefined) return missing('season', params.number)
        const table = store.seasons.table(season).map(seasonRowJson)
        return json({ ...seasonJson(season), table })
      },
      'GET /api/v1/champions': () => json({ champions: champions(store).map(championJson) }),
      'GET /api/v1/points': ({ query: { page = 1 } }) => {
        const window = { offset: (page - 1) * perPage, limit: perPage }
        const { rows, total } = store.points.page(window)
        return json({
          ...{ page, perPage, total },
          agents: rows.map(({ rank, name, balance }) => ({ rank, name, points: balance })),
        })
      },
      'GET /api/v1/ladder/:game/export': ({ params, query: { after = 0 } }) => {
        const ladder = store.ladders.find(params.game)
        if (ladder === undefined) return missing('ladder', params.game)
        const { holds, lines } = store.chains.page(ladder.id, after)
        return {
          type: 'application/x-ndjson; charset=utf-8',
          body: { begin: lines, holds, tagSource: null },
          headers: { 'Access-Control-Allow-Origin': '*' },
        }
      },
      'GET /api/v1/matches': ({ query }) => this.#list(query),
      'GET /api/v1/matches/:id': ofMatch(shown => longJson(shown, () => matchPieces(shown))),
      'GET /api/v1/matches/:id/positions': ofMatch(shown =>
        longJson(shown, () =>
          listPieces({ match: shown.match.id }, 'positions', positionsOf(shown.replay)),
        ),
      ),
      'GET /api/v1/matches/:id/looks': ofMatch(shown =>
        longJson(shown, () =>
          listPieces({ match: shown.match.id }, 'looks', looksOf(shown.replay)),
        ),
      ),
      'GET /api/v1/matches/:id/ndjson': ofMatch(shown =>
        isOver(shown)
          ? download(shown, 'ndjson', 'application/x-ndjson', () =>
              ndjsonLines(shown.match, shown.replay.moves, shown.replay.notes),
            )
          : missing('past match', String(shown.match.id)),
      ),
      'GET /api/v1/matches/:id/pgn': ofMatch(inNotation('pgn', 'application/vnd.chess-pgn')),
      'GET /api/v1/matches/:id/sgf': ofMatch(inNotation('sgf', 'application/x-go-sgf')),
      // Event streams of events that are not over are opened by another thread.
      'GET /api/v1/events/:id/events': ({ params, env }) => {
        const event = store.eventStates.find(params.id)
        if (event === undefined) return missing('event', params.id)
        return env.method === 'HEAD' ? eventStream : noMore
      },
      'GET /api/v1/matches/:id/events': request => this.#events(request),
      'GET /api/v1/agents/:name': ({ params }) => {
        const user = store.users.find(params.name)
        if (user === undefined) return missing('agent', params.name)
        const ratings = store.profiles.ratings(user.id)
        const played = ratings.map(({ ladder }) => ladder)
        return json(agentBody(context, user, ratings, store.profiles.recent(user.id, played)))
      },
      'GET /api/v1/agents/:name/history/:game': ({ params }) => {
        const user = store.users.find(params.name)
        const ladder = store.ladders.find(params.game)
        if (user === undefined) return missing('agent', params.name)
        if (ladder === undefined) return missing('ladder', params.game)
        const points = store.profiles.history(user.id, ladder)
        return json({
          name: user.name,
          game: ladder.id,
          points: points.map(point => ({ ...point, at: isoTime(point.at) })),
        })
      },
      'GET /api/v1/events': ({ query: { status, limit = 20 } }) => {
        const all = store.events.list()
        const sorted = all.toSorted(
          (a, b) => Number(a.endedAt !== null) - Number(b.endedAt !== null),
        )
        const found = sorted.filter(event => status === undefined || event.status === status)
        return json({ events: found.slice(0, limit).map(eventSummary) })
      },
      'GET /api/v1/events/:id': ofEvent(state =>
        json(eventRecord(state, store.events.boardMatches(state.plan.id))),
      ),
      'GET /api/v1/events/:id/pgn': ofEvent(state => {
        const { id } = state.plan
        const pieces = eventPgn(store, state, `https://${context.host}/events/${id}`)
        return pieces === null
          ? missing('event of chess', id)
          : {
              ...eventFile(id, 'pgn', 'application/vnd.chess-pgn'),
              body: { begin: pieces, holds: 512 * 1024, tagSource: null },
            }
      }),
      'GET /api/v1/events/:id/trf': ofEvent(state => {
        const { id } = state.plan
        const body = trf(state)
        return body === null
          ? missing('Swiss or round robin of pairs that has begun', id)
          : { ...eventFile(id, 'trf', 'text/plain'), body }
      }),
      'GET /api/v1/live': ({ env: { live } }) =>
        json({
          count: live.count,
          matches: live.shown.map(match => liveBody(context, shownLive(context, match))),
        }),
    }
  }

  #list({ limit = 20, agent, against, ...filter }: QueryOf<'GET /api/v1/matches'>): Answer {
    const { users, matches } = this.#context.store
    const found = [agent, against].map(name => (name ? users.find(name) : undefined))
    if ((agent && found[0] === undefined) || (against && found[1] === undefined))
      return json({ matches: [] })
    if (found[1] !== undefined && found[0] === undefined)
      return json({ error: 'against needs agent, too' }, { status: 400 })
    const accounts = { account: found[0]?.id, against: found[1]?.id }
    return json({ matches: matches.newest({ ...filter, ...accounts, limit }).map(publicRecord) })
  }

  #withMatch({ params: { id }, env }: MatchRequest, answer: (shown: ShownMatch) => Answer): Answer {
    const shown = /^\d{1,15}$/.test(id) ? findMatch(this.#context, Number(id), env.live) : undefined
    return shown === undefined ? missing('match', id) : answer(shown)
  }

  /** The events of a past match. Those of a live one come from its table. */
  #events(request: OperationRequest<'GET /api/v1/matches/:id/events', PageRequest>): Answer {
    const { env, query } = request
    const after = afterEvent(env.lastEventId, query.from)
    if (after === 'end') return noMore
    return this.#withMatch(request, shown =>
      env.method === 'HEAD'
        ? eventStream
        : {
            ...eventStream,
            body: { ...longOf(shown, () => pastEvents(shown, after)), tagSource: null },
          },
    )
  }
}

interface MatchRequest {
  readonly params: { readonly id: string }
  readonly env: PageRequest
}

/** The events of a past match, as they were when it was live. */
function* pastEvents({ replay, match }: ShownMatch, after: number): Pieces {
  yield streamStart
  const moves = summarizeReplay(replay, replay.moves.length)
  let step = moves.next()
  for (let ply = 1; !step.done; ply++) {
    const move = step.value
    step = moves.next()
    const news = step.done
      ? { position: step.value.position, look: step.value.look, clocks: [] }
      : {}
    yield ply > after
      ? eventText('move', String(ply), { ply, ...move, ...noteBefore(replay.notes, ply), ...news })
      : ''
  }
  yield eventText('ended', 'end', {
    ...{ match: match.id, detail: match.end?.detail ?? '' },
    ...noteBefore(replay.notes, replay.moves.length + 1),
  })
}

const missing = (what: string, given: string): Answer =>
  json({ error: `there is no ${what} ${JSON.stringify(given.slice(0, 40))}` }, { status: 404 })

const longJson = (shown: ShownMatch, begin: () => Pieces): Answer => ({
  ...json(null),
  body: longOf(shown, begin),
})

/** The body of a past match changes only with its record and its notes. */
const longOf = ({ match, live, replay }: ShownMatch, begin: () => Pieces): LongBody => ({
  begin,
  holds: replay.size,
  tagSource: live === null ? JSON.stringify([match, replay.notes]) : null,
})

/** Nothing of a match may be exported before: an export has what players must not know. */
const isOver = ({ match }: ShownMatch): boolean => match.end !== null

const download = (
  shown: ShownMatch,
  ending: string,
  type: string,
  begin: () => Pieces,
): Answer => ({
  type: `${type}; charset=utf-8`,
  body: longOf(shown, begin),
  headers: {
    'Access-Control-Allow-Origin': '*',
    'Content-Disposition': `attachment; filename="match-${shown.match.id}.${ending}"`,
  },
})

const eventFile = (id: string, ending: string, type: string): Omit<Answer, 'body'> => ({
  type: `${type}; charset=utf-8`,
  headers: {
    'Access-Control-Allow-Origin': '*',
    'Content-Disposition': `attachment; filename="${id}.${ending}"`,
  },
})

const siteOf = ({ host }: PageContext, { id }: MatchRecord) => `https://${host}/match/${id}`
