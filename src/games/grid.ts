// What the games on a grid share. A board is one string, a character a cell, row by row from the top.

import type { Cell } from './look.ts'

/** The board as agents see it: `rows[row][column]`. */
export const rowsOf = (board: string, width: number): string[][] => {
  const rows: string[][] = []
  for (let at = 0; at < board.length; at += width) rows.push([...board.slice(at, at + width)])
  return rows
}

export const put = (board: string, cell: number, mark: string): string =>
  board.slice(0, cell) + mark + board.slice(cell + 1)

/** How many equal marks the longest line through this cell has, in any of the four directions. */
export const longestRun = (board: string, width: number, cell: number): number =>
  Math.max(
    ...directions.map(
      ([down, right]) =>
        1 + reach(board, width, cell, down, right) + reach(board, width, cell, -down, -right),
    ),
  )

/** The board as a look has it: a string for each row. */
export const linesOfBoard = (board: string, width: number): string[] =>
  rowsOf(board, width).map(row => row.join(''))

/** The cell of a board, by its number row by row, as column and row. */
export const cellAt = (cell: number, width: number): Cell => [
  cell % width,
  Math.floor(cell / width),
]

/** The same board with a plus on every star point that is empty. */
export const withStars = (board: string, width: number): string =>
  starsOf(width).reduce(
    (drawn, star) => (drawn[star] === '.' ? put(drawn, star, '+') : drawn),
    board,
  )

/** The points that boards mark by tradition. */
function starsOf(width: number): number[] {
  if (width < 9) return []
  const edge = width < 13 ? 2 : 3
  const lines = [edge, (width - 1) / 2, width - 1 - edge]
  const all = lines.flatMap(y => lines.map(x => [x, y] as const))
  const onSmall = all.filter(([x, y]) => x === y || x + y === width - 1)
  return (width < 19 ? onSmall : all).map(([x, y]) => y * width + x)
}

/** Every straight line of so many cells. */
export const linesOf = (width: number, height: number, length: number): number[][] => {
  const lines: number[][] = []
  for (let cell = 0; cell < width * height; cell++)
    for (const [down, right] of directions) {
      const y = Math.floor(cell / width) + down * (length - 1)
      const x = (cell % width) + right * (length - 1)
      if (y < height && x >= 0 && x < width)
        lines.push(Array.from({ length }, (_, i) => cell + i * (down * width + right)))
    }
  return lines
}

/** From −1 to 1, how close this mark is to filling one of the lines, compared with all others. */
export const prospects = (
  board: string,
  lines: readonly (readonly number[])[],
  mark: string,
): number => {
  let sum = 0
  for (const line of lines) {
    let own = 0
    let others = 0
    for (const cell of line)
      if (board[cell] === mark) own++
      else if (board[cell] !== '.') others++
    if (own === 0 || others === 0) sum += 5 ** own - 5 ** others
  }
  return Math.tanh(sum / 5 ** lines[0]!.length)
}

const directions = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
] as const

function reach(board: string, width: number, cell: number, down: number, right: number): number {
  const mark = board[cell]
  const height = board.length / width
  let length = 0
  for (
    let y = Math.floor(cell / width) + down, x = (cell % width) + right;
    y >= 0 && y < height && x >= 0 && x < width && board[y * width + x] === mark;
    y += down, x += right
  )
    length++
  return length
}
