import type { Dice } from '../games/dice.ts'
import type { Game, Json, Seat } from '../games/game.ts'
import { randomMove } from './random-move.ts'

/** All legal moves where the game lists them; otherwise the different moves among this many random ones. */
export const candidates = (
  game: Game,
  state: unknown,
  seat: Seat,
  dice: Dice,
  samples = maxSamples,
): readonly Json[] => {
  if (game.moves !== undefined) return game.moves(state, seat)
  const found = new Map<string, Json>()
  for (let i = 0; i < samples; i++) {
    const move = randomMove(game, state, seat, dice)
    found.set(JSON.stringify(move), move)
  }
  return [...found.values()]
}

export const maxSamples = 40
