import type { IncomingHttpHeaders } from 'node:http'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { Table } from '../../arena/table.ts'
import { gameOf, games } from '../../games/index.ts'
import { readJson, readQuery } from '../../http-input.ts'
import type { HttpEnv } from '../../protocols/routes.ts'
import { type Notation, ndjsonLines, notationOf, notationPieces } from '../../record/export.ts'
import { type MatchRecord, publicRecord, statusOf } from '../../record/match-record.ts'
import { isoTime } from '../../record/time-text.ts'
import type { Pieces } from '../../scheduling/text-stream.ts'
import { type Answer, json, type LongBody } from '../answer.ts'
import { findMatch, liveMatch, type ShownMatch, type WebContext } from '../context.ts'
import { LiveFeed, shownTables } from '../feeds/live-feed.ts'
import { MatchFeed } from '../feeds/match-feed.ts'
import { eventStreamHeaders, eventStreamType, eventText, streamStart } from '../feeds/stream.ts'
import { perPage } from '../pages/ladder.ts'
import { card, matchRow } from '../pages/parts.ts'
import { looksOf, positionsOf, summarizeReplay } from '../replay.ts'
import type { Replies, Reply } from '../replies.ts'
import { agentBody, gameBody, listPieces, liveBody, matchPieces, standingBody } from './bodies.ts'
import { openApi } from './openapi.ts'
import { type Operation, type Operations, operations } from './operations.ts'
import { registerAccount } from './registration.ts'

/** What the pages show, as JSON and event streams; and registration. */
export class Api {
  readonly #context: WebContext
  readonly #matches: MatchFeed
  readonly #live: LiveFeed<unknown>

  constructor(context: WebContext) {
    const { arena, clock } = context
    this.#context = context
    this.#matches = new MatchFeed(arena, clock)
    this.#live = new LiveFeed(arena, clock, (changed, ended) => ({
      count: arena.tables.size,
      shown: shownTables(arena).map(({ id }) => id),
      matches: changed.map(table => {
        const shown = liveMatch(context, table)
        return { ...liveBody(shown), html: card(shown, table.look()).text }
      }),
      ended: ended.map(({ id }) => id),
      results: ended.flatMap(table => resultBody(context, table)),
    }))
  }

  /** Adds a route for every operation. Its query and body are checked before it is called. */
  addRoutes(app: Hono<HttpEnv>, replies: Replies): void {
    const handlers: Readonly<Record<string, Handler>> = this.#handlers
    for (const [name, operation] of Object.entries<Operation>(operations)) {
      const [method, path] = name.split(' ') as [string, string]
      const handler = handlers[name]!
      app.on(method, path, c => replies.send(c.env, answerOf(operation, handler, c)))
    }
  }

  get #handlers(): { readonly [Name in keyof Operations]: Handler<Name> } {
    const context = this.#context
    const { store, arena } = context
    const description = openApi(context.host)
    const ofMatch =
      (answer: (shown: ShownMatch) => Answer) =>
      ({ params }: { params: { readonly id: string } }) =>
        this.#withMatch(params.id, answer)
    const inNotation = (notation: Notation, type: string) => (shown: ShownMatch) =>
      shown.table === null && notationOf(shown.match.game) === notation
        ? download(shown, notation, type, () =>
            notationPieces(shown.match, shown.replay.moves, siteOf(context, shown.match)),
          )
        : missing(`past match with ${notation}`, String(shown.match.id))
    return {
      'GET /api/v1/openapi.json': () => json(description, { maxAge: 60_000 }),
      'GET /api/v1/games': () => json({ games: games.map(gameBody) }),
      'GET /api/v1/games/:id': ({ params }) => {
        const game = gameOf(params.id)
        return game ? json(gameBody(game)) : missing('game', params.id)
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
          provisional: provisional ?? null,
          page,
          perPage,
          total,
          ranked,
          agents: rows.map(row => standingBody(row, ladder)),
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
        shown.table === null
          ? download(shown, 'ndjson', 'application/x-ndjson', () =>
              ndjsonLines(shown.match, shown.replay.moves),
            )
          : missing('past match', String(shown.match.id)),
      ),
      'GET /api/v1/matches/:id/pgn': ofMatch(inNotation('pgn', 'application/vnd.chess-pgn')),
      'GET /api/v1/matches/:id/sgf': ofMatch(inNotation('sgf', 'application/x-go-sgf')),
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
      'POST /api/v1/accounts': ({ body, env }) => registerAccount(context, body, env),
      'GET /api/v1/live': () =>
        json({
          count: arena.tables.size,
          matches: shownTables(arena).map(table => liveBody(liveMatch(context, table))),
        }),
      'GET /api/v1/live/events': ({ env: { incoming, outgoing } }) => {
        if (incoming.method === 'HEAD') return eventStream
        this.#live.watch(lastId(incoming.headers), outgoing)
        return 'handled'
      },
    }
  }

  get streams() {
    const following = this.#matches.clientCount
    return { open: following + this.#live.clientCount, following }
  }

  resendClocks(): void {
    this.#matches.resendClocks()
  }

  close(): void {
    this.#matches.close()
    this.#live.close()
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

  #withMatch<T>(id: string, answer: (shown: ShownMatch) => T): T | Answer {
    const shown = /^\d{1,15}$/.test(id) ? findMatch(this.#context, Number(id)) : undefined
    return shown === undefined ? missing('match', id) : answer(shown)
  }

  /** The events of a match: from its table while it is live, from the store once it is over. */
  #events({ params, query, env }: OperationRequest<'GET /api/v1/matches/:id/events'>): Reply {
    const { incoming, outgoing } = env
    const last = lastId(incoming.headers) ?? query.from ?? '0'
    if (last === 'end') return { status: 204, type: 'text/event-stream', body: '' }
    const after = /^\d{1,15}$/.test(last) ? Number(last) : 0
    return this.#withMatch<Reply>(params.id, shown => {
      if (incoming.method === 'HEAD') return eventStream
      if (this.#matches.watch(shown.match.id, after, outgoing)) return 'handled'
      return {
        ...eventStream,
        body: { ...longOf(shown, () => pastEvents(shown, after)), tagSource: null },
      }
    })
  }
}

