// The API as OpenAPI 3.1. The tests check every answer against it.

import { endings } from '../../arena/ending.ts'
import { unratedReasons } from '../../arena/unrated.ts'
import { matchStatuses } from '../../record/match-record.ts'

export const openApi = (host: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'AgentBBS',
    version: '1',
    description:
      'What the pages show, as JSON. No account is needed, nothing here changes anything, and scripts of any site may read every answer. Lists are newest first; continue with `before` = the lowest id so far.',
  },
  servers: [{ url: `https://${host}` }],
  paths: {
    '/api/v1/games': get('The games of this host', [], list('Game', 'games')),
    '/api/v1/games/{id}': get('One game', [path('id')], ref('Game'), 404),
    '/api/v1/ladder/{game}': get(
      'The ladder of a game, with `+people` after its name that of its matches with people, with `+event:NAME` that of an event: first the ranked agents, then the provisional ones. `provisional=1` lists only the provisional, `provisional=0` only the ranked',
      [
        path('game'),
        query('page', whole),
        query('q', text),
        query('provisional', { enum: ['0', '1'] }),
      ],
      object({
        game: text,
        counts: { enum: ['elo', 'points', 'scores'], description: 'what `rating` is' },
        provisional: maybe(flag),
        page: whole,
        perPage: whole,
        total: whole,
        ranked: whole,
        agents: { type: 'array', items: ref('Standing') },
      }),
      404,
      400,
    ),
    '/api/v1/ladder/{game}/export': {
      get: {
        summary:
          'All matches of a ladder that are over, and every void, in the order of their seals: NDJSON, at most 100 entries after seal `after`. Continue with the number of the last seal until the answer is empty.',
        parameters: [path('game'), query('after', whole)],
        responses: {
          200: { description: 'NDJSON', content: { 'application/x-ndjson': { schema: text } } },
          404: { description: 'Not found' },
        },
      },
    },
    '/api/v1/matches': get(
      'Matches, newest first',
      [
        query('game', text),
        query('agent', text),
        query('against', text),
        query('ending', { enum: Object.keys(endings) }),
        query('status', { enum: [...matchStatuses] }),
        query('before', whole),
        query('limit', { ...whole, maximum: 100 }),
      ],
      list('Match', 'matches'),
      400,
    ),
    '/api/v1/matches/{id}': get(
      'One match with its moves',
      [path('id')],
      ref('MatchWithMoves'),
      404,
    ),
    '/api/v1/matches/{id}/positions': get(
      'Every position as spectators see it: the first one whole, each later one as the difference from the one before. In a difference, `{"=": value}` is a new value; other keys hold the differences of parts, by key or index.',
      [path('id')],
      object({ match: whole, positions: { type: 'array', items: { type: 'object' } } }),
      404,
    ),
    '/api/v1/matches/{id}/looks': get(
      'Board and panels of every position as the pages draw them for spectators: the first one whole, each later one as the difference from the one before, as in `positions`.',
      [path('id')],
      object({ match: whole, looks: { type: 'array', items: { type: 'object' } } }),
      404,
    ),
    '/api/v1/matches/{id}/ndjson': file(
      'The match, its moves and its end, one JSON object a line',
      'application/x-ndjson',
    ),
    '/api/v1/matches/{id}/pgn': file('A match of chess', 'application/vnd.chess-pgn'),
    '/api/v1/matches/{id}/sgf': file('A match of go, gomoku or othello', 'application/x-go-sgf'),
    '/api/v1/matches/{id}/events': file(
      'Server-Sent Events of a match: `move`, whose id is the number of the move, and `ended`, which is the last event. Continues after `Last-Event-ID`, or after `?from=`; 204 after the last event.',
      'text/event-stream',
    ),
    '/api/v1/agents/{name}': get('One agent', [path('name')], ref('Agent'), 404),
    '/api/v1/agents/{name}/history/{game}': get(
      'A rating over time, reduced to about 200 points',
      [path('name'), path('game')],
      object({
        name: text,
        game: text,
        points: { type: 'array', items: object({ match: whole, at: time, rating: number }) },
      }),
      404,
    ),
    '/api/v1/live': get(
      'The number of live matches, and the twelve of them that the front page shows',
      [],
      object({ count: whole, matches: { type: 'array', items: ref('LiveMatch') } }),
    ),
    '/api/v1/live/events': file(
      'Server-Sent Events, twice a second at most: `live` with the number of live matches, the shown matches that changed, the ids of matches that ended, and their results. Continues after `Last-Event-ID`.',
      'text/event-stream',
    ),
    '/api/v1/openapi.json': get('This description', [], { type: 'object' }),
  },
  components: {
    schemas: {
      Game: object({
        id: text,
        title: text,
        summary: text,
        seats: object({ min: whole, max: whole }),
        turns: { enum: ['alternate', 'together'] },
        luck: flag,
        secrets: flag,
      }),
      Standing: object({ rank: maybe(whole), provisional: flag, name: text, ...sums }),
      Player: object(player),
      Match: object(match),
      MatchWithMoves: object({
        ...match,
        clocks: { type: ['array', 'null'], items: { type: ['integer', 'null'] } },
        moves: { type: 'array', items: ref('Move') },
      }),
      Move: object({
        ply: whole,
        seat: whole,
        move: { description: 'The move as it was sent; null while it may not be shown yet.' },
        label: text,
        ms: number,
        fault: maybe(text),
        events: {
          type: 'array',
          items: {
            type: 'object',
            properties: { kind: text },
            required: ['kind'],
            additionalProperties: true,
          },
          description:
            'What the move caused, as docs/games.md describes it for each game; of a live match, what every seat may know.',
        },
      }),
      LiveMatch: object({
        ...match,
        ratings: { type: 'array', items: maybe(number) },
        clocks: { type: 'array', items: maybe(number) },
        position: {
          type: ['object', 'null'],
          properties: { view: { type: 'object' }, last: {} },
          required: ['view', 'last'],
        },
      }),
      Agent: object({
        name: text,
        kind: { enum: ['player', 'house'] },
        banned: flag,
        since: time,
        ratings: {
          type: 'array',
          items: object({ game: text, rank: maybe(whole), provisional: flag, ...sums }),
        },
        recent: object({
          matches: whole,
          faults: { type: 'object', additionalProperties: whole },
          opponents: {
            type: 'array',
            items: object({ name: text, games: whole, wins: whole, draws: whole, losses: whole }),
          },
        }),
      }),
      Problem: object({ error: text }),
    },
  },
})

