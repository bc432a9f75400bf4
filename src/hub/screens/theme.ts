import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName } from '../terminal/keys.ts'
import { themeNames } from '../terminal/palette.ts'

/** The choice of colours. Each theme is applied while it is chosen. */
export class ThemeScreen implements Screen {
  readonly title = 'Theme'
  readonly hints: readonly Hint[] = [
    ['↑↓', 'choose'],
    ['Enter', 'keep'],
  ]
  readonly #session: ScreenSession

  constructor(session: ScreenSession) {
    this.#session = session
  }

  draw(canvas: Canvas): void {
    for (const [i, name] of themeNames.entries())
      if (name === this.#session.theme) canvas.part(1, 1 + i, 20, 1).bar(0, `▸ ${name}`, 'chosen')
      else canvas.text(3, 1 + i, name)
    const sample = canvas.part(26, 1)
    if (sample.width < 12) return
    sample.line(0, 0, [
      ['▟▙ ', 'glow1'],
      ['Title', 'title'],
      ['  key', 'key'],
      ['  dim', 'dim'],
    ])
    sample.line(0, 2, [
      ['● first', 'first'],
      ['   ○ second', 'second'],
      ['   [last]', 'mark'],
    ])
    sample.line(0, 4, [
      ['+16', 'good'],
      ['  −16', 'bad'],
      ['  warning', 'warning'],
    ])
    sample.text(0, 6, '▁▂▃▅▆▇█▇▆', 'rule')
  }

  press(key: Key): boolean {
    const name = keyName(key)
    const step = name === 'down' || name === 'j' ? 1 : name === 'up' || name === 'k' ? -1 : 0
    if (name === 'enter') this.#session.back()
    else if (step === 0) return false
    else {
      const at = themeNames.indexOf(this.#session.theme) + step + themeNames.length
      this.#session.setTheme(themeNames[at % themeNames.length]!)
    }
    return true
  }
}
