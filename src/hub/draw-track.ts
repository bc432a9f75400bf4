import { panelText, tableText, wordsOf } from '../drawing/look-text.ts'
import { seatRole } from '../drawing/sheet.ts'
import { type Box, trackText } from '../drawing/track-text.ts'
import type { Look, Panel, Part, Text, Track } from '../games/look.ts'
import { clockText } from '../record/time-text.ts'
import { type MatchPosition, noteLines } from './draw-match.ts'
import type { Canvas, Piece } from './terminal/canvas.ts'
import { sanitized } from './terminal/sanitize.ts'
import { clip, widthOf, wrap } from './terminal/width.ts'

/**
 * Draws a track with the standings and the newest events in its middle, and below it what else there is to say: 80 × 24
 * characters show all of it. Where the middle is too small, all that is below. Returns the width of the track.
 */
export const drawTrack = (canvas: Canvas, track: Track, position: MatchPosition): number => {
  const { lines, middle } = trackText(track, {
    ...{ width: canvas.width, height: canvas.height - leastBelow },
    rich: true,
  })
  for (const [y, spans] of lines.entries())
    canvas.line(
      0,
      y,
      spans.map(({ text, role }) => [text, role]),
    )
  const below = canvas.part(0, lines.length)
  const isRoomy = middle.width >= 28
  if (isRoomy) drawMiddle(canvas.part(...boxOf(middle)), position)
  drawBelow(below, position, isRoomy)
  return Math.max(...lines.map(spans => spans.reduce((sum, { text }) => sum + text.length, 0)))
}

/** Rows that are kept free below a track. */
const leastBelow = 2

const boxOf = ({ x, y, width, height }: Box) => [x, y, width, height] as const

/** The standings, and as many of the newest events as fit. */
const drawMiddle = (canvas: Canvas, position: MatchPosition): void => {
  const standings = drawStandings(canvas, position)
  const room = canvas.height - standings
  const events = newestLines(position, canvas.width, room)
  // An empty row, where there is one to spare.
  const gap = events.length < room ? 1 : 0
  for (const [i, line] of events.entries()) canvas.text(0, standings + gap + i, line, 'dim')
}

/** A row for each seat: whose turn it is, its number, what its table says, and its clock. Returns the number of rows. */
const drawStandings = (canvas: Canvas, { look, seats }: MatchPosition): number => {
  const table = seatTable(look)
  const clocks = seats.map(({ clock }) => (clock === null ? '' : clockText(clock)))
  const clockWidth = Math.max(0, ...clocks.map(text => text.length)) + 1
  const room = canvas.width - 3 - clockWidth
  const rows = columnsThatFit(table, room, seats)
  // With many seats the events need the row of the heading.
  const hasHead = seats.length < 5
  if (hasHead) canvas.text(3, 0, rows[0]!, 'dim')
  for (const [seat, { toMove }] of seats.entries()) {
    const y = seat + (hasHead ? 1 : 0)
    const pieces: Piece[] = [
      [toMove ? '▸' : ' ', 'mark'],
      [`${seat} `, 'dim'],
      [rows[seat + 1] ?? '', seatRole(seat)],
    ]
    canvas.line(0, y, pieces)
    const clock = clocks[seat]!
    canvas.text(canvas.width - clock.length, y, clock, toMove ? 'bright' : 'dim')
  }
  return seats.length + (hasHead ? 1 : 0)
}

type Table = Extract<Panel, { kind: 'table' }>

/** The table with a row for each seat; the names alone if there is none. */
const seatTable = (look: Look): Table =>
  (look.panels ?? []).find(isSeatTable) ?? { kind: 'table', head: [''], rows: [] }

const isSeatTable = (panel: Panel): panel is Table =>
  panel.kind === 'table' && panel.rows.every(([first], seat) => seatOf(first) === seat)

const seatOf = (text: Text | undefined): number | null => {
  const [part]: readonly (Part | undefined)[] = Array.isArray(text) ? text : []
  return typeof part === 'object' && 'seat' in part ? part.seat : null
}

/** The first columns of a table, as lines, with names as long as there is room for. */
const columnsThatFit = (
  { head, rows }: Table,
  room: number,
  seats: MatchPosition['seats'],
): readonly string[] => {
  const firsts = [wordsOf(head[0] ?? '', () => ''), ...seats.map(({ name }) => sanitized(name))]
  const longest = Math.min(longestName, Math.max(...firsts.map(widthOf)))
  for (let count = head.length; ; count--) {
    const cells = [head, ...rows].map(row => row.slice(1, count))
    const rest = count > 1 ? tableText(cells, seat => nameOf(seats, seat)) : []
    const width = Math.max(0, ...rest.map(widthOf))
    const names = room - width - (width > 0 ? 2 : 0)
    if (names < Math.min(longest, shortestName) && count > 1) continue
    const widest = Math.min(names, longest)
    return firsts.map((first, i) => {
      const name = clip(first, widest)
      return `${name}${' '.repeat(widest - widthOf(name))}  ${rest[i] ?? ''}`.trimEnd()
    })
  }
}

/** Names are cut to this length where that makes room for a column, and no further. */
const shortestName = 12
const longestName = 16

const nameOf = (seats: MatchPosition['seats'], seat: number): string =>
  clip(sanitized(seats[seat]?.name ?? `seat ${seat}`), longestName)

/** As many of the newest events as have room. */
const newestLines = (
  { look, seats }: MatchPosition,
  width: number,
  room: number,
): readonly string[] => {
  const events = (look.panels ?? []).flatMap(panel => (panel.kind === 'log' ? panel.lines : []))
  const lines: string[] = []
  for (const event of events.toReversed()) {
    const words = sanitized(wordsOf(event, seat => clip(nameOf(seats, seat), 12)))
    const wrapped = wrap(words, width)
    if (lines.length > 0 && lines.length + wrapped.length > room) break
    lines.unshift(...wrapped)
  }
  return lines.slice(0, room)
}

/** The lines of the look, then messages and notes; and where the middle has no room, standings and events. */
const drawBelow = (canvas: Canvas, position: MatchPosition, isRoomy: boolean): void => {
  const { look, seats, messages } = position
  const said = (look.panels ?? []).flatMap(panel =>
    panel.kind === 'line' ? [sanitized(wordsOf(panel.text, seat => nameOf(seats, seat)))] : [],
  )
  const first = [...said, ...messages.map(sanitized)]
  let y = 0
  // Where there are only two rows, what is said shares them.
  const lines =
    first.length > canvas.height && canvas.height > 0
      ? [first[0]!, first.slice(1).join(' · ')]
      : first
  for (const [i, line] of lines.entries())
    canvas.text(0, y++, clip(line, canvas.width), i === 0 ? 'bright' : 'dim')
  if (!isRoomy) {
    y += drawStandings(canvas.part(0, y), position)
    const room = Math.max(1, canvas.height - y)
    for (const line of newestLines(position, canvas.width, room)) canvas.text(0, y++, line, 'dim')
  }
  for (const line of noteLines(position, canvas.width, 2)) canvas.text(0, y++, line)
  const charts = (look.panels ?? []).filter(({ kind }) => kind === 'chart')
  const names = seats.map((_, seat) => nameOf(seats, seat))
  const chart = panelText({ panels: charts }, { width: canvas.width, rich: true, names })
  // Half a chart says nothing.
  if (chart.length < canvas.height - y)
    for (const line of chart) canvas.text(0, ++y, sanitized(line), 'dim')
}
