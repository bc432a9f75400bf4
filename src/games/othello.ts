import { type CatalogueGame, type Illegal, illegal, type Seat } from './game.ts'
import { cellAt, linesOfBoard, rowsOf } from './grid.ts'
import { got } from './json.ts'
import { lastMoveWords, stones } from './look.ts'
import { about, grid, orNull, stoneMark, textLike } from './schema.ts'
import { readText } from './text-move.ts'

type Othello = {
  readonly board: string
  readonly toMove: Seat
  readonly last: number | 'pass' | null
}

const width = 8
const columns = [...'abcdefgh']
const rows = ['1', '2', '3', '4', '5', '6', '7', '8'] as const
const names = rows.flatMap(row => columns.map(column => column + row))
const cells = new Map<unknown, number>(names.map((name, cell) => [name, cell]))
// From each cell outwards, in each direction in which there is room for a stone to turn and one to hold it.
const rays = names.map((_, cell) => raysFrom(cell))
const corners = [0, 7, 56, 63]
const moveSchema = textLike('[a-h][1-8]|pass')
const opening = `${'.'.repeat(27)}OX${'.'.repeat(6)}XO${'.'.repeat(27)}`

/** Enclosed stones change sides, and most stones win. Seat 0 is black, written X. */
export const othello: CatalogueGame<Othello> = {
  id: 'othello',
  title: 'Othello',
  summary: 'Enclosed stones change sides; most stones win.',
  seats: 2,
  sides: ['Black', 'White'],
  facts: { turns: 'alternate', luck: false, secrets: false },

  start: () => ({ board: opening, toMove: 0, last: null }),

  status: ({ board, toMove }) => {
    if (canMove(board, toMove) || canMove(board, 1 - toMove)) return { toMove: [toMove] }
    const scores = [count(board, 'X'), count(board, 'O')] as const
    const lead = scores[0] - scores[1]
    return {
      places: lead > 0 ? [1, 2] : lead < 0 ? [2, 1] : [1, 1],
      scores,
      because: `nobody can move, ${scores[0]} stones to ${scores[1]}`,
    }
  },

  moves: ({ board, toMove }, seat) => {
    if (seat !== toMove) return []
    const listed = names.filter((_, cell) => turns(board, seat, cell))
    return listed.length > 0 ? listed : ['pass']
  },

  read: (_state, _seat, move) =>
    readText(move, text => {
      const name = text.toLowerCase()
      return name === 'pass' || cells.has(name) ? name : undefined
    }),

  play: ({ board }, seat, move): Othello | Illegal => {
    if (move === 'pass')
      return canMove(board, seat)
        ? illegal('you may pass only when you have no other move')
        : { board, toMove: 1 - seat, last: 'pass' }
    const cell = cells.get(move)
    if (cell === undefined)
      return illegal(`a move is a cell from "a1" to "h8", or "pass", ${got(move)}`)
    if (board[cell] !== '.') return illegal(`${names[cell]} is taken`)
    if (!turns(board, seat, cell)) return illegal(`${names[cell]} encloses no stone`)
    return { board: turned(board, seat, cell), toMove: 1 - seat, last: cell }
  },

  view: ({ board, last }) => ({
    board: rowsOf(board, width),
    lastMove: typeof last === 'number' ? names[last]! : last,
  }),

  schema: {
    move: about(
      'A cell: its column a to h from the left, and its row 1 to 8 from the top. "pass" where nothing else is legal.',
      moveSchema,
    ),
    view: {
      board: about(
        'board[row][column], row 0 on top: X is Black (player 0), O is White (player 1), "." is free.',
        grid(width, width, stoneMark),
      ),
      lastMove: about('The last move; null before the first.', orNull(moveSchema)),
    },
  },

  look: ({ board, last }) => ({
    board: {
      surface: 'felt',
      rows: linesOfBoard(board, width),
      pieces: stones,
      columns,
      rowNames: rows,
      last: typeof last === 'number' ? [cellAt(last, width)] : [],
      turns: 'free',
      move: '{column}{row}',
    },
    alt: lastMoveWords(typeof last === 'number' ? names[last]! : last),
  }),

  // Stones come and go, but a corner stays, and who can choose need not give one away.
  guess: ({ board }, seat) => {
    const lead = (of: (seat: Seat) => number) => of(seat) - of(1 - seat)
    return Math.tanh((lead(of => choices(board, of)) + 8 * lead(of => held(board, of))) / 30)
  },
}

const markOf = (seat: Seat) => (seat === 0 ? 'X' : 'O')

const count = (board: string, mark: string) => board.split(mark).length - 1

function canMove(board: string, seat: Seat): boolean {
  for (let cell = 0; cell < board.length; cell++) if (turns(board, seat, cell)) return true
  return false
}

const choices = (board: string, seat: Seat) =>
  names.filter((_, cell) => turns(board, seat, cell)).length

const held = (board: string, seat: Seat) =>
  corners.filter(cell => board[cell] === markOf(seat)).length

const turns = (board: string, seat: Seat, cell: number): boolean =>
  board[cell] === '.' && rays[cell]!.some(ray => enclosed(board, seat, ray) > 0)

function turned(board: string, seat: Seat, cell: number): string {
  const marks = [...board]
  marks[cell] = markOf(seat)
  for (const ray of rays[cell]!)
    for (const other of ray.slice(0, enclosed(board, seat, ray))) marks[other] = markOf(seat)
  return marks.join('')
}

/** How many of the other side's stones stand on this ray before the first of one's own. */
function enclosed(board: string, seat: Seat, ray: readonly number[]): number {
  const theirs = markOf(1 - seat)
  let length = 0
  while (length < ray.length && board[ray[length]!] === theirs) length++
  return length < ray.length && board[ray[length]!] === markOf(seat) ? length : 0
}

function raysFrom(cell: number): number[][] {
  const found: number[][] = []
  for (const down of [-1, 0, 1])
    for (const right of [-1, 0, 1]) {
      const ray: number[] = []
      let y = Math.floor(cell / width) + down
      let x = (cell % width) + right
      while ((down || right) && y >= 0 && y < width && x >= 0 && x < width) {
        ray.push(y * width + x)
        y += down
        x += right
      }
      if (ray.length >= 2) found.push(ray)
    }
  return found
}
