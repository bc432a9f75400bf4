import { type Board, type Cell, cellMove, type Mark, type Piece } from '../games/look.ts'
import { Sheet, type Span, seatRole } from './sheet.ts'

/** How a board is drawn for one viewer. */
export interface BoardView {
  /** Draw stones, lines and boxes instead of letters and blanks. */
  readonly rich?: boolean
  /** Seen from the other side. */
  readonly flipped?: boolean
  readonly cursor?: Cell | null
  /** Cells to highlight, such as the start of a move. */
  readonly chosen?: readonly Cell[]
  /** The available space, in characters. */
  readonly width?: number
  readonly height?: number
}

/** A board for a terminal, as lines of spans, as large as the available space allows. */
export const boardText = (board: Board, view: BoardView = {}): readonly (readonly Span[])[] => {
  const { rich = false, width = 80, height = Number.POSITIVE_INFINITY } = view
  const [across, down] = [board.rows[0]!.length, board.rows.length]
  if (board.surface === 'land') return drawLand(board, width, height).lines
  if (board.surface === 'fields' && !rich) return drawFields(board, view).lines
  const fits = across <= 9 && down * 2 + 3 <= height && across * 4 + 5 <= width
  if (rich && fits) return drawBoxes(board, view).lines
  return drawGrid(board, view, width, height).lines
}

/** What the brackets and colons on a board mean. */
export const marksText = ({ marks = [] }: Board, rich: boolean): string =>
  marks
    .filter(({ cells }) => cells.length > 0)
    .map(({ kind, means }) => `${markSigns[kind](rich)} ${means}`)
    .join('; ')

const markSigns: Readonly<Record<Mark['kind'], (rich: boolean) => string>> = {
  light: () => ':',
  ring: () => '( )',
  cross: rich => (rich ? '×' : 'small letters:'),
}

/** ` 0 | X | 2 ` over `---+---+---`. A free cell shows its name in a move. */
const drawFields = (board: Board, view: BoardView): Sheet => {
  const sheet = new Sheet()
  const { xs, ys } = cellOrder(board, view)
  for (const [j, y] of ys.entries()) {
    if (j > 0) sheet.put(0, 2 * j - 1, xs.map(() => '---').join('+'), 'board')
    for (const [i, x] of xs.entries()) {
      const mark = board.rows[y]![x]!
      const name = cellMove(board, [x, y]) ?? '.'
      const role = mark === '.' ? 'dim' : glyphOf(board, mark, false).role
      sheet.put(4 * i + 1, 2 * j, mark === '.' && name.length === 1 ? name : mark, role)
      if (i > 0) sheet.put(4 * i - 1, 2 * j, '|', 'board')
    }
  }
  drawBrackets(sheet, board, view, (i, j) => [4 * i + 1, 2 * j])
  return sheet
}

/** Each cell in a box of its own. */
const drawBoxes = (board: Board, view: BoardView): Sheet => {
  const sheet = new Sheet()
  const { xs, ys } = cellOrder(board, view)
  const label = Math.max(0, ...(board.rowNames ?? []).map(name => name.length)) + 1
  const edge = (left: string, middle: string, right: string) =>
    left + xs.map(() => '───').join(middle) + right
  drawColumnNames(sheet, board, xs, i => label + 2 + 4 * i, 0, 1)
  sheet.put(label, 1, edge('┌', '┬', '┐'), 'board')
  for (const [j, y] of ys.entries()) {
    const at = 2 + 2 * j
    const name = board.rowNames?.[y] ?? ''
    if (j > 0) sheet.put(label, at - 1, edge('├', '┼', '┤'), 'board')
    sheet.put(label - 1 - name.length, at, name, 'dim')
    sheet.put(label, at, `${'│   '.repeat(xs.length)}│`, 'board')
    for (const [i, x] of xs.entries()) {
      const { glyph, role } = cellGlyph(board, [x, y], true)
      if (glyph !== '·') sheet.put(label + 2 + 4 * i, at, glyph, role)
    }
  }
  sheet.put(label, 1 + 2 * ys.length, edge('└', '┴', '┘'), 'board')
  drawBrackets(sheet, board, view, (i, j) => [label + 2 + 4 * i, 2 + 2 * j])
  return sheet
}

/** One character for each cell and a blank between cells, with names on all sides if they fit. */
const drawGrid = (board: Board, view: BoardView, width: number, height: number): Sheet => {
  const sheet = new Sheet()
  const { rich = false } = view
  const { columns, rowNames } = board
  const order = cellOrder(board, view)
  const heading = Math.max(0, ...(columns ?? []).map(name => name.length))
  const bar = columns && !rowNames ? '|' : ''
  const label = Math.max(bar.length, ...(rowNames ?? []).map(name => name.length))
  const isBare = label === 0 && !board.last && !board.marks && !view.cursor
  const left = isBare ? 0 : label + 1
  // If the board is larger than the available space, the cursor or the last move stays visible.
  const focus = view.cursor ?? board.focus ?? board.last?.[0] ?? [0, 0]
  const room = Math.max(1, Math.floor((width - left) / 2))
  const xs = windowAround(order.xs, focus[0], room)
  const ys = windowAround(order.ys, focus[1], Math.max(1, height - heading))
  drawColumnNames(sheet, board, xs, i => left + 2 * i, 0, heading)
  for (const [j, y] of ys.entries()) {
    const at = heading + j
    const name = rowNames?.[y] ?? bar
    sheet.put(label - name.length, at, name, bar === '' ? 'dim' : 'board')
    for (const [i, x] of xs.entries()) {
      const { glyph, role } = cellGlyph(board, [x, y], rich)
      sheet.put(left + 2 * i, at, glyph, role)
    }
    const right = left + 2 * xs.length
    if (right + name.length <= width) sheet.put(right, at, name, bar === '' ? 'dim' : 'board')
  }
  drawBrackets(sheet, board, view, (i, j) => [left + 2 * i, heading + j], xs, ys)
  if (2 * heading + ys.length <= height)
    drawColumnNames(sheet, board, xs, i => left + 2 * i, heading + ys.length, heading)
  return sheet
}

