import type { Dice } from '../../games/dice.ts'
import type { Game, Json, Seat } from '../../games/game.ts'
import { clawpolyMove } from './clawpoly.ts'
import { debateMove } from './debate.ts'
import { goMove } from './go.ts'
import { gomokuMove } from './gomoku.ts'

/** A player written for one game, where the general search is too weak. */
export type Expert = (game: Game, state: unknown, seat: Seat, nodes: number, dice: Dice) => Json

export const expertAt = (game: Game): Expert | undefined => experts.get(game.id)

const experts = new Map<string, Expert>([
  ['go9', goMove],
  ['go13', goMove],
  ['go19', goMove],
  ['gomoku', gomokuMove],
  ['debate', debateMove],
  ['spicy-debate', debateMove],
  ['clawpoly', clawpolyMove],
])
