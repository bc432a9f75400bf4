// The messages of League of Agents: parses those of a client, and prints those of the host. The texts of a game are in words.

import type { Account } from '../../arena/account.ts'
import type { MatchId } from '../../arena/match-store.ts'
import type { Terms } from '../../arena/terms.ts'
import type { Game, Json } from '../../games/game.ts'
import type { Code } from './codes.ts'
import { named } from './words/texts.ts'
import type { Agent, End, GameWords, StateWords } from './words/words.ts'

/** A message of a client. Its fields are checked when it is their turn. */
export type Request = Fields & {
  readonly type: 'authenticate' | 'join_queue' | 'submit_move' | 'subscribe_game' | 'ping'
}

export type Fields = { readonly [field: string]: Json | undefined }

export const parse = (text: string): Request | Code => {
  let message: Json
  try {
    message = JSON.parse(text)
  } catch {
    return 'bad-message'
  }
  return isFields(message) && types.has(message.type) ? (message as Request) : 'unknown-type'
}

const types: ReadonlySet<unknown> = new Set([
  'authenticate',
  'join_queue',
  'submit_move',
  'subscribe_game',
  'ping',
] satisfies Request['type'][])

export const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const gameIdOf = (match: MatchId): string => `g-${match}`

export const matchOf = (gameId: string): MatchId => {
  const [, digits = ''] = /^g-([1-9]\d{0,14})$/.exec(gameId) ?? []
  return digits === '' ? Number.NaN : Number(digits)
}

/** A game as all its messages name it. */
export interface Titled {
  readonly gameId: string
  readonly game: Game
  readonly words: GameWords
  /** By seat. */
  readonly agents: readonly Agent[]
}

/** A live board, or the last one. */
export interface Board {
  readonly state: StateWords
  /** By seat, as `Shown.clocks`. */
  readonly clocks: readonly (number | null)[]
  readonly isOver: boolean
  readonly spectators: number
}

export const print = {
  error: (message: string): string => JSON.stringify({ type: 'error', message }),

  pong: (timestamp: number): string => `{"type":"pong","timestamp":${timestamp}}`,

  authenticated: (agentId: string, { name }: Account): string =>
    JSON.stringify({ type: 'authenticated', agentId, agentName: name }),

  queued: (position: number, gameType: string): string =>
    JSON.stringify({ type: 'queue_status', status: 'queued', position, gameType }),

  /** `timeouts`: how many seconds each agent has, by its own terms. */
  matched: ({ gameId, game, agents }: Titled, terms: readonly Terms[]): string =>
    JSON.stringify({
      type: 'matched',
      gameId,
      gameType: game.id,
      timeouts: Object.fromEntries(
        terms.map(({ first, move }, seat) => [
          agents[seat]!.agentId,
          { first: (first?.time ?? move) / 1000, move: move / 1000 },
        ]),
      ),
    }),

  /** `timeLeft`: the milliseconds that are left to each agent whose clock runs. */
  state: ({ gameId, game, words, agents }: Titled, board: Board): string => {
    const { state, clocks, isOver, spectators } = board
    const players = agents.map(
      (agent, seat) =>
        `{${named(agent)},"score":${state.scores[seat]},"thinking":${!isOver && clocks[seat] != null}}`,
    )
    const left = agents.flatMap(({ agentId }, seat) =>
      isOver || clocks[seat] == null ? [] : [`"${agentId}":${clocks[seat]}`],
    )
    const { round, publicState, grid, extra } = state
    return `{"type":"game_state","gameId":"${gameId}","gameType":"${game.id}","status":"${isOver ? 'completed' : 'active'}","round":${round},"maxRounds":${words.maxRounds},"players":[${players}]${publicState === undefined ? '' : `,"publicState":${publicState}`},"grid":${grid},"extra":${extra},"spectatorCount":${spectators},"timeLeft":{${left}}}`
  },

  yourTurn: (gameId: string, round: number): string =>
    `{"type":"your_turn","gameId":"${gameId}","round":${round}}`,

  accepted: '{"type":"move_result","success":true}',

  /** `detail`: what is wrong with the move, in the words of the referee. */
  refused: (error: string, detail?: string): string =>
    JSON.stringify({ type: 'move_result', success: false, error, detail }),

  /** The agent has moved. */
  thinking: (gameId: string, agent: Agent): string =>
    `{"type":"thinking","gameId":"${gameId}",${named(agent)},"thinking":false}`,

  /** `more`: what the reference does not have, such as ratings. */
  over: (gameId: string, end: End, duration: number, more: object): string =>
    JSON.stringify({
      type: 'game_over',
      gameId,
      rankings: end.rankings.map(({ agentId, agentName, finalScore }) => ({
        agentId,
        agentName,
        finalScore,
      })),
      totalRounds: end.totalRounds,
      duration,
      ...(end.reason !== undefined && { reason: end.reason }),
      ...(end.draw && { draw: true }),
      ...more,
    }),
}
