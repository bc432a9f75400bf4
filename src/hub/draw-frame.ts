import { resultText } from './results.ts'
import type { Hint, Screen, ScreenSession } from './screen.ts'
import type { Canvas, Piece } from './terminal/canvas.ts'
import type { Role } from './terminal/palette.ts'
import { sanitized } from './terminal/sanitize.ts'
import { clip, widthOf } from './terminal/width.ts'

/** Draws a screen and its frame: a bar with title and account on top, the latest results and the keys at the bottom. */
export const drawFrame = (
  canvas: Canvas,
  session: ScreenSession,
  screen: Screen,
  message: { readonly text: string; readonly role: Role } | null,
): void => {
  const { height } = canvas
  drawTop(canvas, session, screen)
  screen.draw(canvas.part(1, 1, canvas.width - 2, height - 3))
  if (message === null) drawResults(canvas, session, height - 2)
  else {
    canvas.rule(height - 2)
    canvas.text(2, height - 2, ` ${clip(sanitized(message.text), canvas.width - 6)} `, message.role)
  }
  drawHints(canvas, screen, height - 1)
}

const drawTop = (canvas: Canvas, { account, hub }: ScreenSession, { title }: Screen): void => {
  canvas.bar(0, '', 'bar')
  const name = canvas.width < 60 ? ' ▟▙ ' : ' ▟▙ AGENTBBS '
  let x = canvas.text(0, 0, name, 'bar')
  x = canvas.text(x, 0, '╱ ', 'barDim')
  x = canvas.text(x, 0, clip(sanitized(title), canvas.width - x - 1), 'bar')
  const online = hub.online.accountCount + hub.guestCount()
  const who = account?.name ?? 'guest'
  const right = canvas.width < 60 ? ` ${who} ` : ` ${who} · ${online} online `
  if (x + widthOf(right) < canvas.width)
    canvas.text(canvas.width - widthOf(right), 0, right, 'barDim')
}

const drawResults = (canvas: Canvas, { hub }: ScreenSession, y: number): void => {
  canvas.rule(y)
  let x = 2
  for (const result of hub.results.all) {
    const text = ` ${sanitized(resultText(result))} `
    if (x + widthOf(text) > canvas.width - 2) break
    x = canvas.text(x, y, text, 'dim') + 1
  }
}

const drawHints = (canvas: Canvas, { hints }: Screen, y: number): void => {
  let x = 1
  const put = ([keys, action]: Hint) => {
    const pieces: Piece[] = [
      [keys, 'key'],
      [` ${action}`, 'dim'],
    ]
    x = canvas.line(x, y, pieces) + 2
  }
  // Hints without room are left out. `?` always has room, and its screen lists all of them.
  for (const hint of hints) if (x + hintWidth(hint) + 2 + hintWidth(keys) < canvas.width) put(hint)
  put(keys)
}

const keys: Hint = ['?', 'keys']

const hintWidth = ([keys, action]: Hint): number => widthOf(keys) + 1 + widthOf(action)
