import type { Dice } from '../games/dice.ts'
import { type Game, isFinal, isIllegal, type Json, type Seat, stateAfter } from '../games/game.ts'
import { candidates, maxSamples } from './candidates.ts'
import { randomMove } from './random-move.ts'

/**
 * The move for games with secrets, where a search would see the cards of the other seats. Compares this many moves by
 * the game's guess right after the move, and takes the best. In a game without a guess it makes the fallback move, if
 * there is one.
 */
export const steadyMove = (
  game: Game,
  state: unknown,
  seat: Seat,
  dice: Dice,
  nodes = maxSamples,
): Json => {
  if (game.guess === undefined)
    return game.fallback?.(state, seat) ?? randomMove(game, state, seat, dice)
  const now = game.guess(state, seat)
  const after = (move: Json): number => {
    const next = stateAfter(game, state, seat, move)
    if (isIllegal(next)) return -1
    // The way in which the game ends would tell what the other seat holds.
    return isFinal(game.status(next)) ? now : game.guess!(next, seat)
  }
  const rated = candidates(game, state, seat, dice, nodes).map(move => ({
    move,
    value: after(move),
  }))
  return rated.reduce((best, next) => (next.value > best.value ? next : best)).move
}
