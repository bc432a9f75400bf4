import { board, ownables, propertyAt } from '../../games/clawpoly-board.ts'
import { buildable, mortgageable, sellable, unmortgageable } from '../../games/clawpoly-deeds.ts'
import type { Clawpoly } from '../../games/clawpoly-state.ts'
import type { Game, Json, Seat } from '../../games/game.ts'
import { faceValue, isGood, offerOf } from './clawpoly-trades.ts'
import {
  activeSeats,
  dangersFor,
  isWhole,
  lotsAt,
  rentDue,
  usualRent,
  visitsPerTurn,
  visitsTo,
} from './clawpoly-worth.ts'

/** By rules of thumb, without a search: with one node the plain player, with more the one that trades. */
export const clawpolyMove = (_game: Game, state: unknown, seat: Seat, nodes: number): Json =>
  nodes === 1 ? plainMove(state as Clawpoly, seat) : tradersMove(state as Clawpoly, seat)

/** Buys and builds what leaves it a reserve, takes trades at their face value, and lets the bank raise what it owes. */
const plainMove = (state: Clawpoly, seat: Seat): Json => {
  const { money, position, escapeCards } = state.players[seat]!
  switch (state.phase) {
    case 'pot':
      if (escapeCards > 0) return { action: 'escape_card' }
      return { action: money >= plainReserve ? 'escape_pay' : 'escape_roll' }
    case 'buy':
      return { action: money - priceOf(position) >= plainReserve ? 'buy' : 'pass' }
    case 'debt':
      return { action: 'raise' }
    case 'trade': {
      const { giving, requesting } = state.trade!
      return answer(faceValue(state, giving) >= faceValue(state, requesting))
    }
    case 'build': {
      const lifted = unmortgageable(state, seat).find(
        ({ cost }) => money - cost >= 2 * plainReserve,
      )
      if (lifted !== undefined) return { action: 'unmortgage', square: lifted.square }
      const built = buildable(state).find(({ cost }) => money - cost >= plainReserve)
      return built === undefined ? endTurn : { action: 'build', square: built.square }
    }
    default:
      return { action: 'roll_dice' }
  }
}

const plainReserve = 200

const priceOf = (position: number): number => {
  const square = board[position]!
  return 'price' in square ? square.price : 0
}

const answer = (accept: boolean): Json => ({ action: 'trade_respond', accept })

const endTurn: Json = { action: 'end_turn' }

/** Counts the rent that is to be expected until the end, for and against it. */
const tradersMove = (state: Clawpoly, seat: Seat): Json => {
  const { money, position, escapeCards } = state.players[seat]!
  switch (state.phase) {
    case 'pot':
      if (isSafer(state, seat)) return { action: 'escape_roll' }
      if (escapeCards > 0) return { action: 'escape_card' }
      return { action: money >= 50 ? 'escape_pay' : 'escape_roll' }
    case 'buy':
      return { action: isBought(state, seat, position) ? 'buy' : 'pass' }
    case 'debt':
      return raised(state, seat)
    case 'trade':
      return answer(isGood(state, state.trade!, seat))
    case 'build':
      return (
        (isTimeToTrade(state) ? offerOf(state, seat) : null) ??
        lifted(state, seat) ??
        built(state, seat) ??
        endTurn
      )
    default:
      return { action: 'roll_dice' }
  }
}

/** Whether it stays in the pot: the rents outside are higher than what is left to buy is worth. */
const isSafer = (state: Clawpoly, seat: Seat): boolean => {
  let [rents, free] = [0, 0]
  for (const { index } of ownables)
    if (state.squares[index]!.owner === null) free++
    else rents += rentDue(state, seat, index)
  return visitsPerTurn * rents > lapsPay + visitsPerTurn * free * freeIsWorth
}

/** What Set Sail pays a turn, on average. */
const lapsPay = 35
const freeIsWorth = 150

