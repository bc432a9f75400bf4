import type { Dice } from '../../games/dice.ts'
import type { Game, Json, Seat } from '../../games/game.ts'
import { type Colour, cellAt, GomokuBoard, pointAt, width } from './gomoku-board.ts'
import { GomokuSearch } from './gomoku-search.ts'

/** A move for gomoku, after `nodes` tries. */
export const gomokuMove = (
  _game: Game,
  state: unknown,
  seat: Seat,
  nodes: number,
  dice: Dice,
): Json => {
  const { board: cells } = state as { readonly board: string }
  const board = new GomokuBoard()
  for (const [cell, mark] of [...cells].entries())
    if (mark !== '.') board.put(pointAt(cell), mark === 'X' ? 1 : 2)
  if (board.stones === 0) return nameOf(pointAt((6 + dice.roll(3)) * width + 6 + dice.roll(3)))
  return nameOf(new GomokuSearch(board, nodes, dice).best((seat + 1) as Colour))
}

const nameOf = (point: number): string => {
  const cell = cellAt(point)
  return 'ABCDEFGHIJKLMNO'[cell % width]! + (width - Math.floor(cell / width))
}
