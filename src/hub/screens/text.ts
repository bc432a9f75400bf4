import type { Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { plainLines } from '../terminal/plain.ts'
import { wrap } from '../terminal/width.ts'

/** Text to read, or to mark with the mouse and copy. */
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
    const lines = plainLines(this.#text).flatMap(line => wrap(line, canvas.width))
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
    const name = key.kind === 'named' ? key.name : key.kind === 'char' ? key.char : ''
    const steps: Record<string, number> = {
      down: 1,
      j: 1,
      up: -1,
      k: -1,
      'page down': this.#page,
      ' ': this.#page,
      'page up': -this.#page,
      g: -this.#last,
      home: -this.#last,
      G: this.#last,
      end: this.#last,
    }
    const step = steps[name]
    if (step === undefined) return false
    this.#top = Math.max(0, Math.min(this.#last, this.#top + step))
    return true
  }
}
