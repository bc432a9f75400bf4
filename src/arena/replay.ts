import {
  type Game,
  illegal,
  isFinal,
  isIllegal,
  type Json,
  type Seat,
  type Seed,
  type Setup,
} from '../games/game.ts'
import type { Played } from './keeper.ts'

/** The rules refuse a move of a kept match. */
export class Unplayable extends Error {
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
  /** What led to this state; null at the start. */
  readonly played: Played | null
}

/** Plays a match again from its seed, its setup and its moves, one state after the other. */
export function* replay(
  game: Game,
  seed: Seed,
  setup: Setup | null,
  seats: number,
  moves: Iterable<Played>,
): Generator<Step, void> {
  let state = game.start(seed, seats, setup)
  yield { state, played: null }
  let ply = 0
  for (const played of moves) {
    ply++
    const next = replayMove(game, state, played)
    if (isIllegal(next)) throw new Unplayable(ply, next.reason)
    state = next
    yield { state, played }
  }
}

/** The state after one kept move, or why the rules refuse it. */
export const replayMove = (game: Game, state: unknown, [seat, move, , fault]: Played): unknown => {
  if (fault === undefined) return play(game, state, seat, move)
  return game.drop?.(state, seat) ?? illegal('the game cannot go on without a seat')
}

const play = (game: Game, state: unknown, seat: Seat, move: Json) => {
  const status = game.status(state)
  if (isFinal(status)) return illegal('the game was over before')
  if (!status.toMove.includes(seat) && !status.mayAct?.includes(seat))
    return illegal(`it was not the turn of seat ${seat}`)
  return game.play(state, seat, move)
}
