import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName } from '../terminal/keys.ts'
import { widthOf, wrap } from '../terminal/width.ts'

/** Lists the keys of a screen, and the keys that work on every screen. */
export class KeysScreen implements Screen {
  readonly title = 'Keys'
  readonly hints: readonly Hint[] = [
    ['↑↓', 'scroll'],
    ['any key', 'back'],
  ]
  readonly #session: ScreenSession
  readonly #screen: Screen
  #top = 0
  #last = 0

  constructor(session: ScreenSession, screen: Screen) {
    this.#session = session
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
    const keys = [...this.#screen.hints, ...(this.#screen.takesText ? always : navigation)]
    const longest = Math.max(...keys.map(([key]) => widthOf(key)))
    const rows = Math.max(1, canvas.height - y)
    // Two columns where one is too high. A narrow screen scrolls one column.
    const isTwoColumns = keys.length > rows && canvas.width >= 76
    const width = isTwoColumns ? Math.floor(canvas.width / 2) : canvas.width
    this.#last = Math.max(0, keys.length - rows * (isTwoColumns ? 2 : 1))
    for (const [i, [key, action]] of keys.slice(this.#top).entries()) {
      const part = canvas.part(1 + Math.floor(i / rows) * width, y + (i % rows), width - 2, 1)
      if (!isTwoColumns && i >= rows) break
      part.text(0, 0, key, 'key')
      part.text(longest + 2, 0, action)
    }
  }

  press(key: Key): boolean {
    const name = keyName(key)
    if (name === 'down' || name === 'j') this.#top = Math.min(this.#last, this.#top + 1)
    else if (name === 'up' || name === 'k') this.#top = Math.max(0, this.#top - 1)
    else this.#session.back()
    return true
  }
}

const always: readonly Hint[] = [
  ['Ctrl-L', 'redraw'],
  ['Ctrl-C', 'quit, from any screen'],
]

const navigation: readonly Hint[] = [
  ['Esc q', 'back; from the menu, quit'],
  ['↑↓ j k', 'move'],
  ['PgUp PgDn', 'page up, page down'],
  ['g G', 'to the top, to the bottom'],
  ...always,
]
