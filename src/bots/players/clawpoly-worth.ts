// What the squares of clawpoly are worth to a house player: what they count for at the end, and the rent until then.

import {
  boardSize,
  currents,
  groups,
  type Ownable,
  ownableAt,
  type Property,
  tolls,
  utilities,
  utilityFactors,
} from '../../games/clawpoly-board.ts'
import { rentOf } from '../../games/clawpoly-deeds.ts'
import { type Clawpoly, isOut } from '../../games/clawpoly-state.ts'
import type { Seat } from '../../games/game.ts'

/** The owner of each square by its index, as it is or as it would be after a trade. */
export type Owners = readonly (Seat | null)[]

export const ownersOf = ({ squares }: Clawpoly): Owners => squares.map(({ owner }) => owner)

/** Squares that are worth more together. */
export interface Lots {
  readonly squares: readonly number[]
  /** Of properties: all are alike in what their buildings cost. */
  readonly property: Property | null
}

const lotsOf = (squares: readonly number[]): Lots => {
  const first = ownableAt(squares[0]!)
  return { squares, property: first?.type === 'property' ? first : null }
}

export const allLots: readonly Lots[] = [...Object.values(groups), currents, utilities].map(lotsOf)

/** Those that a square belongs to, by its index. */
export const lotsAt: ReadonlyMap<number, Lots> = new Map(
  allLots.flatMap(lots => lots.squares.map(square => [square, lots] as const)),
)

export const deedAt = (square: number): Ownable => ownableAt(square)!

export const activeSeats = (state: Clawpoly): readonly Seat[] =>
  state.order.filter(seat => !isOut(state, seat))

/** How often another player will end on one square of this seat, on average. */
export const visitsTo = (state: Clawpoly): number => {
  const active = activeSeats(state).length
  const rounds = (state.turnLimit - state.turnNumber) / active
  return visitsPerTurn * (active - 1) * Math.min(rounds, farthestRounds)
}

/** 40 squares, with somewhat more than one landing a turn. */
export const visitsPerTurn = 0.028
/** What comes later counts for nothing: by then much has changed. */
const farthestRounds = 40

/** What a visitor pays on average for one of the squares, of which the owner has so many. */
const rentOn = (square: number, held: number, level: number): number => {
  const deed = deedAt(square)
  if (deed.type === 'current') return tolls[held - 1]!
  if (deed.type === 'utility') return usualThrow * utilityFactors[held - 1]!
  const isDoubled = level === 0 && held === lotsAt.get(square)!.squares.length
  return isDoubled ? 2 * deed.rent[0] : deed.rent[level]!
}

const usualThrow = 7

/** The same of the owner that a square has, mortgaged or not. */
export const usualRent = ({ squares }: Clawpoly, square: number): number => {
  const { owner, level } = squares[square]!
  const held = lotsAt.get(square)!.squares.filter(other => squares[other]!.owner === owner)
  return rentOn(square, held.length, level)
}

/** Whether one seat has all of the group of its square. */
export const isWhole = ({ squares }: Clawpoly, square: number): boolean =>
  lotsAt.get(square)!.squares.every(other => squares[other]!.owner === squares[square]!.owner)

/**
 * What the squares of one group bring this seat: what they count for in the standings, the rent until the end, and what can be built on
 * them with so much money.
 */
export const worthOf = (
  state: Clawpoly,
  lots: Lots,
  owners: Owners,
  seat: Seat,
  visits: number,
  money: number,
): number => {
  const held = lots.squares.filter(square => owners[square] === seat)
  if (held.length === 0) return 0
  const missing = lots.squares.length - held.length
  let [counts, rent, lifting] = [0, 0, 0]
  for (const square of held) {
    const deed = deedAt(square)
    const { mortgaged, level } = state.squares[square]!
    counts += mortgaged ? deed.price - deed.unmortgage : deed.price
    if (mortgaged) lifting += deed.unmortgage
    else rent += rentOn(square, held.length, level)
  }
  const { property } = lots
  if (property === null) return counts + visits * rent
  if (missing > 0)
    return counts + visits * rent + hopes[missing]! * built(state, lots, visits, usual)
  return counts + built(state, lots, visits, Math.max(0, money - lifting))
}

/** The part of a whole group's worth that is in all but one of its squares, and all but two. */
const hopes = [1, 0.12, 0.03]
/** What a player usually has for buildings, soon. */
const usual = 600

/** The rent of a whole group until the end, with the buildings that this money pays for, less the half of their cost that is lost. */
const built = (
  state: Clawpoly,
  { squares, property }: Lots,
  visits: number,
  money: number,
): number => {
  const rentAt = (level: number) =>
    squares.reduce((sum, square) => {
      const { level: now } = state.squares[square]!
      return sum + rentOn(square, squares.length, Math.max(level, now))
    }, 0)
  let [best, spent] = [visits * rentAt(0), 0]
  for (let level = 1; level <= 4; level++) {
    spent +=
      property!.outpost * squares.filter(square => state.squares[square]!.level < level).length
    if (spent > money + soon) break
    best = Math.max(best, visits * rentAt(level) - spent / 2)
  }
  return best
}

/** Money that comes in during the next rounds. */
const soon = 300

/** The rents that a player on this square may owe with its next throw: their mean, and the highest. */
export const dangersFor = (
  state: Clawpoly,
  seat: Seat,
): { readonly mean: number; readonly most: number } => {
  const { position } = state.players[seat]!
  let [mean, most] = [0, 0]
  for (let thrown = 2; thrown <= 12; thrown++) {
    const rent = rentDue(state, seat, (position + thrown) % boardSize, thrown)
    mean += (rent * (6 - Math.abs(thrown - 7))) / 36
    most = Math.max(most, rent)
  }
  return { mean, most }
}

/** What this seat would pay there. */
export const rentDue = (
  state: Clawpoly,
  seat: Seat,
  square: number,
  thrown = usualThrow,
): number => (state.squares[square]!.owner === seat ? 0 : rentOf(state, square, thrown))
