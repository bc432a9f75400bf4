import type { Dice } from '../games/dice.ts'
import type { Game, Json, Seat } from '../games/game.ts'

/** A random legal move of a seat that owes one; where the game lists its moves, all are equally likely. */
export const randomMove = (game: Game, state: unknown, seat: Seat, dice: Dice): Json => {
  if (game.moves !== undefined) return dice.pick(game.moves(state, seat))
  if (game.anyMove !== undefined) return game.anyMove(state, seat, dice)
  throw new Error(`${game.id} has neither moves nor anyMove`)
}
