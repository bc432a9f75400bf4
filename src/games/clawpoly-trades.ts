// Trades of Clawpoly.

import { ownableAt } from './clawpoly-board.ts'
import { deckNames } from './clawpoly-cards.ts'
import { giveCard } from './clawpoly-debts.ts'
import { isGroupBuilt, nameOf, type Wrong, wrong } from './clawpoly-deeds.ts'
import { changeSquare, type Draft, earn, tell } from './clawpoly-draft.ts'
import type { Bundle } from './clawpoly-events.ts'
import { type Clawpoly, isOut, mostOffers, othersAfter, type Trade } from './clawpoly-state.ts'
import type { Seat } from './game.ts'

/** Whether the player to move may offer a trade at all. */
export const mayOffer = (state: Clawpoly): boolean =>
  (state.phase === 'roll' || state.phase === 'build') &&
  state.offers < mostOffers &&
  othersAfter(state, state.current).length > 0

export const isEmpty = ({ properties, money, escapeCards }: Bundle): boolean =>
  properties.length === 0 && money === 0 && escapeCards === 0

export const whyNotOffer = (
  state: Clawpoly,
  seat: Seat,
  to: Seat,
  giving: Bundle,
  requesting: Bundle,
): Wrong | null => {
  if (state.offers >= mostOffers)
    return wrong('action', `${mostOffers} trades a turn may be offered, and you have offered them`)
  if (to === seat) return wrong('rule', 'a trade is with another player, and "to" is you')
  if (state.players[to] === undefined)
    return wrong('rule', `"to" is a seat from 0 to ${state.players.length - 1}, got ${to}`)
  if (isOut(state, to)) return wrong('rule', `player ${to} is bankrupt`)
  if (isEmpty(giving) && isEmpty(requesting)) return wrong('rule', 'the trade is empty')
  return (
    lacking(state, seat, giving, 'you') ??
    lacking(state, to, requesting, `player ${to}`) ??
    breaking(state, seat, giving, 'you') ??
    breaking(state, to, requesting, `player ${to}`)
  )
}

/** Why a player cannot hand this over: a square, or the money. */
const lacking = (state: Clawpoly, seat: Seat, bundle: Bundle, who: string): Wrong | null => {
  for (const index of bundle.properties)
    if (ownableAt(index) === null || state.squares[index]!.owner !== seat)
      return wrong('square', `${nameOf(index)} does not belong to ${who}`)
  const { money } = state.players[seat]!
  return money < bundle.money
    ? wrong('money', `the trade takes $${bundle.money} of ${who}, with $${money} at hand`)
    : null
}

/** Why the rules do not let it be handed over. */
const breaking = (
  state: Clawpoly,
  seat: Seat,
  { properties, escapeCards }: Bundle,
  who: string,
): Wrong | null => {
  const built = properties.find(index => isGroupBuilt(state, ownableAt(index)!))
  if (built !== undefined)
    return wrong('rule', `${nameOf(built)} is of a colour with buildings: sell those first`)
  const held = state.players[seat]!.escapeCards
  return held < escapeCards
    ? wrong('rule', `the trade takes ${escapeCards} escape cards of ${who}, with ${held} at hand`)
    : null
}

export const offer = (
  draft: Draft,
  from: Seat,
  to: Seat,
  giving: Bundle,
  requesting: Bundle,
): void => {
  const id = draft.trades + 1
  draft.trade = {
    id,
    from,
    to,
    giving,
    requesting,
    phase: draft.phase === 'build' ? 'build' : 'roll',
  }
  draft.trades = id
  draft.offers++
  draft.phase = 'trade'
  tell(draft, from, { kind: 'trade_proposed', id, to, giving, requesting })
}

/** The turn goes on where it was. An accepted trade is void if one side no longer holds what it gives. */
export const respond = (draft: Draft, trade: Trade, accept: boolean): void => {
  const { id, from, to, giving, requesting } = trade
  draft.trade = null
  draft.phase = trade.phase
  const holds = (seat: Seat, bundle: Bundle) =>
    (lacking(draft, seat, bundle, '') ?? breaking(draft, seat, bundle, '')) === null
  if (!accept || !holds(from, giving) || !holds(to, requesting)) {
    tell(draft, from, { kind: 'trade_rejected', id, to, why: accept ? 'stale' : 'refused' })
    return
  }
  const [cardsGiven, cardsTaken] = [held(draft, from), held(draft, to)]
  handOver(draft, from, to, giving, cardsGiven)
  handOver(draft, to, from, requesting, cardsTaken)
  tell(draft, from, { kind: 'trade_accepted', id, to, giving, requesting })
}

const held = (draft: Draft, seat: Seat) =>
  deckNames.filter(name => draft.decks[name].holder === seat)

const handOver = (
  draft: Draft,
  from: Seat,
  to: Seat,
  { properties, money, escapeCards }: Bundle,
  cards: ReturnType<typeof held>,
): void => {
  for (const index of properties) changeSquare(draft, index, { owner: to })
  if (money > 0) {
    earn(draft, from, -money)
    earn(draft, to, money)
  }
  for (const name of cards.slice(0, escapeCards)) giveCard(draft, name, to)
}
