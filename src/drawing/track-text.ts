import type { Track, TrackSquare, TrackToken } from '../games/look.ts'
import { Sheet, type Span, seatRole } from './sheet.ts'

export interface TrackView {
  /** Draw boxes and houses instead of letters and signs. */
  readonly rich?: boolean
  /** The available space, in characters. */
  readonly width?: number
  readonly height?: number
}

export interface TrackDrawing {
  readonly lines: readonly (readonly Span[])[]
  /** The free space in the middle. */
  readonly middle: Box
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Squares around a rectangle, as large as the available space allows: forty squares take 78 × 19 characters. */
export const trackText = (track: Track, view: TrackView = {}): TrackDrawing => {
  const { rich = false } = view
  const layout = layoutOf(track, view)
  const sheet = new Sheet()
  drawLines(sheet, layout, rich ? boxes : ascii)
  for (const [i, square] of track.squares.entries()) {
    const tokens = track.tokens.filter(token => token.square === i)
    const box = boxOf(layout, i)
    if (box.height > 1 || box.isEnd) drawAcross(sheet, box, square, tokens, rich)
    else drawAlong(sheet, box, square, tokens, rich)
  }
  return { lines: sheet.lines, middle: layout.middle }
}

interface Layout {
  /** The number of squares of a side, one corner included. */
  readonly side: number
  /** The width of a square of the upper and lower side, one line included. */
  readonly cell: number
  /** How many rows of text these squares have. */
  readonly rows: number
  readonly width: number
  readonly height: number
  /** The column of the line that bounds the squares of the left side. */
  readonly inner: number
  readonly middle: Box
}

/** Columns beside a square of the left and right side, for the tokens on it. */
const tokenRoom = 5

const layoutOf = ({ squares }: Track, { width = 80, height = 24 }: TrackView): Layout => {
  const side = squares.length / 4
  const cell = Math.max(3, Math.min(7, Math.floor((width - 1) / (side + 1))))
  const rows = Math.max(1, Math.min(3, Math.floor((height - side - 3) / 2)))
  const across = (side + 1) * cell + 1
  // Two squares wide, so that name, owner and houses fit in one row.
  const inner = side < 6 ? cell : 2 * cell
  const left = inner + 1 + tokenRoom
  return {
    ...{ side, cell, rows, inner, width: across, height: 2 * rows + side + 3 },
    middle: {
      ...{ x: left, y: rows + 2 },
      ...{ width: Math.max(0, across - 2 * left), height: side - 1 },
    },
  }
}

type SquareBox = Box & {
  /** In the first or last row of the board. */
  readonly isEnd: boolean
  /** On the right side, where tokens stand to its left. */
  readonly isRight: boolean
}

const boxOf = ({ side, cell, rows, width, height, inner }: Layout, i: number): SquareBox => {
  const at = i % side
  const end = (column: number, isTop: boolean): SquareBox => ({
    ...{ x: column * cell + 1, y: isTop ? 1 : height - 1 - rows, width: cell - 1, height: rows },
    ...{ isEnd: true, isRight: false },
  })
  if (i < side) return end(side - at, false)
  if (i >= 2 * side && i < 3 * side) return end(at, true)
  if (i === side) return end(0, false)
  if (i === 3 * side) return end(side, true)
  const isRight = i > 3 * side
  return {
    x: isRight ? width - inner : 1,
    y: rows + 1 + (isRight ? at : side - at),
    ...{ width: inner - 1, height: 1, isEnd: false, isRight },
  }
}

/** Name, owner with houses, and tokens in rows. Where rows are missing, tokens stand in for what they cover. */
const drawAcross = (
  sheet: Sheet,
  { x, y, width, height }: Box,
  square: TrackSquare,
  tokens: readonly TrackToken[],
  rich: boolean,
): void => {
  drawName(sheet, x, y, square, width)
  if (height > 1) drawState(sheet, x, y + 1, square, width, rich)
  if (tokens.length === 0) return
  if (height < 3) sheet.put(x, y + height - 1, ' '.repeat(width), 'text')
  drawTokens(sheet, x, y + height - 1, tokens, width, rich)
}

/** Name, owner and houses in one row, with the tokens beside it. */
const drawAlong = (
  sheet: Sheet,
  { x, y, width, isRight }: SquareBox,
  square: TrackSquare,
  tokens: readonly TrackToken[],
  rich: boolean,
): void => {
  const [room, gap] = width >= 13 ? [6, 1] : width >= 8 ? [3, 1] : [2, 0]
  drawName(sheet, x, y, square, width - room - gap)
  drawState(sheet, x + width - room, y, square, room, rich)
  const length = tokensLength(tokens)
  const at = isRight ? x - 1 - Math.max(length, tokenRoom - 1) : x + width + 1
  drawTokens(sheet, at, y, tokens, length, rich)
}

const drawName = (
  sheet: Sheet,
  x: number,
  y: number,
  { short, colour }: TrackSquare,
  width: number,
): void => sheet.put(x, y, [...short].slice(0, width).join(''), colour ?? 'text')

/** Who owns it and what stands on it, or the note of a square without an owner. */
const drawState = (
  sheet: Sheet,
  x: number,
  y: number,
  { owner = null, level = 0, mortgaged = false, note = '' }: TrackSquare,
  room: number,
  rich: boolean,
): void => {
  if (owner === null) {
    if (note.length <= room) sheet.put(x, y, note, 'dim')
    return
  }
  sheet.put(x, y, `${owner}`, seatRole(owner))
  const [house, large] = rich ? ['▪', '◆'] : ['^', '#']
  const wide = room >= 6
  const state = mortgaged
    ? wide
      ? ' mtg'
      : 'm'
    : level > 4
      ? `${wide ? ' ' : ''}${large}`
      : level === 0
        ? ''
        : wide
          ? ` ${house.repeat(level)}`
          : `${room > 2 ? house : ''}${level}`
  sheet.put(x + 1, y, state, mortgaged ? 'dim' : seatRole(owner))
}

/** The numbers of the seats after a dot, those that are locked up in brackets. */
const drawTokens = (
  sheet: Sheet,
  x: number,
  y: number,
  tokens: readonly TrackToken[],
  room: number,
  rich: boolean,
): void => {
  const length = tokensLength(tokens)
  const free = tokens.filter(({ held }) => !held)
  const held = tokens.filter(({ held }) => held)
  const numbers = (group: readonly TrackToken[]) =>
    group.map(({ seat }) => [`${seat}`, seatRole(seat)] as const)
  const brackets = held.length > 0 && length - 1 <= room
  const pieces = [
    ...(tokens.length > 0 && length <= room ? [[rich ? '●' : '@', 'mark'] as const] : []),
    ...numbers(free),
    ...(brackets ? [['(', 'mark'] as const] : []),
    ...numbers(held),
    ...(brackets ? [[')', 'mark'] as const] : []),
  ]
  for (const [i, [text, role]] of pieces.slice(0, room).entries()) sheet.put(x + i, y, text, role)
}

const tokensLength = (tokens: readonly TrackToken[]): number =>
  1 + tokens.length + (tokens.some(({ held }) => held) ? 2 : 0)

/** The lines between squares, as which of left, right, up and down go out of each crossing. */
const drawLines = (
  sheet: Sheet,
  { side, cell, rows, width, height, inner }: Layout,
  glyphs: string,
): void => {
  const ways = new Map<string, number>()
  const add = (x: number, y: number, way: number) =>
    ways.set(`${x} ${y}`, (ways.get(`${x} ${y}`) ?? 0) | way)
  const across = (y: number) => {
    for (let x = 0; x + 1 < width; x++) {
      add(x, y, 2)
      add(x + 1, y, 1)
    }
  }
  const down = (x: number, from: number, to: number) => {
    for (let y = from; y < to; y++) {
      add(x, y, 8)
      add(x, y + 1, 4)
    }
  }
  const [top, bottom] = [rows + 1, height - rows - 2]
  for (const y of [0, top, bottom, height - 1]) across(y)
  for (let i = 0; i <= side + 1; i++) {
    down(i * cell, 0, top)
    down(i * cell, bottom, height - 1)
  }
  for (const x of [0, inner, width - 1 - inner, width - 1]) down(x, top, bottom)
  for (const [at, way] of ways) {
    const [x, y] = at.split(' ').map(Number) as [number, number]
    sheet.put(x, y, glyphs[way]!, 'board')
  }
}

// By the sum of left 1, right 2, up 4 and down 8.
const boxes = ' ╴╶─╵┘└┴╷┐┌┬│┤├┼'
const ascii = ' ---|+++|+++|+++'
