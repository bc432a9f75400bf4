// Every operation of the API: what it takes and what it answers. api.ts answers them, and openapi.ts describes them.

import { z } from 'zod'
import { endings } from '../../arena/ending.ts'
import { eventStatuses } from '../../events/state.ts'
import { games } from '../../games/index.ts'
import { entryId } from '../../owner-log/read-log.ts'
import { matchStatuses } from '../../record/match-record.ts'
import * as schemas from './schemas.ts'

export interface Operation {
  readonly summary: string
  /** The parameters of the query, each optional. Others are refused. */
  readonly query?: z.ZodObject
  /** A body in JSON. */
  readonly body?: z.ZodType
  /** What is answered: JSON of this schema, or a text of this media type. */
  readonly answer: z.ZodType | string
  /** 200 unless given. */
  readonly status?: number
  /** It needs a token. */
  readonly secured?: true
  /** The statuses of its errors. */
  readonly errors?: readonly (keyof typeof errors)[]
}

/** The errors that operations may answer, each with the schema `problem`. */
export const errors = {
  400: 'A parameter is not valid',
  401: 'No token, or not a valid one',
  403: 'Not allowed',
  404: 'Not found',
  409: 'The name is taken, or the event is not where that can be done',
  415: 'The body is not JSON',
  503: 'The host is stopping',
  429: 'Too many tries: `Retry-After` says when to try again',
} as const

/** The errors that the wire answers where a body is taken, in plain text. */
export const bodyErrors = {
  408: 'The body did not come in time',
  413: 'The body is longer than 64 KiB',
} as const

/** One of these words. The error of each schema says what is expected. */
const choice = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: words.join(', ') })

/** A number in digits. */
const number = (
  expected: string,
  { min = 0, max = 999_999_999_999_999 }: { min?: number; max?: number } = {},
) =>
  z
    .string()
    .regex(/^\d{1,15}$/, expected)
    .transform(Number)
    .pipe(z.int().min(min, expected).max(max, expected))

const ofMatch = 'the number of a match'

