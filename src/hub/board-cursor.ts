import { type Board, type Cell, cellMove } from '../games/look.ts'
import type { Key } from './terminal/keys.ts'

/** A cursor on a board. It selects moves: of one cell, or from one cell to another. */
export class BoardCursor {
  #x = -1
  #y = -1
  /** The first cell of a move between two cells, once it is selected. */
  from: Cell | null = null

  /** The cell under the cursor; at first the one in the middle. */
  at({ rows }: Board): Cell {
    const [across, down] = [rows[0]!.length, rows.length]
    if (this.#x < 0) {
      this.#x = Math.floor(across / 2)
      this.#y = Math.floor(down / 2)
    }
    this.#x = Math.min(this.#x, across - 1)
    this.#y = Math.min(this.#y, down - 1)
    return [this.#x, this.#y]
  }

  press(key: Key, board: Board, flipped: boolean): boolean {
    const [dx, dy] = (key.kind === 'named' ? steps.get(key.name) : undefined) ?? [0, 0]
    if (dx === 0 && dy === 0) return false
    const [x, y] = this.at(board)
    const sign = flipped ? -1 : 1
    this.#x = Math.max(0, Math.min(board.rows[0]!.length - 1, x + sign * dx))
    this.#y = Math.max(0, Math.min(board.rows.length - 1, y + sign * dy))
    return true
  }

  /**
   * The move of the cell under the cursor; undefined if it needs a second cell, which is selected next; null if there
   * is no such move.
   */
  select(board: Board, legal: readonly string[]): string | null | undefined {
    const cell = this.at(board)
    const name = cellMove(board, cell) ?? ''
    if (this.from === null) {
      // A move of one cell is its name, perhaps after a word such as `mark`.
      const complete = legal.find(
        move => move.toLowerCase().split(' ').at(-1) === name.toLowerCase(),
      )
      if (complete !== undefined) return complete
      if (!legal.some(move => move.startsWith(name))) return legal.length === 0 ? name : null
      this.from = cell
      return undefined
    }
    const step = cellMove(board, this.from) + name
    this.from = null
    // A promotion nearly always means the queen. The others can be typed.
    return legal.find(move => move === step) ?? legal.find(move => move === `${step}q`) ?? null
  }
}

const steps = new Map<string, readonly [number, number]>([
  ['up', [0, -1]],
  ['down', [0, 1]],
  ['left', [-1, 0]],
  ['right', [1, 0]],
])
