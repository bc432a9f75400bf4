import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { wrap } from '../terminal/width.ts'

/** Something to be sure of: yes or no. */
export class Question implements Screen {
  readonly title = 'Sure?'
  readonly hints: readonly Hint[] = [
    ['y', 'yes'],
    ['n', 'no'],
  ]
  readonly #caller: Caller
  readonly #text: string
  readonly #yes: () => void

  constructor(caller: Caller, text: string, yes: () => void) {
    this.#caller = caller
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
    if (yes || no) this.#caller.back()
    if (yes) this.#yes()
    return true
  }
}
