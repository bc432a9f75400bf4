import type { Grid, Style } from './grid.ts'
import { type Role, styleOf } from './palette.ts'
import { plain } from './plain.ts'
import { filled } from './width.ts'

/** A part of the screen to draw on, with its own origin. What lies outside of it stays as it is. */
export class Canvas {
  readonly width: number
  readonly height: number
  readonly #sheet: Sheet
  readonly #x: number
  readonly #y: number

  constructor(sheet: Sheet, x = 0, y = 0, width = sheet.grid.columns, height = sheet.grid.rows) {
    this.#sheet = sheet
    this.#x = x
    this.#y = y
    this.width = Math.max(0, width)
    this.height = Math.max(0, height)
  }

  /** A part of this part, cut off where it would be larger. */
  part(x: number, y: number, width = this.width - x, height = this.height - y): Canvas {
    return new Canvas(
      this.#sheet,
      this.#x + x,
      this.#y + y,
      Math.min(width, this.width - x),
      Math.min(height, this.height - y),
    )
  }

  /** Writes one line of text, whoever may have written it. Answers with the column after it. */
  text(x: number, y: number, text: string, role: Role = 'text'): number {
    return this.styled(x, y, text, styleOf(role))
  }

  styled(x: number, y: number, text: string, style: Style): number {
    if (y < 0 || y >= this.height) return x
    const left = this.#x
    return (
      this.#sheet.grid.write(left + x, this.#y + y, plain(text), style, left, left + this.width) -
      left
    )
  }

  /** Several pieces, one after the other. */
  line(x: number, y: number, pieces: readonly Piece[]): number {
    return pieces.reduce((at, [text, role]) => this.text(at, y, text, role), x)
  }

  /** A line in one style from edge to edge. */
  bar(y: number, text: string, role: Role): void {
    this.text(0, y, filled(plain(text), this.width), role)
  }

  rule(y: number): void {
    this.text(0, y, '─'.repeat(this.width), 'rule')
  }

  /** Shows the cursor here: where something is being typed. */
  cursor(x: number, y: number): void {
    if (x >= 0 && x < this.width && y >= 0 && y < this.height)
      this.#sheet.cursor = { x: this.#x + x, y: this.#y + y }
  }
}

/** What a frame is drawn on. */
export interface Sheet {
  readonly grid: Grid
  cursor: { readonly x: number; readonly y: number } | null
}

export type Piece = readonly [text: string, role?: Role]