/** A board without gaps. If it is too large, one character stands for a patch of cells, with up to twice as many rows as columns. */
const drawLand = (board: Board, width: number, height: number): Sheet => {
  const sheet = new Sheet()
  const { rows, focus } = board
  const [across, down] = [rows[0]!.length, rows.length]
  const all = { xs: [...rows[0]!].map((_, x) => x), ys: rows.map((_, y) => y) }
  if (focus || (across <= width && down <= height)) {
    const xs = windowAround(all.xs, focus?.[0] ?? 0, width)
    for (const [j, y] of windowAround(all.ys, focus?.[1] ?? 0, height).entries())
      for (const [i, x] of xs.entries()) put(i, j, rows[y]![x]!)
    return sheet
  }
  const tall = Math.max(2 * Math.ceil(across / width), Math.ceil(down / height))
  const wide = Math.max(Math.ceil(across / width), Math.ceil(tall / 2))
  const order = Object.keys(board.pieces ?? {})
  for (let y = 0; y < down; y += tall)
    for (let x = 0; x < across; x += wide) {
      const patch = rows
        .slice(y, y + tall)
        .map(row => row.slice(x, x + wide))
        .join('')
      put(x / wide, y / tall, order.find(mark => patch.includes(mark)) ?? patch[0]!)
    }
  return sheet

  function put(x: number, y: number, mark: string): void {
    sheet.put(x, y, mark, glyphOf(board, mark, false).role)
  }
}

const drawColumnNames = (
  sheet: Sheet,
  { columns }: Board,
  xs: readonly number[],
  column: (i: number) => number,
  top: number,
  height: number,
): void => {
  // A name of several characters is written downwards.
  for (const [i, x] of xs.entries())
    for (const [j, character] of [...(columns?.[x] ?? '').padStart(height)].entries())
      sheet.put(column(i), top + j, character, 'dim')
}

/** Draws brackets around cells. The most important ones are drawn last. */
const drawBrackets = (
  sheet: Sheet,
  board: Board,
  view: BoardView,
  at: (i: number, j: number) => Cell,
  xs: readonly number[] = cellOrder(board, view).xs,
  ys: readonly number[] = cellOrder(board, view).ys,
): void => {
  const rings = (board.marks ?? []).flatMap(({ kind, cells }) => (kind === 'ring' ? cells : []))
  // Cells that the last move left empty are not marked, unless there are no others.
  const filled = (board.last ?? []).filter(([x, y]) => !isEmpty(board, board.rows[y]![x]!))
  for (const [cells, before, after] of [
    [[...rings, ...(view.chosen ?? [])], '(', ')'],
    [filled.length > 0 ? filled : (board.last ?? []), '[', ']'],
    [view.cursor ? [view.cursor] : [], '>', '<'],
  ] as const)
    for (const [x, y] of cells) {
      const [i, j] = [xs.indexOf(x), ys.indexOf(y)]
      if (i < 0 || j < 0) continue
      const [column, row] = at(i, j)
      sheet.put(column - 1, row, before, 'mark')
      sheet.put(column + 1, row, after, 'mark')
    }
}

const cellOrder = ({ rows }: Board, { flipped }: BoardView) => {
  const xs = Array.from({ length: rows[0]!.length }, (_, x) => x)
  const ys = rows.map((_, y) => y)
  return flipped ? { xs: xs.reverse(), ys: ys.reverse() } : { xs, ys }
}

/** As many items as fit, with the focus near the middle. */
const windowAround = (order: readonly number[], focus: number, room: number): readonly number[] => {
  if (order.length <= room) return order
  const from = order.indexOf(focus) - Math.floor(room / 2)
  const start = Math.max(0, Math.min(order.length - room, from))
  return order.slice(start, start + room)
}

interface Glyph {
  readonly glyph: string
  readonly role: Span['role']
}

const cellGlyph = (board: Board, [x, y]: Cell, rich: boolean): Glyph => {
  const mark = board.rows[y]![x]!
  const hasMark = (kind: Mark['kind']) =>
    (board.marks ?? []).some(
      mark => mark.kind === kind && mark.cells.some(cell => cell[0] === x && cell[1] === y),
    )
  if (hasMark('light') && isEmpty(board, mark)) return { glyph: ':', role: 'mark' }
  const { glyph, role } = glyphOf(board, mark, rich)
  return hasMark('cross') ? { glyph: rich ? '×' : mark.toLowerCase(), role } : { glyph, role }
}

const isEmpty = ({ pieces }: Board, mark: string): boolean =>
  pieces?.[mark]?.kind === 'star' || (mark === '.' && pieces?.[mark] === undefined)

const glyphOf = ({ pieces }: Board, mark: string, rich: boolean): Glyph => {
  const piece = pieces?.[mark]
  if (piece === undefined)
    return mark === '.' ? { glyph: rich ? '·' : '.', role: 'board' } : { glyph: mark, role: 'text' }
  const glyph = rich && piece.kind === 'stone' ? (['●', '○'][piece.seat] ?? mark) : mark
  return { glyph, role: roleOf(piece) }
}

const roleOf = (piece: Piece): Span['role'] => {
  if (piece.kind === 'star') return 'board'
  if (piece.kind === 'tile')
    return piece.ground === 'grass' || piece.ground === 'fog'
      ? 'board'
      : piece.ground === 'gold'
        ? 'key'
        : 'text'
  return seatRole(piece.seat)
}
