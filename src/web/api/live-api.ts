import type { Hono } from 'hono'
import type { Arena } from '../../arena/arena.ts'
import type { Table } from '../../arena/table.ts'
import type { Clock } from '../../clock.ts'
import type { Director } from '../../events/director.ts'
import { bearer } from '../../http-input.ts'
import type { Registrar } from '../../protocols/credentials.ts'
import type { HttpEnv } from '../../protocols/routes.ts'
import { roomsBody } from '../../record/room-record.ts'
import { tablesBody } from '../../record/table-record.ts'
import type { Remote } from '../../threads/calls.ts'
import { json } from '../answer.ts'
import { EventFeeds } from '../feeds/event-feeds.ts'
import { LiveFeed, shownTables } from '../feeds/live-feed.ts'
import { MatchFeed } from '../feeds/match-feed.ts'
import { TableFeed, type TablePlaces } from '../feeds/table-feed.ts'
import { liveMatch } from '../live-match.ts'
import type { PageService } from '../page-service.ts'
import type { Replies, Reply } from '../replies.ts'
import { ofEntry } from './entry.ts'
import { afterEvent, eventStream, lastEventIdOf, noMore } from './events.ts'
import { answerOf, type Handler, type OperationRequest } from './handler.ts'
import { loggedIn, refusalAnswer } from './log.ts'
import { type Operation, type Operations, operations } from './operations.ts'
import { registerAccount } from './registration.ts'

type LiveHandler<Name extends keyof Operations = never> = Handler<HttpEnv['Bindings'], Reply, Name>
type LiveRequest<Name extends keyof Operations> = OperationRequest<Name, HttpEnv['Bindings']>

interface LiveContext extends TablePlaces {
  readonly arena: Arena
  readonly clock: Clock
  readonly registrar: Pick<Registrar, 'register'>
  readonly director: Pick<Director, 'checkIn' | 'enter' | 'get' | 'watch' | 'withdraw'>
  readonly pages: Remote<PageService>
}

/** The operations of the API that need live matches or a login, or change something: event streams, logs and registration. */
export class LiveApi {
  readonly #context: LiveContext
  readonly #replies: Replies
  readonly #matches: MatchFeed
  readonly #live: LiveFeed<unknown>
  readonly #events: EventFeeds
  readonly #tables: TableFeed

