// Some legal move of Clawpoly by dice, which now and then offers a trade.

import { ownableAt } from './clawpoly-board.ts'
import { isGroupBuilt } from './clawpoly-deeds.ts'
import type { Bundle } from './clawpoly-events.ts'
import { listedMoves, written } from './clawpoly-moves.ts'
import { type Clawpoly, isOut, squaresOf } from './clawpoly-state.ts'
import { isEmpty, mayOffer } from './clawpoly-trades.ts'
import type { Dice } from './dice.ts'
import type { Json, Seat } from './game.ts'

export const anyMoveOf = (state: Clawpoly, seat: Seat, dice: Dice): Json => {
  if (mayOffer(state) && state.current === seat && dice.roll(12) === 0) {
    const trade = anyTrade(state, seat, dice)
    if (trade !== null) return trade
  }
  const listed = listedMoves(state, seat)
  // A turn goes on for as long as squares are mortgaged and lifted again.
  if (dice.roll(3) > 0) {
    const onward = listed.filter(move => isOnward(move))
    if (onward.length > 0) return dice.pick(onward)
  }
  return dice.pick(listed)
}

const isOnward = (move: Json) =>
  ['roll_dice', 'buy', 'build', 'end_turn', 'escape_roll', 'raise'].includes(
    (move as { readonly action: string }).action,
  )

const anyTrade = (state: Clawpoly, seat: Seat, dice: Dice): Json | null => {
  const others = state.order.filter(other => other !== seat && !isOut(state, other))
  const to = dice.pick(others)
  const giving = anyBundle(state, seat, dice)
  const requesting = anyBundle(state, to, dice)
  if (isEmpty(giving) && isEmpty(requesting)) return null
  return written({ action: 'trade_offer', to, giving, requesting })
}

const anyBundle = (state: Clawpoly, seat: Seat, dice: Dice): Bundle => {
  const { money, escapeCards } = state.players[seat]!
  const tradable = squaresOf(state, seat).filter(index => !isGroupBuilt(state, ownableAt(index)!))
  const properties = tradable.filter(() => dice.roll(tradable.length + 1) < 2)
  return {
    properties,
    money: dice.roll(2) === 0 ? 0 : dice.roll(Math.floor(money / 2) + 1),
    escapeCards: dice.roll(escapeCards + 1),
  }
}
