// A match of which one viewer reads the messages of League of Agents, without a referee and without clocks.

import { hasLiveMoves } from '../../src/arena/arena-event.ts'
import { judge } from '../../src/arena/judge.ts'
import type { Match } from '../../src/arena/live-match.ts'
import { fellNews, playedNews } from '../../src/arena/move-news.ts'
import { observationsOf } from '../../src/arena/observation.ts'
import type { Observation } from '../../src/arena/player.ts'
import {
  eventsOf,
  eventsSeen,
  type Game,
  type GameEvent,
  isIllegal,
  type Json,
  type Seat,
  type Status,
  stateOf,
  type Viewer,
} from '../../src/games/game.ts'
import { wordsOf } from '../../src/protocols/loa/words/index.ts'
import type { Agent, End, StateWords, Told } from '../../src/protocols/loa/words/words.ts'

const agents: readonly Agent[] = [
  { agentId: 'a-1', agentName: 'Nova' },
  { agentId: 'a-2', agentName: 'Pike' },
  { agentId: 'a-3', agentName: 'Rook' },
  { agentId: 'a-4', agentName: 'Wren' },
]

export class Worded {
  readonly #game: Game
  readonly #viewer: Viewer
  readonly #agents: readonly Agent[]
  #state: unknown
  #status: Status | null = null
  #told: Told[] = []

  /** Begins with this state, or with a match of seed 1. */
  constructor(game: Game, viewer: Viewer, state?: unknown) {
    const { seats } = game
    this.#game = game
    this.#viewer = viewer
    this.#agents = agents.slice(0, typeof seats === 'number' ? seats : seats.min)
    this.#state = state ?? game.start(1, this.#agents.length)
  }

  get #observation(): Observation {
    const status = this.#status ?? this.#game.status(this.#state)
    const match = { game: this.#game, opening: null, state: this.#state, status } as Match
    return observationsOf(match, 'open')(this.#viewer)
  }

  play(seat: Seat, raw: Json): this {
    const game = this.#game
    const words = wordsOf(game)
    const judged = judge(game, this.#state, seat, words.move(raw as { [field: string]: Json }))
    if (isIllegal(judged)) throw new Error(judged.reason)
    const { move, next } = judged
    const events = eventsOf(next)
    const from = this.#state
    const turn = { ms: 0, turn: 0, isTurn: true, isFallback: false }
    const news = playedNews(game, 1, { kind: 'record', seat, move, from, events, ...turn })
    this.#told.push(
      typeof this.#viewer === 'number'
        ? { ...news(this.#viewer), isFall: false }
        : {
            seat,
            move: hasLiveMoves(game) ? move : null,
            isFall: false,
            events: eventsSeen(game, events, 'audience'),
          },
    )
    this.#state = stateOf(next)
    return this
  }

  /** The moves of all seats in one round. */
  round(...moves: readonly Json[]): this {
    for (const [seat, move] of moves.entries()) this.play(seat, move)
    return this
  }

  /** The seat loses, and the others go on where the game has it so. */
  fall(seat: Seat): this {
    const next = this.#game.drop?.(this.#state, seat)
    const events: readonly GameEvent[] = eventsOf(next)
    if (next !== undefined) this.#state = stateOf(next)
    else this.#status = { places: this.#agents.map((_, i) => (i === seat ? 2 : 1)), because: '' }
    const fall = { kind: 'fell', seat, fault: 'late', detail: '', events } as const
    const viewer = typeof this.#viewer === 'number' ? this.#viewer : 0
    this.#told.push({ ...fellNews(this.#game, 1, fall)(viewer), move: null, isFall: true })
    return this
  }

  get resolved(): number {
    return wordsOf(this.#game).resolved(this.#observation)
  }

  state(end: End | null = null): StateWords {
    return wordsOf(this.#game).state(this.#observation, this.#agents, end)
  }

  /** Of all that was told since they were last asked for. */
  updates(end: End | null = null): readonly string[] {
    const told = this.#told
    this.#told = []
    return wordsOf(this.#game).updates('g-19', told, this.#observation, this.#agents, end)
  }
}

/** How a match ended: what the agents have by seat, and the seats from the first to the last. */
export const endOf = (
  totalRounds: number,
  scores: readonly number[],
  order: readonly Seat[],
  more: { readonly reason?: 'timeout' | 'error'; readonly draw?: boolean } = {},
): End => ({
  draw: false,
  ...more,
  totalRounds,
  rankings: order.map((seat, i) => ({
    ...agents[seat]!,
    finalScore: scores[seat]!,
    rank: i + 1,
  })),
})
