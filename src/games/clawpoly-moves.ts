// The moves of Clawpoly: how they are read, which are legal, and which can be listed.

import { ownableAt, ownables, potFee } from './clawpoly-board.ts'
import {
  type Wrong,
  whyNotBuild,
  whyNotMortgage,
  whyNotSell,
  whyNotUnmortgage,
  wrong,
} from './clawpoly-deeds.ts'
import type { Bundle } from './clawpoly-events.ts'
import { type Clawpoly, moverOf, type Phase } from './clawpoly-state.ts'
import { mayOffer, whyNotOffer } from './clawpoly-trades.ts'
import type { Json, Seat } from './game.ts'
import { type Fields, got, isRecord, isWhole } from './json.ts'

/** Actions that need no more words. */
export const plainActions = [
  'roll_dice',
  'buy',
  'pass',
  'end_turn',
  'escape_pay',
  'escape_card',
  'escape_roll',
  'raise',
] as const
/** Actions on a square of one's own. */
export const squareActions = ['build', 'sell_building', 'mortgage', 'unmortgage'] as const

type PlainAction = (typeof plainActions)[number]
type SquareAction = (typeof squareActions)[number]
export type Action = PlainAction | SquareAction | 'trade_offer' | 'trade_respond'

export type ClawpolyMove =
  | { readonly action: PlainAction }
  | { readonly action: SquareAction; readonly square: number }
  | {
      readonly action: 'trade_offer'
      readonly to: Seat
      readonly giving: Bundle
      readonly requesting: Bundle
    }
  | { readonly action: 'trade_respond'; readonly accept: boolean }

const actions: readonly Action[] = [
  ...plainActions,
  ...squareActions,
  'trade_offer',
  'trade_respond',
]

/** What a phase takes from the seat that is asked, what moves the game on first. */
const actionsIn: Readonly<Record<Phase, readonly Action[]>> = {
  roll: ['roll_dice', 'mortgage', 'unmortgage', 'sell_building', 'trade_offer'],
  pot: ['escape_pay', 'escape_card', 'escape_roll'],
  buy: ['buy', 'pass'],
  debt: ['mortgage', 'sell_building', 'raise'],
  build: ['build', 'end_turn', 'mortgage', 'unmortgage', 'sell_building', 'trade_offer'],
  trade: ['trade_respond'],
  over: [],
}

/** The actions that the seat can take now, what moves the game on first; none if it is not asked. */
export const actionsOf = (state: Clawpoly, seat: Seat): readonly Action[] =>
  seat === moverOf(state)
    ? actionsIn[state.phase].filter(action => isOpen(state, seat, action))
    : []

const isOpen = (state: Clawpoly, seat: Seat, action: Action): boolean => {
  if (action === 'trade_offer') return mayOffer(state)
  if (isSquareAction(action)) return squaresFor(state, seat, action).length > 0
  return isPlain(action) ? whyNotPlain(state, seat, action) === null : true
}

/** The squares on which the seat can take this action, by the board alone. */
const squaresFor = (state: Clawpoly, seat: Seat, action: SquareAction): readonly number[] =>
  ownables
    .map(({ index }) => index)
    .filter(
      index => state.squares[index]!.owner === seat && whyNot[action](state, seat, index) === null,
    )

const whyNot: Readonly<
  Record<SquareAction, (state: Clawpoly, seat: Seat, square: number) => Wrong | null>
> = {
  build: whyNotBuild,
  sell_building: whyNotSell,
  mortgage: whyNotMortgage,
  unmortgage: whyNotUnmortgage,
}

const whyNotPlain = (state: Clawpoly, seat: Seat, action: PlainAction): Wrong | null => {
  const { money, escapeCards } = state.players[seat]!
  if (action === 'escape_pay' && money < potFee)
    return wrong('action', `the way out of the pot takes $${potFee}, and you have $${money}`)
  if (action === 'escape_card' && escapeCards === 0)
    return wrong('action', 'you have no escape card')
  return null
}

const isPlain = (action: Action): action is PlainAction =>
  (plainActions as readonly string[]).includes(action)

const isSquareAction = (action: Action): action is SquareAction =>
  (squareActions as readonly string[]).includes(action)

/** What is wrong with a move of this seat; null if it is legal. */
export const check = (state: Clawpoly, seat: Seat, move: Json): Wrong | null => {
  const action = actionIn(move)
  if (typeof action === 'object') return action
  if (seat !== moverOf(state) || state.phase === 'over')
    return wrong('action', 'it is not your turn')
  if (!actionsIn[state.phase].includes(action))
    return wrong('action', `${action} is not for now: ${wanted(state, seat)}`)
  const read = parse(move)
  const found = 'why' in read ? read : whyNotMove(state, seat, read)
  // An action that is open to no square and no trade at all is not one of the actions of the moment.
  return found === null || isOpen(state, seat, action) ? found : wrong('action', found.reason)
}

