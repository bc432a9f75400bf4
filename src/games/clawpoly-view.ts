// What everybody sees of Clawpoly, and the schema of that and of moves.

import { board, groups, isOwnable, potFee, type Square } from './clawpoly-board.ts'
import { rentOf } from './clawpoly-deeds.ts'
import { plainActions, squareActions } from './clawpoly-moves.ts'
import { type Clawpoly, mostOffers, phases, wealthOf } from './clawpoly-state.ts'
import type { Json, View } from './game.ts'
import {
  about,
  always,
  either,
  flag,
  type GameSchema,
  listOf,
  oneOf,
  orNull,
  record,
  upTo,
  whole,
} from './schema.ts'

export const viewOf = (state: Clawpoly): View => {
  const { turnNumber, turnLimit, phase, order, current, thrown, doubles, bonus } = state
  const { players, debt, dues, trade, offers, decks } = state
  return {
    turnNumber,
    turnLimit,
    phase,
    order,
    current,
    thrown,
    doubles,
    bonus,
    players: players.map((player, seat) => ({ ...player, wealth: wealthOf(state, seat) })),
    squares: board.map(square => squareView(state, square)),
    seen: {
      tide: decks.tide.seen.map(card => card + 1),
      chest: decks.chest.seen.map(card => card + 1),
    },
    debt,
    dues,
    trade: trade && {
      id: trade.id,
      from: trade.from,
      to: trade.to,
      giving: trade.giving,
      requesting: trade.requesting,
    },
    offers,
  }
}

const squareView = (state: Clawpoly, square: Square): Json => {
  const { index, name } = square
  if (!isOwnable(square)) return { name }
  const { owner, level, mortgaged } = state.squares[index]!
  const rent = rentOf(state, index, 1)
  return square.type === 'property'
    ? { name, group: square.group, price: square.price, owner, level, mortgaged, rent }
    : { name, price: square.price, owner, mortgaged, rent }
}

const seat = whole(0, 5)
const index = whole(0, 39)
const money = whole(0)
const die = whole(1, 6)
const owner = orNull(seat)
const bundle = record({ properties: upTo(28, index), money, escapeCards: whole(0, 2) })
const sent = record(
  { properties: upTo(28, index), money: whole(0, 1_000_000), escapeCards: whole(0, 2) },
  ['properties', 'money', 'escapeCards'],
)
const debt = record({
  debtor: seat,
  creditor: about('Null for the bank.', owner),
  amount: whole(1),
  why: oneOf(['rent', 'tax', 'card', 'pot']),
})

const owned = { price: whole(60, 400), owner, mortgaged: flag, rent: money }
const namesOf = (...types: readonly Square['type'][]) =>
  oneOf([...new Set(board.filter(({ type }) => types.includes(type)).map(({ name }) => name))])

export const schema: GameSchema = {
  move: either(
    about(
      `What needs no more words. escape_pay costs $${potFee}; raise lets the bank mortgage and sell for you until your debt is paid.`,
      record({ action: oneOf(plainActions) }),
    ),
    about('On a square of yours.', record({ action: oneOf(squareActions), square: index })),
    about(
      'Offers another player a trade, in your turn before you throw or while you build. What is left out is nothing.',
      record({ action: always('trade_offer'), to: seat, giving: sent, requesting: sent }),
    ),
    about(
      'Answers the trade that is offered to you.',
      record({ action: always('trade_respond'), accept: flag }),
    ),
  ),
  view: {
    turnNumber: about('Turns of single players, counted from 1.', whole(1)),
    turnLimit: about('The match ends after this turn.', whole(1)),
    phase: about(
      'What is asked: to throw, how to leave the pot, whether to buy, to raise money for a debt, to build or end the turn, to answer a trade.',
      oneOf(phases),
    ),
    order: about('The seats in turn order.', { type: 'array', items: seat, maxItems: 6 }),
    current: about('Whose turn it is, even while another owes or answers.', seat),
    thrown: about('The dice as they were last thrown.', orNull(listOf(2, die))),
    doubles: about('Doubles in a row in this turn: the third leads to the pot.', whole(0, 3)),
    bonus: about('The player throws again after this landing.', flag),
    players: about(
      'By seat. Wealth counts money, the price of squares or the mortgage value of mortgaged ones, and half of what buildings cost.',
      upTo(
        6,
        record({
          money,
          position: index,
          inPot: flag,
          potTurns: about('Failed throws for the way out.', whole(0, 2)),
          escapeCards: whole(0, 2),
          bankruptAt: about('The turn of its bankruptcy; null while it plays.', orNull(whole(1))),
          wealth: money,
        }),
      ),
    ),
    squares: about(
      'The board. Rent is what a visitor owes now, for each pip of the dice on a utility; 0 while free or mortgaged.',
      listOf(
        40,
        either(
          record({
            name: namesOf('property'),
            group: oneOf(Object.keys(groups)),
            ...owned,
            level: about('Outposts; 5 is a fortress.', whole(0, 5)),
          }),
          record({ name: namesOf('current', 'utility'), ...owned }),
          record({ name: namesOf('special', 'tax', 'tide_card', 'treasure_chest') }),
        ),
      ),
    ),
    seen: about(
      'The cards that were drawn, in the order in which they lie at the bottom of their decks. Escape cards that are held are left out.',
      record({ tide: upTo(16, whole(1, 16)), chest: upTo(16, whole(1, 16)) }),
    ),
    debt: about('The debt that its debtor is raising money for.', orNull(debt)),
    dues: about('The debts to be settled after it.', upTo(5, debt)),
    trade: about(
      'The open offer: what its player gives and what it wants.',
      orNull(record({ id: whole(1), from: seat, to: seat, giving: bundle, requesting: bundle })),
    ),
    offers: about('Trades offered in this turn.', whole(0, mostOffers)),
  },
}
