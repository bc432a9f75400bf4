// Go on 9×9 as §6 states it: captures first, then suicide, then positional superko; area scoring.

export type Board = readonly (readonly number[])[]
type Colour = 1 | 2

export interface GoState {
  readonly board: Board
  readonly toMove: Colour
  readonly captures: { readonly black: number; readonly white: number }
  /** Every whole-board position so far. */
  readonly seen: ReadonlySet<string>
  readonly passes: number
}

const KOMI = 6.5
const COLUMNS = 'ABCDEFGHJ'

export function start(): GoState {
  const board = Array.from({ length: 9 }, () => Array<number>(9).fill(0))
  return {
    board,
    toMove: 1,
    captures: { black: 0, white: 0 },
    seen: new Set([keyOf(board)]),
    passes: 0,
  }
}

/** The state after a move in canonical form, or the reason why it is illegal. */
export function play(
  state: GoState,
  move: string,
): GoState | 'format' | 'occupied' | 'suicide' | 'ko' {
  const next = (3 - state.toMove) as Colour
  if (move === 'pass') return { ...state, toMove: next, passes: state.passes + 1 }
  const point = pointOf(move)
  if (point === null) return 'format'
  const [row, column] = point
  if (state.board[row]?.[column] !== 0) return 'occupied'
  const board = state.board.map(r => [...r])
  set(board, point, state.toMove)
  let taken = 0
  for (const near of neighbours(point)) {
    if (colourAt(board, near) !== next) continue
    const { stones, liberties } = groupAt(board, near)
    if (liberties > 0) continue
    taken += stones.length
    for (const stone of stones) set(board, stone, 0)
  }
  if (groupAt(board, point).liberties === 0) return 'suicide'
  if (state.seen.has(keyOf(board))) return 'ko'
  const captures =
    state.toMove === 1
      ? { ...state.captures, black: state.captures.black + taken }
      : { ...state.captures, white: state.captures.white + taken }
  return { board, toMove: next, captures, seen: new Set(state.seen).add(keyOf(board)), passes: 0 }
}

export function nameOf(row: number, column: number): string {
  return `${COLUMNS.charAt(column)}${9 - row}`
}

/** Own stones and the empty regions that touch only that colour; komi goes to White. */
export function score(board: Board): { black: number; white: number } {
  let [black, white] = [0, KOMI]
  const counted = new Set<string>()
  for (const point of points()) {
    const colour = colourAt(board, point)
    if (colour === 1) black++
    else if (colour === 2) white++
    else if (!counted.has(String(point))) {
      const { region, borders } = regionAt(board, point)
      for (const p of region) counted.add(String(p))
      if (borders.size === 1) {
        if (borders.has(1)) black += region.length
        else white += region.length
      }
    }
  }
  return { black, white }
}

export function points(): [number, number][] {
  return Array.from({ length: 81 }, (_, i) => [Math.floor(i / 9), i % 9])
}

type Point = readonly [number, number]

function pointOf(move: string): Point | null {
  const column = COLUMNS.indexOf(move.charAt(0))
  const row = Number(move.charAt(1))
  return /^[A-HJ][1-9]$/.test(move) ? [9 - row, column] : null
}

function groupAt(board: Board, point: Point): { stones: Point[]; liberties: number } {
  const { region, borders, edge } = regionAt(board, point)
  return {
    stones: region,
    liberties: borders.has(0) ? edge.filter(p => colourAt(board, p) === 0).length : 0,
  }
}

/** The points connected to this one that have its colour, and what they touch. */
function regionAt(
  board: Board,
  start: Point,
): { region: Point[]; borders: Set<number>; edge: Point[] } {
  const colour = colourAt(board, start)
  const region: Point[] = [start]
  const edge: Point[] = []
  const met = new Set([String(start)])
  const borders = new Set<number>()
  for (const point of region) {
    for (const near of neighbours(point)) {
      if (colourAt(board, near) !== colour) {
        borders.add(colourAt(board, near))
        edge.push(near)
      } else if (!met.has(String(near))) {
        met.add(String(near))
        region.push(near)
      }
    }
  }
  return { region, borders, edge }
}

function neighbours([row, column]: Point): Point[] {
  const all: Point[] = [
    [row - 1, column],
    [row + 1, column],
    [row, column - 1],
    [row, column + 1],
  ]
  return all.filter(([r, c]) => r >= 0 && r < 9 && c >= 0 && c < 9)
}

function colourAt(board: Board, [row, column]: Point): number {
  return board[row]?.[column] ?? 0
}

function set(board: number[][], [row, column]: Point, colour: number): void {
  const line = board[row]
  if (line !== undefined) line[column] = colour
}

function keyOf(board: Board): string {
  return board.map(row => row.join('')).join('')
}
