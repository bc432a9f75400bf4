import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { wrap } from '../terminal/width.ts'

/** A question to answer with yes or no. */
export class ConfirmScreen implements Screen {
  readonly title = 'Sure?'
  readonly hints: readonly Hint[] = [
    ['y', 'yes'],
    ['n', 'no'],
  ]
  readonly #session: ScreenSession
  readonly #text: string
  readonly #yes: () => void

  constructor(session: ScreenSession, text: string, yes: () => void) {
    this.#session = session
    this.#text = text
    this.#yes = yes
  }

  draw(canvas: Canvas): void {
    const lines = wrap(this.#text, Math.min(60, canvas.width - 4))
    const top = Math.max(0, Math.floor((canvas.height - lines.length - 2) / 2))
    for (const [y, line] of lines.entries()) canvas.text(2, top + y, line, 'bright')
    canvas.line(2, top + lines.length + 1, [['y', 'key'], [' yes    '], ['n', 'key'], [' no']])
  }

  press(key: Key): boolean {
    const yes = key.kind === 'char' && key.char.toLowerCase() === 'y'
    const no =
      (key.kind === 'char' && /[nqh]/i.test(key.char)) ||
      (key.kind === 'named' && key.name === 'escape')
    if (yes || no) this.#session.back()
    if (yes) this.#yes()
    return true
  }
}
