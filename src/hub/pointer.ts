import { type Board, type Cell, cellMove } from '../games/look.ts'
import type { Key } from './terminal/keys.ts'

/** Points at the cells of a board, and makes moves of them: one cell, or from one to another. */
export class Pointer {
  #x = -1
  #y = -1
  /** The first cell of a move from cell to cell, once it is chosen. */
  from: Cell | null = null

  /** In the middle, until it is moved. */
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
   * The move that is pointed at; undefined when it needs a second cell, which is pointed at next; null when there is
   * no such move.
   */
  choose(board: Board, legal: readonly string[]): string | null | undefined {
    const here = this.at(board)
    const name = cellMove(board, here) ?? ''
    if (this.from === null) {
      // A move at one cell is the cell alone, or a word before it.
      const whole = legal.find(move => move.toLowerCase().split(' ').at(-1) === name.toLowerCase())
      if (whole !== undefined) return whole
      if (!legal.some(move => move.startsWith(name))) return legal.length === 0 ? name : null
      this.from = here
      return undefined
    }
    const step = cellMove(board, this.from) + name
    this.from = null
    // Of several ways to promote the queen is what is nearly always meant; the others can be typed.
    return legal.find(move => move === step) ?? legal.find(move => move === `${step}q`) ?? null
  }
}

const steps = new Map<string, readonly [number, number]>([
  ['up', [0, -1]],
  ['down', [0, 1]],
  ['left', [-1, 0]],
  ['right', [1, 0]],
])
