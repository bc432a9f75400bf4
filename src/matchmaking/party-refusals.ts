// Why a player cannot do something at a table that players have set up, in words.

import { agentOf } from '../arena/account.ts'
import type { Refusal } from '../arena/codes.ts'
import type { Player } from '../arena/player.ts'
import { type Game, seatRange } from '../games/game.ts'
import { quoted } from '../games/words.ts'
import type { PartyOrder, SetTable } from './party-table.ts'

/** Why a table cannot be set up. */
export type TableRefusal = Refusal<'bad-table' | 'too-many-tables' | 'shutting-down'>

/** So many tables may wait, in all and of one account. */
const mostWaiting = 1000
const mostOfOne = 3

/** `waiting`: the tables that wait for players. */
export const orderRefusal = (
  { game, seats, by }: PartyOrder,
  waiting: readonly SetTable[],
): TableRefusal | null => {
  const { min, max } = seatRange(game)
  if (!Number.isInteger(seats) || seats < min || seats > max)
    return {
      code: 'bad-table',
      detail: `seats: ${game.id} has ${min === max ? min : `${min} to ${max}`}; got ${seats}`,
    }
  if (waiting.filter(({ order }) => by !== undefined && order.by === by).length >= mostOfOne)
    return {
      code: 'too-many-tables',
      detail: `${mostOfOne} tables that you have set up still wait for players: start one, or sit down at it`,
    }
  return waiting.length >= mostWaiting
    ? {
        code: 'too-many-tables',
        detail: `${mostWaiting} tables wait for players: sit down at one of them, or try again later`,
      }
    : null
}

/** Why this player cannot sit down for this game. `sits`: whether this guest sits there. */
export const sitRefusal = (
  table: SetTable,
  { account }: Player,
  game: Game,
  sits: boolean | null,
): Refusal | null => {
  const { code } = table
  if (table.game.id !== game.id)
    return {
      code: 'no-such-table',
      detail: `${code} is a table for ${table.game.id}, not for ${game.id}`,
    }
  if (!table.isOpen) return hasStarted(table)
  if (sits ?? table.has(agentOf(account)))
    return {
      code: 'already-seated',
      detail: `${sits === null ? 'this account sits' : 'you sit'} at the table ${code} already`,
    }
  return table.freeSlots.length === 0
    ? { code: 'seat-taken', detail: `all seats of the table ${code} are taken` }
    : null
}

/** Why the match of a table cannot begin. */
export const startRefusal = (table: SetTable): Refusal | null => {
  const { game, code, taken } = table
  if (!table.isOpen) return hasStarted(table)
  const { min } = seatRange(game)
  const sit = taken.length === 1 ? 'sits' : 'sit'
  return taken.length < min
    ? {
        code: 'table-state',
        detail: `too few players: ${game.id} needs ${min}, and ${taken.length} ${sit} at the table ${code}`,
      }
    : null
}

export const noTable = (code: string): Refusal => ({
  code: 'no-such-table',
  detail: `there is no table ${quoted(code)}: tables vanish when nobody sits there for 15 minutes, and 5 minutes after their match`,
})

export const hasStarted = ({ code }: SetTable): Refusal => ({
  code: 'table-state',
  detail: `the match of the table ${code} has begun`,
})

export const slotTaken = ({ code, freeSlots }: SetTable, slot: number): Refusal => ({
  code: 'seat-taken',
  detail: `seat ${slot} of the table ${code} is not free; free are ${freeSlots.join(', ')}`,
})

export const tooFewFree = ({ code, freeSlots }: SetTable, count: number): Refusal => ({
  code: 'seat-taken',
  detail: `the table ${code} has ${freeSlots.length} free seats, not ${count}`,
})

export const noLevel = (game: Game, level: string, levels: readonly string[]): Refusal => ({
  code: 'no-such-level',
  detail: `no house player ${quoted(level)} plays ${game.id}; there are ${levels.join(', ')}`,
})
