import { Dice } from '../games/dice.ts'
import type { Game, Json, Seat } from '../games/game.ts'
import { alphaBeta } from './alpha-beta.ts'
import { monteCarlo } from './monte-carlo.ts'
import { expertAt } from './players/index.ts'
import { steadyMove } from './steady-move.ts'

export interface Question {
  readonly game: string
  readonly state: unknown
  readonly seat: Seat
  /** How many moves the search may try: a measure that is the same on every machine. */
  readonly nodes: number
  readonly seed: number
}

/** A search sees the whole state, so it must not be used in games with secrets. */
const isSearchable = ({ facts }: Game): boolean => !facts.secrets

export const bestMove = (game: Game, { state, seat, nodes, seed }: Question): Json => {
  const dice = Dice.fromSeed(seed)
  const expert = expertAt(game)
  if (expert !== undefined) return expert(game, state, seat, nodes, dice)
  if (!isSearchable(game)) return steadyMove(game, state, seat, dice, nodes)
  return takesTurns(game)
    ? alphaBeta(game, state, nodes, dice)
    : monteCarlo(game, state, seat, nodes, dice)
}

const takesTurns = ({ facts, moves, seats }: Game) =>
  facts.turns === 'alternate' && !facts.luck && moves !== undefined && seats === 2