const wanted = (state: Clawpoly, seat: Seat) => `you can ${actionsOf(state, seat).join(', ')}`

const whyNotMove = (state: Clawpoly, seat: Seat, move: ClawpolyMove): Wrong | null => {
  switch (move.action) {
    case 'trade_offer':
      return whyNotOffer(state, seat, move.to, move.giving, move.requesting)
    case 'trade_respond':
      return null
    case 'build':
    case 'sell_building':
    case 'mortgage':
    case 'unmortgage':
      return whyNot[move.action](state, seat, move.square)
    default:
      return whyNotPlain(state, seat, move.action)
  }
}

/** The move that JSON stands for, or what is wrong with it. Fields that the game does not know are left out. */
export const parse = (move: Json): ClawpolyMove | Wrong => {
  const action = actionIn(move)
  if (typeof action === 'object') return action
  const sent: Fields = isRecord(move) ? move : {}
  if (isPlain(action)) return { action }
  if (isSquareAction(action)) {
    const { square } = sent
    if (!isWhole(square, 0, 39))
      return wrong('square', `"square" is a number from 0 to 39, ${got(square)}`)
    // A zero below zero is one, too.
    return { action, square: square + 0 }
  }
  if (action === 'trade_respond') {
    const { accept } = sent
    return typeof accept === 'boolean'
      ? { action, accept }
      : wrong('action', `"accept" is true or false, ${got(accept)}`)
  }
  const { to } = sent
  if (!isWhole(to, 0, 5)) return wrong('action', `"to" is a seat, ${got(to)}`)
  const giving = bundleOf('giving', sent.giving)
  if ('why' in giving) return giving
  const requesting = bundleOf('requesting', sent.requesting)
  return 'why' in requesting ? requesting : { action, to: to + 0, giving, requesting }
}

const actionIn = (move: Json): Action | Wrong => {
  if (!isRecord(move)) return wrong('action', `a move is an object with "action", ${got(move)}`)
  return (
    actions.find(action => action === move.action) ??
    wrong('action', `"action" is a word such as roll_dice, ${got(move.action)}`)
  )
}

const bundleOf = (side: string, sent: Json | undefined): Bundle | Wrong => {
  if (sent === undefined) return { properties: [], money: 0, escapeCards: 0 }
  if (!isRecord(sent)) return wrong('action', `"${side}" is an object, ${got(sent)}`)
  const { properties = [], money = 0, escapeCards = 0 } = sent
  if (!Array.isArray(properties))
    return wrong('action', `"properties" in "${side}" is a list, ${got(properties)}`)
  const list: readonly Json[] = properties
  const squares = ownables.map(({ index }) => index).filter(index => list.includes(index))
  if (squares.length !== list.length) {
    const odd = list.find(one => !isWhole(one, 0, 39) || ownableAt(one) === null)
    return odd === undefined
      ? wrong('square', `"properties" in "${side}" has a square twice`)
      : wrong('square', `"properties" in "${side}" is of squares that can be owned, ${got(odd)}`)
  }
  if (!isWhole(money, 0, 1_000_000))
    return wrong('action', `"money" in "${side}" is a whole number from 0, ${got(money)}`)
  if (!isWhole(escapeCards, 0, 2))
    return wrong('action', `"escapeCards" in "${side}" is 0, 1 or 2, ${got(escapeCards)}`)
  return { properties: squares, money: money + 0, escapeCards: escapeCards + 0 }
}

/** A move as it is recorded: without what is empty. */
export const written = (move: ClawpolyMove): Json => {
  if (move.action !== 'trade_offer') return move
  const { action, to, giving, requesting } = move
  return { action, to, giving: filled(giving), requesting: filled(requesting) }
}

const filled = ({ properties, money, escapeCards }: Bundle): Json => ({
  ...(properties.length > 0 && { properties }),
  ...(money > 0 && { money }),
  ...(escapeCards > 0 && { escapeCards }),
})

/** Every move that the seat can make but trade offers. */
export const listedMoves = (state: Clawpoly, seat: Seat): readonly Json[] =>
  actionsOf(state, seat).flatMap((action): readonly Json[] => {
    if (action === 'trade_offer') return []
    if (action === 'trade_respond')
      return [
        { action, accept: true },
        { action, accept: false },
      ]
    return isSquareAction(action)
      ? squaresFor(state, seat, action).map(square => ({ action, square }))
      : [{ action }]
  })

/** What is done for a seat that is late: it goes on without buying, building or trading. */
export const fallbackOf = ({ phase }: Clawpoly): Json => {
  if (phase === 'trade') return { action: 'trade_respond', accept: false }
  return { action: fallbacks[phase] }
}

const fallbacks = {
  roll: 'roll_dice',
  pot: 'escape_roll',
  buy: 'pass',
  debt: 'raise',
  build: 'end_turn',
  over: 'end_turn',
} as const satisfies Record<Exclude<Phase, 'trade'>, Action>
