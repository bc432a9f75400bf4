// What a position looks like, as plain JSON. The game says what there is to see; src/drawing makes text of it for
// terminals, src/web/board makes SVG and HTML for browsers. No renderer knows a game.

import type { Seat } from './game.ts'

/** Types and not interfaces, so that a look can be handled as JSON. */
export type Look = {
  readonly board?: Board
  /** In place of a board of cells: squares around a rectangle. */
  readonly track?: Track
  /** What stands beside the board, from top to bottom. */
  readonly panels?: readonly Panel[]
  /** The position in words, for readers who do not see it. Without it the rows of the board are read aloud. */
  readonly alt?: string
}

/** Column and row of a cell, counted from 0, from the top left corner. */
export type Cell = readonly [x: number, y: number]

export type Board = {
  readonly surface: Surface
  /** One character a cell, row by row from the top, all rows of one length. Plain text shows these characters. */
  readonly rows: readonly string[]
  /**
   * What the characters stand for. `.` is empty and a blank is not seen, unless it says otherwise; any other character
   * is drawn as it is. Where a board is too large for a screen, one character stands for several cells: the one that
   * is first here.
   */
  readonly pieces?: Readonly<Record<string, Piece>>
  /** The names of columns and rows, written along the edges. */
  readonly columns?: readonly string[]
  readonly rowNames?: readonly string[]
  /** The cells that the last move changed. */
  readonly last?: readonly Cell[]
  readonly marks?: readonly Mark[]
  /** The cell that stays in sight where the board is too large for a screen. */
  readonly focus?: Cell
  /** `free`: it can be turned around. `seat`: and seat 1 sees it from the other side. */
  readonly turns?: 'free' | 'seat'
  /**
   * The move, or the part of a move, that a cell stands for: `{column}` and `{row}` are the names of the cell, `{x}`
   * and `{y}` its numbers, `{n}` its number row by row. Where moves are JSON, so is this. Left out where no cell is a move.
   */
  readonly move?: string
}

/**
 * What the cells are drawn on: squares of two colours, green squares, crossings of lines, holes in an upright rack,
 * fields between two lines, or tiles without gaps, of which there may be ten thousand.
 */
type Surface = 'squares' | 'felt' | 'crossings' | 'rack' | 'fields' | 'land'

export type Piece =
  | {
      readonly kind: 'stone' | 'cross' | 'ring' | Chessman
      readonly seat: Seat
      /** The colour of its seat unless given. */
      readonly colour?: 'black' | 'white'
    }
  /** A disc in the colour of its seat with the character on it. */
  | { readonly kind: 'token'; readonly seat: Seat }
  /** A point that is marked by tradition, and empty. */
  | { readonly kind: 'star' }
  | { readonly kind: 'tile'; readonly ground: Ground }

export type Chessman = 'king' | 'queen' | 'rook' | 'bishop' | 'knight' | 'pawn'

export type Ground =
  | 'fog'
  | 'grass'
  | 'bush'
  | 'stone'
  | 'gold'
  | 'berry'
  | 'water'
  | 'rock'
  | 'base'

/** Cells that are highlighted, ringed, or crossed out. */
export type Mark = {
  readonly kind: 'light' | 'ring' | 'cross'
  readonly cells: readonly Cell[]
  /** What the mark means, in a word or two: "dead". */
  readonly means: string
}

/** Squares around a rectangle, on which tokens go round and round. */
export type Track = {
  /** In the order of the way, from the bottom right corner to the left. Each side has as many: their number is a multiple of 4. */
  readonly squares: readonly TrackSquare[]
  /** In the order in which they are drawn. A seat without a token is out. */
  readonly tokens: readonly TrackToken[]
}

export type TrackSquare = {
  readonly name: string
  /** At most six characters, for small screens, which show only as many of the first ones as they have room for. */
  readonly short: string
  /** The colour of the group that it belongs to. */
  readonly colour?: GroupColour | null
  /** A few characters below the name, such as a price. */
  readonly note?: string
  readonly owner?: Seat | null
  /** Houses, up to four; 5 is the large building that replaces them. */
  readonly level?: number
  readonly mortgaged?: boolean
}

