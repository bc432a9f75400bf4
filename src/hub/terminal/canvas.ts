import type { Grid, Style } from './grid.ts'
import { type Role, styleOf } from './palette.ts'
import { sanitized } from './sanitize.ts'
import { filled } from './width.ts'

/** A rectangle of the screen to draw on, with its own origin. Drawing outside of it has no effect. */
export class Canvas {
  readonly width: number
  readonly height: number
  readonly #target: DrawTarget
  readonly #x: number
  readonly #y: number

  constructor(
    target: DrawTarget,
    x = 0,
    y = 0,
    width = target.grid.columns,
    height = target.grid.rows,
  ) {
    this.#target = target
    this.#x = x
    this.#y = y
    this.width = Math.max(0, width)
    this.height = Math.max(0, height)
  }

  /** A rectangle within this one, cut at its edges. */
  part(x: number, y: number, width = this.width - x, height = this.height - y): Canvas {
    return new Canvas(
      this.#target,
      this.#x + x,
      this.#y + y,
      Math.min(width, this.width - x),
      Math.min(height, this.height - y),
    )
  }

  /** Writes one line of text, sanitized. Returns the column after it. */
  text(x: number, y: number, text: string, role: Role = 'text'): number {
    return this.styled(x, y, text, styleOf(role))
  }

  styled(x: number, y: number, text: string, style: Style): number {
    if (y < 0 || y >= this.height) return x
    const left = this.#x
    return (
      this.#target.grid.write(
        left + x,
        this.#y + y,
        sanitized(text),
        style,
        left,
        left + this.width,
      ) - left
    )
  }

  /** Writes several pieces one after the other. Returns the column after them. */
  line(x: number, y: number, pieces: readonly Piece[]): number {
    return pieces.reduce((at, [text, role]) => this.text(at, y, text, role), x)
  }

  /** Writes a line that fills the width, in one style. */
  bar(y: number, text: string, role: Role): void {
    this.text(0, y, filled(sanitized(text), this.width), role)
  }

  rule(y: number): void {
    this.text(0, y, '─'.repeat(this.width), 'rule')
  }

  /** Shows the cursor of the terminal here, in a text input. */
  cursor(x: number, y: number): void {
    if (x >= 0 && x < this.width && y >= 0 && y < this.height)
      this.#target.cursor = { x: this.#x + x, y: this.#y + y }
  }
}

/** The grid and cursor of one frame. */
export interface DrawTarget {
  readonly grid: Grid
  cursor: { readonly x: number; readonly y: number } | null
}

export type Piece = readonly [text: string, role?: Role]
