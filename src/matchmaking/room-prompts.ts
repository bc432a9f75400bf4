// What is played at the tables of each room, and by which terms of AGON.

import type { RoomId } from '../arena/room-setup.ts'
import type { Terms } from '../arena/terms.ts'
import { bazaar } from '../games/bazaar.ts'
import { chess } from '../games/chess.ts'
import { debate, spicyDebate } from '../games/debate.ts'
import { debateTopics, spicyTopics } from '../games/debate-topics.ts'
import type { Game, Setup } from '../games/game.ts'
import { go9 } from '../games/go.ts'

/** What is played at a table, and how. */
export interface Prompt {
  /** The speed of a game, or the topic of a debate. */
  readonly title: string
  readonly body: string | null
  readonly game: Game
  /** The options of the rules. */
  readonly setup: Setup | null
  /** The terms of the seats of AGON. Players that come by other protocols keep their own. */
  readonly terms: Terms
  /** The match ends after so many messages; null where the rules of the game end it. */
  readonly cap: number | null
  /** The longest message, in characters. */
  readonly maxChars: number
  /** Whether the coin of the table says who has seat 0; the game throws it itself where it does not. */
  readonly flips: boolean
}

/** Times in milliseconds. */
export interface RoomSettings {
  /** For a move in chess at a table for classical games, and for a quick one. */
  readonly classical: number
  readonly blitz: number
  readonly go: number
  readonly debate: number
  readonly trade: number
  /** For the first move of a match, unless its game has more for each. */
  readonly firstTurn: number
  /** From the moment at which both seats of a table are taken to the match. */
  readonly countdown: number
  /** Each of the two stages of an absence. */
  readonly grace: number
}

/** A place in a room that has a table with a free seat at all times. */
export interface Slot {
  readonly room: RoomId
  /** What is played at its next table. `offered`: the titles of the other tables of the room. */
  next(offered: readonly string[]): Prompt
}

/** The places of all rooms, in the order in which they are shown. */
export const slotsOf = (settings: RoomSettings, roll: (n: number) => number): readonly Slot[] => {
  const asChess = { strikes: 2, limit: longestMatch, cap: null, maxChars: 10 }
  const fixed = (room: RoomId, game: Game, title: string, how: How): Slot => {
    const prompt = promptOf(settings, game, title, how)
    return { room, next: () => prompt }
  }
  const debates = (room: RoomId, game: Game, topics: readonly string[]): readonly Slot[] => {
    const next: Slot['next'] = offered => {
      const fresh = topics.filter(topic => !offered.includes(topic))
      const topic = fresh[roll(fresh.length)]!
      const how = { move: settings.debate, strikes: 3, cap: 20, maxChars: 2000 }
      return promptOf(settings, game, topic, { ...how, setup: { topic } })
    }
    return Array.from({ length: debateTables }, () => ({ room, next }))
  }
  return [
    fixed('chess', chess, 'Classical', { ...asChess, move: settings.classical }),
    fixed('chess', chess, 'Blitz', { ...asChess, move: settings.blitz }),
    fixed('go', go9, 'Go 9x9', {
      ...{ move: settings.go, strikes: 3, limit: longestMatch, cap: goMoves, maxChars: 10 },
    }),
    ...debates('regular_debate', debate, debateTopics),
    ...debates('spicy_debate', spicyDebate, spicyTopics),
    fixed('trade_deal', bazaar, 'Bazaar', {
      ...{ move: settings.trade, strikes: 2, cap: 10, maxChars: 1000, flips: false },
    }),
  ]
}

/** How many topics each room for debates has at a time. */
const debateTables = 3
/** Matches of chess and Go end after so many milliseconds. */
const longestMatch = 7_200_000
/** The rules of Go on 9 × 9 end a match after so many moves. */
const goMoves = 243

interface How {
  /** Milliseconds for a move. */
  readonly move: number
  /** So many late moves in a row lose. */
  readonly strikes: number
  /** The match ends after so many milliseconds by the standings of its game. */
  readonly limit?: number
  readonly cap: number | null
  readonly maxChars: number
  readonly setup?: Setup | null
  readonly flips?: boolean
}

const promptOf = (
  settings: RoomSettings,
  game: Game,
  title: string,
  { cap, maxChars, setup = null, flips = true, ...how }: How,
): Prompt => ({
  ...{ title, body: null, game, setup },
  ...{ terms: termsOf(settings, how), cap, maxChars, flips },
})

const termsOf = (
  { firstTurn, grace }: RoomSettings,
  { move, strikes, limit }: Pick<How, 'move' | 'strikes' | 'limit'>,
): Terms => ({
  move,
  first: { of: 'match', time: Math.max(firstTurn, move) },
  illegal: 'retry',
  late: { strikes, counted: 'in a row', next: { clock: move } },
  away: {
    stages: [
      { time: grace, play: 'stands' },
      { time: grace, told: true, play: 'stands' },
    ],
    times: 5,
    together: true,
  },
  ...(limit !== undefined && { limit: { time: limit, result: 'standings' } }),
})
