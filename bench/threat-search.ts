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
    let chosen = middle
    for (const cell of position.near()) {
      position.put(cell, 0)
      let worst = position.value() > five / 2 ? five : Number.POSITIVE_INFINITY
      if (worst > five)
        for (const answer of position.near()) {
          position.put(answer, 1)
          worst = Math.min(worst, Math.max(-five, position.value()))
          position.take(answer, 1)
          if (worst < best) break
        }
      position.take(cell, 0)
      // Chance decides between equal moves, so that matches differ.
      const value = worst + dice.next() / 10
      if (value > best) {
        best = value
        chosen = cell
      }
    }
    return game.moves!({ board: '.'.repeat(cells.length), toMove: 0, last: null }, 0)[chosen]!
  },
})

const five = 1e9
/** The value of a row by the stones of one side, if the other side has none. */
const worths = [0, 1, 12, 150, 2_000, five] as const

const cells = Array.from({ length: width * width }, (_, cell) => cell)
const middle = 7 * width + 7

/** The cell some steps away, if it is on the board. */
const away = (cell: number, [down, right]: readonly [number, number], steps: number) => {
  const [y, x] = [Math.floor(cell / width) + steps * down, (cell % width) + steps * right]
  return y >= 0 && y < width && x >= 0 && x < width ? [y * width + x] : []
}

/** All rows of five cells. */
const rows = cells.flatMap(cell =>
  directions.flatMap(direction => {
    const row = [0, 1, 2, 3, 4].flatMap(steps => away(cell, direction, steps))
    return row.length === 5 ? [row] : []
  }),
)
const rowsThrough = cells.map(cell => rows.flatMap((row, i) => (row.includes(cell) ? [i] : [])))
const nearby = cells.map(cell =>
  directions.flatMap(direction => [-2, -1, 1, 2].flatMap(steps => away(cell, direction, steps))),
)

/** A position; side 0 is the player to move. */
class Position {
  readonly #taken = new Set<number>()
  readonly #worth = [0, 0]
  readonly #counts = [new Uint8Array(rows.length), new Uint8Array(rows.length)] as const

  constructor(board: string, marks: string) {
    for (const cell of cells) if (board[cell] !== '.') this.put(cell, marks.indexOf(board[cell]!))
  }

  put(cell: number, side: number): void {
    this.#taken.add(cell)
    this.#count(cell, side, 1)
  }

  take(cell: number, side: number): void {
    this.#taken.delete(cell)
    this.#count(cell, side, -1)
  }

  value(): number {
    return this.#worth[0]! - 1.1 * this.#worth[1]!
  }

  /** The free cells within two steps of a stone; the middle of an empty board. */
  near(): readonly number[] {
    const found = new Set([...this.#taken].flatMap(cell => nearby[cell]!))
    for (const cell of this.#taken) found.delete(cell)
    return found.size > 0 ? [...found] : [middle]
  }

  #count(cell: number, side: number, by: number): void {
    for (const row of rowsThrough[cell]!) {
      this.#weigh(row, -1)
      this.#counts[side]![row]! += by
      this.#weigh(row, 1)
    }
  }

  #weigh(row: number, by: number): void {
    for (const side of [0, 1])
      if (this.#counts[1 - side]![row] === 0)
        this.#worth[side]! += by * worths[this.#counts[side]![row]!]!
  }
}
