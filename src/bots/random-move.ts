import type { Dice } from '../games/dice.ts'
import type { Game, Json, Seat } from '../games/game.ts'

/** Any move of a seat that owes one: each as likely as the next where the game lists them. */
export const randomMove = (game: Game, state: unknown, seat: Seat, dice: Dice): Json => {
  if (game.moves !== undefined) return dice.pick(game.moves(state, seat))
  if (game.anyMove !== undefined) return game.anyMove(state, seat, dice)
  throw new Error(`${game.id} has neither moves nor anyMove`)
}
