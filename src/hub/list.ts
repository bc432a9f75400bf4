import type { Canvas } from './terminal/canvas.ts'
import type { Key } from './terminal/keys.ts'
import type { Role } from './terminal/palette.ts'
import { plain } from './terminal/plain.ts'
import { filled, wrap } from './terminal/width.ts'

export interface Column<T> {
  readonly title: string
  /** Columns of the screen; 0 takes what is left. */
  readonly width: number
  readonly align?: 'right'
  /** Left out on screens that are narrower than this. */
  readonly from?: number
  readonly cell: (row: T) => string
  readonly role?: (row: T) => Role
}

/** Rows with one of them chosen. */
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

  press(key: Key): boolean {
    const step = stepOf(key, this.#page, this.rows.length)
    if (step === null) return false
    this.chosen = Math.max(0, Math.min(this.rows.length - 1, this.chosen + step))
    return true
  }

  draw(canvas: Canvas): void {
    const columns = this.#columns.filter(({ from }) => (from ?? 0) <= canvas.width)
    const gaps = columns.length - 1
    const taken = columns.reduce((sum, { width }) => sum + width, 0)
    const flexible = Math.max(1, columns.filter(({ width }) => width === 0).length)
    const rest = Math.max(4, Math.floor((canvas.width - mark.length - taken - gaps) / flexible))
    // Numbers far from the name they belong to are hard to follow.
    const last = columns.length - 1
    const widths = columns.map(({ width }, i) =>
      width !== 0 ? width : i === last ? rest : Math.min(rest, 36),
    )
    const line = (cells: readonly string[]) =>
      cells.map((cell, i) => filled(plain(cell), widths[i]!, columns[i]!.align ?? 'left')).join(' ')
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
        canvas.text(x, y + 1, filled(plain(cell(row)), widths[i]!, align ?? 'left'), role?.(row))
        x += widths[i]! + 1
      }
    }
  }
}

/** Seen without colours too. */
const mark = '▸ '

const stepOf = (key: Key, page: number, length: number): number | null => {
  const name = key.kind === 'named' ? key.name : key.kind === 'char' ? key.char : ''
  switch (name) {
    case 'up':
    case 'k':
      return -1
    case 'down':
    case 'j':
      return 1
    case 'page up':
      return -page
    case 'page down':
    case ' ':
      return page
    case 'home':
    case 'g':
      return -length
    case 'end':
    case 'G':
      return length
    default:
      return null
  }
}
