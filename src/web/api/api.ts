import { type Ending, endings } from '../../arena/ending.ts'
import type { Table } from '../../arena/table.ts'
import { gameOf, games } from '../../games/index.ts'
import { type Notation, ndjsonLines, notationOf, notationPieces } from '../../record/export.ts'
import {
  type MatchRecord,
  type MatchStatus,
  matchStatuses,
  publicRecord,
  statusOf,
} from '../../record/match-record.ts'
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
import type { Handler, RouteRequest, Routes } from '../router.ts'
import { agentBody, gameBody, listPieces, liveBody, matchPieces, standingBody } from './bodies.ts'
import { openApi } from './openapi.ts'

/** What the pages show, as JSON and event streams. */
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

  get routes(): Routes {
    const context = this.#context
    const { store, arena } = context
    const description = openApi(context.host)
    const ofMatch =
      (answer: (shown: ShownMatch) => Answer): Handler =>
      ({ params }) =>
        this.#withMatch(params.id!, answer)
    const inNotation = (notation: Notation, type: string) => (shown: ShownMatch) =>
      shown.table === null && notationOf(shown.match.game) === notation
        ? download(shown, notation, type, () =>
            notationPieces(shown.match, shown.replay.moves, siteOf(context, shown.match)),
          )
        : missing
    return {
      '/api/v1/openapi.json': () => json(description, { maxAge: 60_000 }),
      '/api/v1/games': () => json({ games: games.map(gameBody) }),
      '/api/v1/games/:id': ({ params }) => {
        const game = gameOf(params.id!)
        return game ? json(gameBody(game)) : missing
      },
      '/api/v1/ladder/:game': ({ params, query }) => {
        const ladder = store.ladders.find(params.game!)
        if (ladder === undefined) return missing
        const page = pageOf(query)
        const provisionalParam = query.get('provisional') || undefined
        if (provisionalParam !== undefined && provisionalParam !== '0' && provisionalParam !== '1')
          return badRequest('provisional', provisionalParam, '0 or 1')
        const provisional = provisionalParam && provisionalParam === '1'
        const search = (query.get('q') ?? '').slice(0, 32)
        const window = { offset: (page - 1) * perPage, limit: perPage, search }
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
      '/api/v1/ladder/:game/export': ({ params, query }) => {
        const ladder = store.ladders.find(params.game!)
        if (ladder === undefined) return missing
        const after = numberOf(query.get('after')) ?? 0
        if (Number.isNaN(after))
          return badRequest('after', query.get('after'), 'the number of a seal')
        const { holds, lines } = store.chains.page(ladder.id, after)
        return {
          type: 'application/x-ndjson; charset=utf-8',
          body: { begin: lines, holds, tagSource: null },
          headers: { 'Access-Control-Allow-Origin': '*' },
        }
      },
      '/api/v1/matches': ({ query }) => this.#list(query),
      '/api/v1/matches/:id': ofMatch(shown => longJson(shown, () => matchPieces(shown))),
      '/api/v1/matches/:id/positions': ofMatch(shown =>
        longJson(shown, () =>
          listPieces({ match: shown.match.id }, 'positions', positionsOf(shown.replay)),
        ),
      ),
      '/api/v1/matches/:id/looks': ofMatch(shown =>
        longJson(shown, () =>
          listPieces({ match: shown.match.id }, 'looks', looksOf(shown.replay)),
        ),
      ),
      '/api/v1/matches/:id/ndjson': ofMatch(shown =>
        shown.table === null
          ? download(shown, 'ndjson', 'application/x-ndjson', () =>
              ndjsonLines(shown.match, shown.replay.moves),
            )
          : missing,
      ),
      '/api/v1/matches/:id/pgn': ofMatch(inNotation('pgn', 'application/vnd.chess-pgn')),
      '/api/v1/matches/:id/sgf': ofMatch(inNotation('sgf', 'application/x-go-sgf')),
      '/api/v1/matches/:id/events': request => this.#events(request),
      '/api/v1/agents/:name': ({ params }) => {
        const user = store.users.find(params.name!)
        if (user === undefined) return missing
        const ratings = store.profiles.ratings(user.id)
        const played = ratings.map(({ ladder }) => ladder)
        return json(agentBody(context, user, ratings, store.profiles.recent(user.id, played)))
      },
      '/api/v1/agents/:name/history/:game': ({ params }) => {
        const user = store.users.find(params.name!)
        const ladder = store.ladders.find(params.game!)
        if (user === undefined || ladder === undefined) return missing
        const points = store.profiles.history(user.id, ladder)
        return json({
          name: user.name,
          game: ladder.id,
          points: points.map(point => ({ ...point, at: isoTime(point.at) })),
        })
      },
      '/api/v1/live': () =>
        json({
          count: arena.tables.size,
          matches: shownTables(arena).map(table => liveBody(liveMatch(context, table))),
        }),
      '/api/v1/live/events': ({ request, response }) => {
        if (request.method === 'HEAD') return eventStream
        this.#live.watch(lastId(request.headers), response)
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

  #list(query: URLSearchParams): Answer {
    const { users, matches } = this.#context.store
    const ending = query.get('ending') || undefined
    const status = query.get('status') || undefined
    const before = numberOf(query.get('before'))
    const limit = numberOf(query.get('limit')) ?? 20
    if (ending !== undefined && !isEnding(ending))
      return badRequest('ending', ending, Object.keys(endings).join(', '))
    if (status !== undefined && !isStatus(status))
      return badRequest('status', status, matchStatuses.join(', '))
    if (Number.isNaN(before))
      return badRequest('before', query.get('before'), 'the number of a match')
    if (!(limit >= 1 && limit <= 100))
      return badRequest('limit', query.get('limit'), 'a number from 1 to 100')
    const names = [query.get('agent'), query.get('against')]
    const found = names.map(name => (name ? users.find(name) : undefined))
    if (names.some((name, i) => name && found[i] === undefined)) return json({ matches: [] })
    if (found[1] !== undefined && found[0] === undefined)
      return json({ error: 'against needs agent, too' }, { status: 400 })
    const list = matches.newest({
      game: query.get('game') || undefined,
      account: found[0]?.id,
      against: found[1]?.id,
      ...{ ending, status, before, limit },
    })
    return json({ matches: list.map(publicRecord) })
  }

  #withMatch<T>(id: string, answer: (shown: ShownMatch) => T): T | Answer {
    const shown = /^\d{1,15}$/.test(id) ? findMatch(this.#context, Number(id)) : undefined
    return shown === undefined ? missing : answer(shown)
  }

  /** The events of a match: from its table while it is live, from the store once it is over. */
  #events({ params, query, request, response }: RouteRequest): Answer | 'handled' {
    const last = lastId(request.headers) ?? query.get('from') ?? '0'
    if (last === 'end') return { status: 204, type: 'text/event-stream', body: '' }
    const after = numberOf(last) ?? 0
    return this.#withMatch<Answer | 'handled'>(params.id!, shown => {
      if (request.method === 'HEAD') return eventStream
      if (this.#matches.watch(shown.match.id, after, response)) return 'handled'
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

const missing = json({ error: 'not found' }, { status: 404 })
const badRequest = (name: string, given: string | null, expected: string) =>
  json({ error: `${name} is "${given?.slice(0, 40)}"; expected: ${expected}` }, { status: 400 })
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

const lastId = (headers: RouteRequest['request']['headers']): string | undefined => {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** Undefined if nothing is given, NaN if it is not a number. */
const numberOf = (value: string | null): number | undefined =>
  value === null || value === '' ? undefined : /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN

export const pageOf = (query: URLSearchParams): number => {
  const page = numberOf(query.get('page')) ?? 1
  return page >= 1 && page <= 1_000_000 ? page : 1
}

export const isEnding = (name: string): name is Ending => Object.hasOwn(endings, name)
export const isStatus = (name: string): name is MatchStatus =>
  (matchStatuses as readonly string[]).includes(name)

const siteOf = ({ host }: WebContext, { id }: MatchRecord) => `https://${host}/match/${id}`
