import type { Canvas } from './terminal/canvas.ts'
import type { Key } from './terminal/keys.ts'
import { plain } from './terminal/plain.ts'
import { widthOf } from './terminal/width.ts'

/** One line that a person types. */
export class Field {
  #text = ''
  readonly #longest: number

  constructor(longest: number) {
    this.#longest = longest
  }

  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = plain(text).slice(0, this.#longest)
  }

  /** Whether the key belongs to typing. */
  press(key: Key): boolean {
    if (key.kind === 'char') this.text += key.char
    else if (key.kind === 'paste') this.text += key.text.trim()
    else if (key.name === 'backspace') this.#text = [...this.#text].slice(0, -1).join('')
    else if (key.name === 'ctrl u') this.#text = ''
    else if (key.name === 'ctrl w') this.#text = this.#text.replace(/\S*\s*$/, '')
    else return false
    return true
  }

  /** The end of the text is what is seen when there is no room for all of it. */
  draw(canvas: Canvas, x: number, y: number, width: number): void {
    if (width < 1) return
    let seen = this.#text
    while (widthOf(seen) > width - 1) seen = seen.slice(1)
    canvas.text(x, y, ' '.repeat(width), 'bar')
    const end = canvas.text(x, y, seen, 'bar')
    canvas.cursor(end, y)
  }
}
