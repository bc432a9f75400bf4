// What clients of the public implementation leave to the server, and what they are asked: they know no dice, no ends of turns,
// no trades and no debts.

import { board, isOwnable } from '../../games/clawpoly-board.ts'
import { buildable } from '../../games/clawpoly-deeds.ts'
import { type Clawpoly, moverOf } from '../../games/clawpoly-state.ts'
import type { Json, Seat } from '../../games/game.ts'

/** The move that the server makes for such a client; null where the client decides, or another seat does. */
export const autopilot = (state: Clawpoly, seat: Seat): Json | null => {
  if (moverOf(state) !== seat) return null
  switch (state.phase) {
    case 'roll':
      return { action: 'roll_dice' }
    case 'debt':
      return { action: 'raise' }
    case 'trade':
      return { action: 'trade_respond', accept: false }
    case 'build':
      return buildable(state).length === 0 ? { action: 'end_turn' } : null
    default:
      return null
  }
}

/** What such a client is asked, with the fields that it reads. */
export type LegacyPrompt =
  | {
      readonly type: 'buy'
      readonly context: {
        readonly property: {
          readonly name: string
          readonly index: number
          readonly price: number
          readonly colorGroup: string | null
        }
        readonly yourMoney: number
      }
    }
  | {
      readonly type: 'build'
      readonly context: {
        readonly buildableSquares: readonly {
          readonly index: number
          readonly name: string
          readonly outpostCost: number
          readonly outposts: number
        }[]
        readonly upgradeableSquares: readonly {
          readonly index: number
          readonly name: string
          readonly fortressCost: number
        }[]
        readonly yourMoney: number
      }
    }
  | {
      readonly type: 'lobster_pot'
      readonly context: {
        readonly turnsTrapped: number
        readonly hasEscapeCard: boolean
        readonly yourMoney: number
      }
    }

/** Null where this seat has nothing to decide. */
export const legacyPrompt = (state: Clawpoly, seat: Seat): LegacyPrompt | null => {
  if (moverOf(state) !== seat || autopilot(state, seat) !== null) return null
  const { money: yourMoney, position, potTurns, escapeCards } = state.players[seat]!
  switch (state.phase) {
    case 'buy': {
      const square = board[position]!
      if (!isOwnable(square)) return null
      const { name, index, price } = square
      const colorGroup = square.type === 'property' ? square.group : null
      return { type: 'buy', context: { property: { name, index, price, colorGroup }, yourMoney } }
    }
    case 'build':
      return { type: 'build', context: { ...placesToBuild(state), yourMoney } }
    case 'pot':
      return {
        type: 'lobster_pot',
        context: { turnsTrapped: potTurns, hasEscapeCard: escapeCards > 0, yourMoney },
      }
    default:
      return null
  }
}

/** Where the player to move may build, in the words of §5.2. */
export const placesToBuild = (state: Clawpoly) => {
  const places = buildable(state).map(({ square: index, building, cost }) => {
    const { level: outposts } = state.squares[index]!
    return { index, name: board[index]!.name, building, cost, outposts }
  })
  return {
    buildableSquares: places
      .filter(({ building }) => building === 'outpost')
      .map(({ index, name, cost, outposts }) => ({ index, name, outpostCost: cost, outposts })),
    upgradeableSquares: places
      .filter(({ building }) => building === 'fortress')
      .map(({ index, name, cost }) => ({ index, name, fortressCost: cost })),
  }
}
