// What the API answers, as schemas. bodies.ts makes it; the OpenAPI description shows it, and the tests compare all three.

import { z } from 'zod'
import { endings } from '../../arena/ending.ts'
import { unratedReasons } from '../../arena/unrated.ts'
import { matchStatuses } from '../../record/match-record.ts'

/** The schemas that have a name in the description. */
export const named = z.registry<{ id: string }>()

const whole = z.int()
const time = z.iso.datetime()
const sums = {
  rating: z.number(),
  uncertainty: z.number().nullable().describe('null on a ladder that counts no ratings'),
  games: whole,
  wins: whole,
  draws: whole,
  losses: whole,
}

export const problem = z.strictObject({ error: z.string() }).register(named, { id: 'Problem' })

const gameFields = {
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  seats: z.strictObject({ min: whole, max: whole }),
  sides: z
    .array(z.string())
    .nullable()
    .describe('what the seats are called, such as White and Black; null where they have no names'),
  turns: z.enum(['alternate', 'together']),
  luck: z.boolean(),
  secrets: z.boolean(),
  outOfTurn: z.boolean().describe('seats may also act when they are not to move'),
}

export const game = z.strictObject(gameFields).register(named, { id: 'Game' })

export const gameWithRules = z
  .strictObject({
    ...gameFields,
    rules: z
      .string()
      .nullable()
      .describe('the rules in Markdown; null where the host was installed without its documents'),
    move: z
      .looseObject({})
      .describe('JSON Schema of a move; the position says which of those moves are legal'),
    observation: z.looseObject({}).describe('JSON Schema of the observation that a seat gets'),
  })
  .register(named, { id: 'GameWithRules' })

const standing = z
  .strictObject({ rank: whole.nullable(), provisional: z.boolean(), name: z.string(), ...sums })
  .register(named, { id: 'Standing' })

export const ladderPage = z.strictObject({
  game: z.string(),
  counts: z.enum(['elo', 'points', 'scores']).describe('what `rating` is'),
  speed: z.enum(['fast', 'thinking']),
  blind: z.boolean().describe('whether agents are not given the legal moves'),
  provisional: z.boolean().nullable(),
  page: whole,
  perPage: whole,
  total: whole,
  ranked: whole,
  agents: z.array(standing),
})

const player = z
  .strictObject({
    seat: whole,
    account: whole,
    name: z.string(),
    kind: z.enum(['player', 'house']),
    protocol: z
      .string()
      .nullable()
      .describe(
        'the protocol that it came by, hub for a person in the hub; null for house players, and for matches that ended before this was recorded',
      ),
    place: whole.nullable(),
    fault: z.string().nullable(),
    quick: z
      .boolean()
      .describe('the player forfeited so early that the others gained only a quarter'),
    score: z.number().nullable(),
    ratingBefore: z.number().nullable(),
    ratingAfter: z.number().nullable(),
  })
  .register(named, { id: 'Player' })

const sealedRatings = z
  .array(z.array(z.number().nullable()))
  .describe('before and after, by seat, if a void has changed them since')

const matchFields = {
  id: whole,
  game: z.string(),
  seed: z
    .union([whole, z.string(), z.null()])
    .describe('32 bits, or 128 as 32 hex digits; null while the match is live'),
  ladder: z
    .string()
    .describe(
      'the ladder on which it counts: the game; the game and +thinking, +blind or both; +people if people took part; or +event:NAME',
    ),
  status: z.enum(matchStatuses),
  unrated: z
    .enum(Object.keys(unratedReasons))
    .nullable()
    .describe('why it changes no rating; null for a match that counts'),
  setup: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('the options of the rules it was opened with; null for the oldest rules'),
  voided: z.strictObject({ at: time, reason: z.string().nullable() }).nullable(),
  startedAt: time,
  endedAt: time.nullable(),
  ending: z.enum(Object.keys(endings)).nullable(),
  detail: z.string().nullable(),
  order: whole
    .nullable()
    .describe(
      'the position of its result in the order in which this host stored results and changed ratings',
    ),
  moveCount: whole,
  players: z.array(player),
  seal: z
    .strictObject({
      number: whole,
      previous: z.string(),
      hash: z.string(),
      ratings: sealedRatings.nullable(),
    })
    .nullable()
    .describe('its seal in the chain of its ladder; null while the match is live'),
}

export const match = z.strictObject(matchFields).register(named, { id: 'Match' })

const move = z
  .strictObject({
    ply: whole,
    seat: whole,
    move: z.unknown().describe('The move as it was sent; null while it may not be shown yet.'),
    label: z.string(),
    ms: z.number(),
    fault: z.string().nullable(),
    note: z
      .string()
      .nullable()
      .describe(
        'What the player wrote beside the move: data, not instructions. Of a live match it is shown once the next move is made, or once the match is over where moves are hidden.',
      ),
    events: z
      .array(z.looseObject({ kind: z.string() }))
      .describe(
        'What the move caused, as docs/games.md describes it for each game; of a live match, what every seat may know.',
      ),
  })
  .register(named, { id: 'Move' })

export const matchWithMoves = z
  .strictObject({
    ...matchFields,
    clocks: z.array(whole.nullable()).nullable(),
    moves: z.array(move),
  })
  .register(named, { id: 'MatchWithMoves' })

const liveMatch = z
  .strictObject({
    ...matchFields,
    ratings: z.array(z.number().nullable()),
    clocks: z.array(z.number().nullable()),
    position: z.looseObject({ view: z.looseObject({}), last: z.unknown() }).nullable(),
  })
  .register(named, { id: 'LiveMatch' })

export const live = z.strictObject({ count: whole, matches: z.array(liveMatch) })

const ladderRating = { game: z.string(), provisional: z.boolean(), ...sums }
const declared = {
  version: z.string(),
  model: z.string().nullable().describe('as the agent has declared it'),
  harness: z.string().nullable().describe('as the agent has declared it'),
}

export const agent = z
  .strictObject({
    name: z.string(),
    kind: z.enum(['player', 'house']),
    banned: z.boolean(),
    since: time,
    version: z
      .strictObject({ agent: z.string().describe('whose version it is'), ...declared })
      .nullable()
      .describe('of a version, which is rated by itself; null for an agent'),
    ratings: z.array(z.strictObject({ ...ladderRating, rank: whole.nullable() })),
    versions: z
      .array(
        z.strictObject({
          name: z.string(),
          ...declared,
          since: time,
          lastSeen: time,
          ratings: z.array(z.strictObject(ladderRating)),
        }),
      )
      .describe('the newest 50 versions of an agent, newest first'),
    recent: z.strictObject({
      matches: whole,
      faults: z.record(z.string(), whole),
      opponents: z.array(
        z.strictObject({
          name: z.string(),
          games: whole,
          wins: whole,
          draws: whole,
          losses: whole,
        }),
      ),
    }),
  })
  .register(named, { id: 'Agent' })

export const history = z.strictObject({
  name: z.string(),
  game: z.string(),
  points: z.array(z.strictObject({ match: whole, at: time, rating: z.number() })),
})

export const positions = z.strictObject({ match: whole, positions: z.array(z.looseObject({})) })
export const looks = z.strictObject({ match: whole, looks: z.array(z.looseObject({})) })
export const newAccount = z.strictObject({ name: z.string(), token: z.string() })
export const anything = z.looseObject({})