/** What the next throw may cost it, so far as it should have the money at hand. */
const reserveFor = (state: Clawpoly, seat: Seat): number => {
  const { mean, most } = dangersFor(state, seat)
  return Math.max(leastReserve, Math.min(mean + most / 3, mostReserve))
}

const leastReserve = 60
const mostReserve = 400

/** A square counts at its price in the end, and half of that can be borrowed on it: little speaks against it. */
const isBought = (state: Clawpoly, seat: Seat, square: number): boolean => {
  const { money } = state.players[seat]!
  const left = money - priceOf(square)
  const others = lotsAt.get(square)!.squares.filter(other => other !== square)
  const owners = new Set(others.map(other => state.squares[other]!.owner))
  // It completes a group, or keeps another from completing it.
  const isLast = owners.size === 1 && !owners.has(null)
  return isLast || left >= Math.min(reserveFor(state, seat), 150)
}

/** Twice in a turn, and not in every one: each offer takes the time of another player. */
const isTimeToTrade = (state: Clawpoly): boolean =>
  state.offers < 2 && Math.floor(state.turnNumber / activeSeats(state).length) % 3 === 2

/** Lifts the mortgage that brings most for what it costs. */
const lifted = (state: Clawpoly, seat: Seat): Json | null => {
  const { money } = state.players[seat]!
  const reserve = reserveFor(state, seat)
  const visits = visitsTo(state)
  const found = best(
    unmortgageable(state, seat).filter(({ cost }) => money - cost >= reserve),
    ({ square, cost }) => {
      const gain = visits * usualRent(state, square) - cost / 11
      return (isWhole(state, square) ? 3 : 1) * (gain / cost)
    },
  )
  return found === null ? null : { action: 'unmortgage', square: found.square }
}

/** Builds where the rent until the end is most for what is lost of the cost: the third outpost brings most, the fortress little. */
const built = (state: Clawpoly, seat: Seat): Json | null => {
  const { money } = state.players[seat]!
  const reserve = reserveFor(state, seat)
  const visits = visitsTo(state)
  const found = best(
    buildable(state).filter(({ cost }) => money - cost >= reserve),
    ({ square, cost }) => (visits * steepness(state, square) - cost / 2) / cost,
  )
  return found === null ? null : { action: 'build', square: found.square }
}

/** How much more rent a building brings, on average up to the third outpost. */
const steepness = ({ squares }: Clawpoly, square: number): number => {
  const { rent } = propertyAt(square)!
  const { level } = squares[square]!
  const to = Math.max(3, level + 1)
  return (rent[to]! - (level === 0 ? 2 * rent[0] : rent[level]!)) / (to - level)
}

/** Gives up first what brings least rent for the money. */
const raised = (state: Clawpoly, seat: Seat): Json => {
  const found = best(
    [
      ...mortgageable(state, seat).map(({ square, value }) => ({
        ...{ action: 'mortgage', square, value },
        rent: usualRent(state, square),
      })),
      ...sellable(state, seat).map(({ square, value }) => ({
        ...{ action: 'sell_building', square, value },
        rent: lostBySelling(state, square),
      })),
    ],
    ({ rent, value }) => -rent / value,
    Number.NEGATIVE_INFINITY,
  )
  return found === null ? { action: 'raise' } : { action: found.action, square: found.square }
}

const lostBySelling = ({ squares }: Clawpoly, square: number): number => {
  const { rent } = propertyAt(square)!
  const { level } = squares[square]!
  return rent[level]! - (level === 1 ? 2 * rent[0] : rent[level - 1]!)
}

/** What is rated highest, if that is above `least`; the first of those that are alike. */
const best = <T>(list: readonly T[], rate: (one: T) => number, least = 0): T | null => {
  let [found, most]: [T | null, number] = [null, least]
  for (const one of list) {
    const rated = rate(one)
    if (rated > most) [found, most] = [one, rated]
  }
  return found
}
