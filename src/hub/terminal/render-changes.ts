import { blank, covered, type Grid, glyphAt, isCertain, type Style } from './grid.ts'

/** The escape sequence that begins a style; empty where the terminal has none. */
export type Sgr = (style: Style) => string

/**
 * Returns the bytes that turn the screen `shown` into `next`: only cells that changed, with short cursor moves between
 * them. Afterwards `shown` equals `next`. All styles are off before and after.
 */
export const renderChanges = (shown: Grid, next: Grid, sgr: Sgr): string => {
  const writer = new FrameWriter(next, sgr)
  for (let y = 0; y < next.rows; y++) renderRow(writer, shown, next, y, sgr)
  shown.glyphs.set(next.glyphs.subarray(0, shown.glyphs.length))
  shown.styles.set(next.styles.subarray(0, shown.styles.length))
  return writer.done()
}

const renderRow = (writer: FrameWriter, shown: Grid, next: Grid, y: number, sgr: Sgr): void => {
  const { columns } = next
  const start = y * columns
  const end = textEnd(next, start, columns)
  const differs = (at: number) =>
    shown.glyphs[at] !== next.glyphs[at] ||
    (shown.styles[at] !== next.styles[at] && sgr(shown.styles[at]!) !== sgr(next.styles[at]!))
  for (let at = start; at < end; at++) {
    if (!differs(at)) continue
    // The right half of a wide glyph is drawn by its left half.
    const from = next.glyphs[at] === covered && at > start ? at - 1 : at
    writer.put(from - start, y, from)
    if (next.glyphs[from + 1] === covered && from + 1 < end) at = from + 1
  }
  let stale = 0
  let first = -1
  for (let at = end; at < start + columns; at++)
    if (differs(at)) {
      if (first < 0) first = at
      stale++
    }
  if (stale === 0) return
  if (stale > 3) writer.eraseFrom(first - start, y)
  else
    for (let at = first; at < start + columns; at++) if (differs(at)) writer.put(at - start, y, at)
}

/** The end of the row without its trailing blanks. */
const textEnd = (grid: Grid, start: number, columns: number): number => {
  let end = start + columns
  while (end > start && grid.glyphs[end - 1] === blank && grid.styles[end - 1] === 0) end--
  return end
}

/** Writes cells, and keeps track of the cursor and the style of the terminal. */
class FrameWriter {
  readonly #grid: Grid
  readonly #sgr: Sgr
  #out = ''
  /** −1 where terminals may disagree about the position. */
  #x = -1
  #y = -1
  #style = ''

  constructor(grid: Grid, sgr: Sgr) {
    this.#grid = grid
    this.#sgr = sgr
  }

  put(x: number, y: number, at: number): void {
    this.#moveTo(x, y)
    this.#write(at)
  }

  eraseFrom(x: number, y: number): void {
    this.#moveTo(x, y)
    this.#setStyle('')
    this.#out += '\x1b[K'
  }

  done(): string {
    this.#setStyle('')
    return this.#out
  }

  #write(at: number): void {
    this.#setStyle(this.#sgr(this.#grid.styles[at]!))
    const glyph = this.#grid.glyphs[at]!
    // A terminal that takes the glyph for narrow would keep the old text in its second half.
    if (this.#grid.glyphs[at + 1] === covered) this.#out += `  \x1b[${this.#y + 1};${this.#x + 1}H`
    this.#out += glyphAt(this.#grid, at)
    this.#x++
    // In the last column terminals differ in where the cursor is.
    if (this.#x >= this.#grid.columns || !isCertain(glyph)) this.#x = -1
  }

  #moveTo(x: number, y: number): void {
    const sameRow = this.#x >= 0 && this.#y === y
    if (sameRow && this.#x === x) return
    if (sameRow && this.#x < x && this.#canRewrite(x, y))
      for (let at = y * this.#grid.columns + this.#x; this.#x !== x; at++) this.#write(at)
    else if (sameRow && this.#x < x)
      this.#out += x === this.#x + 1 ? '\x1b[C' : `\x1b[${x - this.#x}C`
    else if (this.#x >= 0 && x === 0 && y === this.#y + 1) this.#out += '\r\n'
    else if (x === 0) this.#out += y === 0 ? '\x1b[H' : `\x1b[${y + 1}H`
    else this.#out += `\x1b[${y + 1};${x + 1}H`
    this.#x = x
    this.#y = y
  }

  /** Whether writing the cells in between again takes no more bytes than a cursor move. */
  #canRewrite(x: number, y: number): boolean {
    if (x - this.#x > 3) return false
    const row = y * this.#grid.columns
    for (let at = row + this.#x; at < row + x; at++) {
      const glyph = this.#grid.glyphs[at]!
      if (glyph < blank || glyph > 126) return false
      if (this.#sgr(this.#grid.styles[at]!) !== this.#style) return false
    }
    return true
  }

  #setStyle(style: string): void {
    if (style === this.#style) return
    // Each style begins with a reset, so the style before it does not matter.
    this.#out += style === '' ? '\x1b[m' : style
    this.#style = style
  }
}
