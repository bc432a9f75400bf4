// What a match of Clawpoly is at any time, and what can be told from it.

import { board, halfCost, ownables, type Property } from './clawpoly-board.ts'
import { cards, type DeckName } from './clawpoly-cards.ts'
import type { Bundle, ClawpolyEvent, Dues } from './clawpoly-events.ts'
import { Dice, type DiceState } from './dice.ts'
import type { Final, Seat, Seed, Setup, Status } from './game.ts'
import { isWhole } from './json.ts'

export const phases = ['roll', 'pot', 'buy', 'debt', 'build', 'trade', 'over'] as const
export type Phase = (typeof phases)[number]

export type Player = {
  readonly money: number
  readonly position: number
  readonly inPot: boolean
  /** Failed throws for the way out of the pot: 0, 1 or 2. */
  readonly potTurns: number
  readonly escapeCards: number
  /** The turn in which the player went bankrupt; null while it plays. */
  readonly bankruptAt: number | null
}

export type Holding = {
  readonly owner: Seat | null
  /** Outposts, or 5 for a fortress. */
  readonly level: number
  readonly mortgaged: boolean
}

/**
 * A deck as indices into `cards`. While there are any, a draw takes one of `unseen` by the dice, which is as likely as any order
 * of a shuffled deck; after that the first of `seen`. So nothing in the state tells what comes. An escape card that is held is in neither.
 */
type Deck = {
  readonly unseen: readonly number[]
  readonly seen: readonly number[]
  /** Who has its escape card. */
  readonly holder: Seat | null
}

/** What a player owes: to another player, or to the bank. */
export type Debt = {
  readonly debtor: Seat
  readonly creditor: Seat | null
  readonly amount: number
  readonly why: Dues
}

export type Trade = {
  /** Counted from 1 through the match. */
  readonly id: number
  readonly from: Seat
  readonly to: Seat
  /** What `from` hands over. */
  readonly giving: Bundle
  readonly requesting: Bundle
  /** Where the turn goes on. */
  readonly phase: 'roll' | 'build'
}

export type Clawpoly = {
  /** All that is still to be thrown and drawn. */
  readonly dice: DiceState
  readonly turnLimit: number
  /** The seats in turn order. */
  readonly order: readonly Seat[]
  readonly current: Seat
  /** Turns of single players, counted from 1. A throw after doubles is in the same turn. */
  readonly turnNumber: number
  readonly phase: Phase
  /** The dice as they were last thrown. */
  readonly thrown: readonly [number, number] | null
  /** Doubles thrown in a row in this turn. */
  readonly doubles: number
  /** The player throws again after this landing. */
  readonly bonus: boolean
  /** By seat. */
  readonly players: readonly Player[]
  /** By index on the board; squares that cannot be owned stay without owner. */
  readonly squares: readonly Holding[]
  readonly decks: Readonly<Record<DeckName, Deck>>
  /** The debt that its debtor is raising money for. */
  readonly debt: Debt | null
  /** The debts to be settled after it, in order. */
  readonly dues: readonly Debt[]
  /** When all are settled, the player leaves the pot by its last throw. */
  readonly leavesPot: boolean
  readonly trade: Trade | null
  /** Trades offered in the match, and in this turn. */
  readonly trades: number
  readonly offers: number
  /** The bankrupt seats in the order of their bankruptcies. */
  readonly out: readonly Seat[]
  /** For spectators: the last events, the newest last. */
  readonly recent: readonly ClawpolyEvent[]
  /** For spectators: the money of each seat at the start, and after every turn; in a long match not after every one (`historyStep`). */
  readonly history: readonly (readonly number[])[]
}

const mostRecent = 12
const mostHistory = 200

/** The events of the state after these. */
export const recentAfter = (
  { recent }: Clawpoly,
  events: readonly ClawpolyEvent[],
): readonly ClawpolyEvent[] =>
  events.length === 0 ? recent : [...recent, ...events].slice(-mostRecent)

/** After how many turns the money is written down. */
export const historyStep = ({ turnLimit }: Pick<Clawpoly, 'turnLimit'>): number =>
  Math.ceil(turnLimit / mostHistory)

export const startMoney = 1500
const usualTurns = 200
export const mostOffers = 3

export const startOf = (seed: Seed, seats: number, setup?: Setup | null): Clawpoly => {
  const dice = Dice.fromSeed(seed)
  const order = orderOf(
    Array.from({ length: seats }, (_, seat) => seat),
    dice,
  )
  return {
    dice: dice.state,
    turnLimit: limitOf(setup),
    order,
    current: order[0]!,
    turnNumber: 1,
    phase: 'roll',
    thrown: null,
    doubles: 0,
    bonus: false,
    players: Array.from({ length: seats }, () => newcomer),
    squares: board.map(() => free),
    decks: { tide: freshDeck('tide'), chest: freshDeck('chest') },
    debt: null,
    dues: [],
    leavesPot: false,
    trade: null,
    trades: 0,
    offers: 0,
    out: [],
    recent: [],
    history: [Array.from({ length: seats }, () => startMoney)],
  }
}

export const free: Holding = { owner: null, level: 0, mortgaged: false }

const newcomer: Player = {
  money: startMoney,
  position: 0,
  inPot: false,
  potTurns: 0,
  escapeCards: 0,
  bankruptAt: null,
}

