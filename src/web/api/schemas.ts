// What the API answers, as schemas. bodies.ts makes it; the OpenAPI description shows it, and the tests compare all three.

import { z } from 'zod'
import { endings } from '../../arena/ending.ts'
import { type Speed, speeds } from '../../arena/pace.ts'
import { roomIds } from '../../arena/room-setup.ts'
import { restartRules } from '../../arena/season.ts'
import { unratedReasons } from '../../arena/unrated.ts'
import { eventStatuses } from '../../events/state.ts'
import { matchStatuses } from '../../record/match-record.ts'

/** The schemas that have a name in the description. */
export const named = z.registry<{ id: string }>()

const whole = z.int()
const time = z.iso.datetime()
const sums = {
  strength: z
    .number()
    .nullable()
    .describe(
      'what orders the ladder; null while no fit has the account, and on a ladder that counts no ratings',
    ),
  uncertainty: z
    .number()
    .nullable()
    .describe('half the width of the 95 % interval of `strength`; null where that is null'),
  rating: z.number().describe('the Elo that agents are told, or what the ladder counts'),
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

export const season = z.strictObject({
  ladder: z.string(),
  number: whole.describe('from 1 on each ladder'),
  title: z.string(),
  rule: z
    .enum(restartRules)
    .describe('whether ratings went on as they were, or half way back to 1500'),
  closedAt: time,
  lastOrder: whole.describe('results with a higher `order` count for a later season'),
  matches: whole.describe('how many matches counted'),
  seal: z.strictObject({ number: whole, hash: z.string() }).describe('in the chain of the ladder'),
})

export const seasonDate = z.strictObject({
  title: z.string(),
  rule: z.enum(restartRules),
  at: time,
})

export const seasonWithTable = season.extend({
  table: z.array(
    z.strictObject({
      rank: whole.nullable(),
      provisional: z.boolean(),
      name: z.string(),
      rating: z.number(),
      strength: z.number().nullable(),
      error: z.number().nullable().describe('half the width of the 95 % interval of `strength`'),
      games: whole,
      wins: whole,
      draws: whole,
      losses: whole,
    }),
  ),
})

const ofChampion = { title: z.string(), names: z.array(z.string()), at: time }

export const champion = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('season'),
    ladder: z.string(),
    number: whole,
    ...ofChampion,
  }),
  z.strictObject({
    kind: z.literal('event'),
    game: z.string(),
    id: z.string(),
    ...ofChampion,
  }),
])

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
  fit: z
    .strictObject({
      matches: whole,
      firstSeat: z.number().describe('how many points of strength the first seat is worth'),
      firstSeatUncertainty: z.number().describe('half the width of its 95 % interval'),
      intransitivity: z
        .number()
        .nullable()
        .describe(
          'the share of the ladder that is not transitive, from 0 to 1; null where too few pairs have met often enough to say',
        ),
    })
    .nullable()
    .describe('the newest fit of strengths over all rated matches of the ladder'),
  agents: z.array(standing),
})

export const points = z.strictObject({
  page: whole,
  perPage: whole,
  total: whole,
  agents: z.array(
    z
      .strictObject({
        rank: whole.describe('equal ones share a rank'),
        name: z.string(),
        points: whole,
      })
      .register(named, { id: 'PointsStanding' }),
  ),
})

const share = z.number().min(0).max(1)

export const overall = z.strictObject({
  games: z.array(z.string()).describe('those that count: two agents or more are ranked'),
  least: whole.describe('in how many of them an agent is ranked that is on the board'),
  page: whole,
  perPage: whole,
  total: whole,
  agents: z.array(
    z
      .strictObject({
        rank: whole,
        name: z.string(),
        score: share.describe('the mean over all games; one in which it is not ranked counts as 0'),
        scores: z
          .record(z.string(), share)
          .describe('by the id of each game in which it is ranked'),
      })
      .register(named, { id: 'OverallStanding' }),
  ),
})

const player = z
  .strictObject({
    seat: whole,
    account: z.int(),
    name: z.string(),
    shown: z
      .string()
      .optional()
      .describe('of a guest: the name by which it is shown, in place of that of its account'),
    kind: z.enum(['player', 'house', 'guest']),
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
  event: z
    .strictObject({ id: z.string(), round: whole, board: whole, leg: whole })
    .nullable()
    .describe(
      'the event that it is a match of: its round, the pairing or group and which match of that; null for others',
    ),
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
    expected: z
      .array(z.number())
      .nullable()
      .describe(
        'by seat, the score that strengths say of a match for two; null where they say nothing',
      ),
    clocks: z.array(z.number().nullable()),
    position: z.looseObject({ view: z.looseObject({}), last: z.unknown() }).nullable(),
  })
  .register(named, { id: 'LiveMatch' })

export const live = z.strictObject({ count: whole, matches: z.array(liveMatch) })

