import type { Dice } from '../../games/dice.ts'
import type { Game, Json, Seat } from '../../games/game.ts'
import { isFinal, stateAfter } from '../../games/game.ts'
import { black, type Colour, GoBoard, pass, white } from './go-board.ts'
import { type GoMarking, markingMove } from './go-marking.ts'
import { Chance, playOut } from './go-playout.ts'
import { GoSearch } from './go-search.ts'

/** The part of the state of the rules that this player reads. */
interface GoPosition {
  /** One character per point, row by row from the top: X is black, O is white. */
  readonly board: string
  readonly toMove: Seat
  readonly last: number | 'pass' | null
  /** Set while the players agree on dead stones. */
  readonly marking?: GoMarking
}

/** Playouts enough to tell which stones are dead. They take some hundredths of a second on the largest board. */
const ownershipPlayouts = 200

/** A move for go on any board, after `nodes` playouts. */
export const goMove = (game: Game, state: unknown, seat: Seat, nodes: number, dice: Dice): Json => {
  const position = state as GoPosition
  const names = game.moves!(state, seat)
  const { komi } = game.view(state, seat) as { readonly komi: number }
  const board = boardOf(position)
  const cells = cellNames(board.size)
  const { marking } = position
  if (marking?.stage === 'now') {
    const owned = ownership(position, ownershipPlayouts, dice)
    return markingMove(position.board, marking, owned, cell => cells[cell]!)
  }
  const listed = new Set(names)
  // After a pass of the other side, a pass ends the match, or starts the agreement on dead stones.
  if (position.last === 'pass') {
    const isWon =
      marking?.stage === 'later'
        ? isAhead(position, komi, seat, dice)
        : wins(game, stateAfter(game, state, seat, 'pass'), seat)
    if (isWon) return 'pass'
  }
  const chance = new Chance(dice.step())
  const search = new GoSearch(board, komi, chance, point => listed.has(cells[board.cellAt(point)]!))
  search.run(nodes)
  const { point } = search.best()
  return point === pass ? 'pass' : cells[board.cellAt(point)]!
}

/** For each cell, row by row from the top, the share of playouts that end with it black. */
const ownership = (position: GoPosition, playouts: number, dice: Dice): readonly number[] => {
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

/** Whether this seat wins the count after dead stones are removed. */
const isAhead = (position: GoPosition, komi: number, seat: Seat, dice: Dice): boolean => {
  const owned = ownership(position, ownershipPlayouts, dice)
  const lead = owned.reduce((sum, black) => sum + Math.sign(black - 0.5), 0) - komi
  return seat === 0 ? lead > 0 : lead < 0
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
