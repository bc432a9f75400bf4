import { Dice } from '../games/dice.ts'
import {
  eventsOf,
  eventsSeen,
  type Game,
  isFinal,
  isIllegal,
  type Json,
  listedMovesOf,
  type Seat,
  stateOf,
} from '../games/game.ts'
import type { Played } from './match-store.ts'
import { afterMove, replay } from './replay.ts'
import type { Deal } from './table.ts'

/**
 * The seat whose move caused an internal error. The last of the moves is the one at which it happened, as it was received.
 * A seat is the culprit if the match replays without an exception once another move stands in place of its last one:
 * in a round of sealed moves that need not be the seat that moved last. Null if the exception does not happen again,
 * or happens with every move.
 */
export const culprit = (deal: Deal, moves: readonly Played[]): Seat | null => {
  try {
    return found(deal, moves)
  } catch {
    // The error that led here has been logged.
    return null
  }
}

const found = ({ game, seed, setup, players }: Deal, moves: readonly Played[]): Seat | null => {
  const seats = players.length
  const last = moves.length - 1
  const steps = replay({ game, seed, setup, seats, moves: moves.slice(0, last) })
  const states = Array.from(steps, ({ state }) => state)
  if (!fails(game, states[last], moves.slice(last), seats)) return null
  for (const seat of new Set(moves.toReversed().map(([seat]) => seat))) {
    const at = moves.findLastIndex(([mover, , , fault]) => mover === seat && fault === undefined)
    if (at < 0) continue
    const others = otherMoves(game, states[at], seat, moves[at]![1])
    const rest = moves.slice(at + 1)
    if (others.some(move => !fails(game, states[at], [[seat, move, 0], ...rest], seats)))
      return seat
    // The seat had no other move, so no other seat is blamed.
    if (at === last && others.length === 0) return null
  }
  return null
}

const fails = (game: Game, from: unknown, moves: readonly Played[], seats: number): boolean => {
  try {
    let state = from
    for (const [at, move] of moves.entries()) {
      const made = at === moves.length - 1 ? asRead(game, state, move) : move
      const next = afterMove(game, state, made)
      if (isIllegal(next)) return false
      game.label?.(state, made[1])
      state = stateOf(next)
      showAll(game, state, seats)
      for (const viewer of viewersOf(seats))
        JSON.stringify(eventsSeen(game, eventsOf(next), viewer))
    }
    return false
  } catch {
    return true
  }
}

const asRead = (game: Game, state: unknown, [seat, move, ms]: Played): Played => {
  const read = game.read?.(state, seat, move) ?? move
  JSON.stringify(read)
  return [seat, read, ms]
}

/** A few other moves that the game offers in this position. */
const otherMoves = (game: Game, state: unknown, seat: Seat, sent: Json): Json[] => {
  const known = JSON.stringify(sent)
  const listed = listedMovesOf(game, state, seat)?.slice(0, 4) ?? []
  const made = [1, 2, 3, 4].map(seed => game.anyMove?.(state, seat, Dice.fromSeed(seed)))
  return [game.fallback?.(state, seat), ...listed, ...made].filter(
    (move): move is Json => move !== undefined && JSON.stringify(move) !== known,
  )
}

const showAll = (game: Game, state: unknown, seats: number): void => {
  const status = game.status(state)
  const toMove = isFinal(status) ? [] : status.toMove
  for (const seat of toMove) listedMovesOf(game, state, seat)
  for (const viewer of viewersOf(seats)) {
    JSON.stringify(game.view(state, viewer))
    JSON.stringify(game.look(state, viewer))
  }
}

const viewersOf = (seats: number) => ['audience', ...Array(seats).keys()] as const