const table = z
  .strictObject({
    id: z.string().describe('what a join names'),
    status: z.enum(['waiting', 'in_match', 'finished']),
    title: z.string().describe('how the game is played there, or the topic of a debate'),
    game: z.string(),
    match: whole.nullable().describe('from the countdown on, which begins with the second player'),
    seats: z
      .array(
        z
          .strictObject({
            name: z.string(),
            protocol: z.string().nullable().describe('hub for a person in the hub'),
            rating: z.number().describe('on the standard ladder of the game'),
          })
          .nullable(),
      )
      .describe('two, each null while it is free'),
  })
  .register(named, { id: 'Table' })

export const rooms = z.strictObject({
  rooms: z.array(z.strictObject({ id: z.enum(roomIds), tables: z.array(table) })),
})

const partyTable = z
  .strictObject({
    code: z.string().describe('what a join names'),
    name: z.string().describe('as its players have called it'),
    game: z.string(),
    speed: z.enum(Object.keys(speeds) as Speed[]).describe('how fast moves are shown'),
    status: z.enum(['waiting', 'playing', 'finished']),
    match: whole.nullable(),
    seats: z
      .array(
        z
          .strictObject({
            name: z.string(),
            kind: z.enum(['account', 'guest', 'house']).describe('a guest has no account'),
            protocol: z.string().nullable().describe('hub for a person in the hub'),
            rating: z
              .number()
              .nullable()
              .describe('on the standard ladder of the game; null without an account'),
          })
          .nullable(),
      )
      .describe('those that it has for players, each null while it is free'),
  })
  .register(named, { id: 'PartyTable' })

export const tables = z.strictObject({ tables: z.array(partyTable) })

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
    points: whole.describe(
      'what it has earned at the tables of rooms; of a version, what its agent has',
    ),
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

const eventFields = {
  id: z.string(),
  title: z.string(),
  game: z.string(),
  format: z.enum(['round-robin', 'swiss', 'knockout', 'arena', 'series']),
  status: z.enum(eventStatuses),
  rated: z.boolean(),
  entrants: whole.describe('how many have entered and not withdrawn'),
  most: whole.describe('how many may enter'),
  startsAt: time.nullable().describe('null where it does not start at a time'),
  createdAt: time,
  startedAt: time.nullable(),
  endedAt: time.nullable(),
}

export const event = z.strictObject(eventFields).register(named, { id: 'Event' })

const seconds = z.number().describe('in seconds')

export const eventWithRounds = z
  .strictObject({
    ...eventFields,
    plan: z.strictObject({
      format: z.looseObject({ kind: eventFields.format }),
      points: z.looseObject({ by: z.enum(['result', 'places']) }),
      seats: z.strictObject({ least: whole, most: whole }),
      ladder: z.string(),
      time: z
        .strictObject({ move: seconds, bank: seconds })
        .nullable()
        .describe('null for the times that the protocol of each player has'),
      seed: z.string().nullable().describe('where its lots come from; null until it is over'),
      startsWith: whole.nullable().describe('it starts as soon as so many have entered'),
      invitationOnly: z.boolean(),
      checkIn: seconds,
      showUp: seconds,
      lateEntry: z.boolean(),
      entrants: z.strictObject({ least: whole, most: whole }),
      openings: z.boolean(),
      protocol: z.string().nullable(),
      options: z.looseObject({}),
    }),
    champion: z.string().nullable(),
    reason: z.string().nullable().describe('why it was cancelled; null where it was not'),
    players: z.array(
      z.strictObject({
        number: whole.describe('in the order of entry'),
        name: z.string(),
        rating: z.number().describe('by which it is seeded'),
        checkedIn: z.boolean(),
        missed: whole.describe('pairings to which it did not come'),
        withdrawn: z.boolean(),
      }),
    ),
    rounds: z.array(
      z.strictObject({
        round: whole,
        drawnAt: time,
        boards: z.array(
          z.strictObject({
            board: whole,
            players: z.array(z.string()),
            places: z.array(whole).nullable().describe('by player; null until it is over'),
            isOver: z.boolean(),
            live: whole.nullable().describe('the match that is being played'),
            matches: z.array(
              z.strictObject({
                leg: whole,
                match: whole.nullable().describe('null where a referee from elsewhere held it'),
                players: z.array(z.string()).describe('by seat'),
                places: z.array(whole),
                scores: z.array(z.number().nullable()),
              }),
            ),
            settled: z
              .strictObject({ reason: z.string(), absent: z.array(z.string()) })
              .nullable()
              .describe('where it was decided otherwise than by its matches'),
          }),
        ),
        byes: z.array(z.string()),
      }),
    ),
    table: z.array(
      z.strictObject({
        rank: whole,
        name: z.string(),
        points: z.number(),
        played: whole,
        wins: whole,
        draws: whole,
        losses: whole,
        byes: whole,
        withdrawn: z.boolean(),
        tieBreaks: z.array(z.strictObject({ name: z.string(), value: z.number().nullable() })),
      }),
    ),
  })
  .register(named, { id: 'EventWithRounds' })

export const entry = z
  .strictObject({
    event: z.string(),
    agent: z.string(),
    status: z.enum(['entered', 'withdrawn', 'checked in']),
  })
  .register(named, { id: 'Entry' })
