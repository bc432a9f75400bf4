import type { Canvas } from './terminal/canvas.ts'
import type { Key } from './terminal/keys.ts'
import type { Role } from './terminal/palette.ts'
import { sanitizedLines } from './terminal/sanitize.ts'
import { widthOf } from './terminal/width.ts'

/** A text of several lines that a person types: it is wrapped, has a cursor, and says how long it is. */
export class TextArea {
  readonly longest: number
  /** By character, so that none is cut in half. */
  #text: readonly string[] = []
  /** How many characters are before the cursor. */
  #cursor = 0
  /** The width at which it was drawn last: up and down go by its rows. */
  #width = 60

  /** `longest`: in characters. */
  constructor(longest: number) {
    this.longest = longest
  }

  get text(): string {
    return this.#text.join('')
  }

  get length(): number {
    return this.#text.length
  }

  clear(): void {
    this.#text = []
    this.#cursor = 0
  }

  /** Handles a key. Answers false for a key that edits no text, `'full'` where not all of it has room. */
  press(key: Key): boolean | 'full' {
    if (key.kind === 'char') return this.#insert(key.char)
    if (key.kind === 'paste') return this.#insert(key.text.trim())
    switch (key.name) {
      case 'backspace':
        return this.#delete(this.#cursor - 1, this.#cursor)
      case 'delete':
        return this.#delete(this.#cursor, this.#cursor + 1)
      case 'ctrl u':
        return this.#delete(0, this.#cursor)
      case 'ctrl w':
        return this.#delete(this.#wordBefore(), this.#cursor)
      case 'left':
        return this.#moveTo(this.#cursor - 1)
      case 'right':
        return this.#moveTo(this.#cursor + 1)
      case 'home':
        return this.#moveTo(this.#row.from)
      case 'end':
        return this.#moveTo(this.#row.to)
      case 'up':
        return this.#moveBy(-1)
      case 'down':
        return this.#moveBy(1)
      default:
        return false
    }
  }

  /** How many rows it takes at this width. */
  rowsAt(width: number): number {
    return this.#rowsAt(width).length
  }

  /** Draws the part of the text around the cursor, and how long the text is at the right end of the last row. */
  draw(canvas: Canvas): void {
    const count = ` ${this.length} / ${this.longest} `
    // The count has the end of the last row for itself.
    const width = Math.max(4, canvas.width - 1)
    this.#width = width
    const rows = this.#rowsAt(width)
    const at = this.#rowOf(rows)
    const height = Math.max(1, canvas.height - 1)
    const top = Math.max(0, Math.min(at - height + 1, rows.length - height))
    for (let y = 0; y < height; y++) {
      const row = rows[top + y]
      canvas.text(0, y, ' '.repeat(canvas.width), 'bar')
      if (row !== undefined) canvas.text(0, y, this.#slice(row.from, row.to), 'bar')
      if (row !== undefined && top + y === at)
        canvas.cursor(widthOf(this.#slice(row.from, this.#cursor)), y)
    }
    if (canvas.height < 2) return
    const role: Role =
      this.length >= this.longest ? 'bad' : this.length > this.longest * 0.9 ? 'warning' : 'dim'
    canvas.text(canvas.width - count.length, canvas.height - 1, count, role)
  }

  #insert(given: string): true | 'full' {
    const shown = [...sanitizedLines(given).join('\n')]
    const room = Math.max(0, this.longest - this.length)
    const taken = shown.slice(0, room)
    this.#text = this.#text.toSpliced(this.#cursor, 0, ...taken)
    this.#cursor += taken.length
    return taken.length === shown.length ? true : 'full'
  }

  #delete(from: number, to: number): true {
    const start = Math.max(0, from)
    this.#text = this.#text.toSpliced(start, Math.max(0, to - start))
    this.#cursor = Math.min(start, this.length)
    return true
  }

  #moveTo(at: number): true {
    this.#cursor = Math.max(0, Math.min(this.length, at))
    return true
  }

  /** Answers false for an empty text: then the key may scroll what is above it. */
  #moveBy(step: number): boolean {
    if (this.length === 0) return false
    const rows = this.#rowsAt(this.#width)
    const at = this.#rowOf(rows)
    const to = rows[at + step]
    if (to === undefined) return this.#moveTo(step < 0 ? 0 : this.length)
    return this.#moveTo(Math.min(to.from + this.#cursor - rows[at]!.from, to.to))
  }

  #wordBefore(): number {
    const [kept = ''] = /^.*?(?=\S*\s*$)/s.exec(this.#slice(0, this.#cursor)) ?? []
    return [...kept].length
  }

  #slice(from: number, to: number): string {
    return this.#text.slice(from, to).join('')
  }

  get #row(): Row {
    const rows = this.#rowsAt(this.#width)
    return rows[this.#rowOf(rows)]!
  }

  /** The row with the cursor: at a break it is at the start of the next one. */
  #rowOf(rows: readonly Row[]): number {
    return rows.findLastIndex(({ from }) => from <= this.#cursor)
  }

  /** Breaks the text at line breaks, and where a line is too long after its last blank that fits. */
  #rowsAt(width: number): readonly Row[] {
    const rows: Row[] = []
    let from = 0
    let afterBlank = 0
    let used = 0
    for (const [i, char] of this.#text.entries()) {
      if (char === '\n') {
        rows.push({ from, to: i })
        from = afterBlank = i + 1
        used = 0
        continue
      }
      const room = widthOf(char)
      if (used + room > width && char !== ' ') {
        const to = afterBlank > from ? afterBlank : i
        rows.push({ from, to: afterBlank > from ? to - 1 : to })
        from = afterBlank = to
        used = widthOf(this.#slice(from, i))
      }
      used += room
      if (char === ' ') afterBlank = i + 1
    }
    return [...rows, { from, to: this.length }]
  }
}

/** From a character on, up to another one that it does not have. */
interface Row {
  readonly from: number
  readonly to: number
}
