import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { widthOf, wrap } from '../terminal/width.ts'

/** The keys of a screen, and those that mean the same everywhere. */
export class KeysHelp implements Screen {
  readonly title = 'Keys'
  readonly hints: readonly Hint[] = [
    ['↑↓', 'scroll'],
    ['any key', 'back'],
  ]
  readonly #caller: Caller
  readonly #screen: Screen
  #top = 0
  #last = 0

  constructor(caller: Caller, screen: Screen) {
    this.#caller = caller
    this.#screen = screen
  }

  draw(canvas: Canvas): void {
    let y = 1
    canvas.text(1, y++, this.#screen.title, 'title')
    for (const line of this.#screen.about === undefined
      ? []
      : wrap(this.#screen.about, canvas.width - 2))
      canvas.text(1, y++, line, 'dim')
    y++
    const keys = [...this.#screen.hints, ...(this.#screen.types ? whereTyped : everywhere)]
    const longest = Math.max(...keys.map(([key]) => widthOf(key)))
    const rows = Math.max(1, canvas.height - y)
    // In two columns where one would be too high, or else a part of it at a time.
    const twice = keys.length > rows && canvas.width >= 76
    const width = twice ? Math.floor(canvas.width / 2) : canvas.width
    this.#last = Math.max(0, keys.length - rows * (twice ? 2 : 1))
    for (const [i, [key, what]] of keys.slice(this.#top).entries()) {
      const part = canvas.part(1 + Math.floor(i / rows) * width, y + (i % rows), width - 2, 1)
      if (!twice && i >= rows) break
      part.text(0, 0, key, 'key')
      part.text(longest + 2, 0, what)
    }
  }

  press(key: Key): boolean {
    const name = key.kind === 'named' ? key.name : key.kind === 'char' ? key.char : ''
    if (name === 'down' || name === 'j') this.#top = Math.min(this.#last, this.#top + 1)
    else if (name === 'up' || name === 'k') this.#top = Math.max(0, this.#top - 1)
    else this.#caller.back()
    return true
  }
}

const whereTyped: readonly Hint[] = [
  ['Ctrl-L', 'draw everything anew'],
  ['Ctrl-C', 'good-bye, from anywhere'],
]

const everywhere: readonly Hint[] = [
  ['Esc q', 'back; from the menu, good-bye'],
  ['↑↓ j k', 'move'],
  ['PgUp PgDn', 'a page at a time'],
  ['g G', 'to the top, to the bottom'],
  ...whereTyped,
]
