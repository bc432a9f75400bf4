import type { Dice } from '../../games/dice.ts'
import type { Game, Json, Seat } from '../../games/game.ts'
import { isFinal } from '../../games/game.ts'
import { black, type Colour, GoBoard, pass, white } from './go-board.ts'
import { Chance, playOut } from './go-playout.ts'
import { GoSearch } from './go-search.ts'

/** What a player of go has to know of a position; a part of what the rules keep. */
export interface GoPosition {
  /** A character a point, row by row from the top: X is black, O is white. */
  readonly board: string
  readonly toMove: Seat
  readonly last: number | 'pass' | null
}

/** A move at go on any board, after so many playouts. */
export const goMove = (game: Game, state: unknown, seat: Seat, nodes: number, dice: Dice): Json => {
  const position = state as GoPosition
  const names = game.moves!(state, seat)
  const { komi } = game.view(state, seat) as { readonly komi: number }
  const board = boardOf(position)
  const cells = cellNames(board.size)
  const listed = new Set(names)
  // Passing ends the match where the other has just passed: so it can be seen whether that wins.
  if (position.last === 'pass' && wins(game, game.play(state, seat, 'pass'), seat)) return 'pass'
  const chance = new Chance(dice.step())
  const search = new GoSearch(board, komi, chance, point => listed.has(cells[board.cellAt(point)]!))
  search.run(nodes)
  const { point } = search.best()
  return point === pass ? 'pass' : cells[board.cellAt(point)]!
}

/** By cell, row by row from the top: the share of playouts in which black has it in the end. */
export const ownership = (
  position: GoPosition,
  playouts: number,
  dice: Dice,
): readonly number[] => {
  const start = boardOf(position)
  const board = new GoBoard(start.size)
  const owners = new Int8Array(start.area)
  const owned = new Int32Array(start.area)
  const chance = new Chance(dice.step())
  for (let i = 0; i < playouts; i++) {
    board.copy(start)
    playOut(board, chance, () => {})
    board.score(owners)
    for (const point of board.points) owned[point]! += owners[point]!
  }
  return Array.from(start.points, point => (1 + owned[point]! / playouts) / 2)
}

const boardOf = ({ board: text, toMove, last }: GoPosition): GoBoard => {
  const board = new GoBoard(Math.sqrt(text.length))
  const stones: [number, Colour][] = []
  for (const [cell, mark] of [...text].entries())
    if (mark !== '.') stones.push([board.pointAt(cell), mark === 'X' ? black : white])
  board.setUp(stones)
  board.toMove = toMove === 0 ? black : white
  if (typeof last === 'number') board.last = board.pointAt(last)
  return board
}

const cellNames = (size: number): readonly string[] =>
  Array.from({ length: size * size }, (_, cell) => {
    const column = 'ABCDEFGHJKLMNOPQRST'[cell % size]!
    return column + (size - Math.floor(cell / size))
  })

const wins = (game: Game, state: unknown, seat: Seat): boolean => {
  const status = game.status(state)
  return isFinal(status) && status.places[seat] === 1 && status.places[1 - seat] !== 1
}
