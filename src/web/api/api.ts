import { type Ending, endings } from '../../arena/ending.ts'
import type { Table } from '../../arena/table.ts'
import { games } from '../../games/index.ts'
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
import { knownLadder } from '../../store/ladders.ts'
import { type Answer, json, type Long } from '../answer.ts'
import { LiveFeed, shown } from '../feeds/live-feed.ts'
import { MatchFeed } from '../feeds/match-feed.ts'
import { eventText, hello } from '../feeds/stream.ts'
import { type Hall, knownGame, type Told, tellMatch, tellTable } from '../hall.ts'
import { perPage } from '../pages/ladder.ts'
import { card, matchLine } from '../pages/parts.ts'
import { looksOf, positionsOf, survey } from '../replay.ts'
import type { Asked, Routes } from '../router.ts'
import { agentBody, gameBody, listed, liveBody, standingBody, toldPieces } from './bodies.ts'
import { openApi } from './openapi.ts'

/** The same as the pages show, for programs. */
export class Api {
  readonly #hall: Hall
  readonly #matches: MatchFeed
  readonly #live: LiveFeed<unknown>

  constructor(hall: Hall) {
    const { arena, clock } = hall
    this.#hall = hall
    this.#matches = new MatchFeed(arena, clock)
    this.#live = new LiveFeed(arena, clock, (changed, ended) => ({
      count: arena.tables.size,
      shown: shown(arena).map(({ id }) => id),
      matches: changed.map(table => {
        const told = tellTable(hall, table)
        return { ...liveBody(told), html: card(told, table.look()).text }
      }),
      ended: ended.map(({ id }) => id),
      results: ended.flatMap(table => resultOf(hall, table)),
    }))
  }

  get routes(): Routes {
    const hall = this.#hall
    const { store, arena } = hall
    const description = openApi(hall.host)
    return {
      '/api/v1/openapi.json': () => json(description, { fresh: 60_000 }),
      '/api/v1/games': () => json({ games: games.map(gameBody) }),
      '/api/v1/games/:id': ({ parts }) => {
        const game = knownGame(parts.id!)
        return game ? json(gameBody(game)) : missing
      },
      '/api/v1/ladder/:game': ({ parts, query }) => {
        const ladder = knownLadder(parts.game!)
        if (ladder === undefined) return missing
        const page = pageOf(query)
        const asked = query.get('provisional') || undefined
        if (asked !== undefined && asked !== '0' && asked !== '1') return bad('provisional: 0 or 1')
        const provisional = asked && asked === '1'
        const search = (query.get('q') ?? '').slice(0, 32)
        const window = { offset: (page - 1) * perPage, limit: perPage, search }
        const { rows, total, ranked } = store.rankings.page(ladder.id, { provisional, ...window })
        return json({
          game: ladder.id,
          provisional: provisional ?? null,
          page,
          perPage,
          total,
          ranked,
          agents: rows.map(standingBody),
        })
      },
      '/api/v1/ladder/:game/export': ({ parts, query }) => {
        const ladder = knownLadder(parts.game!)
        if (ladder === undefined) return missing
        const after = numberOf(query.get('after')) ?? 0
        if (Number.isNaN(after)) return bad('after: the number of a seal')
        const { holds, lines } = store.chains.page(ladder.id, after)
        return {
          type: 'application/x-ndjson; charset=utf-8',
          body: { begin: lines, holds, basis: null },
          headers: { 'Access-Control-Allow-Origin': '*' },
        }
      },
      '/api/v1/matches': ({ query }) => this.#list(query),
      '/api/v1/matches/:id': ({ parts }) =>
        this.#told(parts.id!, told => longJson(told, () => toldPieces(told))),
      '/api/v1/matches/:id/positions': ({ parts }) =>
        this.#told(parts.id!, told =>
          longJson(told, () =>
            listed({ match: told.match.id }, 'positions', positionsOf(told.replay)),
          ),
        ),
      '/api/v1/matches/:id/looks': ({ parts }) =>
        this.#told(parts.id!, told =>
          longJson(told, () => listed({ match: told.match.id }, 'looks', looksOf(told.replay))),
        ),
      '/api/v1/matches/:id/ndjson': ({ parts }) =>
        this.#told(parts.id!, told =>
          told.table === null
            ? download(told, 'ndjson', 'application/x-ndjson', () =>
                ndjsonLines(told.match, told.replay.moves),
              )
            : missing,
        ),
      '/api/v1/matches/:id/pgn': ({ parts }) =>
        this.#notated(parts.id!, 'pgn', 'application/vnd.chess-pgn'),
      '/api/v1/matches/:id/sgf': ({ parts }) =>
        this.#notated(parts.id!, 'sgf', 'application/x-go-sgf'),
      '/api/v1/matches/:id/events': asked => this.#events(asked),
      '/api/v1/agents/:name': ({ parts }) => {
        const user = store.users.find(parts.name!)
        if (user === undefined) return missing
        const ratings = store.profiles.ratings(user.id)
        const played = ratings.map(({ game }) => game)
        return json(agentBody(hall, user, ratings, store.profiles.recent(user.id, played)))
      },
      '/api/v1/agents/:name/history/:game': ({ parts }) => {
        const user = store.users.find(parts.name!)
        const ladder = knownLadder(parts.game!)
        if (user === undefined || ladder === undefined) return missing
        const points = store.profiles.history(user.id, ladder.id)
        return json({
          name: user.name,
          game: ladder.id,
          points: points.map(point => ({ ...point, at: isoTime(point.at) })),
        })
      },
      '/api/v1/live': () =>
        json({
          count: arena.tables.size,
          matches: shown(arena).map(table => liveBody(tellTable(hall, table))),
        }),
      '/api/v1/live/events': ({ request, response }) => {
        if (request.method === 'HEAD') return eventStream
        this.#live.watch(lastId(request.headers), response)
        return 'taken'
      },
    }
  }

  get streams() {
    const following = this.#matches.watchers
    return { open: following + this.#live.watchers, following }
  }

  clocksMoved(): void {
    this.#matches.clocksMoved()
  }

  close(): void {
    this.#matches.close()
    this.#live.close()
  }

  #list(query: URLSearchParams): Answer {
    const { users, matches } = this.#hall.store
    const ending = query.get('ending') || undefined
    const status = query.get('status') || undefined
    const before = numberOf(query.get('before'))
    const limit = numberOf(query.get('limit')) ?? 20
    if (ending !== undefined && !isEnding(ending))
      return bad(`ending: one of ${Object.keys(endings).join(', ')}`)
    if (status !== undefined && !isStatus(status))
      return bad(`status: one of ${matchStatuses.join(', ')}`)
    if (Number.isNaN(before)) return bad('before: the number of a match')
    if (!(limit >= 1 && limit <= 100)) return bad('limit: a number from 1 to 100')
    const names = [query.get('agent'), query.get('against')]
    const found = names.map(name => (name ? users.find(name) : undefined))
    if (names.some((name, i) => name && found[i] === undefined)) return json({ matches: [] })
    if (found[1] !== undefined && found[0] === undefined)
      return bad('against: only together with agent')
    const list = matches.newest({
      game: query.get('game') || undefined,
      account: found[0]?.id,
      against: found[1]?.id,
      ...{ ending, status, before, limit },
    })
    return json({ matches: list.map(publicRecord) })
  }

  #told<T>(id: string, answer: (told: Told) => T): T | Answer {
    const told = /^\d{1,15}$/.test(id) ? tellMatch(this.#hall, Number(id)) : undefined
    return told === undefined ? missing : answer(told)
  }

  #notated(id: string, notation: Notation, type: string): Answer {
    return this.#told(id, told =>
      told.table === null && notationOf(told.match.game) === notation
        ? download(told, notation, type, () =>
            notationPieces(told.match, told.replay.moves, siteOf(this.#hall, told.match)),
          )
        : missing,
    )
  }

  /** Live from the table, and once it is over from the archive: the same events either way. */
  #events({ parts, query, request, response }: Asked): Answer | 'taken' {
    const last = lastId(request.headers) ?? query.get('from') ?? '0'
    if (last === 'end') return { status: 204, type: 'text/event-stream', body: '' }
    const after = numberOf(last) ?? 0
    return this.#told<Answer | 'taken'>(parts.id!, told => {
      if (request.method === 'HEAD') return eventStream
      if (this.#matches.watch(told.match.id, after, response)) return 'taken'
      return {
        ...eventStream,
        body: { ...longOf(told, () => pastEvents(told, after)), basis: null },
      }
    })
  }
}

