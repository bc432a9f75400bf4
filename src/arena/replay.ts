import {
  eventsOf,
  type Game,
  type GameEvent,
  illegal,
  isFinal,
  isIllegal,
  isVoting,
  type Seed,
  type Setup,
  type Status,
  stateOf,
} from '../games/game.ts'
import type { Played } from './match-store.ts'
import { startOf } from './opening.ts'

/** Everything that a replay of a match needs. */
export interface ReplaySource {
  readonly game: Game
  readonly seed: Seed
  /** Null for the oldest rules. */
  readonly setup: Setup | null
  readonly seats: number
  readonly moves: Iterable<Played>
}

/**
 * The rules refuse a move of a recorded match: either the record or the rules have changed. The replay stops there, and the
 * moves before it stay valid. An exception in the code of a game is not a ReplayError.
 */
export class ReplayError extends Error {
  readonly ply: number
  readonly why: string

  constructor(ply: number, why: string) {
    super(`move ${ply} cannot be played: ${why}`)
    this.ply = ply
    this.why = why
  }
}

export interface Step {
  readonly state: unknown
  readonly status: Status
  /** The move that led to this state; null at the start. */
  readonly played: Played | null
  /** What that move caused, with its secrets: see `eventsSeen`. */
  readonly events: readonly GameEvent[]
}

/** Replays a match, one state after the other. Throws a ReplayError at the first move that the rules refuse. */
export function* replay({ game, seed, setup, seats, moves }: ReplaySource): Generator<Step, void> {
  let state = startOf(game, seed, seats, setup)
  let status = game.status(state)
  yield { state, status, played: null, events: [] }
  let ply = 0
  for (const played of moves) {
    ply++
    const next = afterMove(game, state, played, status)
    if (isIllegal(next)) throw new ReplayError(ply, next.reason)
    state = stateOf(next)
    status = game.status(state)
    yield { state, status, played, events: eventsOf(next) }
  }
}

/** What the game answers to one recorded move: the next state, with its events where there are any, or a refusal. */
export const afterMove = (
  game: Game,
  state: unknown,
  [seat, move, , fault]: Played,
  status: Status = game.status(state),
): unknown => {
  if (fault !== undefined)
    return game.drop?.(state, seat) ?? illegal('the game cannot go on without a seat')
  if (isFinal(status)) return illegal('the game was over before')
  if (isVoting(status) && seat === 0) return game.play(state, seat, move)
  if (!status.toMove.includes(seat) && !status.mayAct?.includes(seat))
    return illegal(`it was not the turn of seat ${seat}`)
  return game.play(state, seat, move)
}
