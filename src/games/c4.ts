import { type CatalogueGame, type Illegal, illegal, type Seat } from './game.ts'
import { cellAt, linesOf, linesOfBoard, longestRun, put, rowsOf } from './grid.ts'
import { got } from './json.ts'
import { lastMoveWords, type Piece } from './look.ts'
import { about, grid, oneOf, stoneMark } from './schema.ts'
import { readText } from './text-move.ts'

type ConnectFour = {
  readonly board: string
  readonly toMove: Seat
  readonly last: number | null
}

const width = 7
const height = 6
const columns = ['0', '1', '2', '3', '4', '5', '6'] as const
const lines = linesOf(width, height, 4)

/** Four in a row on seven columns of six: a stone falls to the lowest free cell of its column. */
export const c4: CatalogueGame<ConnectFour> = {
  id: 'c4',
  title: 'Connect Four',
  summary: 'Four in a row, the stones falling down seven columns.',
  seats: 2,
  sides: ['X', 'O'],
  facts: { turns: 'alternate', luck: false, secrets: false },

  start: () => ({ board: '.'.repeat(width * height), toMove: 0, last: null }),

  status: ({ board, toMove, last }) => {
    if (last !== null && longestRun(board, width, last) >= 4)
      return { places: toMove === 0 ? [2, 1] : [1, 2], because: 'four in a row' }
    if (!board.includes('.')) return { places: [1, 1], because: 'the board is full' }
    return { toMove: [toMove] }
  },

  moves: ({ board, toMove }, seat) =>
    seat === toMove ? columns.filter((_, column) => board[column] === '.') : [],

  read: (_state, _seat, move) => readText(move, text => columns.find(column => column === text)),

  play: ({ board }, seat, move): ConnectFour | Illegal => {
    const column = columns.indexOf(move as '0')
    if (column < 0) return illegal(`a move is a column from "0" to "6", ${got(move)}`)
    if (board[column] !== '.') return illegal(`column ${column} is full`)
    const cell = lowestFree(board, column)
    return { board: put(board, cell, seat === 0 ? 'X' : 'O'), toMove: 1 - seat, last: cell }
  },

  view: ({ board }) => ({ board: rowsOf(board, width) }),

  schema: {
    move: about('The number of a column that is not full, from the left.', oneOf(columns)),
    view: {
      board: about(
        'board[row][column], row 0 on top: X is player 0, O is player 1, "." is free.',
        grid(width, height, stoneMark),
      ),
    },
  },

  look: ({ board, last }) => ({
    board: {
      surface: 'rack',
      rows: linesOfBoard(board, width),
      pieces,
      columns,
      last: last === null ? [] : [cellAt(last, width)],
      move: '{column}',
    },
    alt: lastMoveWords(last === null ? null : columns[last % width]!),
  }),

  guess: ({ board, toMove }, seat) => {
    const lead = promise(board, 'X', toMove === 0) - promise(board, 'O', toMove === 1)
    return Math.tanh((seat === 0 ? lead : -lead) / 10)
  },
}

const pieces: Readonly<Record<string, Piece>> = {
  X: { kind: 'stone', seat: 0 },
  O: { kind: 'stone', seat: 1 },
}

/** How much the lines that are open to one side alone promise it. */
function promise(board: string, mark: string, isToMove: boolean): number {
  let sum = 0
  for (const line of lines) {
    let own = 0
    let free = 0
    let hole = 0
    for (const cell of line)
      if (board[cell] === mark) own++
      else if (board[cell] === '.') {
        free++
        hole = cell
      }
    if (own + free < 4) continue
    sum += own < 3 ? own * own * 0.1 : threat(board, mark, hole, isToMove)
  }
  return sum
}

/** Three of a line: made to four at once, stopped at once, or kept for when the column has been filled up to it. */
function threat(board: string, mark: string, hole: number, isToMove: boolean): number {
  const below = hole + width
  if (below >= board.length || board[below] !== '.') return isToMove ? 50 : 0.5
  // Who begins plays to the odd rows from below when all else is full, the other to the even ones.
  const isOdd = (height - Math.floor(hole / width)) % 2 === 1
  return isOdd === (mark === 'X') ? 6 : 2.5
}

function lowestFree(board: string, column: number): number {
  let cell = board.length - width + column
  while (board[cell] !== '.') cell -= width
  return cell
}
