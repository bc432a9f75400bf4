import { bestMove } from '../src/bots/best-move.ts'
import { type Level, levelsOf } from '../src/bots/levels.ts'
import { randomMove } from '../src/bots/random-move.ts'
import { Dice } from '../src/games/dice.ts'
import {
  type Game,
  isFinal,
  isIllegal,
  isVoting,
  type Json,
  noVotes,
  type Seat,
  stateAfter,
} from '../src/games/game.ts'
import { games } from '../src/games/index.ts'
import { table } from '../src/games/table.ts'
import { gnugo, hasGnugo } from './gnugo.ts'
import { threatSearch } from './threat-search.ts'
import { usualSeats } from './usual-seats.ts'

/** A player of a duel. */
export interface Mind {
  readonly name: string
  decide(turn: Turn): Json | Promise<Json>
  close?(): void
}

interface Turn {
  readonly state: unknown
  readonly seat: Seat
  readonly seed: number
  /** All moves so far, in order. */
  readonly history: readonly Json[]
}

export interface Duel {
  readonly game: string
  readonly player: string
  readonly against: string
  readonly won: number
  readonly drawn: number
  readonly lost: number
  /** Milliseconds of processor time that the player took for a move: on average, and at most. */
  readonly move: number
  readonly slowest: number
}

/** Each level against the level below, the lowest against random moves, and the highest against another program. */
export const benchBots = async (which = games, rounds = 40): Promise<Duel[]> => {
  const duels: Duel[] = []
  for (const game of which) {
    const minds = [randomPlayer(game), ...levelsOf(game).map(level => mindOf(game, level))]
    for (const [i, mind] of minds.entries())
      if (i > 0) duels.push(await duel(game, mind, minds[i - 1]!, rounds))
    const rival = rivalAt(game)
    if (rival !== null) duels.push(await duel(game, minds.at(-1)!, rival, rounds))
    rival?.close?.()
  }
  return duels
}

/** Another program as an opponent, if this machine has one. */
const rivalAt = (game: Game): Mind | null => {
  if (game.id === 'gomoku') return threatSearch(game)
  return game.id === 'go9' && hasGnugo() ? gnugo(game) : null
}

export const printDuels = (duels: readonly Duel[]): string =>
  table([
    ['game', 'player', 'against', 'won', 'drawn', 'lost', 'ms a move', 'at most'],
    ...duels.map(({ game, player, against, won, drawn, lost, move, slowest }) => [
      ...[game, player, against, won, drawn, lost],
      ...[move.toFixed(1), slowest.toFixed(0)],
    ]),
  ])

export const mindOf = (game: Game, { name, nodes }: Level): Mind => ({
  name,
  decide: ({ state, seat, seed }) => bestMove(game, { game: game.id, state, seat, nodes, seed }),
})

export const randomPlayer = (game: Game): Mind => ({
  name: 'random',
  decide: ({ state, seat, seed }) => randomMove(game, state, seat, Dice.fromSeed(seed)),
})

/** Random moves at the start of a match. Without them two players without luck would repeat one match. */
const opening = 2

/**
 * Each opening is played from every seat; in games with more than two seats, the opponent has all other seats.
 */
export const duel = async (
  game: Game,
  player: Mind,
  other: Mind,
  rounds: number,
  first = 0,
): Promise<Duel> => {
  const seats = usualSeats(game)
  const results = { ahead: 0, level: 0, behind: 0 }
  const times: number[] = []
  for (let round = first; round < first + rounds; round++) {
    const own = round % seats
    const minds = Array.from({ length: seats }, (_, seat) => (seat === own ? player : other))
    const places = await playOne(game, minds, round, (seat, time) => {
      if (seat === own) times.push(time)
    })
    results[standing(places, own)]++
  }
  return {
    game: game.id,
    player: player.name,
    against: other.name,
    won: results.ahead,
    drawn: results.level,
    lost: results.behind,
    move: times.reduce((sum, time) => sum + time, 0) / times.length,
    slowest: times.reduce((most, time) => Math.max(most, time), 0),
  }
}

const playOne = async (
  game: Game,
  minds: readonly Mind[],
  round: number,
  took: (seat: Seat, ms: number) => void,
): Promise<readonly number[]> => {
  // The game and each decision have independent seeds.
  const pair = Math.floor(round / minds.length)
  let state = game.start(mixed(pair, 2), minds.length)
  const history: Json[] = []
  if (game.moves !== undefined && game.facts.turns === 'alternate')
    for (const dice = Dice.fromSeed(mixed(pair, 1)); history.length < opening; ) {
      const seat = history.length
      const move = randomMove(game, state, seat, dice)
      state = stateAfter(game, state, seat, move)
      history.push(move)
    }
  for (let turn = 0; ; turn++) {
    const status = game.status(state)
    if (isFinal(status)) return status.places
    // With simultaneous moves, all seats decide before the first moves.
    const before = state
    if (isVoting(status)) state = stateAfter(game, state, 0, noVotes(minds.length))
    for (const seat of status.toMove) {
      const began = process.cpuUsage()
      const seed = mixed(round, 3 + turn * minds.length + seat)
      const move = await minds[seat]!.decide({ state: before, seat, seed, history })
      const { user, system } = process.cpuUsage(began)
      took(seat, (user + system) / 1000)
      const next = stateAfter(game, state, seat, move)
      if (isIllegal(next))
        throw new Error(
          `${game.id}: ${minds[seat]!.name} plays ${JSON.stringify(move)}: ${next.reason}`,
        )
      history.push(move)
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
