// Trades of a house player of Clawpoly: which it offers, and which it accepts.

import type { Bundle } from '../../games/clawpoly-events.ts'
import { written } from '../../games/clawpoly-moves.ts'
import type { Clawpoly, Trade } from '../../games/clawpoly-state.ts'
import type { Json, Seat } from '../../games/game.ts'
import {
  activeSeats,
  allLots,
  deedAt,
  type Lots,
  lotsAt,
  type Owners,
  ownersOf,
  visitsTo,
  worthOf,
} from './clawpoly-worth.ts'

/** What a bundle costs by the prices on the board. */
export const faceValue = (state: Clawpoly, bundle: Bundle): number =>
  bundle.money + bundle.escapeCards * cardValue + faceOf(state, bundle.properties)

/** The fee that an escape card saves. */
const cardValue = 50

const faceOf = ({ squares }: Clawpoly, properties: readonly number[]): number =>
  properties.reduce((sum, square) => {
    const { price, mortgage } = deedAt(square)
    return sum + (squares[square]!.mortgaged ? mortgage : price)
  }, 0)

/** Whether a trade brings this side of it a lead on the others. */
export const isGood = (state: Clawpoly, trade: Trade, seat: Seat): boolean => {
  const { from, to, giving, requesting } = trade
  const paid =
    giving.money - requesting.money + cardValue * (giving.escapeCards - requesting.escapeCards)
  const exchange = { given: giving.properties, taken: requesting.properties }
  const [giver, taker] = gainsOf(state, [from, to], exchange, paid)
  return (seat === from ? leadOf(state, giver, taker) : leadOf(state, taker, giver)) >= leastLead
}

/** A trade that brings less is not worth the trouble. */
const leastLead = 25

/** The squares that the first side of a trade hands over, and those that it gets. */
interface Exchange {
  readonly given: readonly number[]
  readonly taken: readonly number[]
}

/** What both sides gain by an exchange for which the first pays so much. */
const gainsOf = (
  state: Clawpoly,
  sides: readonly [Seat, Seat],
  { given, taken }: Exchange,
  paid: number,
): readonly [number, number] => {
  const before = ownersOf(state)
  const after = [...before]
  for (const square of given) after[square] = sides[1]
  for (const square of taken) after[square] = sides[0]
  const visits = visitsTo(state)
  const touched = new Set([...given, ...taken].map(square => lotsAt.get(square)!))
  const gainOf = (seat: Seat, earned: number) => {
    const { money } = state.players[seat]!
    const worth = (owners: Owners, left: number) => {
      let sum = 0
      for (const lots of touched) sum += worthOf(state, lots, owners, seat, visits, left)
      return sum
    }
    return earned + worth(after, money + earned) - worth(before, money)
  }
  return [gainOf(sides[0], -paid), gainOf(sides[1], paid)]
}

/** How far a gain brings a player ahead of the others on average, of whom one has a gain, too. */
const leadOf = (state: Clawpoly, own: number, other: number): number =>
  own - other / (activeSeats(state).length - 1)

/** The best offer that completes a group; null if none is worth it. The second one of a turn offers more. */
export const offerOf = (state: Clawpoly, seat: Seat): Json | null => {
  let best: Priced | null = null
  for (const lots of allLots) {
    const wish = wishOf(state, lots, seat)
    if (wish === null) continue
    for (const given of [[], ...returnsFor(state, seat, wish.owner, lots)]) {
      const priced = pricedOffer(state, seat, wish.owner, { given, taken: wish.squares })
      if (priced !== null && priced.lead > (best?.lead ?? leastLead)) best = priced
    }
  }
  return best === null ? null : best.offer
}

interface Priced {
  readonly offer: Json
  readonly lead: number
}

/** What is missing of a group that a player has a part of, if one other player has all of it. */
const wishOf = ({ squares: all }: Clawpoly, { squares, property }: Lots, seat: Seat) => {
  const missing = squares.filter(square => all[square]!.owner !== seat)
  const [first] = missing
  if (first === undefined || missing.length === squares.length) return null
  const { owner } = all[first]!
  if (owner === null) return null
  // Of currents and utilities each one counts.
  if (property === null) return { owner, squares: [first] }
  return missing.every(square => all[square]!.owner === owner) ? { owner, squares: missing } : null
}

/** Single squares to give in return: those that add to what the other has, and those that stand alone. */
const returnsFor = (
  { squares: all }: Clawpoly,
  seat: Seat,
  other: Seat,
  wanted: Lots,
): readonly (readonly [number])[] =>
  allLots.flatMap(lots => {
    const own = lots.squares.filter(square => all[square]!.owner === seat)
    const [first] = own
    if (
      first === undefined ||
      lots === wanted ||
      lots.squares.some(square => all[square]!.level > 0)
    )
      return []
    const adds = lots.squares.some(square => all[square]!.owner === other)
    return adds || own.length === 1 ? [[first] as const] : []
  })

/** An exchange at a price that should be accepted; null if there is none that brings a lead. */
const pricedOffer = (state: Clawpoly, seat: Seat, to: Seat, exchange: Exchange): Priced | null => {
  const { given, taken } = exchange
  const bundle = (properties: readonly number[], money: number): Bundle => ({
    ...{ properties, money: Math.max(0, money), escapeCards: 0 },
  })
  for (const price of pricesOf(state, seat, to, exchange)) {
    const paid = Math.max(Math.ceil(price / 10) * 10, -state.players[to]!.money)
    if (paid > 0 && state.players[seat]!.money - paid < moneyKept) continue
    const lead = leadOf(state, ...gainsOf(state, [seat, to], exchange, paid))
    if (lead < leastLead) continue
    const [giving, requesting] = [bundle(given, paid), bundle(taken, -paid)]
    return { offer: written({ action: 'trade_offer', to, giving, requesting }), lead }
  }
  return null
}

/** What may be paid for an exchange, in the order in which it is tried. */
const pricesOf = (state: Clawpoly, seat: Seat, to: Seat, exchange: Exchange): readonly number[] => {
  const [own, other] = gainsOf(state, [seat, to], exchange, 0)
  // Somewhat more than what the prices on the board say, and no loss for the other side.
  const difference = faceOf(state, exchange.taken) - faceOf(state, exchange.given)
  const plain = Math.max(difference + Math.abs(difference) / 10 + 10, leastLead - other)
  if (state.offers === 0) return [plain]
  // A lead for the other side, too, as far as two can lead the rest; or half of it.
  const rivals = activeSeats(state).length - 1
  const fair = Math.max(plain, (leastLead + own / rivals - other) / (1 + 1 / rivals))
  return [fair, (plain + fair) / 2]
}

/** What a player has left after it has paid for a trade. */
const moneyKept = 100
