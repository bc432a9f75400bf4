import type { Dice } from '../games/dice.ts'
import { type Game, isFinal, isIllegal, type Json, type Seat } from '../games/game.ts'
import { randomMove } from './random-move.ts'
import { worth } from './worth.ts'

/**
 * The move after which this seat fares best when everybody goes on at random: for games without luck and
 * secrets whose moves are made at once or cannot be listed. The better a move does, the more often it is tried.
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
    const { value, moves } = playOut(game, state, seat, trial.move, dice)
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

const samples = 40

/** All moves where they are listed, else some that the game comes up with. */
const candidates = (game: Game, state: unknown, seat: Seat, dice: Dice): readonly Json[] => {
  if (game.moves !== undefined) return game.moves(state, seat)
  const found = new Map<string, Json>()
  for (let i = 0; i < samples; i++) {
    const move = randomMove(game, state, seat, dice)
    found.set(JSON.stringify(move), move)
  }
  return [...found.values()]
}

const playOut = (game: Game, from: unknown, seat: Seat, first: Json, dice: Dice) => {
  let state = played(game, from, seat, first)
  for (let moves = 1; ; moves++) {
    const status = game.status(state)
    if (isFinal(status)) return { value: worth(status, seat), moves }
    const mover = status.toMove[0]!
    state = played(game, state, mover, randomMove(game, state, mover, dice))
  }
}

const played = (game: Game, state: unknown, seat: Seat, move: Json): unknown => {
  const next = game.play(state, seat, move)
  if (isIllegal(next)) throw new Error(`${game.id} refuses its own move: ${next.illegal}`)
  return next
}
