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

export interface Replay {
  /** The states from the first to the last: one more than there were moves, unless the rules stopped it. */
  readonly states: readonly unknown[]
  /** Why the rules refuse the next of the moves, or null. */
  readonly wrong: string | null
}

/** Plays a match again from its seed, its setup and its moves. */
export const replay = (
  game: Game,
  seed: Seed,
  setup: Setup | null,
  seats: number,
  moves: readonly Played[],
): Replay => {
  let state = game.start(seed, seats, setup)
  const states = [state]
  for (const move of moves) {
    const next = replayMove(game, state, move)
    if (isIllegal(next)) return { states, wrong: next.reason }
    state = next
    states.push(state)
  }
  return { states, wrong: null }
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
