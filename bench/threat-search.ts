import { Dice } from '../src/games/dice.ts'
import type { Game } from '../src/games/game.ts'
import type { Mind } from './bots.ts'

const width = 15
const directions = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
] as const

/**
 * A simple player of gomoku. It tries each cell near a stone and each answer to it, and values positions by the rows
 * of five cells that are still open to one side. So it wins at once if it can, and stops fours and threes.
 */
export const threatSearch = (game: Game): Mind => ({
  name: 'threat search, depth 2',
  decide: ({ state, seat, seed }) => {
    const { board } = state as { readonly board: string }
    const position = new Position(board, seat === 0 ? 'XO' : 'OX')
    const dice = Dice.fromSeed(seed)
    let best = Number.NEGATIVE_INFINITY
    let chosen = 7 * width + 7
    for (const cell of position.beside()) {
      position.put(cell, 0)
      let worst = position.hasFive(0) ? 1e9 : Number.POSITIVE_INFINITY
      if (worst > 1e9)
        for (const answer of position.beside()) {
          position.put(answer, 1)
          const value = position.hasFive(1) ? -1e9 : position.worth[0]! - 1.1 * position.worth[1]!
          position.takeBack(answer, 1)
          worst = Math.min(worst, value)
          if (worst < best) break
        }
      position.takeBack(cell, 0)
      // Chance decides between equal moves, so that matches differ.
      const value = worst + dice.next() / 10
      if (value > best) {
        best = value
        chosen = cell
      }
    }
    return game.moves!({ board: '.'.repeat(width * width), toMove: 0, last: null }, 0)[chosen]!
  },
})

const lines = Array.from({ length: width * width }, (_, cell) => cell).flatMap(cell =>
  directions.flatMap(([down, right]) => {
    const [y, x] = [Math.floor(cell / width) + 4 * down, (cell % width) + 4 * right]
    return y < width && x >= 0 && x < width
      ? [Array.from({ length: 5 }, (_, i) => cell + i * (down * width + right))]
      : []
  }),
)
const linesThrough = Array.from({ length: width * width }, (_, cell) =>
  lines.flatMap((line, i) => (line.includes(cell) ? [i] : [])),
)

/** The value of a row by the stones of one side, if the other side has none. */
const worths = [0, 1, 12, 150, 2_000, 0] as const

/** A position; side 0 is the player to move. */
class Position {
  readonly worth = [0, 0]
  readonly #cells: string[]
  readonly #marks: string
  readonly #counts = [new Uint8Array(lines.length), new Uint8Array(lines.length)] as const
  readonly #fives = [0, 0]

  constructor(board: string, marks: string) {
    this.#cells = Array.from(board, () => '.')
    this.#marks = marks
    for (const [cell, mark] of [...board].entries())
      if (mark !== '.') this.put(cell, marks.indexOf(mark))
  }

  put(cell: number, side: number): void {
    this.#cells[cell] = this.#marks[side]!
    this.#count(cell, side, 1)
  }

  takeBack(cell: number, side: number): void {
    this.#cells[cell] = '.'
    this.#count(cell, side, -1)
  }

  hasFive(side: number): boolean {
    return this.#fives[side]! > 0
  }

  /** The free cells within two steps of a stone; the middle of an empty board. */
  beside(): readonly number[] {
    const found = new Set<number>()
    for (const [cell, mark] of this.#cells.entries()) {
      if (mark === '.') continue
      const [y, x] = [Math.floor(cell / width), cell % width]
      for (const [down, right] of directions)
        for (const n of [-2, -1, 1, 2]) {
          const [row, column] = [y + n * down, x + n * right]
          const isOn = row >= 0 && row < width && column >= 0 && column < width
          if (isOn && this.#cells[row * width + column] === '.') found.add(row * width + column)
        }
    }
    return found.size > 0 ? [...found] : [7 * width + 7]
  }

  #count(cell: number, side: number, by: number): void {
    for (const line of linesThrough[cell]!) {
      this.#weigh(line, -1)
      this.#counts[side]![line]! += by
      this.#weigh(line, 1)
    }
  }

  #weigh(line: number, by: number): void {
    for (const side of [0, 1]) {
      const own = this.#counts[side]![line]!
      if (this.#counts[1 - side]![line]! > 0) continue
      this.worth[side]! += by * worths[own]!
      if (own === 5) this.#fives[side]! += by
    }
  }
}