/** A match that has just ended, as the front page shows it: its card, and its line among the results. */
const resultOf = (hall: Hall, table: Table) => {
  const match = hall.store.matches.find(table.id)
  if (match === undefined) return []
  const over = { ...tellTable(hall, table), match }
  return [
    {
      ...publicRecord(match),
      html: card(over, table.look()).text,
      line: statusOf(match) === 'done' ? matchLine(match).text : null,
    },
  ]
}

/** What a live match told, as it is told of one that is over. */
function* pastEvents({ replay, match }: Told, after: number): Pieces {
  yield hello
  const moves = survey(replay, replay.moves.length)
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

const missing = json({ error: 'there is none' }, { status: 404 })
const bad = (error: string) => json({ error }, { status: 400 })
const eventStream: Answer = {
  type: 'text/event-stream; charset=utf-8',
  body: '',
  headers: {
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
    'Access-Control-Allow-Origin': '*',
  },
}

const longJson = (told: Told, begin: () => Pieces): Answer => ({
  ...json(null),
  body: longOf(told, begin),
})

/** Of a match that is over nothing changes but what its head says. */
const longOf = ({ match, table, replay }: Told, begin: () => Pieces): Long => ({
  begin,
  holds: replay.size,
  basis: table === null ? JSON.stringify(match) : null,
})

const download = (told: Told, ending: string, type: string, begin: () => Pieces): Answer => ({
  type: `${type}; charset=utf-8`,
  body: longOf(told, begin),
  headers: {
    'Access-Control-Allow-Origin': '*',
    'Content-Disposition': `attachment; filename="match-${told.match.id}.${ending}"`,
  },
})

const lastId = (headers: Asked['request']['headers']): string | undefined => {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** Undefined where nothing is given, NaN where it is no number. */
const numberOf = (value: string | null): number | undefined =>
  value === null || value === '' ? undefined : /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN

export const pageOf = (query: URLSearchParams): number => {
  const page = numberOf(query.get('page')) ?? 1
  return page >= 1 && page <= 1_000_000 ? page : 1
}

export const isEnding = (name: string): name is Ending => Object.hasOwn(endings, name)
export const isStatus = (name: string): name is MatchStatus =>
  (matchStatuses as readonly string[]).includes(name)

const siteOf = ({ host }: Hall, { id }: MatchRecord) => `https://${host}/match/${id}`
