import { type CatalogueGame, type Illegal, illegal, type Seat } from './game.ts'
import {
  cellAt,
  linesOf,
  linesOfBoard,
  longestRun,
  prospects,
  put,
  rowsOf,
  withStars,
} from './grid.ts'
import { got } from './json.ts'
import { lastMoveWords, stones } from './look.ts'
import { about, grid, orNull, stoneMark, textLike } from './schema.ts'
import { readText } from './text-move.ts'

type Gomoku = {
  readonly board: string
  readonly toMove: Seat
  readonly last: number | null
}

const width = 15
const columns = [...'ABCDEFGHIJKLMNO']
const rows = Array.from({ length: width }, (_, row) => String(width - row))
const points = rows.flatMap(row => columns.map(column => column + row))
const cells = new Map<unknown, number>(points.map((point, cell) => [point, cell]))
const lines = linesOf(width, width, 5)
const point = textLike(`[A-O](${rows.join('|')})`)

/** Five or more in a row on fifteen lines, without any limits for the side that begins. */
export const gomoku: CatalogueGame<Gomoku> = {
  id: 'gomoku',
  title: 'Gomoku',
  summary: 'Five or more in a row on a board of 15 × 15.',
  seats: 2,
  sides: ['Black', 'White'],
  facts: { turns: 'alternate', luck: false, secrets: false },

  start: () => ({ board: '.'.repeat(width * width), toMove: 0, last: null }),

  status: ({ board, toMove, last }) => {
    if (last !== null && longestRun(board, width, last) >= 5)
      return { places: toMove === 0 ? [2, 1] : [1, 2], because: 'five in a row' }
    if (!board.includes('.')) return { places: [1, 1], because: 'the board is full' }
    return { toMove: [toMove] }
  },

  moves: ({ board, toMove }, seat) =>
    seat === toMove ? points.filter((_, cell) => board[cell] === '.') : [],

  read: (_state, _seat, move) =>
    readText(move, text => points[cells.get(text.toUpperCase()) ?? -1]),

  play: ({ board }, seat, move): Gomoku | Illegal => {
    const cell = cells.get(move)
    if (cell === undefined) return illegal(`a move is a point from "A1" to "O15", ${got(move)}`)
    if (board[cell] !== '.') return illegal(`${points[cell]} is taken`)
    return { board: put(board, cell, seat === 0 ? 'X' : 'O'), toMove: 1 - seat, last: cell }
  },

  view: ({ board, last }) => ({
    board: rowsOf(board, width),
    lastMove: last === null ? null : points[last]!,
  }),

  schema: {
    move: about(
      'A free point: its column A to O from the left, and its row 1 to 15 from the bottom.',
      point,
    ),
    view: {
      board: about(
        'board[row][column], row 0 on top, which is row 15: X is player 0, O is player 1, "." is free.',
        grid(width, width, stoneMark),
      ),
      lastMove: about('The last move; null before the first.', orNull(point)),
    },
  },

  look: ({ board, last }) => ({
    board: {
      surface: 'crossings',
      rows: linesOfBoard(withStars(board, width), width),
      pieces: stones,
      columns,
      rowNames: rows,
      last: last === null ? [] : [cellAt(last, width)],
      turns: 'free',
      move: '{column}{row}',
    },
    alt: lastMoveWords(last === null ? null : points[last]!),
  }),

  guess: ({ board }, seat) => prospects(board, lines, seat === 0 ? 'X' : 'O'),
}
