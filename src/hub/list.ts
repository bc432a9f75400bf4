import type { Canvas } from './terminal/canvas.ts'
import { type Key, scrollStep } from './terminal/keys.ts'
import type { Role } from './terminal/palette.ts'
import { sanitized } from './terminal/sanitize.ts'
import { filled, wrap } from './terminal/width.ts'

export interface Column<T> {
  readonly title: string
  /** In characters; 0 takes the remaining width. */
  readonly width: number
  readonly align?: 'right'
  /** The column is left out on screens narrower than this. */
  readonly minWidth?: number
  /** The most that a column of width 0 takes, unless it is the last one; 36 unless given. */
  readonly most?: number
  readonly cell: (row: T) => string
  readonly role?: (row: T) => Role
}

/** A scrolling list in columns, with one row chosen. */
export class List<T> {
  rows: readonly T[] = []
  chosen = 0
  #top = 0
  #page = 10
  readonly #columns: readonly Column<T>[]
  readonly #empty: string

  constructor(columns: readonly Column<T>[], empty: string) {
    this.#columns = columns
    this.#empty = empty
  }

  get row(): T | undefined {
    return this.rows[this.chosen]
  }

  /** Handles a key: arrows and others move the choice, Enter opens the chosen row. */
  press(key: Key, open?: (row: T) => void): boolean {
    if (
      open !== undefined &&
      key.kind === 'named' &&
      (key.name === 'enter' || key.name === 'right')
    ) {
      if (this.row !== undefined) open(this.row)
      return true
    }
    const step = scrollStep(key, this.#page, this.rows.length)
    if (step === null) return false
    this.chosen = Math.max(0, Math.min(this.rows.length - 1, this.chosen + step))
    return true
  }

  draw(canvas: Canvas): void {
    const columns = this.#columns.filter(({ minWidth }) => (minWidth ?? 0) <= canvas.width)
    const gaps = columns.length - 1
    const taken = columns.reduce((sum, { width }) => sum + width, 0)
    const flexible = Math.max(1, columns.filter(({ width }) => width === 0).length)
    const rest = Math.max(4, Math.floor((canvas.width - mark.length - taken - gaps) / flexible))
    // A wide column before the last would move the numbers far away from the name.
    const last = columns.length - 1
    const widths = columns.map(({ width }, i) =>
      width !== 0 ? width : i === last ? rest : Math.min(rest, columns[i]!.most ?? 36),
    )
    const line = (cells: readonly string[]) =>
      cells
        .map((cell, i) => filled(sanitized(cell), widths[i]!, columns[i]!.align ?? 'left'))
        .join(' ')
    canvas.text(mark.length, 0, line(columns.map(({ title }) => title)), 'dim')
    this.#page = Math.max(1, canvas.height - 1)
    this.chosen = Math.max(0, Math.min(this.rows.length - 1, this.chosen))
    this.#top = Math.max(
      Math.min(this.#top, this.chosen, Math.max(0, this.rows.length - this.#page)),
      this.chosen - this.#page + 1,
    )
    if (this.rows.length === 0)
      for (const [y, line] of wrap(this.#empty, canvas.width - mark.length).entries())
        canvas.text(mark.length, 2 + y, line, 'dim')
    for (let y = 0; y < this.#page; y++) {
      const row = this.rows[this.#top + y]
      if (row === undefined) break
      if (this.#top + y === this.chosen) {
        canvas.bar(y + 1, mark + line(columns.map(({ cell }) => cell(row))), 'chosen')
        continue
      }
      let x = mark.length
      for (const [i, { cell, role, align }] of columns.entries()) {
        canvas.text(
          x,
          y + 1,
          filled(sanitized(cell(row)), widths[i]!, align ?? 'left'),
          role?.(row),
        )
        x += widths[i]! + 1
      }
    }
  }
}

/** Marks the chosen row, on terminals without colours too. */
const mark = '▸ '
