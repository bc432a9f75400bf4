import type { Match } from '../src/arena/live-match.ts'
import { open, step } from '../src/arena/referee.ts'
import type { Terms } from '../src/arena/terms.ts'
import { type Game, isFinal, listedMovesOf, listsMoves } from '../src/games/game.ts'
import { games } from '../src/games/index.ts'
import { table } from '../src/games/table.ts'
import { playOut } from './seed.ts'
import { usualSeats } from './usual-seats.ts'

/** What a game costs the host. */
export interface GameCost {
  readonly game: string
  /** How many play it here: all, but at most four. */
  readonly seats: number
  /** Random games a second, by the rules alone. */
  readonly playouts: number
  /** Milliseconds of one of them. */
  readonly playout: number
  /** Microseconds of one move through the referee, with the observations after it: on average, and at most. */
  readonly step: number
  readonly slowest: number
  /** Bytes of the largest observation. */
  readonly observation: number
}

export const benchGames = (which: readonly Game[] = games): GameCost[] =>
  which.map(game => {
    const seats = usualSeats(game)
    const playouts = playoutsASecond(game, seats)
    return { game: game.id, seats, playouts, playout: 1000 / playouts, ...stepCosts(game, seats) }
  })

export const printGameCosts = (costs: readonly GameCost[]): string =>
  table([
    ['game', 'seats', 'playouts/s', 'ms a playout', 'µs a step', 'at most', 'largest observation'],
    ...costs.map(({ game, seats, playouts, playout, step, slowest, observation }) => [
      ...[game, seats],
      playouts.toFixed(playouts < 100 ? 1 : 0),
      playout.toPrecision(3),
      step.toFixed(1),
      slowest.toFixed(0),
      `${observation} B`,
    ]),
  ])

const measured = 500

/** By processor time, because other work disturbs. */
const playoutsASecond = (game: Game, seats: number): number => {
  playOut(game, 0, seats)
  const began = process.cpuUsage()
  const taken = () => {
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1000
  }
  let rounds = 0
  while (taken() < measured) playOut(game, ++rounds, seats)
  return (1000 * rounds) / taken()
}

const rounds = 3
const repeats = 5

/** Each game is played several times, and the best time of each move counts, because other work disturbs the rest. */
const stepCosts = (game: Game, seats: number) => {
  let [sum, count, slowest, observation] = [0, 0, 0, 0]
  for (let seed = 1; seed <= rounds; seed++) {
    const { moves } = playOut(game, seed, seats)
    const best = moves.map(() => Number.POSITIVE_INFINITY)
    for (let i = 0; i < repeats; i++) {
      let [match] = open(game, seed, Array(seats).fill(terms), 0)
      for (const [at, { seat, move }] of moves.entries()) {
        const began = performance.now()
        match = step(match, { kind: 'move', seat, move, at: 0 })[0]
        const shown = observationsOf(match)
        best[at] = Math.min(best[at]!, 1000 * (performance.now() - began))
        for (const view of shown)
          observation = Math.max(observation, Buffer.byteLength(JSON.stringify(view)))
      }
    }
    for (const time of best) {
      sum += time
      count++
      slowest = Math.max(slowest, time)
    }
  }
  return { step: sum / count, slowest, observation }
}

const terms: Terms = {
  move: 1000,
  illegal: 'forfeit',
  late: 'forfeit',
  away: 'forfeit',
}

/** What a table shows its seats (arena/table.ts): one observation for all where there are no secrets. */
const observationsOf = ({ game, state, status, seatStates }: Match): unknown[] =>
  (game.facts.secrets ? seatStates.map((_, seat) => seat) : [0]).map(viewer => {
    const toMove = isFinal(status) ? [] : status.toMove
    const mover = toMove.includes(viewer) ? viewer : toMove[0]
    return {
      ...game.view(state, viewer),
      toMove: game.facts.turns === 'alternate' ? (toMove[0] ?? -1) : toMove,
      ...(listsMoves(game) && {
        legal: mover === undefined ? [] : listedMovesOf(game, state, mover),
      }),
    }
  })