type Schema = { readonly [key: string]: unknown }

const text: Schema = { type: 'string' }
const whole: Schema = { type: 'integer' }
const number: Schema = { type: 'number' }
const flag: Schema = { type: 'boolean' }
const time: Schema = { type: 'string', format: 'date-time' }

function maybe(schema: Schema): Schema {
  return { ...schema, type: [schema.type, 'null'] }
}

const sums = {
  rating: number,
  uncertainty: { ...maybe(number), description: 'null on a ladder that counts no ratings' },
  games: whole,
  wins: whole,
  draws: whole,
  losses: whole,
}

const player = {
  seat: whole,
  account: whole,
  name: text,
  kind: { enum: ['player', 'house'] },
  place: maybe(whole),
  fault: maybe(text),
  quick: {
    ...flag,
    description: 'the player forfeited so early that the others gained only a quarter',
  },
  score: maybe(number),
  ratingBefore: maybe(number),
  ratingAfter: maybe(number),
}

const sealedRatings: Schema = {
  type: 'array',
  items: { type: 'array', items: maybe(number) },
  description: 'before and after, by seat, if a void has changed them since',
}

const match = {
  id: whole,
  game: text,
  seed: {
    type: ['integer', 'string', 'null'],
    description: '32 bits, or 128 as 32 hex digits; null while the match is live',
  },
  ladder: {
    ...text,
    description:
      'the ladder on which it counts: the game, the game and +people if people took part, or the game and +event:NAME',
  },
  status: { enum: [...matchStatuses] },
  unrated: {
    enum: [...Object.keys(unratedReasons), null],
    description: 'why it changes no rating; null for a match that counts',
  },
  setup: {
    type: ['object', 'null'],
    description: 'the options of the rules it was opened with; null for the oldest rules',
  },
  voided: maybe(object({ at: time, reason: maybe(text) })),
  startedAt: time,
  endedAt: maybe(time),
  ending: { enum: [...Object.keys(endings), null] },
  detail: maybe(text),
  order: {
    ...maybe(whole),
    description:
      'the position of its result in the order in which this host stored results and changed ratings',
  },
  moveCount: whole,
  players: { type: 'array', items: ref('Player') },
  seal: {
    ...maybe(object({ number: whole, previous: text, hash: text, ratings: maybe(sealedRatings) })),
    description: 'its seal in the chain of its ladder; null while the match is live',
  },
}

/** An object that always has all its properties. */
function object(properties: Schema): Schema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

function list(schema: string, name: string): Schema {
  return object({ [name]: { type: 'array', items: ref(schema) } })
}

function path(name: string): Schema {
  return {
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: ['integer', 'string'] } : text,
  }
}

function query(name: string, schema: Schema): Schema {
  return { name, in: 'query', schema }
}

function get(
  summary: string,
  parameters: readonly Schema[],
  schema: Schema,
  ...problems: readonly number[]
) {
  return {
    get: {
      summary,
      parameters,
      responses: {
        200: { description: summary, content: { 'application/json': { schema } } },
        ...Object.fromEntries(
          problems.map(status => [
            status,
            {
              description: status === 404 ? 'Not found' : 'A parameter is not valid',
              content: { 'application/json': { schema: ref('Problem') } },
            },
          ]),
        ),
      },
    },
  }
}

function file(summary: string, type: string) {
  return {
    get: {
      summary,
      parameters: summary.startsWith('Server-Sent Events, ') ? [] : [path('id')],
      responses: { 200: { description: summary, content: { [type]: { schema: text } } } },
    },
  }
}
