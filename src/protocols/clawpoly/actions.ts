// Actions of agents as moves of the game.

import { nextBuilding, whyNotMortgage, whyNotSell } from '../../games/clawpoly-deeds.ts'
import { check } from '../../games/clawpoly-moves.ts'
import type { Clawpoly } from '../../games/clawpoly-state.ts'
import type { Json, Seat } from '../../games/game.ts'
import { type Fields, got, isWhole } from '../../games/json.ts'
import { type ErrorCode, invalidAction, type Refused } from './codes.ts'
import type { LiveMatch } from './live-match.ts'
import type { Action } from './messages.ts'
import { type Prompt, tradeIdOf } from './words.ts'

export interface Read {
  readonly move: Json
}

/** The move that an action asks for, if it answers what the agent is asked; or why it does not. */
export const moveFor = (
  live: LiveMatch,
  seat: Seat,
  prompt: Prompt,
  { name, data }: Action,
): Read | Refused => {
  const { state } = live
  if (!prompt.availableActions.some(action => action === name))
    return invalidAction(`${name} is not for now: you can ${prompt.availableActions.join(', ')}`)
  switch (name) {
    case 'buy':
      return buyMove(state, seat, data)
    case 'build':
    case 'sell_building':
    case 'mortgage':
    case 'unmortgage':
      return squareMove(name, data)
    case 'trade_offer':
      return offerMove(live, data)
    case 'trade_respond':
      return respondMove(state, data)
    default:
      return { move: { action: name } }
  }
}

/** Why the rules refuse a move; null if it is legal. */
export const actionRefusal = (
  state: Clawpoly,
  seat: Seat,
  move: Json,
  { name, data }: Action,
): Refused | null => {
  const context = contextOf(data)
  const wrong = wrongWith(state, seat, move, name)
  if (wrong !== null) return { code: codes[wrong.why], message: wrong.reason, ...context }
  if (name !== 'build' || data.type === undefined) return null
  const next = nextBuilding(state, data.squareIndex as number)?.building
  return next === data.type
    ? null
    : {
        ...invalidAction(`"type" is the next level of the square, "${next}", ${got(data.type)}`),
        ...context,
      }
}

const wrongWith = (state: Clawpoly, seat: Seat, move: Json, name: Action['name']) => {
  const wrong = check(state, seat, move)
  if (wrong?.why !== 'action' || state.phase !== 'debt') return wrong
  // A debtor is always asked for both, where one of them may be open to no square at all.
  const square = Object(move).square
  if (name === 'mortgage') return whyNotMortgage(state, seat, square)
  return name === 'sell_building' ? whyNotSell(state, seat, square) : wrong
}

const codes = {
  action: 'INVALID_ACTION',
  square: 'INVALID_PROPERTY',
  money: 'INSUFFICIENT_FUNDS',
  rule: 'INVALID_ACTION',
} as const satisfies Record<string, ErrorCode>

const contextOf = ({ squareIndex }: Fields) =>
  squareIndex === undefined ? {} : { context: { squareIndex } }

const buyMove = (state: Clawpoly, seat: Seat, data: Fields): Read | Refused => {
  const { squareIndex } = data
  const { position } = state.players[seat]!
  return squareIndex === undefined || squareIndex === position
    ? { move: { action: 'buy' } }
    : wrongSquare(`"squareIndex" is the square that you are asked about, ${position}`, data)
}

const squareMove = (action: string, data: Fields): Read | Refused => {
  const { squareIndex } = data
  return isWhole(squareIndex, 0, 39)
    ? { move: { action, square: squareIndex } }
    : wrongSquare('"squareIndex" is a number from 0 to 39', data)
}

const wrongSquare = (expected: string, data: Fields): Refused => ({
  code: 'INVALID_PROPERTY',
  message: `${expected}, ${got(data.squareIndex)}`,
  ...contextOf(data),
})

/** What an agent offers is what the game calls `giving`. */
const offerMove = (live: LiveMatch, { toId, offering, requesting }: Fields): Read | Refused => {
  const to = typeof toId === 'string' ? live.seatOf(toId) : undefined
  if (to === undefined)
    return invalidAction(
      `"toId" is the id of another player, one of ${live.turnOrder.join(', ')}; ${got(toId)}`,
    )
  return {
    move: {
      ...{ action: 'trade_offer', to },
      ...(offering != null && { giving: offering }),
      ...(requesting != null && { requesting }),
    },
  }
}

const respondMove = ({ trade }: Clawpoly, { tradeId, accept }: Fields): Read | Refused => {
  const open = trade === null ? '' : tradeIdOf(trade.id)
  if (tradeId !== undefined && tradeId !== open)
    return invalidAction(`"tradeId" is that of the open trade, "${open}", ${got(tradeId)}`)
  return { move: { action: 'trade_respond', ...(accept !== undefined && { accept }) } }
}
