import type { Played } from '../arena/match-store.ts'
import { type BoardView, boardText } from '../drawing/board-text.ts'
import { panelText } from '../drawing/look-text.ts'
import { seatRole } from '../drawing/sheet.ts'
import type { Look, Track } from '../games/look.ts'
import { playedLabel } from '../record/move-text.ts'
import { protocolText } from '../record/protocol-text.ts'
import { ratingText } from '../record/rating-text.ts'
import { clockText } from '../record/time-text.ts'
import { drawTrack } from './draw-track.ts'
import type { Canvas, Piece } from './terminal/canvas.ts'
import type { Role } from './terminal/palette.ts'
import { sanitized } from './terminal/sanitize.ts'
import { clip, filled, widthOf, wrap } from './terminal/width.ts'

/** One position of a match. */
export interface MatchPosition {
  readonly look: Look
  readonly seats: readonly SeatStatus[]
  /** Null where spectators may not see them yet. */
  readonly moves: readonly Played[] | null
  /** How many of the moves led to this position. */
  readonly ply: number
  /** Messages about the position. The first one is drawn bright. */
  readonly messages: readonly string[]
  /** What a player wrote beside a move; null for none. */
  readonly note: string | null
}

interface SeatStatus {
  readonly name: string
  /** What the seat is called in its game, such as White. */
  readonly side?: string | undefined
  readonly rating: number | null
  /** The id of the protocol that it came by. Shown where there is room. */
  readonly protocol: string | null
  readonly toMove: boolean
  /** Milliseconds left; null while this clock stands still. */
  readonly clock: number | null
}

/**
 * Draws the board on the left, and names, messages and moves on the right. On a narrow screen the names are above the
 * board, and a message below it. `drawInput` draws two rows: below the moves, or below everything where there is no board.
 */
export const drawMatch = (
  canvas: Canvas,
  position: MatchPosition,
  view: BoardView = {},
  drawInput: ((canvas: Canvas) => void) | null = null,
): void => {
  const { track } = position.look
  if (track !== undefined) {
    drawTrackMatch(canvas, track, position, drawInput)
    return
  }
  const wide = canvas.width >= 60
  const aside = drawInput !== null && wide && position.look.board !== undefined
  const height = drawInput === null || aside ? canvas.height : canvas.height - 2
  if (drawInput !== null && !aside) drawInput(canvas.part(0, height))
  if (!wide) {
    drawNames(canvas, position)
    const note = noteLines(position, canvas.width, Math.min(3, Math.floor(height / 4)))
    const below = height - 1 - note.length
    drawLook(canvas.part(0, 1, canvas.width, below - 1), position, view, true)
    for (const [i, line] of note.entries()) canvas.text(0, below + i, line)
    const message = position.messages[0] ?? lastMove(position)
    canvas.text(0, height - 1, clip(sanitized(message), canvas.width), 'bright')
    return
  }
  const isBelow = fitsBelow(canvas.part(0, 0, canvas.width - 28, height), position)
  const width = drawLook(canvas.part(0, 0, canvas.width - 28, height), position, view, isBelow)
  const side = canvas.part(width + 2, 0, canvas.width - width - 2, height - (aside ? 3 : 0))
  drawSide(side, position, isBelow ? [] : panelsOf(position, side.width, side.width))
  if (aside) drawInput(canvas.part(width + 2, height - 2))
}

/** Draws a track. On a wide screen names, messages and moves are beside it, and below it what else its game shows. */
const drawTrackMatch = (
  canvas: Canvas,
  track: Track,
  position: MatchPosition,
  drawInput: ((canvas: Canvas) => void) | null,
): void => {
  const height = drawInput === null ? canvas.height : canvas.height - 2
  drawInput?.(canvas.part(0, height))
  const isWide = canvas.width >= trackWidth + 30
  const across = isWide ? trackWidth : canvas.width
  const beside = isWide ? { ...position, messages: [], note: null } : position
  drawTrack(canvas.part(0, 0, across, height), track, beside)
  if (isWide) drawSide(canvas.part(across + 2, 0, canvas.width - across - 2, height), position, [])
}

/** The width of forty squares. */
const trackWidth = 78

/** Draws the board, and its panels below if `isBelow`. Returns the width that they take. */
const drawLook = (
  canvas: Canvas,
  position: MatchPosition,
  view: BoardView,
  isBelow: boolean,
): number => {
  const { board } = position.look
  if (board === undefined) {
    const panels = panelsOf(position, canvas.width, canvas.width)
    // The newest text is at the bottom.
    const shown = panels.slice(Math.max(0, panels.length - canvas.height))
    for (const [y, line] of shown.entries()) canvas.text(0, y, line)
    return Math.max(20, ...panels.map(widthOf))
  }
  const linesIn = (height: number) =>
    boardText(board, { ...view, width: canvas.width, height, rich: true })
  // Text below a board is about as wide as the board. A land fills all the room that it gets.
  const across = board.surface === 'land' ? canvas.width : widest(linesIn(canvas.height))
  const wrapAt = Math.min(canvas.width, Math.max(32, across))
  const panels = isBelow ? panelsOf(position, canvas.width, wrapAt) : []
  const lines = linesIn(Math.max(Math.ceil(canvas.height / 2), canvas.height - panels.length))
  for (const [y, spans] of lines.entries())
    canvas.line(
      0,
      y,
      spans.map(({ text, role }) => [text, role]),
    )
  for (const [y, line] of panels.entries()) canvas.text(0, lines.length + y, line, 'dim')
  return Math.max(20, widest(lines), ...panels.map(widthOf))
}

