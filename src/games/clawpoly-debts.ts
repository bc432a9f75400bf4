// Debts of Clawpoly: paying, raising money, and going bankrupt.

import { groups, ownableAt } from './clawpoly-board.ts'
import { type DeckName, deckNames, escapeCardOf } from './clawpoly-cards.ts'
import { mortgageable, sellable, soldNext } from './clawpoly-deeds.ts'
import { changePlayer, changeSquare, type Draft, earn, tell } from './clawpoly-draft.ts'
import type { Dues } from './clawpoly-events.ts'
import { type Debt, free, isOut, meansOf, raisedBy, squaresOf } from './clawpoly-state.ts'
import type { Seat } from './game.ts'

/** To be settled after those that are due already. */
export const owe = (
  draft: Draft,
  debtor: Seat,
  creditor: Seat | null,
  amount: number,
  why: Dues,
): void => {
  if (amount > 0) draft.dues = [...draft.dues, { debtor, creditor, amount, why }]
}

/** Settles the debts in order; false once one waits for money to be raised, or the match is over. */
export const settle = (draft: Draft): boolean => {
  for (;;) {
    const debt = draft.debt ?? draft.dues[0]
    if (debt === undefined) return true
    const wasOpen = draft.debt !== null
    if (!wasOpen) draft.dues = draft.dues.slice(1)
    const { debtor, creditor, amount, why } = debt
    if (draft.players[debtor]!.money >= amount) {
      draft.debt = null
      pay(draft, debt)
    } else if (meansOf(draft, debtor) < amount) {
      bankrupt(draft, debtor, creditor)
      if (draft.phase === 'over') return false
    } else {
      draft.debt = debt
      draft.phase = 'debt'
      if (!wasOpen) tell(draft, debtor, { kind: 'debt', to: creditor, amount, why })
      return false
    }
  }
}

const pay = (draft: Draft, { debtor, creditor, amount, why }: Debt): void => {
  earn(draft, debtor, -amount)
  if (creditor !== null) earn(draft, creditor, amount)
  const square = draft.players[debtor]!.position
  if (why === 'rent') tell(draft, debtor, { kind: 'rent_paid', to: creditor!, amount, square })
  else if (why === 'tax') tell(draft, debtor, { kind: 'tax_paid', amount, square })
  else if (why === 'card') tell(draft, debtor, { kind: 'card_paid', to: creditor, amount })
  else tell(draft, debtor, { kind: 'pot_fee_paid', amount })
}

export const mortgage = (draft: Draft, seat: Seat, square: number): void => {
  const amount = ownableAt(square)!.mortgage
  changeSquare(draft, square, { mortgaged: true })
  earn(draft, seat, amount)
  tell(draft, seat, { kind: 'mortgaged', square, amount })
}

export const unmortgage = (draft: Draft, seat: Seat, square: number): void => {
  const amount = ownableAt(square)!.unmortgage
  changeSquare(draft, square, { mortgaged: false })
  earn(draft, seat, -amount)
  tell(draft, seat, { kind: 'unmortgaged', square, amount })
}

export const sellBuilding = (draft: Draft, seat: Seat, square: number): void => {
  const { value } = soldNext(draft, square)
  const level = draft.squares[square]!.level - 1
  changeSquare(draft, square, { level })
  earn(draft, seat, value)
  tell(draft, seat, { kind: 'building_sold', square, amount: value, level })
}

/**
 * Raises what the open debt takes, in place of its debtor: mortgages where no building stands, the cheapest first, and then
 * sells from the highest level down. A colour that has become free of buildings is mortgaged before more are sold.
 */
export const raise = (draft: Draft, { debtor, amount }: Debt): void => {
  while (draft.players[debtor]!.money < amount) {
    const [cheapest] = mortgageable(draft, debtor).toSorted((a, b) => a.value - b.value)
    if (cheapest !== undefined) mortgage(draft, debtor, cheapest.square)
    else sellBuilding(draft, debtor, highest(draft, debtor))
  }
}

