import { Dice } from '../games/dice.ts'
import type { Game, Json, Seat } from '../games/game.ts'
import { alphaBeta } from './alpha-beta.ts'
import { monteCarlo } from './monte-carlo.ts'

export interface Question {
  readonly game: string
  readonly state: unknown
  readonly seat: Seat
  /** How many moves may be tried in thought: a measure that is the same on every machine. */
  readonly nodes: number
  readonly seed: number
}

/**
 * Whether what happens next follows from the board and the moves alone. Where it does not, a search over states
 * would look at cards and dice that no player may see.
 */
export const isForeseeable = ({ facts }: Game): boolean => !facts.luck && !facts.secrets

export const bestMove = (game: Game, { state, seat, nodes, seed }: Question): Json => {
  const dice = Dice.fromSeed(seed)
  return takesTurns(game)
    ? alphaBeta(game, state, nodes, dice)
    : monteCarlo(game, state, seat, nodes, dice)
}

const takesTurns = ({ facts, moves, seats }: Game) =>
  facts.turns === 'alternate' && moves !== undefined && seats.max === 2
