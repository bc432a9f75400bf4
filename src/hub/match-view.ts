import type { Played } from '../arena/match-store.ts'
import { type BoardView, boardText } from '../drawing/board-text.ts'
import { panelText } from '../drawing/look-text.ts'
import type { Look } from '../games/look.ts'
import { playedLabel } from '../record/move-text.ts'
import { ratingText } from '../record/rating-text.ts'
import { clockText } from '../record/time-text.ts'
import type { Canvas, Piece } from './terminal/canvas.ts'
import type { Role } from './terminal/palette.ts'
import { plain } from './terminal/plain.ts'
import { clip, filled, widthOf, wrap } from './terminal/width.ts'

/** One moment of a match. */
export interface Moment {
  readonly look: Look
  readonly seats: readonly SeatLine[]
  /** Null where they are not to be told yet. */
  readonly moves: readonly Played[] | null
  /** How many of the moves have been made at this moment. */
  readonly ply: number
  /** What is to be said about it, the first line louder. */
  readonly words: readonly string[]
}

interface SeatLine {
  readonly name: string
  readonly rating: number | null
  readonly toMove: boolean
  /** Milliseconds left; null where no clock runs. */
  readonly clock: number | null
}

/**
 * The board on the left and all about it on the right; on a narrow screen the names above and the words below. What
 * `foot` draws, in two rows, goes below the words, or below everything where there is no board.
 */
export const drawMatch = (
  canvas: Canvas,
  moment: Moment,
  view: BoardView = {},
  foot: ((canvas: Canvas) => void) | null = null,
): void => {
  const wide = canvas.width >= 60
  const aside = foot !== null && wide && moment.look.board !== undefined
  const height = foot === null || aside ? canvas.height : canvas.height - 2
  if (foot !== null && !aside) foot(canvas.part(0, height))
  if (!wide) {
    drawNames(canvas, moment)
    drawLook(canvas.part(0, 1, canvas.width, height - 2), moment, view, true)
    const words = moment.words[0] ?? lastMove(moment)
    canvas.text(0, height - 1, clip(plain(words), canvas.width), 'bright')
    return
  }
  const isBelow = fitsBelow(canvas.part(0, 0, canvas.width - 28, height), moment)
  const width = drawLook(canvas.part(0, 0, canvas.width - 28, height), moment, view, isBelow)
  const side = canvas.part(width + 2, 0, canvas.width - width - 2, height - (aside ? 3 : 0))
  drawSide(side, moment, isBelow ? [] : panelsOf(moment, side.width, side.width))
  if (aside) foot(canvas.part(width + 2, height - 2))
}

/** Draws the board, with its panels below. Answers with how wide they became. */
const drawLook = (canvas: Canvas, moment: Moment, view: BoardView, isBelow: boolean): number => {
  const { board } = moment.look
  if (board === undefined) {
    const panels = panelsOf(moment, canvas.width, canvas.width)
    // What is new is at the bottom.
    const shown = panels.slice(Math.max(0, panels.length - canvas.height))
    for (const [y, line] of shown.entries()) canvas.text(0, y, line)
    return Math.max(20, ...panels.map(widthOf))
  }
  const linesIn = (height: number) =>
    boardText(board, { ...view, width: canvas.width, height, rich: true })
  // Text below a board is about as wide as the board; a land is as large as the room it is given.
  const across = board.surface === 'land' ? canvas.width : widest(linesIn(canvas.height))
  const wrapAt = Math.min(canvas.width, Math.max(32, across))
  const panels = isBelow ? panelsOf(moment, canvas.width, wrapAt) : []
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

/** Whether the panels fit below the whole board. A land is made smaller for them. */
const fitsBelow = (canvas: Canvas, moment: Moment): boolean => {
  const { board } = moment.look
  if (board === undefined || board.surface === 'land') return true
  const heading = Math.max(0, ...(board.columns ?? []).map(name => name.length))
  const panels = panelsOf(moment, canvas.width, 32)
  return heading + board.rows.length + panels.length <= canvas.height
}

const panelsOf = ({ look, seats }: Moment, width: number, wrapAt: number): readonly string[] =>
  panelText(look, {
    width,
    wrapAt,
    rich: true,
    names: seats.map(({ name }) => clip(plain(name), 16)),
  }).map(plain)

const widest = (lines: ReturnType<typeof boardText>): number =>
  Math.max(...lines.map(spans => spans.reduce((width, { text }) => width + text.length, 0)))

const drawNames = (canvas: Canvas, { seats }: Moment): void => {
  const room = Math.floor(canvas.width / seats.length)
  for (const [seat, { name, clock, toMove }] of seats.entries()) {
    const mark = toMove ? '▸' : ' '
    const time = clock === null ? '' : ` ${clockText(clock)}`
    canvas.text(seat * room, 0, mark + clip(name, room - 2 - time.length) + time, roleOf(seat))
  }
}

const drawSide = (canvas: Canvas, moment: Moment, panels: readonly string[]): void => {
  let y = 0
  for (const [seat, { name, rating, clock, toMove }] of moment.seats.entries()) {
    const right = [
      ...(rating === null ? [] : [ratingText(rating)]),
      ...(clock === null ? [] : [clockText(clock).padStart(5)]),
    ].join(' ')
    const room = Math.min(canvas.width, 44)
    const left = filled(clip(plain(name), room - right.length - 3), room - right.length - 3)
    const pieces: Piece[] = [[toMove ? '▸ ' : '  ', 'mark'], [left, roleOf(seat)], [` ${right}`]]
    canvas.line(0, y++, pieces)
  }
  y++
  for (const [i, words] of moment.words.entries())
    for (const line of wrap(plain(words), canvas.width))
      canvas.text(0, y++, line, i === 0 ? 'bright' : 'dim')
  if (moment.words.length > 0) y++
  for (const line of panels) canvas.text(0, y++, line, 'dim')
  if (panels.length > 0) y++
  drawMoves(canvas.part(0, y), moment)
}

/** In two columns where two play in turn, the one that was just made marked and in sight. */
const drawMoves = (canvas: Canvas, { moves, ply, seats }: Moment): void => {
  if (canvas.height < 2 || moves === null) return
  if (moves.length === 0) canvas.text(0, 0, 'No move yet.', 'dim')
  const across = seats.length === 2 ? 2 : 1
  const width = Math.min(16, Math.floor((canvas.width - 6) / across))
  const rows = Math.ceil(moves.length / across)
  const now = Math.max(0, Math.floor((ply - 1) / across))
  const top = Math.max(0, Math.min(rows - canvas.height, now - Math.floor(canvas.height / 2)))
  for (let y = 0; y < canvas.height && top + y < rows; y++) {
    const first = (top + y) * across
    canvas.text(0, y, `${top + y + 1}`.padStart(4), 'dim')
    for (let i = first; i < Math.min(first + across, moves.length); i++) {
      const isNow = i === ply - 1
      const text = clip(plain(playedLabel(moves[i]!)), width - 2)
      const role: Role = isNow ? 'chosen' : i < ply ? 'text' : 'dim'
      canvas.text(5 + (i - first) * width, y, isNow ? `▸${text} ` : ` ${text}`, role)
    }
  }
}

const lastMove = ({ moves, ply }: Moment): string =>
  moves === null ? '' : ply === 0 ? 'No move yet.' : `${ply}. ${playedLabel(moves[ply - 1]!)}`

/** The two that meet in most games have the colours of their stones. */
const roleOf = (seat: number): Role => (seat === 0 ? 'first' : seat === 1 ? 'second' : 'text')
