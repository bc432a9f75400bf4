import type { Canvas } from './terminal/canvas.ts'
import type { Key } from './terminal/keys.ts'
import { sanitized } from './terminal/sanitize.ts'
import { widthOf } from './terminal/width.ts'

/** A line of text that a person types. */
export class TextInput {
  #text = ''
  readonly #longest: number

  constructor(longest: number) {
    this.#longest = longest
  }

  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = sanitized(text).slice(0, this.#longest)
  }

  /** Handles a key. Answers false for a key that edits no text. */
  press(key: Key): boolean {
    if (key.kind === 'char') this.text += key.char
    else if (key.kind === 'paste') this.text += key.text.trim()
    else if (key.name === 'backspace') this.#text = [...this.#text].slice(0, -1).join('')
    else if (key.name === 'ctrl u') this.#text = ''
    else if (key.name === 'ctrl w') this.#text = this.#text.replace(/\S*\s*$/, '')
    else return false
    return true
  }

  /** Draws the end of the text where there is no room for all of it. */
  draw(canvas: Canvas, x: number, y: number, width: number): void {
    if (width < 1) return
    let shown = this.#text
    while (widthOf(shown) > width - 1) shown = shown.slice(1)
    canvas.text(x, y, ' '.repeat(width), 'bar')
    const end = canvas.text(x, y, shown, 'bar')
    canvas.cursor(end, y)
  }
}