  constructor(context: LiveContext, replies: Replies) {
    const { arena, clock } = context
    this.#context = context
    this.#replies = replies
    this.#matches = new MatchFeed(arena, clock)
    this.#live = new LiveFeed(arena, clock, {
      shown: () => shownTables(arena),
      concerns: () => true,
      describe: (changed, ended) => this.#describe(changed, ended),
      failed: error => replies.pageFailed('/api/v1/live/events', error),
    })
    this.#tables = new TableFeed(context, clock)
    this.#events = new EventFeeds({
      ...context,
      failed: (event, error) => replies.pageFailed(`/api/v1/events/${event}/events`, error),
    })
  }

  /** Adds a route for each of them. Its query and body are checked before it is called. */
  addRoutes(app: Hono<HttpEnv>): void {
    for (const [name, handler] of Object.entries<LiveHandler>(this.#handlers)) {
      const [method, path] = name.split(' ') as [string, string]
      const operation: Operation = operations[name as keyof Operations]
      app.on(method, path, async ({ req, env }) =>
        this.#replies.send(
          env,
          await answerOf(operation, handler, { req, env, url: env.incoming.url! }),
        ),
      )
    }
  }

  get #handlers() {
    const { director } = this.#context
    const handlers: {
      readonly [Name in
        | 'POST /api/v1/accounts'
        | 'GET /api/v1/live/events'
        | 'GET /api/v1/log'
        | 'GET /api/v1/rooms'
        | 'GET /api/v1/tables'
        | 'GET /api/v1/tables/events'
        | 'POST /api/v1/events/:id/entry'
        | 'DELETE /api/v1/events/:id/entry'
        | 'POST /api/v1/events/:id/check-in'
        | 'GET /api/v1/events/:id/events'
        | 'GET /api/v1/matches/:id/events']: LiveHandler<Name>
    } = {
      'POST /api/v1/accounts': ({ body, env }) => registerAccount(this.#context, body, env),
      'GET /api/v1/live/events': async ({ env: { incoming, outgoing } }) => {
        if (incoming.method === 'HEAD') return eventStream
        await this.#live.watch(lastEventIdOf(incoming.headers['last-event-id']), outgoing)
        return 'handled'
      },
      'GET /api/v1/log': async ({ query, env }) => {
        const { pages, clock } = this.#context
        const { authorization } = env.incoming.headers
        const login = await loggedIn(env, bearer(authorization) ?? '')
        if ('code' in login) return refusalAnswer(login)
        const at = { method: env.incoming.method, now: clock.date() }
        return this.#replies.sendMade(env, await pages.log(login, query, at))
      },
      'GET /api/v1/rooms': () => json(roomsBody(this.#context.rooms)),
      'GET /api/v1/tables': () => json(tablesBody(this.#context.parties)),
      'GET /api/v1/tables/events': ({ env: { incoming, outgoing } }) => {
        if (incoming.method === 'HEAD') return eventStream
        this.#tables.watch(outgoing)
        return 'handled'
      },
      'POST /api/v1/events/:id/entry': ({ params, env }) =>
        ofEntry(env, params.id, 'entered', account => director.enter(account, params.id)),
      'DELETE /api/v1/events/:id/entry': ({ params, env }) =>
        ofEntry(env, params.id, 'withdrawn', ({ id }) => director.withdraw(id, params.id)),
      'POST /api/v1/events/:id/check-in': ({ params, env }) =>
        ofEntry(env, params.id, 'checked in', ({ id }) => director.checkIn(id, params.id)),
      'GET /api/v1/events/:id/events': async ({ params, env }) => {
        const { incoming, outgoing } = env
        const lastId = lastEventIdOf(incoming.headers['last-event-id'])
        const watching =
          incoming.method === 'GET' ? this.#events.watch(params.id, lastId, outgoing) : null
        if (watching === null) return this.#replies.forward(env)
        await watching
        return 'handled'
      },
      'GET /api/v1/matches/:id/events': request => this.#eventsOf(request),
    }
    return handlers
  }

  get streams() {
    const following = this.#matches.clientCount
    const others = [this.#live, this.#events, this.#tables]
    const open = others.reduce((sum, { clientCount }) => sum + clientCount, following)
    return { open, following }
  }

  resendClocks(): void {
    this.#matches.resendClocks()
  }

  close(): void {
    this.#matches.close()
    this.#live.close()
    this.#events.close()
    this.#tables.close()
  }

  /** The events of a live match. The thread for pages answers for all other matches. */
  #eventsOf(request: LiveRequest<'GET /api/v1/matches/:id/events'>): Reply | Promise<Reply> {
    const { params, query, env } = request
    const { incoming, outgoing } = env
    const after = afterEvent(lastEventIdOf(incoming.headers['last-event-id']), query.from)
    if (after === 'end') return noMore
    const isLive =
      incoming.method === 'GET' &&
      /^\d{1,15}$/.test(params.id) &&
      this.#matches.watch(Number(params.id), after, outgoing)
    return isLive ? 'handled' : this.#replies.forward(env)
  }

  async #describe(changed: readonly Table[], ended: readonly Table[]) {
    const { arena, pages } = this.#context
    const count = arena.tables.size
    const shown = shownTables(arena).map(({ id }) => id)
    const { matches, results } = await pages.changes(changed.map(liveMatch), ended.map(liveMatch))
    return { count, shown, matches, ended: ended.map(({ id }) => id), results }
  }
}
