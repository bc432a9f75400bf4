import type { Dice } from '../games/dice.ts'
import { type Game, isFinal, isIllegal, type Json, type Seat } from '../games/game.ts'
import { candidates, mostSamples } from './candidates.ts'
import { randomMove } from './random-move.ts'

/**
 * For games with secrets, where to look ahead from inside the game would be to look into the other's cards. Takes
 * of so many moves what leaves this seat best off at once, as far as it can tell, and where a game has no guess of that, what the
 * game itself plays for a late seat.
 */
export const steadyMove = (
  game: Game,
  state: unknown,
  seat: Seat,
  dice: Dice,
  nodes = mostSamples,
): Json => {
  if (game.guess === undefined)
    return game.fallback?.(state, seat) ?? randomMove(game, state, seat, dice)
  const now = game.guess(state, seat)
  const after = (move: Json): number => {
    const next = game.play(state, seat, move)
    if (isIllegal(next)) return -1
    // How it ended would tell what the other had.
    return isFinal(game.status(next)) ? now : game.guess!(next, seat)
  }
  const rated = candidates(game, state, seat, dice, nodes).map(move => ({
    move,
    value: after(move),
  }))
  return rated.reduce((best, next) => (next.value > best.value ? next : best)).move
}
