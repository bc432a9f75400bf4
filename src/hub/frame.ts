import { resultText } from './results.ts'
import type { Caller, Hint, Screen } from './screen.ts'
import type { Canvas, Piece } from './terminal/canvas.ts'
import type { Role } from './terminal/palette.ts'
import { plain } from './terminal/plain.ts'
import { clip, widthOf } from './terminal/width.ts'

/** What is around every screen: who and where on top, the last results and the keys at the bottom. */
export const drawFrame = (
  canvas: Canvas,
  caller: Caller,
  screen: Screen,
  word: { readonly text: string; readonly role: Role } | null,
): void => {
  const { height } = canvas
  drawTop(canvas, caller, screen)
  screen.draw(canvas.part(1, 1, canvas.width - 2, height - 3))
  if (word === null) drawTicker(canvas, caller, height - 2)
  else {
    canvas.rule(height - 2)
    canvas.text(2, height - 2, ` ${clip(plain(word.text), canvas.width - 6)} `, word.role)
  }
  drawHints(canvas, screen, height - 1)
}

const drawTop = (canvas: Canvas, { account, house }: Caller, { title }: Screen): void => {
  canvas.bar(0, '', 'bar')
  const name = canvas.width < 60 ? ' ▟▙ ' : ' ▟▙ AGENTBBS '
  let x = canvas.text(0, 0, name, 'bar')
  x = canvas.text(x, 0, '╱ ', 'barDim')
  x = canvas.text(x, 0, clip(plain(title), canvas.width - x - 1), 'bar')
  const present = house.present.accountCount + house.guests()
  const who = account?.name ?? 'guest'
  const right = canvas.width < 60 ? ` ${who} ` : ` ${who} · ${present} here `
  if (x + widthOf(right) < canvas.width)
    canvas.text(canvas.width - widthOf(right), 0, right, 'barDim')
}

const drawTicker = (canvas: Canvas, { house }: Caller, y: number): void => {
  canvas.rule(y)
  let x = 2
  for (const result of house.results.all) {
    const text = ` ${plain(resultText(result))} `
    if (x + widthOf(text) > canvas.width - 2) break
    x = canvas.text(x, y, text, 'dim') + 1
  }
}

const drawHints = (canvas: Canvas, { hints }: Screen, y: number): void => {
  let x = 1
  const put = ([keys, what]: Hint) => {
    const pieces: Piece[] = [
      [keys, 'key'],
      [` ${what}`, 'dim'],
    ]
    x = canvas.line(x, y, pieces) + 2
  }
  // What finds no room is found behind the question mark, for which there always is.
  for (const hint of hints) if (x + hintWidth(hint) + 2 + hintWidth(keys) < canvas.width) put(hint)
  put(keys)
}

const keys: Hint = ['?', 'keys']

const hintWidth = ([keys, what]: Hint): number => widthOf(keys) + 1 + widthOf(what)
