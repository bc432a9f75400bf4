import type { Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, scrollStep } from '../terminal/keys.ts'
import { sanitizedLines } from '../terminal/sanitize.ts'
import { wrap } from '../terminal/width.ts'

/** A text to scroll, or to copy with the mouse. */
export class TextScreen implements Screen {
  readonly title: string
  readonly hints: readonly Hint[] = [
    ['↑↓', 'scroll'],
    ['Esc', 'back'],
  ]
  readonly #text: string
  #top = 0
  #last = 0
  #page = 1

  constructor(title: string, text: string) {
    this.title = title
    this.#text = text
  }

  draw(canvas: Canvas): void {
    const lines = sanitizedLines(this.#text).flatMap(line => wrap(line, canvas.width))
    this.#page = canvas.height
    this.#last = Math.max(0, lines.length - canvas.height)
    this.#top = Math.min(this.#top, this.#last)
    for (const [y, line] of lines.slice(this.#top, this.#top + canvas.height).entries())
      canvas.text(
        0,
        y,
        line,
        line.startsWith('# ') ? 'title' : line.startsWith('  ') ? 'key' : 'text',
      )
    if (this.#top < this.#last) canvas.text(canvas.width - 1, canvas.height - 1, '▾', 'dim')
    if (this.#top > 0) canvas.text(canvas.width - 1, 0, '▴', 'dim')
  }

  press(key: Key): boolean {
    const step = scrollStep(key, this.#page, this.#last)
    if (step === null) return false
    this.#top = Math.max(0, Math.min(this.#last, this.#top + step))
    return true
  }
}