const freshDeck = (name: DeckName): Deck => ({
  unseen: cards[name].map((_, i) => i),
  seen: [],
  holder: null,
})

const limitOf = (setup: Setup | null | undefined) => {
  const limit = setup?.turnLimit
  return isWhole(limit, 1, 1_000_000) ? limit : usualTurns
}

/** One die each, the highest first; those who tie throw again among themselves. */
const orderOf = (seats: readonly Seat[], dice: Dice): Seat[] => {
  if (seats.length < 2) return [...seats]
  const thrown = seats.map(seat => ({ seat, die: dice.roll(6) }))
  return [5, 4, 3, 2, 1, 0].flatMap(die =>
    orderOf(
      thrown.filter(one => one.die === die).map(({ seat }) => seat),
      dice,
    ),
  )
}

export const statusOf = (state: Clawpoly): Status => {
  if (state.phase === 'over') return finalOf(state)
  const mover = moverOf(state)
  return {
    toMove: [mover],
    ...(mover !== state.current && { held: [state.current] }),
    ...(state.out.length > 0 && { eliminated: state.out.toSorted((a, b) => a - b) }),
  }
}

/** Who is asked: the debtor, the target of a trade, or the player whose turn it is. */
export const moverOf = ({ phase, debt, trade, current }: Clawpoly): Seat =>
  phase === 'debt' && debt !== null
    ? debt.debtor
    : phase === 'trade' && trade !== null
      ? trade.to
      : current

export const isOut = (state: Clawpoly, seat: Seat): boolean =>
  state.players[seat]!.bankruptAt !== null

/** The others that play, in turn order from the one after this seat. */
export const othersAfter = (state: Clawpoly, seat: Seat): Seat[] => {
  const at = state.order.indexOf(seat)
  return [...state.order.slice(at + 1), ...state.order.slice(0, at)].filter(
    other => !isOut(state, other),
  )
}

/** How the match ended: one player is left, or the last turn is over. */
export const reasonOf = ({ players, out }: Clawpoly): 'last_standing' | 'turn_limit' =>
  out.length >= players.length - 1 ? 'last_standing' : 'turn_limit'

export type Standing = {
  readonly seat: Seat
  readonly place: number
  readonly wealth: number
  readonly money: number
  /** How many squares it owns. */
  readonly squares: number
  readonly bankruptAt: number | null
}

/** From the first place to the last, as it stands now: by wealth, and the bankrupt below, the latest first. */
export const standingsOf = (state: Clawpoly): readonly Standing[] => {
  const playing = state.order
    .filter(seat => !isOut(state, seat))
    .map(seat => standingOf(state, seat))
    // A stable sort: those who tie in all of it stay in turn order.
    .sort((a, b) => b.wealth - a.wealth || b.money - a.money || b.squares - a.squares)
  const bankrupt = state.out.toReversed().map(seat => standingOf(state, seat))
  return [...playing, ...bankrupt].map((one, i) => ({ ...one, place: i + 1 }))
}

const standingOf = (state: Clawpoly, seat: Seat) => {
  const { money, bankruptAt } = state.players[seat]!
  const squares = squaresOf(state, seat).length
  return { seat, wealth: wealthOf(state, seat), money, squares, bankruptAt }
}

export const finalOf = (state: Clawpoly): Final => {
  const standings = standingsOf(state)
  const bySeat = standings.toSorted((a, b) => a.seat - b.seat)
  const first = standings[0]!
  return {
    places: bySeat.map(({ place }) => place),
    scores: bySeat.map(({ wealth }) => wealth),
    because:
      reasonOf(state) === 'last_standing'
        ? `last standing in turn ${state.turnNumber}`
        : state.phase === 'over'
          ? `turn limit of ${state.turnLimit}, wealthiest with ${first.wealth} Shells`
          : `wealthiest with ${first.wealth} Shells in turn ${state.turnNumber}`,
  }
}

/** The indices of what a seat owns, in the order of the board. */
export const squaresOf = ({ squares }: Clawpoly, seat: Seat): readonly number[] =>
  ownables.filter(({ index }) => squares[index]!.owner === seat).map(({ index }) => index)

/** Money, the price of each square or its mortgage value if it is mortgaged, and half of what the buildings cost. */
export const wealthOf = (state: Clawpoly, seat: Seat): number => {
  let wealth = state.players[seat]!.money
  for (const square of ownables) {
    const { owner, level, mortgaged } = state.squares[square.index]!
    if (owner !== seat) continue
    wealth += mortgaged ? square.mortgage : square.price
    if (level > 0) wealth += halfCost(square as Property, level)
  }
  return wealth
}

/** What a seat can pay if it sells all buildings and mortgages all squares. */
export const meansOf = (state: Clawpoly, seat: Seat): number => {
  const { sold, mortgages } = raisedBy(state, seat)
  return state.players[seat]!.money + sold + mortgages
}

/** What all buildings of a seat, and all its mortgages, would bring. */
export const raisedBy = (state: Clawpoly, seat: Seat) => {
  let sold = 0
  let mortgages = 0
  for (const square of ownables) {
    const { owner, level, mortgaged } = state.squares[square.index]!
    if (owner !== seat) continue
    if (!mortgaged) mortgages += square.mortgage
    if (level > 0) sold += halfCost(square as Property, level)
  }
  return { sold, mortgages }
}
