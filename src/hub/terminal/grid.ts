import { glyphsOf, isNarrow } from './width.ts'

/** The style of a cell: the number of a role, or a pair of the sixteen colours (`literal`). */
export type Style = number

/**
 * The glyphs and styles of a screen, in two flat arrays of six bytes for each cell. Every session keeps one, so its size
 * counts.
 */
export class Grid {
  columns = 0
  rows = 0
  /** Code points; numbers of clusters, from `firstCluster` on; or `covered`, to the right of a wide glyph. */
  glyphs = new Uint32Array(0)
  styles = new Uint16Array(0)

  constructor(columns: number, rows: number) {
    this.resize(columns, rows)
  }

  /** Makes all cells blank. Keeps the arrays if they are large enough. */
  resize(columns: number, rows: number): void {
    const cells = columns * rows
    this.columns = columns
    this.rows = rows
    if (this.glyphs.length < cells) {
      this.glyphs = new Uint32Array(cells)
      this.styles = new Uint16Array(cells)
    }
    this.clear()
  }

  clear(): void {
    this.glyphs.fill(blank)
    this.styles.fill(0)
  }

  /** Writes a sanitized text, cut at `left` and `right`. Returns the column after it. */
  write(x: number, y: number, text: string, style: Style, left = 0, right = this.columns): number {
    if (y < 0 || y >= this.rows) return x
    if (isNarrow(text)) return this.#writeNarrow(x, y, text, style, left, right)
    let at = x
    for (const { glyph, width } of glyphsOf(text)) {
      if (at + width > right) break
      if (at >= left) this.#put(at, y, numberOf(glyph), width, style)
      at += width
    }
    return at
  }

  #writeNarrow(
    x: number,
    y: number,
    text: string,
    style: Style,
    left: number,
    right: number,
  ): number {
    const end = Math.max(x, Math.min(x + text.length, right))
    for (let at = Math.max(x, left); at < end; at++)
      this.#put(at, y, text.charCodeAt(at - x), 1, style)
    return end
  }

  /** The text of a row, without styles. */
  line(y: number): string {
    let text = ''
    for (let at = y * this.columns; at < (y + 1) * this.columns; at++) text += glyphAt(this, at)
    return text.trimEnd()
  }

  #put(x: number, y: number, glyph: number, width: number, style: Style): void {
    const at = y * this.columns + x
    // When half of a wide glyph is overwritten, the other half becomes blank.
    if (this.glyphs[at] === covered && x > 0) this.glyphs[at - 1] = blank
    const last = at + width - 1
    if (x + width < this.columns && this.glyphs[last + 1] === covered) this.glyphs[last + 1] = blank
    this.glyphs[at] = glyph
    this.styles[at] = style
    if (width === 2) {
      this.glyphs[last] = covered
      this.styles[last] = style
    }
  }
}

export const blank = 32
export const covered = 0

/** The text of a cell, empty for a covered one. */
export const glyphAt = (grid: Grid, at: number): string => {
  const glyph = grid.glyphs[at]!
  if (glyph === covered) return ''
  return glyph < firstCluster ? String.fromCodePoint(glyph) : clusters[glyph - firstCluster]!
}

/** Whether all terminals agree on the width of the glyph. */
export const isCertain = (glyph: number): boolean =>
  glyph < 0x7f || (glyph < 0x10000 && isNarrow(String.fromCharCode(glyph)))

const firstCluster = 0x200000
const clusters: string[] = []
const clusterNumbers = new Map<string, number>()
/** More than any language needs. Beyond it a cluster loses its marks. */
const mostClusters = 4096

const numberOf = (glyph: string): number => {
  const point = glyph.codePointAt(0)!
  if (glyph.length === (point > 0xffff ? 2 : 1)) return point
  const known = clusterNumbers.get(glyph)
  if (known !== undefined) return known
  if (clusters.length === mostClusters) return point
  const number = firstCluster + clusters.length
  clusters.push(glyph)
  clusterNumbers.set(glyph, number)
  return number
}
