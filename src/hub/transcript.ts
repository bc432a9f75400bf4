import { panelText } from '../drawing/look-text.ts'
import { seatRole } from '../drawing/sheet.ts'
import type { Panel } from '../games/look.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import { clockText } from '../record/time-text.ts'
import { type MatchPosition, noteLines } from './draw-match.ts'
import type { Canvas, Piece } from './terminal/canvas.ts'
import { type Key, keyName } from './terminal/keys.ts'
import type { Role } from './terminal/palette.ts'
import { sanitized, sanitizedLines } from './terminal/sanitize.ts'
import { clip, filled, widthOf, wrap } from './terminal/width.ts'

interface Line {
  readonly text: string
  readonly role: Role
}

/** What stands below the transcript. */
export interface Below {
  /** Lines about the vote and the like, most important first. */
  readonly lines: readonly Line[]
  /** Draws the text input, in so many rows. */
  readonly input?: { readonly rows: number; readonly draw: (canvas: Canvas) => void }
}

/** What players have written, with the place to which a reader has scrolled. */
export class Transcript {
  /** The first line that is shown; null while the newest message is. */
  #top: number | null = null
  #last = 0
  #page = 1
  /** The top line while the newest message is shown. */
  #newest = 0

  /** Shows the newest message again. */
  follow(): void {
    this.#top = null
  }

  /** Scrolls by arrows, pages, and to the ends. Answers false for all other keys. */
  press(key: Key): boolean {
    const step = stepOf(keyName(key), this.#page)
    if (step === null || this.#last === 0) return false
    const top = Math.max(0, Math.min(this.#last, (this.#top ?? this.#newest) + step))
    this.#top = top === this.#last ? null : top
    // The end of a message that is longer than the screen.
    if (top === this.#last && this.#newest < this.#last) this.#top = top
    return true
  }

  draw(canvas: Canvas, position: MatchPosition, below: Below = { lines: [] }): void {
    const { width, height } = canvas
    const head = headOf(position, width, Math.max(1, Math.floor(height / 5)))
    const lines = [
      ...below.lines,
      ...position.messages.map((text, i): Line => ({ text, role: i === 0 ? 'bright' : 'dim' })),
      ...noteLines(position, width, 2).map((text): Line => ({ text, role: 'text' })),
    ].flatMap(({ text, role }) => wrap(sanitized(text), width).map(text => ({ text, role })))
    const inputRows = Math.min(below.input?.rows ?? 0, Math.max(2, Math.floor(height / 3)))
    const mostLines = Math.max(1, Math.floor((height - inputRows) / 3))
    const foot = lines.slice(0, mostLines)
    let y = 0
    for (const pieces of head) canvas.line(0, y++, pieces)
    const gap = height >= 16 ? 1 : 0
    const body = canvas.part(0, y + gap, width, height - y - gap - foot.length - gap - inputRows)
    this.#drawBody(body, position)
    y = height - inputRows - foot.length
    for (const { text, role } of foot) canvas.text(0, y++, text, role)
    below.input?.draw(canvas.part(0, height - inputRows))
  }

  #drawBody(canvas: Canvas, position: MatchPosition): void {
    // The last column is for the marks that say that there is more.
    const { lines, newest } = bodyOf(position, Math.max(8, Math.min(widest, canvas.width - 2)))
    const last = Math.max(0, lines.length - canvas.height)
    // A reader who has read all that there was goes on with what is new.
    if (this.#top === this.#last && last > this.#last) this.#top = null
    this.#page = Math.max(1, canvas.height - 1)
    this.#last = last
    this.#newest = Math.min(newest, this.#last)
    if (this.#top !== null) this.#top = Math.min(this.#top, this.#last)
    const top = this.#top ?? this.#newest
    for (const [y, { text, role }] of lines.slice(top, top + canvas.height).entries())
      canvas.text(0, y, text, role)
    if (top > 0) canvas.text(canvas.width - 1, 0, '▴', 'key')
    if (top < this.#last) canvas.text(canvas.width - 1, canvas.height - 1, '▾', 'key')
  }
}

/** Longer lines are hard to read. */
const widest = 100

/** Names with clocks, and the topic. */
const headOf = (
  { look, seats }: MatchPosition,
  width: number,
  most: number,
): readonly (readonly Piece[])[] => {
  const room = Math.floor(width / seats.length)
  const names = seats.flatMap(({ name, side, clock, toMove }, seat): readonly Piece[] => {
    const time = clock === null ? '' : ` ${clockText(clock)}`
    // Where there is little room, only the messages say it.
    const of = side === undefined || room < 30 ? '' : ` · ${side}`
    const left = clip(sanitized(name), room - 3 - widthOf(of) - time.length)
    return [
      [toMove ? '▸ ' : '  ', 'mark'],
      [left, seatRole(seat)],
      [filled(of + time, room - 2 - widthOf(left)), 'dim'],
    ]
  })
  const topic = (look.panels ?? [])
    .filter(isHeading)
    .flatMap(panel => panelText({ panels: [panel] }, { width, wrapAt: width }))
    .map(sanitized)
  const shown = topic.slice(0, most)
  if (shown.length < topic.length) shown.push(`${clip(shown.pop()!, width - 1)}…`)
  return [names, ...shown.map((text): readonly Piece[] => [[text, 'bright']])]
}

const isHeading = (panel: Panel) => panel.kind === 'line' && panel.tone === 'strong'

/** All lines, and where the newest message begins. */
const bodyOf = (
  position: MatchPosition,
  width: number,
): { readonly lines: readonly Line[]; readonly newest: number } => {
  const { look, seats } = position
  const names = seats.map(({ name }) => clip(sanitized(name), 20))
  const lines: Line[] = []
  let newest = 0
  for (const panel of (look.panels ?? []).filter(panel => !isHeading(panel)))
    if (panel.kind === 'talk') {
      if (lines.length > 0) lines.push(emptyLine)
      for (const [i, { seat, text }] of panel.messages.entries()) {
        newest = lines.length
        const side = seats[seat]?.side
        const heading = `${i + 1}. ${names[seat] ?? seat}${side === undefined ? '' : ` · ${side}`}`
        lines.push({ text: clip(heading, width), role: seatRole(seat) })
        for (const line of paragraphs(text, width - 2))
          lines.push({ text: `  ${line}`, role: 'text' })
        lines.push(emptyLine)
      }
    } else
      for (const line of panelText({ panels: [panel] }, { width, wrapAt: width, names }))
        lines.push({ text: sanitized(line), role: 'dim' })
  return { lines, newest }
}

const emptyLine: Line = { text: '', role: 'text' }

/**
 * A message as lines. All sessions share what was wrapped last: a debate has up to 40,000 characters, and each of its
 * spectators is shown a new screen every second.
 */
const paragraphs = (text: string, width: number): readonly string[] => {
  const key = `${width} ${text}`
  let lines = wrapped.get(key)
  if (lines === undefined) {
    lines = sanitizedLines(text).flatMap(line => wrap(line, width))
    wrapped.set(key, lines)
  }
  return lines
}

const wrapped = new BoundedMap<string, readonly string[]>(500)

const stepOf = (key: string, page: number): number | null => {
  switch (key) {
    case 'up':
      return -1
    case 'down':
      return 1
    case 'page up':
      return -page
    case 'page down':
      return page
    case 'home':
      return Number.NEGATIVE_INFINITY
    case 'end':
      return Number.POSITIVE_INFINITY
    default:
      return null
  }
}