/** A match that has just ended, as the front page shows it: its card, and its row in the table of results. */
const resultBody = (context: WebContext, table: Table) => {
  const match = context.store.matches.find(table.id)
  if (match === undefined) return []
  const over = { ...liveMatch(context, table), match }
  return [
    {
      ...publicRecord(match),
      html: card(over, table.look()).text,
      line: statusOf(match) === 'done' ? matchRow(match).text : null,
    },
  ]
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
    yield ply > after ? eventText('move', String(ply), { ply, ...move, ...news }) : ''
  }
  yield eventText('ended', 'end', { match: match.id, detail: match.end?.detail ?? '' })
}

/** Calls the handler of an operation with what the request brings, or answers why that is not valid. */
const answerOf = (
  { query, body }: Operation,
  handler: Handler,
  { req, env }: Context<HttpEnv>,
): Reply | Promise<Reply> => {
  const search = env.incoming.url?.split('?', 2)[1]
  const read = search ? readQuery(search, query ?? noQuery) : { value: {} }
  if ('error' in read) return invalid(read)
  const request = { params: req.param(), query: read.value, env }
  // Every handler gets what its own schemas make: the type of `#handlers` says so.
  const call = handler as (request: object) => Reply | Promise<Reply>
  if (body === undefined) return call(request)
  return readJson(req, body).then(read =>
    'error' in read ? invalid(read) : call({ ...request, body: read.value }),
  )
}

const noQuery = z.strictObject({})

const invalid = ({ status, error }: { status: number; error: string }): Answer =>
  json({ error }, { status })

const missing = (what: string, given: string): Answer =>
  json({ error: `there is no ${what} ${JSON.stringify(given.slice(0, 40))}` }, { status: 404 })
const eventStream: Answer = { type: eventStreamType, body: '', headers: eventStreamHeaders }

const longJson = (shown: ShownMatch, begin: () => Pieces): Answer => ({
  ...json(null),
  body: longOf(shown, begin),
})

/** The body of a past match changes only with its record. */
const longOf = ({ match, table, replay }: ShownMatch, begin: () => Pieces): LongBody => ({
  begin,
  holds: replay.size,
  tagSource: table === null ? JSON.stringify(match) : null,
})

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

const lastId = (headers: IncomingHttpHeaders): string | undefined => {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : undefined
}

const siteOf = ({ host }: WebContext, { id }: MatchRecord) => `https://${host}/match/${id}`

type Part<Name extends keyof Operations, Key extends 'query' | 'body'> = Operations[Name] extends {
  readonly [K in Key]: infer Schema extends z.ZodType
}
  ? z.output<Schema>
  : undefined

type QueryOf<Name extends keyof Operations> = Part<Name, 'query'>

type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** A request to an operation, with its parameters, its query and its body as its schemas have them. */
interface OperationRequest<Name extends keyof Operations> {
  readonly params: { readonly [Key in Parameters<Name>]: string }
  readonly query: Part<Name, 'query'>
  readonly body: Part<Name, 'body'>
  readonly env: HttpEnv['Bindings']
}

type Handler<Name extends keyof Operations = never> = (
  request: OperationRequest<Name>,
) => Reply | Promise<Reply>