/** Whether the panels fit below the whole board. A land shrinks to make room for them. */
const fitsBelow = (canvas: Canvas, position: MatchPosition): boolean => {
  const { board } = position.look
  if (board === undefined || board.surface === 'land') return true
  const heading = Math.max(0, ...(board.columns ?? []).map(name => name.length))
  const panels = panelsOf(position, canvas.width, 32)
  return heading + board.rows.length + panels.length <= canvas.height
}

const panelsOf = (
  { look, seats }: MatchPosition,
  width: number,
  wrapAt: number,
): readonly string[] =>
  panelText(look, {
    width,
    wrapAt,
    rich: true,
    names: seats.map(({ name }) => clip(sanitized(name), 16)),
  }).map(sanitized)

const widest = (lines: ReturnType<typeof boardText>): number =>
  Math.max(...lines.map(spans => spans.reduce((width, { text }) => width + text.length, 0)))

const drawNames = (canvas: Canvas, { seats }: MatchPosition): void => {
  const room = Math.floor(canvas.width / seats.length)
  for (const [seat, { name, clock, toMove }] of seats.entries()) {
    const mark = toMove ? '▸' : ' '
    const time = clock === null ? '' : ` ${clockText(clock)}`
    canvas.text(seat * room, 0, mark + clip(name, room - 2 - time.length) + time, seatRole(seat))
  }
}

const drawSide = (canvas: Canvas, position: MatchPosition, panels: readonly string[]): void => {
  let y = 0
  for (const [seat, { name, rating, protocol, clock, toMove }] of position.seats.entries()) {
    const right = [
      ...(rating === null ? [] : [ratingText(rating)]),
      ...(clock === null ? [] : [clockText(clock).padStart(5)]),
    ].join(' ')
    const room = Math.min(canvas.width, 44)
    const left = clip(sanitized(name), room - right.length - 3)
    const rest = room - right.length - 3 - widthOf(left)
    const by = protocol === null ? '' : `  ${sanitized(protocolText(protocol))}`
    const pieces: Piece[] = [
      [toMove ? '▸ ' : '  ', 'mark'],
      [left, seatRole(seat)],
      [filled(widthOf(by) <= rest ? by : '', rest, 'right'), 'dim'],
      [` ${right}`],
    ]
    canvas.line(0, y++, pieces)
  }
  y++
  for (const [i, message] of position.messages.entries())
    for (const line of wrap(sanitized(message), canvas.width))
      canvas.text(0, y++, line, i === 0 ? 'bright' : 'dim')
  if (position.messages.length > 0) y++
  const note = noteLines(position, canvas.width)
  for (const line of note) canvas.text(0, y++, line)
  if (note.length > 0) y++
  for (const line of panels) canvas.text(0, y++, line, 'dim')
  if (panels.length > 0) y++
  drawMoves(canvas.part(0, y), position)
}

export const noteLines = (
  { note }: Pick<MatchPosition, 'note'>,
  width: number,
  most = Number.POSITIVE_INFINITY,
): readonly string[] => {
  const lines = note === null ? [] : wrap(sanitized(note), width)
  return lines.length <= most
    ? lines
    : lines.slice(0, most).map((line, i) => (i + 1 < most ? line : `${clip(line, width - 1)}…`))
}

/** Draws the moves, in two columns for two seats. The newest one is marked, and scrolled into view. */
const drawMoves = (canvas: Canvas, { moves, ply, seats }: MatchPosition): void => {
  if (canvas.height < 2 || moves === null) return
  if (moves.length === 0) canvas.text(0, 0, 'No move yet.', 'dim')
  const columns = seats.length === 2 ? 2 : 1
  const width = Math.min(16, Math.floor((canvas.width - 6) / columns))
  const rows = Math.ceil(moves.length / columns)
  const now = Math.max(0, Math.floor((ply - 1) / columns))
  const top = Math.max(0, Math.min(rows - canvas.height, now - Math.floor(canvas.height / 2)))
  for (let y = 0; y < canvas.height && top + y < rows; y++) {
    const first = (top + y) * columns
    canvas.text(0, y, `${top + y + 1}`.padStart(4), 'dim')
    for (let i = first; i < Math.min(first + columns, moves.length); i++) {
      const isNow = i === ply - 1
      const text = clip(sanitized(playedLabel(moves[i]!)), width - 2)
      const role: Role = isNow ? 'chosen' : i < ply ? 'text' : 'dim'
      canvas.text(5 + (i - first) * width, y, isNow ? `▸${text} ` : ` ${text}`, role)
    }
  }
}

const lastMove = ({ moves, ply }: MatchPosition): string =>
  moves === null ? '' : ply === 0 ? 'No move yet.' : `${ply}. ${playedLabel(moves[ply - 1]!)}`