const highest = (draft: Draft, seat: Seat): number =>
  sellable(draft, seat)
    .map(({ square }) => square)
    .reduce((most, square) =>
      draft.squares[square]!.level > draft.squares[most]!.level ? square : most,
    )

/**
 * All buildings are sold and all squares mortgaged; then the creditor has everything as it is, or the bank takes it back.
 * What a bankrupt player owes or is owed is void, and so is a trade with it.
 */
export const bankrupt = (draft: Draft, seat: Seat, creditor: Seat | null): void => {
  const { sold, mortgages } = raisedBy(draft, seat)
  const amount = draft.players[seat]!.money + sold + mortgages
  const properties = squaresOf(draft, seat)
  const { escapeCards } = draft.players[seat]!
  for (const square of properties)
    changeSquare(
      draft,
      square,
      creditor === null ? free : { owner: creditor, level: 0, mortgaged: true },
    )
  for (const name of deckNames)
    if (draft.decks[name].holder === seat) {
      if (creditor === null) returnCard(draft, name)
      else giveCard(draft, name, creditor)
    }
  if (creditor !== null) earn(draft, creditor, amount)
  changePlayer(draft, seat, {
    money: 0,
    inPot: false,
    potTurns: 0,
    bankruptAt: draft.turnNumber,
  })
  draft.out = [...draft.out, seat]
  tell(draft, seat, {
    kind: 'bankrupt',
    to: creditor,
    sold,
    mortgages,
    amount,
    properties,
    escapeCards,
  })
  const concerns = (debt: Debt) => debt.debtor === seat || debt.creditor === seat
  if (draft.debt !== null && concerns(draft.debt)) draft.debt = null
  draft.dues = draft.dues.filter(debt => !concerns(debt))
  withdrawTrade(draft, seat)
  if (draft.order.filter(other => !isOut(draft, other)).length === 1) end(draft)
}

const withdrawTrade = (draft: Draft, seat: Seat): void => {
  const { trade } = draft
  if (trade === null || (trade.from !== seat && trade.to !== seat)) return
  const { id, from, to, phase } = trade
  draft.trade = null
  draft.phase = phase
  tell(draft, from, { kind: 'trade_rejected', id, to, why: 'withdrawn' })
}

/** The match is over, and nothing is owed any more. */
export const end = (draft: Draft): void => {
  draft.phase = 'over'
  draft.debt = null
  draft.dues = []
  draft.leavesPot = false
  draft.trade = null
}

/** The escape card of a deck goes to the bottom of it. */
export const returnCard = (draft: Draft, name: DeckName): void => {
  const deck = draft.decks[name]
  if (deck.holder !== null)
    changePlayer(draft, deck.holder, {
      escapeCards: draft.players[deck.holder]!.escapeCards - 1,
    })
  draft.decks = {
    ...draft.decks,
    [name]: { ...deck, seen: [...deck.seen, escapeCardOf[name]], holder: null },
  }
}

/** The escape card of a deck goes to this player. */
export const giveCard = (draft: Draft, name: DeckName, to: Seat): void => {
  const deck = draft.decks[name]
  if (deck.holder !== null)
    changePlayer(draft, deck.holder, {
      escapeCards: draft.players[deck.holder]!.escapeCards - 1,
    })
  changePlayer(draft, to, { escapeCards: draft.players[to]!.escapeCards + 1 })
  draft.decks = { ...draft.decks, [name]: { ...deck, holder: to } }
}

/** Outposts and fortresses of a seat: what repairs cost it. */
export const buildingsOf = (draft: Draft, seat: Seat) => {
  let outposts = 0
  let fortresses = 0
  for (const group of Object.values(groups))
    for (const index of group) {
      const { owner, level } = draft.squares[index]!
      if (owner !== seat) continue
      if (level === 5) fortresses++
      else outposts += level
    }
  return { outposts, fortresses }
}
