import type { Dice } from '../games/dice.ts'
import { type Game, isFinal, isIllegal, type Json, type Seat, stateAfter } from '../games/game.ts'
import { candidates } from './candidates.ts'
import { randomMove } from './random-move.ts'
import { worth } from './worth.ts'

/**
 * The move with the best results in random playouts, including random dice. It works for all games without secrets. Better
 * moves are tried more often (UCB1).
 */
export const monteCarlo = (
  game: Game,
  state: unknown,
  seat: Seat,
  nodes: number,
  dice: Dice,
): Json => {
  const trials = candidates(game, state, seat, dice).map(move => ({ move, games: 0, sum: 0 }))
  for (let left = nodes, games = 1; left > 0 || games <= trials.length; games++) {
    const promise = ({ games: own, sum }: Trial) =>
      own === 0 ? Infinity : sum / own + Math.sqrt((2 * Math.log(games)) / own)
    const trial = trials.reduce((best, next) => (promise(next) > promise(best) ? next : best))
    const { value, moves } = playOut(game, withOtherDice(game, state, dice), seat, trial.move, dice)
    trial.games++
    trial.sum += value
    left -= moves
  }
  return trials.reduce((best, next) => (next.games > best.games ? next : best)).move
}

interface Trial {
  readonly move: Json
  games: number
  sum: number
}

/** After this many moves, when each seat has moved, the game's guess says more than further random moves. */
const horizonOf = ({ seats }: Game) => seats

/** The same position with new dice, so that the search does not see future throws. */
const withOtherDice = (game: Game, state: unknown, dice: Dice): unknown =>
  game.facts.luck ? { ...(state as object), dice: dice.step() } : state

const playOut = (game: Game, from: unknown, seat: Seat, first: Json, dice: Dice) => {
  let state = played(game, from, seat, first)
  for (let moves = 1; ; moves++) {
    const status = game.status(state)
    if (isFinal(status)) return { value: worth(status, seat), moves }
    if (game.guess !== undefined && moves === horizonOf(game))
      return { value: game.guess(state, seat), moves }
    const mover = status.toMove[0]!
    state = played(game, state, mover, randomMove(game, state, mover, dice))
  }
}

const played = (game: Game, state: unknown, seat: Seat, move: Json): unknown => {
  const next = stateAfter(game, state, seat, move)
  if (isIllegal(next)) throw new Error(`${game.id} refuses its own move: ${next.reason}`)
  return next
}