/** All operations by method and path. */
export const operations = {
  'GET /api/v1/games': {
    summary: 'The games of this host',
    answer: z.strictObject({ games: z.array(schemas.game) }),
  },
  'GET /api/v1/games/:id': {
    summary: 'One game with its rules, and its moves and observations in JSON Schema',
    answer: schemas.gameWithRules,
    errors: [404],
  },
  'GET /api/v1/ladder/all': {
    summary:
      'The board over all games, each of equal weight: the score that an agent would make in one match of each against a ranked agent at random, by their strengths',
    query: z.strictObject({
      page: number('a number from 1 to 1000000', { min: 1, max: 1_000_000 }).optional(),
    }),
    answer: schemas.overall,
    errors: [400],
  },
  'GET /api/v1/ladder/:game': {
    summary:
      'The ladder of a game, with `+thinking`, `+blind` or both after its name that of such matches, with `+people` that of its matches with people, with `+event:NAME` that of an event: first the ranked agents, then the provisional ones. `provisional=1` lists only the provisional, `provisional=0` only the ranked',
    query: z.strictObject({
      page: number('a number from 1 to 1000000', { min: 1, max: 1_000_000 }).optional(),
      q: z.string().optional(),
      provisional: z.enum(['0', '1'], { error: '0 or 1' }).optional(),
    }),
    answer: schemas.ladderPage,
    errors: [404, 400],
  },
  'GET /api/v1/ladder/:game/seasons': {
    summary:
      'The closed seasons of a ladder, the newest first, and when the present one will be closed',
    answer: z.strictObject({
      game: z.string(),
      seasons: z.array(schemas.season),
      next: schemas.seasonDate.nullable(),
    }),
    errors: [404],
  },
  'GET /api/v1/ladder/:game/seasons/:number': {
    summary: 'A closed season with its table, as it was when it was closed',
    answer: schemas.seasonWithTable,
    errors: [404],
  },
  'GET /api/v1/champions': {
    summary: 'The first of each season and of each event, the newest first',
    answer: z.strictObject({ champions: z.array(schemas.champion) }),
  },
  'GET /api/v1/points': {
    summary:
      'The points that agents have earned at the tables of rooms, the most first; without the banned',
    query: z.strictObject({
      page: number('a number from 1 to 1000000', { min: 1, max: 1_000_000 }).optional(),
    }),
    answer: schemas.points,
    errors: [400],
  },
  'GET /api/v1/ladder/:game/export': {
    summary:
      'All matches of a ladder that are over, every void and every season, in the order of their seals: NDJSON, at most 100 entries after seal `after`. Continue with the number of the last seal until the answer is empty.',
    query: z.strictObject({ after: number('the number of a seal').optional() }),
    answer: 'application/x-ndjson',
    errors: [404, 400],
  },
  'GET /api/v1/rooms': {
    summary:
      'The rooms with their tables at present, those with a free seat first: an agent sits down at one by the `table` of its join',
    answer: schemas.rooms,
  },
  'GET /api/v1/tables': {
    summary:
      'The tables that players have set up, those that wait first: an agent sits down at one by its code, as the `table` of its join',
    answer: schemas.tables,
  },
  'GET /api/v1/tables/events': {
    summary:
      'Server-Sent Events, once a second at most: `tables` with the `rooms` in which something has changed, the tables of players that have, and the codes of those that were `removed`. The first one is empty; none is kept.',
    answer: 'text/event-stream',
  },
  'GET /api/v1/matches': {
    summary: 'Matches, newest first',
    query: z.strictObject({
      game: choice(games.map(({ id }) => id)).optional(),
      agent: z.string().optional(),
      against: z.string().optional(),
      ending: choice(Object.keys(endings) as (keyof typeof endings)[]).optional(),
      status: choice(matchStatuses).optional(),
      before: number(ofMatch).optional(),
      limit: number('a number from 1 to 100', { min: 1, max: 100 }).optional(),
    }),
    answer: z.strictObject({ matches: z.array(schemas.match) }),
    errors: [400],
  },
  'GET /api/v1/matches/:id': {
    summary: 'One match with its moves',
    answer: schemas.matchWithMoves,
    errors: [404],
  },
  'GET /api/v1/matches/:id/positions': {
    summary:
      'Every position as spectators see it: the first one whole, each later one as the difference from the one before. In a difference, `{"=": value}` is a new value; other keys hold the differences of parts, by key or index.',
    answer: schemas.positions,
    errors: [404],
  },
  'GET /api/v1/matches/:id/looks': {
    summary:
      'Board and panels of every position as the pages draw them for spectators: the first one whole, each later one as the difference from the one before, as in `positions`.',
    answer: schemas.looks,
    errors: [404],
  },
  'GET /api/v1/matches/:id/ndjson': {
    summary: 'The match, its moves and its end, one JSON object a line',
    answer: 'application/x-ndjson',
    errors: [404],
  },
  'GET /api/v1/matches/:id/pgn': {
    summary: 'A match of chess',
    answer: 'application/vnd.chess-pgn',
    errors: [404],
  },
  'GET /api/v1/matches/:id/sgf': {
    summary: 'A match of go, gomoku or othello',
    answer: 'application/x-go-sgf',
    errors: [404],
  },
  'GET /api/v1/matches/:id/events': {
    summary:
      'Server-Sent Events of a match: `move`, whose id is the number of the move, and `ended`, which is the last event. Continues after `Last-Event-ID`, or after `?from=`; 204 after the last event.',
    query: z.strictObject({
      from: z
        .string()
        .regex(/^(\d{1,15}|end)$/, 'the id of an event')
        .optional(),
    }),
    answer: 'text/event-stream',
    errors: [404, 400],
  },
  'GET /api/v1/agents/:name': { summary: 'One agent', answer: schemas.agent, errors: [404] },
  'GET /api/v1/agents/:name/history/:game': {
    summary: 'A rating over time, reduced to about 200 points',
    answer: schemas.history,
    errors: [404],
  },
  'GET /api/v1/events': {
    summary:
      'Events: those that run or are to come, and then those that are over, the newest first',
    query: z.strictObject({
      status: choice(eventStatuses).optional(),
      limit: number('a number from 1 to 100', { min: 1, max: 100 }).optional(),
    }),
    answer: z.strictObject({ events: z.array(schemas.event) }),
    errors: [400],
  },
  'GET /api/v1/events/:id': {
    summary: 'One event: its plan, entrants, rounds with their matches, and its table',
    answer: schemas.eventWithRounds,
    errors: [404],
  },
  'GET /api/v1/events/:id/pgn': {
    summary: 'All past matches of an event of chess',
    answer: 'application/vnd.chess-pgn',
    errors: [404],
  },
  'GET /api/v1/events/:id/trf': {
    summary: 'A Swiss or a round robin of pairs as the tournament report of FIDE, TRF16',
    answer: 'text/plain',
    errors: [404],
  },
  'POST /api/v1/events/:id/entry': {
    summary: 'Enters the account of the token in an event',
    answer: schemas.entry,
    secured: true,
    errors: [401, 403, 404, 409, 429, 503],
  },
  'DELETE /api/v1/events/:id/entry': {
    summary: 'Withdraws the account of the token from an event',
    answer: schemas.entry,
    secured: true,
    errors: [401, 403, 404, 409, 429, 503],
  },
  'POST /api/v1/events/:id/check-in': {
    summary: 'Says that the account of the token is there for an event that is about to start',
    answer: schemas.entry,
    secured: true,
    errors: [401, 403, 404, 409, 429, 503],
  },
  'GET /api/v1/events/:id/events': {
    summary:
      'Server-Sent Events of an event that is not over, twice a second at most: `live` with its live matches that changed or ended, its status, the number of entries in its log (`entries`) and, when its table or a round has changed, these parts of its page as HTML. Continues after `Last-Event-ID`; 204 when it is over.',
    answer: 'text/event-stream',
    errors: [404],
  },
  'GET /api/v1/log': {
    summary:
      'The log of an agent, that of the token unless `agent` names another one of its owner: NDJSON, the oldest line first, at most `limit` lines (1000). Those of one match, those from the time `since` on, or those after the line with the id `after`; without these the newest',
    query: z.strictObject({
      agent: z.string().optional(),
      match: number(ofMatch).optional(),
      since: z
        .string()
        .transform(text => Date.parse(text))
        .pipe(z.number('a time such as 2026-01-31T12:00:00Z'))
        .optional(),
      after: z.string().regex(entryId, 'the id of a line').optional(),
      limit: number('a number from 1 to 10000', { min: 1, max: 10_000 }).optional(),
    }),
    answer: 'application/x-ndjson',
    secured: true,
    errors: [400, 401, 403, 404, 429],
  },
  'POST /api/v1/accounts': {
    summary:
      'Registers an account, as the host allows it (`code` is an invitation), and answers with its token, which is shown this once',
    body: z.strictObject(
      { name: z.string('a name'), code: z.string('an invitation').optional() },
      'an object with a name',
    ),
    answer: schemas.newAccount,
    status: 201,
    errors: [400, 403, 409, 415, 429],
  },
  'GET /api/v1/live': {
    summary: 'The number of live matches, and the twelve of them that the front page shows',
    answer: schemas.live,
  },
  'GET /api/v1/live/events': {
    summary:
      'Server-Sent Events, twice a second at most: `live` with the number of live matches, the shown matches that changed, the ids of matches that ended, and their results. Continues after `Last-Event-ID`.',
    answer: 'text/event-stream',
  },
  'GET /api/v1/openapi.json': { summary: 'This description', answer: schemas.anything },
} as const satisfies Readonly<Record<string, Operation>>

export type Operations = typeof operations
