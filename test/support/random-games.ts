// Random games by seed, stored whole, so that many tests can use them.

import { Dice } from '../../src/games/dice.ts'
import {
  type Final,
  type Game,
  isFinal,
  isIllegal,
  isVoting,
  type Json,
  type Seat,
  type Seed,
  type Setup,
  type Status,
  seatRange,
  stateAfter,
} from '../../src/games/game.ts'

export type Turn = {
  /** The state before the move, and that state through JSON. */
  readonly state: unknown
  readonly seat: Seat
  readonly move: Json
}

export type RandomGame = {
  readonly seed: Seed
  readonly setup: Setup | null
  readonly seats: number
  readonly turns: readonly Turn[]
  readonly end: unknown
  readonly final: Final
}

const mostGames = 200
const fewestGames = 2
const mostTurns = 20_000
// In characters of stored states, not in seconds, so that every machine plays the same games.
const budget = 1_000_000

/** As many games as the budget allows. */
export function randomGames(game: Game): RandomGame[] {
  const played: RandomGame[] = []
  let left = budget
  for (let n = 1; n <= fewestGames || (n <= mostGames && left > 0); n++) {
    const one = randomGame(game, n)
    played.push(one)
    left -= one.turns.reduce((size, turn) => size + JSON.stringify(turn.state).length, 0)
  }
  return played
}

/** Opened as a new match is. */
export function randomGame(game: Game, n: number): RandomGame {
  const { min, max } = seatRange(game)
  const seats = min + (n % (max - min + 1))
  const seed = seedOf(game, n)
  const setup = game.setup ?? null
  const start = game.start(seed, seats, setup)
  // Where an optional move may end the match, some matches go on to their end without any.
  const isEager = n % 4 !== 0
  return { seed, setup, seats, ...playOn(game, start, Dice.fromSeed(n), isEager) }
}

/** Of the kind that the game's new matches have. */
export const seedOf = ({ seedBits }: Game, n: number): Seed =>
  seedBits === 128 ? n.toString(16).padStart(32, '0') : n

/** Plays from a position to the end. Between moves the state exists only as text. */
export function playOn(
  game: Game,
  from: unknown,
  dice: Dice,
  isEager = true,
): Pick<RandomGame, 'turns' | 'end' | 'final'> {
  const turns: Turn[] = []
  for (let state = throughJson(from); turns.length < mostTurns; ) {
    const status = game.status(state)
    if (isFinal(status)) return { turns, end: state, final: status }
    const { seat, move } = chooseMove(game, state, status, dice, isEager)
    turns.push({ state, seat, move })
    const next = stateAfter(game, state, seat, move)
    if (isIllegal(next))
      throw new Error(`${game.id} offers ${JSON.stringify(move)} and refuses it: ${next.reason}`)
    state = throughJson(next)
  }
  throw new Error(`${game.id} has not ended after ${mostTurns} moves`)
}

export const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function chooseMove(
  game: Game,
  state: unknown,
  status: Exclude<Status, Final>,
  dice: Dice,
  isEager: boolean,
): { seat: Seat; move: Json } {
  if (isVoting(status)) return { seat: 0, move: { votes: [dice.roll(4), dice.roll(4)] } }
  const offers = (seat: Seat) => game.moves?.(state, seat) ?? []
  // Optional moves are made only sometimes, because otherwise a turn would never end.
  const eager = (status.mayAct ?? []).filter(seat => !game.moves || offers(seat).length > 0)
  const acts = isEager && eager.length > 0 && dice.roll(4) === 0
  const seat = dice.pick(acts ? eager : status.toMove)
  if (game.moves) return { seat, move: dice.pick(offers(seat)) }
  if (!game.anyMove) throw new Error(`${game.id} needs moves or anyMove`)
  return { seat, move: game.anyMove(state, seat, dice) }
}
