import { bestMove } from '../bots/best-move.ts'
import { randomMove } from '../bots/random-move.ts'
import { Dice } from '../games/dice.ts'
import { type Game, isFinal, isIllegal, type Seat } from '../games/game.ts'
import { games } from '../games/index.ts'
import { table } from '../games/table.ts'

export interface Duel {
  readonly game: string
  readonly won: number
  readonly drawn: number
  readonly lost: number
  /** Milliseconds that the better player took for a move: on average, and at most. */
  readonly move: number
  readonly slowest: number
}

/** The better house player of each game against the random one, seats taking turns. */
export const benchBots = (which = games, rounds = 100, nodes = 1_000): Duel[] =>
  which.map(game => duel(game, rounds, nodes))

export const printDuels = (duels: readonly Duel[]): string =>
  table([
    ['game', 'won', 'drawn', 'lost', 'ms a move', 'at most'],
    ...duels.map(({ game, won, drawn, lost, move, slowest }) => [
      game,
      won,
      drawn,
      lost,
      move.toFixed(1),
      slowest.toFixed(0),
    ]),
  ])

export const duel = (game: Game, rounds: number, nodes: number): Duel => {
  const results = { ahead: 0, level: 0, behind: 0 }
  const times: number[] = []
  for (let round = 0; round < rounds; round++)
    results[playOne(game, round, round % game.seats, nodes, times)]++
  return {
    game: game.id,
    won: results.ahead,
    drawn: results.level,
    lost: results.behind,
    move: times.reduce((sum, time) => sum + time, 0) / times.length,
    slowest: Math.max(...times),
  }
}

const playOne = (game: Game, round: number, own: Seat, nodes: number, times: number[]) => {
  // The game, its random player and the better one each have seeds that say nothing about the others'.
  const chance = Dice.fromSeed(mixed(round, 1))
  let state = game.start(mixed(round, 2), game.seats)
  for (let turn = 0; ; turn++) {
    const status = game.status(state)
    if (isFinal(status)) return standing(status.places, own)
    // All of a round decide before the first of them moves.
    const before = state
    for (const seat of status.toMove) {
      const began = performance.now()
      const move =
        seat === own
          ? bestMove(game, {
              game: game.id,
              state: before,
              seat,
              nodes,
              seed: mixed(round, turn + 3),
            })
          : randomMove(game, before, seat, chance)
      if (seat === own) times.push(performance.now() - began)
      const next = game.play(state, seat, move)
      if (isIllegal(next)) throw new Error(`${game.id}: ${next.reason}`)
      state = next
    }
  }
}

const standing = (places: readonly number[], own: Seat) => {
  const best = Math.min(...places.filter((_, seat) => seat !== own))
  return places[own]! < best ? 'ahead' : places[own] === best ? 'level' : 'behind'
}

const mixed = (a: number, b: number): number => {
  let x = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77)
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d)
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39)
  return (x ^ (x >>> 15)) >>> 0
}
