import type { Json } from '../../games/game.ts'
import { piece } from './pieces.ts'
import type { Point, Scene, Shape, Tone } from './scene.ts'
import { type Fields, fields, list, number, type Position, rows, text } from './sight.ts'

/** How a game that is played on a grid looks; `flipped` is as seen from the other side. */
export type Grid = (position: Position, flipped: boolean) => Scene

const cell = 40
const margin = 22

export const ticTacToe: Grid = ({ view, last }) => {
  const shapes: Shape[] = []
  for (const n of [1, 2])
    shapes.push(
      { kind: 'line', from: [n * 60, 6], to: [n * 60, 174], line: 'rule', width: 3 },
      { kind: 'line', from: [6, n * 60], to: [174, n * 60], line: 'rule', width: 3 },
    )
  for (const [i, mark] of list(view.board).entries()) {
    const [x, y] = [(i % 3) * 60, Math.floor(i / 3) * 60]
    if (text(last) === String(i))
      shapes.unshift({ kind: 'rect', at: [x + 4, y + 4], size: [52, 52], fill: 'hint', round: 6 })
    if (mark === 'X')
      for (const [from, to] of [
        [
          [x + 17, y + 17],
          [x + 43, y + 43],
        ],
        [
          [x + 43, y + 17],
          [x + 17, y + 43],
        ],
      ] as const)
        shapes.push({ kind: 'line', from, to, line: 'seat0', width: 7 })
    if (mark === 'O')
      shapes.push({ kind: 'circle', at: [x + 30, y + 30], radius: 15, line: 'seat1', width: 7 })
  }
  return { width: 180, height: 180, shapes }
}

export const connectFour: Grid = ({ view, last }) => {
  const board = rows(view.board)
  const [width, height] = [board[0]?.length ?? 7, board.length || 6]
  const column = last === null ? -1 : Number(last)
  const landed = board.findIndex(row => row[column] !== undefined && row[column] !== '.')
  const shapes: Shape[] = [
    {
      kind: 'rect',
      at: [0, 0],
      size: [width * cell + 8, height * cell + 8],
      fill: 'board',
      round: 8,
    },
  ]
  for (const [y, row] of board.entries())
    for (const [x, mark] of row.entries()) {
      const at: Point = [x * cell + 24, y * cell + 24]
      const fill = mark === 'X' ? 'seat0' : mark === 'O' ? 'seat1' : 'ground'
      shapes.push({ kind: 'circle', at, radius: 16, fill, line: 'edge', width: 1 })
      // Told apart without colours too.
      if (mark === 'X') shapes.push({ kind: 'circle', at, radius: 9, line: 'edge', width: 2 })
      if (x === column && y === landed) shapes.push(dot(at, 'mark', 4))
    }
  for (let x = 0; x < width; x++) shapes.push(label([x * cell + 24, height * cell + 20], String(x)))
  return { width: width * cell + 8, height: height * cell + 32, shapes }
}

export const chessBoard: Grid = ({ view }, flipped) => {
  const board = rows(view.board)
  const { shapes, corner, middle } = framed(8, 8, 'abcdefgh', ranks(8), flipped)
  const marked = /^[a-h][1-8][a-h][1-8]/.test(text(view.lastMove))
    ? [text(view.lastMove).slice(0, 2), text(view.lastMove).slice(2, 4)]
    : []
  for (let y = 0; y < 8; y++)
    for (let x = 0; x < 8; x++) {
      const fill = (x + y) % 2 === 0 ? 'light' : 'dark'
      shapes.push({ kind: 'rect', at: corner(x, y), size: [cell, cell], fill })
      if (marked.includes(`${'abcdefgh'[x]}${8 - y}`))
        shapes.push({ kind: 'rect', at: corner(x, y), size: [cell, cell], fill: 'hint' })
    }
  const king = view.check === true ? (text(view.fen).includes(' w ') ? 'K' : 'k') : null
  for (const [y, row] of board.entries())
    for (const [x, letter] of row.entries()) {
      if (letter === king)
        shapes.push({ kind: 'circle', at: middle(x, y), radius: 18, line: 'mark', width: 3 })
      if (letter !== '.') shapes.push(...piece(letter, corner(x, y), cell))
    }
  return { width: 8 * cell + 2 * margin, height: 8 * cell + 2 * margin, shapes }
}

/** Stones on crossings: go and gomoku, whose rows are counted from the bottom. */
export const stones =
  (columns: string): Grid =>
  ({ view }, flipped) => {
    const board = rows(view.board)
    const size = board.length
    const { shapes, middle } = framed(size, size, columns, ranks(size), flipped, 'wood')
    shapes.push(...crossings(size, middle))
    const last = pointOf(view.lastMove, columns, size)
    const dead = new Set(list(view.dead).map(text))
    for (const [y, row] of board.entries())
      for (const [x, mark] of row.entries()) {
        if (mark === '.') continue
        shapes.push(stone(middle(x, y), mark === 'X'))
        if (dead.has(`${columns[x]}${size - y}`)) shapes.push(...cross(middle(x, y)))
        if (last !== null && last[0] === x && last[1] === y)
          shapes.push(ring(middle(x, y), mark === 'X'))
      }
    return { width: size * cell + 2 * margin, height: size * cell + 2 * margin, shapes }
  }