export type TrackToken = {
  readonly seat: Seat
  /** The number of its square. */
  readonly square: number
  /** It is locked up there. */
  readonly held?: boolean
  /** A few characters about its seat, such as its money. Small pictures, which have no tables, show it. */
  readonly tally?: string
}

export type GroupColour = 'brown' | 'sky' | 'pink' | 'orange' | 'red' | 'yellow' | 'green' | 'navy'

export type Panel =
  | { readonly kind: 'line'; readonly text: Text; readonly tone?: 'strong' | 'weak' }
  | {
      readonly kind: 'table'
      readonly head: readonly Text[]
      readonly rows: readonly (readonly Text[])[]
      /** A last row, such as a sum. */
      readonly foot?: readonly Text[]
    }
  /** What players have written to each other, the newest last. */
  | {
      readonly kind: 'talk'
      readonly messages: readonly { readonly seat: Seat; readonly text: string }[]
    }
  /** What has happened, the newest last. */
  | { readonly kind: 'log'; readonly lines: readonly Text[] }
  | Chart

/** Numbers over time, a line for each seat. */
export type Chart = {
  readonly kind: 'chart'
  /** What the numbers are. */
  readonly title: string
  /** What time is counted in: "turn". */
  readonly along: string
  /** How much time is between two points; the first one is at 0. */
  readonly step: number
  /** By seat, all of one length. */
  readonly lines: readonly (readonly number[])[]
}

export type Text = string | number | readonly Part[]

/** A seat is shown as the name of its player. */
export type Part =
  | string
  | { readonly seat: Seat }
  | { readonly text: string; readonly tone: 'strong' | 'weak' | 'struck' | 'quote' }

/** A look that is all words: what players write to each other, and no board. */
export const isTranscript = ({ board, panels = [] }: Look): boolean =>
  board === undefined &&
  panels.some(({ kind }) => kind === 'talk') &&
  panels.every(({ kind }) => kind !== 'table')

/** What a cell is called in a move; null where no cell is a move. */
export const cellMove = (board: Board, [x, y]: Cell): string | null => {
  const { move, rows, columns, rowNames } = board
  if (move === undefined) return null
  const values: Readonly<Record<string, string | number | undefined>> = {
    column: columns?.[x],
    row: rowNames?.[y],
    x,
    y,
    n: y * rows[0]!.length + x,
  }
  return move.replace(/\{(column|row|x|y|n)\}/g, (_, name: string) => String(values[name] ?? ''))
}

export const line = (...text: readonly Part[]): Panel => ({ kind: 'line', text })

export const seatPart = (seat: Seat): Part => ({ seat })

export const toned = (
  text: string | number,
  tone: 'strong' | 'weak' | 'struck' | 'quote',
): Part => ({ text: `${text}`, tone })

/** The last move in words, as `alt` begins with it. */
export const lastMoveWords = (move: string | null): string =>
  move === null ? 'No move yet.' : `Last move ${move}.`

/** Black stones of seat 0, written X, and white stones of seat 1, written O. A plus is a star point. */
export const stones: Readonly<Record<string, Piece>> = {
  X: { kind: 'stone', seat: 0, colour: 'black' },
  O: { kind: 'stone', seat: 1, colour: 'white' },
  '+': { kind: 'star' },
}

export type Round = {
  /** What each seat did. */
  readonly deeds: readonly Text[]
  readonly winner: Seat | null
}

/** Rounds that all seats play at once, one row each, with the score below. */
export const roundsTable = (
  rounds: readonly Round[],
  maxRounds: number,
  scores: readonly number[],
): Panel => ({
  kind: 'table',
  head: ['Round', ...scores.map((_, seat) => [seatPart(seat)]), 'Taken by'],
  rows: [
    ...rounds.map(({ deeds, winner }, i) => [
      i + 1,
      ...deeds,
      winner === null ? 'neither' : [seatPart(winner)],
    ]),
    ...(rounds.length < maxRounds
      ? [[rounds.length + 1, ...scores.map(() => '·'), 'open'].map(cell => [toned(cell, 'weak')])]
      : []),
  ],
  foot: ['Score', ...scores.map(score => [toned(score, 'strong')]), ''],
})
