import type { Canvas } from './terminal/canvas.ts'
import type { Role } from './terminal/palette.ts'

/** A board as games on a grid draw it, read back from the drawing: so it can be shown larger, turned and pointed at. */
export interface Board {
  readonly columns: readonly string[]
  readonly rows: readonly string[]
  /** `cells[row][column]`, row 0 on top. */
  readonly cells: readonly (readonly string[])[]
  readonly last: Point | null
  /** What is said below it. */
  readonly notes: readonly string[]
  /** What the cell is called in a move, as far as the drawing tells. */
  readonly name: (point: Point) => string
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** Null for a drawing that is no grid. */
export const readBoard = (drawing: string): Board | null => {
  // Many look at the same board, one after the other.
  if (drawing !== lastRead.drawing) {
    const lines = drawing.split('\n')
    lastRead = { drawing, board: readFields(lines) ?? readGrid(lines) }
  }
  return lastRead.board
}

let lastRead: { readonly drawing: string; readonly board: Board | null } = {
  drawing: '',
  board: null,
}

export interface BoardLook {
  /** Seen from the other side. */
  readonly flipped?: boolean
  readonly cursor?: Point | null
  /** Cells to point out, such as where a piece may go. */
  readonly marked?: readonly Point[]
}

/** Draws it as large as there is room for. Answers with how wide it became. */
export const drawBoard = (canvas: Canvas, board: Board, look: BoardLook = {}): number => {
  const { columns, rows } = board
  const roomy = rows.length * 2 + 3 <= canvas.height && columns.length * 4 + 5 <= canvas.width
  if (roomy && columns.length <= 9) return drawRoomy(canvas, board, look)
  return drawDense(canvas, board, look)
}

/**
 * Whether it may be shown from the other side. The names of its rows turn with it; where the rows have none,
 * as in Connect Four, it would hang upside down.
 */
export const isTurnable = (board: Board | null): boolean =>
  board?.rows.every(row => row.trim() !== '') ?? false

export const boardWidth = ({ columns, rows }: Board, height: number): number =>
  rows.length * 2 + 3 <= height && columns.length <= 9
    ? columns.length * 4 + 5
    : columns.length * 2 + 5

/** ` 0 | X | 2 ` over `---+---+---`: free cells show their own number. */
const readFields = (lines: readonly string[]): Board | null => {
  if (
    lines.length < 3 ||
    !lines.every((line, i) => (i % 2 === 0 ? /^ . (\| . )+$/ : /^---(\+---)+$/).test(line))
  )
    return null
  const drawn = lines
    .filter((_, i) => i % 2 === 0)
    .map(line => line.split('|').map(cell => cell.trim()))
  const width = drawn[0]!.length
  return {
    columns: drawn[0]!.map(() => ' '),
    rows: drawn.map(() => ' '),
    cells: drawn.map(row => row.map(cell => (/\d/.test(cell) ? '.' : cell))),
    last: null,
    notes: [],
    name: ({ x, y }) => String(y * width + x),
  }
}

/** Columns named above and below, rows on both sides, brackets around the last move. */
const readGrid = (lines: readonly string[]): Board | null => {
  const edge = lines[0] ?? ''
  const columns = edge.trim().split(' ')
  const margin = edge.length - edge.trimStart().length
  const bottom = lines.indexOf(edge, 1)
  if (margin < 2 || bottom < 2 || columns.some(name => name.length !== 1)) return null
  const body = lines.slice(1, bottom)
  const rows = body.map(line => line.slice(0, margin - 1).trim())
  let last: Point | null = null
  const cells = body.map((line, y) =>
    columns.map((_, x) => {
      if (line[margin + 2 * x - 1] === '[') last = { x, y }
      return line[margin + 2 * x] ?? ' '
    }),
  )
  const numbered = rows.every(row => /^\d+$/.test(row))
  const name = ({ x, y }: Point) => columns[x]! + (numbered ? rows[y]! : '')
  const notes = lines.slice(bottom + 1).filter(line => line.trim() !== '')
  return { columns, rows: rows.map(row => (row === '|' ? '' : row)), cells, last, notes, name }
}

const drawDense = (canvas: Canvas, board: Board, look: BoardLook): number => {
  const { columns, rows, cells } = board
  const shown = orders(board, look)
  const label = Math.max(...rows.map(row => row.length))
  // Where the board is higher or wider than the room, what was played or is pointed at stays in sight.
  const focus = look.cursor ?? board.last ?? { x: 0, y: 0 }
  const top = offset(shown.ys.indexOf(focus.y), rows.length, canvas.height - 1)
  const room = Math.floor((canvas.width - label - 2) / 2)
  const left = offset(shown.xs.indexOf(focus.x), columns.length, room)
  const xs = shown.xs.slice(left)
  const ys = shown.ys.slice(top)
  const column = (i: number) => label + 2 + 2 * i
  for (const [i, x] of xs.entries()) canvas.text(column(i), 0, columns[x]!, 'dim')
  for (const [j, y] of ys.entries()) {
    canvas.text(label - rows[y]!.length, j + 1, rows[y]!, 'dim')
    const row = cells[y]!
    for (let i = 0; i < xs.length; i++) drawPiece(canvas, column(i), j + 1, row[xs[i]!]!, board)
  }
  for (const [{ x, y }, [before, after]] of marksOf(board, look)) {
    const [i, j] = [xs.indexOf(x), ys.indexOf(y)]
    if (i < 0 || j < 0) continue
    canvas.text(column(i) - 1, j + 1, before, 'mark')
    canvas.text(column(i) + 1, j + 1, after, 'mark')
  }
  return label + 3 + 2 * columns.length
}

const drawRoomy = (canvas: Canvas, board: Board, look: BoardLook): number => {
  const { columns, rows, cells } = board
  const { xs, ys } = orders(board, look)
  const label = Math.max(...rows.map(row => row.length)) + 1
  const line = (left: string, middle: string, right: string) =>
    left + xs.map(() => '───').join(middle) + right
  const column = (i: number) => label + 2 + 4 * i
  for (const [i, x] of xs.entries()) canvas.text(column(i), 0, columns[x]!, 'dim')
  canvas.text(label, 1, line('┌', '┬', '┐'), 'board')
  for (const [j, y] of ys.entries()) {
    const at = 2 + 2 * j
    if (j > 0) canvas.text(label, at - 1, line('├', '┼', '┤'), 'board')
    canvas.text(label - 1 - rows[y]!.length, at, rows[y]!, 'dim')
    canvas.text(label, at, `${'│   '.repeat(xs.length)}│`, 'board')
    for (const [i, x] of xs.entries())
      if (cells[y]![x] !== '.') drawPiece(canvas, column(i), at, cells[y]![x]!, board)
  }
  canvas.text(label, 1 + 2 * ys.length, line('└', '┴', '┘'), 'board')
  for (const [{ x, y }, [before, after]] of marksOf(board, look)) {
    const [i, j] = [xs.indexOf(x), ys.indexOf(y)]
    canvas.text(column(i) - 1, 2 + 2 * j, before, 'mark')
    canvas.text(column(i) + 1, 2 + 2 * j, after, 'mark')
  }
  return label + 4 * xs.length + 1
}

const orders = ({ columns, rows }: Board, { flipped }: BoardLook) => {
  const xs = columns.map((_, x) => x)
  const ys = rows.map((_, y) => y)
  return flipped ? { xs: xs.reverse(), ys: ys.reverse() } : { xs, ys }
}

const offset = (focus: number, length: number, room: number): number =>
  length <= room ? 0 : Math.max(0, Math.min(length - room, focus - Math.floor(room / 2)))

/** What stands around a cell, the most important last. */
const marksOf = (
  board: Board,
  look: BoardLook,
): readonly (readonly [Point, readonly [string, string]])[] => [
  ...(look.marked ?? []).map(point => [point, ['(', ')']] as const),
  ...(board.last === null ? [] : [[board.last, ['[', ']']] as const]),
  ...(look.cursor == null ? [] : [[look.cursor, ['>', '<']] as const]),
]

const drawPiece = (canvas: Canvas, x: number, y: number, mark: string, board: Board): void => {
  const stone = stones(board).get(mark)
  if (stone !== undefined) canvas.text(x, y, stone.text, stone.role)
  else if (mark === '.') canvas.text(x, y, '·', 'board')
  else canvas.text(x, y, mark, /[a-z]/.test(mark) ? 'second' : 'first')
}

/** X and O are letters in tic-tac-toe and stones on every larger board. */
const stones = ({ columns }: Board): ReadonlyMap<string, { text: string; role: Role }> =>
  columns.length > 3 ? round : letters

const round = new Map<string, { text: string; role: Role }>([
  ['X', { text: '●', role: 'first' }],
  ['O', { text: '○', role: 'second' }],
  // Marked as dead.
  ['x', { text: '×', role: 'first' }],
  ['o', { text: '×', role: 'second' }],
])
const letters = new Map<string, { text: string; role: Role }>([
  ['X', { text: 'X', role: 'first' }],
  ['O', { text: 'O', role: 'second' }],
])