export const othelloBoard: Grid = ({ view }, flipped) => {
  const board = rows(view.board)
  const numbers = Array.from({ length: 8 }, (_, i) => String(i + 1))
  const { shapes, corner, middle } = framed(8, 8, 'abcdefgh', numbers, flipped)
  const last = text(view.lastMove)
  for (let y = 0; y < 8; y++)
    for (let x = 0; x < 8; x++) {
      const mark = board[y]?.[x] ?? '.'
      const name = `${'abcdefgh'[x]}${y + 1}`
      shapes.push({
        kind: 'rect',
        at: corner(x, y),
        size: [cell, cell],
        fill: 'felt',
        line: 'edge',
        width: 1,
      })
      if (mark !== '.') shapes.push(stone(middle(x, y), mark === 'X'))
      if (name === last) shapes.push(ring(middle(x, y), mark === 'X'))
    }
  return { width: 8 * cell + 2 * margin, height: 8 * cell + 2 * margin, shapes }
}

/** Gomoku with skills: 0 free, 1 black, 2 white, seals and the points that they close. */
export const skillBoard: Grid = ({ view }, flipped) => {
  const board = rows(view.board)
  const size = board.length
  const numbers = Array.from({ length: size }, (_, i) => String(i))
  const { shapes, middle, corner } = framed(size, size, numbers, numbers, flipped, 'wood')
  shapes.push(...crossings(size, middle))
  for (const quiet of list(view.quietZoneCells).map(fields))
    shapes.push({
      kind: 'rect',
      at: corner(number(quiet.col), number(quiet.row)),
      size: [cell, cell],
      fill: 'hint',
    })
  for (const [y, row] of board.entries())
    for (const [x, mark] of row.entries())
      if (mark !== '0') shapes.push(stone(middle(x, y), mark === '1'))
  for (const seal of list(view.sealedStones).map(fields))
    shapes.push({
      kind: 'circle',
      at: middle(number(seal.col), number(seal.row)),
      radius: 18,
      line: 'mark',
      width: 2.5,
    })
  for (const at of affected(view)) {
    const mark = board[number(at.row)]?.[number(at.col)]
    shapes.push(
      mark === '0'
        ? dot(middle(number(at.col), number(at.row)), 'mark', 4)
        : ring(middle(number(at.col), number(at.row)), mark === '1'),
    )
  }
  return { width: size * cell + 2 * margin, height: size * cell + 2 * margin, shapes }
}

const affected = (view: Position['view']): readonly Fields[] => {
  if (typeof view.lastMove === 'object' && view.lastMove !== null) return [fields(view.lastMove)]
  const effect = fields(view.lastSkillEffect)
  const cells = list(effect.affectedCells).map(fields)
  return cells.length > 0 ? cells : effect.target ? [fields(effect.target)] : []
}

const ranks = (size: number) => Array.from({ length: size }, (_, y) => String(size - y))

/** A board with its columns and rows named on all sides. */
const framed = (
  width: number,
  height: number,
  columns: ArrayLike<string>,
  rowNames: readonly string[],
  flipped: boolean,
  ground?: Tone,
) => {
  const corner = (x: number, y: number): Point => [
    (flipped ? width - 1 - x : x) * cell + margin,
    (flipped ? height - 1 - y : y) * cell + margin,
  ]
  const middle = (x: number, y: number): Point => {
    const [left, top] = corner(x, y)
    return [left + cell / 2, top + cell / 2]
  }
  const shapes: Shape[] = []
  if (ground)
    shapes.push({
      kind: 'rect',
      at: [margin, margin],
      size: [width * cell, height * cell],
      fill: ground,
    })
  for (let x = 0; x < width; x++)
    for (const y of [margin / 2, height * cell + margin * 1.5])
      shapes.push(label([middle(x, 0)[0], y], columns[x]!))
  for (let y = 0; y < height; y++)
    for (const x of [margin / 2, width * cell + margin * 1.5])
      shapes.push(label([x, middle(0, y)[1]], rowNames[y]!))
  return { shapes, corner, middle }
}

const crossings = (size: number, middle: (x: number, y: number) => Point): Shape[] => {
  const shapes: Shape[] = []
  for (let n = 0; n < size; n++)
    shapes.push(
      { kind: 'line', from: middle(n, 0), to: middle(n, size - 1), line: 'edge', width: 1 },
      { kind: 'line', from: middle(0, n), to: middle(size - 1, n), line: 'edge', width: 1 },
    )
  const edge = size > 11 ? 3 : 2
  const spots = size > 11 ? [edge, (size - 1) / 2, size - 1 - edge] : [edge, size - 1 - edge]
  for (const y of spots) for (const x of spots) shapes.push(dot(middle(x, y), 'edge', 3.5))
  if (spots.length === 2) shapes.push(dot(middle((size - 1) / 2, (size - 1) / 2), 'edge', 3.5))
  return shapes
}

const pointOf = (move: Json | undefined, columns: string, size: number): Point | null => {
  const [, column, row] = /^([A-Za-z])(\d+)$/.exec(text(move)) ?? []
  return column === undefined ? null : [columns.indexOf(column.toUpperCase()), size - Number(row)]
}

const stone = (at: Point, black: boolean): Shape => ({
  kind: 'circle',
  at,
  radius: cell * 0.44,
  fill: black ? 'black' : 'white',
  line: 'edge',
  width: 1,
})

const ring = (at: Point, black: boolean): Shape => ({
  kind: 'circle',
  at,
  radius: cell * 0.22,
  line: black ? 'white' : 'black',
  width: 3,
})

const cross = ([x, y]: Point): readonly Shape[] => {
  const reach = cell * 0.2
  return [reach, -reach].map(slope => ({
    kind: 'line',
    from: [x - reach, y - slope],
    to: [x + reach, y + slope],
    line: 'mark',
    width: 4,
  }))
}

const dot = (at: Point, fill: Tone, radius: number): Shape => ({ kind: 'circle', at, radius, fill })

const label = (at: Point, name: string): Shape => ({
  kind: 'text',
  at,
  size: 13,
  text: name,
  fill: 'label',
})
