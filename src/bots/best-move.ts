import { Dice } from '../games/dice.ts'
import type { Game, Json, Seat } from '../games/game.ts'
import { alphaBeta } from './alpha-beta.ts'

export interface Question {
  readonly game: string
  readonly state: unknown
  readonly seat: Seat
  /** How many moves may be tried in thought: a measure that is the same on every machine. */
  readonly nodes: number
  readonly seed: number
}

/** Whether a game can be searched: what happens next must follow from the board and the moves alone. */
export const isSearchable = ({ facts, moves, seats }: Game): boolean =>
  !facts.luck &&
  !facts.secrets &&
  facts.turns === 'alternate' &&
  moves !== undefined &&
  seats.max === 2

export const bestMove = (game: Game, { state, nodes, seed }: Question): Json =>
  alphaBeta(game, state, nodes, Dice.fromSeed(seed))
