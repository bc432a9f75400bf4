import { type CatalogueGame, type Illegal, illegal, type Seat } from './game.ts'
import { cellAt, linesOfBoard } from './grid.ts'
import { got } from './json.ts'
import { lastMoveWords, type Piece } from './look.ts'
import { about, listOf, oneOf, stoneMark } from './schema.ts'
import { readText } from './text-move.ts'

type Mark = 'X' | 'O' | '.'
type TicTacToe = {
  readonly board: readonly Mark[]
  readonly toMove: Seat
  readonly last: number | null
}

const lines = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
] as const
const cells = ['0', '1', '2', '3', '4', '5', '6', '7', '8'] as const

/** Three in a row on nine cells, numbered row by row. */
export const ttt: CatalogueGame<TicTacToe> = {
  id: 'ttt',
  title: 'Tic-tac-toe',
  summary: 'Three in a row on a board of nine.',
  seats: 2,
  sides: ['X', 'O'],
  facts: { turns: 'alternate', luck: false, secrets: false },

  start: () => ({ board: Array(9).fill('.'), toMove: 0, last: null }),

  status: ({ board, toMove }) => {
    // Only the seat that has just moved can have made a line.
    const last = toMove === 0 ? 'O' : 'X'
    if (lines.some(([a, b, c]) => board[a] === last && board[b] === last && board[c] === last))
      return { places: toMove === 0 ? [2, 1] : [1, 2], because: 'three in a row' }
    if (!board.includes('.')) return { places: [1, 1], because: 'the board is full' }
    return { toMove: [toMove] }
  },

  moves: ({ board, toMove }, seat) =>
    seat === toMove ? cells.filter((_, i) => board[i] === '.') : [],

  read: (_state, _seat, move) => readText(move, text => cells.find(cell => cell === text)),

  play: ({ board, toMove }, seat, move): TicTacToe | Illegal => {
    const cell = cells.indexOf(move as '0')
    if (cell < 0) return illegal(`a move is a cell from "0" to "8", row by row, ${got(move)}`)
    if (board[cell] !== '.') return illegal(`cell ${cell} is taken`)
    return { board: board.with(cell, seat === 0 ? 'X' : 'O'), toMove: 1 - toMove, last: cell }
  },

  view: ({ board }) => ({ board }),

  schema: {
    move: about('The number of a free cell, row by row from the top left.', oneOf(cells)),
    view: {
      board: about(
        'The nine cells, row by row from the top left: X is player 0, O is player 1, "." is free.',
        listOf(9, stoneMark),
      ),
    },
  },

  look: ({ board, last }) => ({
    board: {
      surface: 'fields',
      rows: linesOfBoard(board.join(''), 3),
      pieces,
      last: last === null ? [] : [cellAt(last, 3)],
      move: '{n}',
    },
    alt: `${lastMoveWords(last === null ? null : `${last}`)} Cells by row: ${board.join(' ')}.`,
  }),
}

const pieces: Readonly<Record<string, Piece>> = {
  X: { kind: 'cross', seat: 0 },
  O: { kind: 'ring', seat: 1 },
}
