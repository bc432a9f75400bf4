import type { Played } from '../arena/keeper.ts'
import { playedLabel } from '../record/move-text.ts'
import { ratingText } from '../record/rating-text.ts'
import { clockText } from '../record/time-text.ts'
import { type Board, type BoardLook, boardWidth, drawBoard, readBoard } from './board.ts'
import type { Canvas, Piece } from './terminal/canvas.ts'
import type { Role } from './terminal/palette.ts'
import { plain, plainLines } from './terminal/plain.ts'
import { clip, filled, wrap } from './terminal/width.ts'

/** One moment of a match. */
export interface Moment {
  /** As the game draws it. */
  readonly drawing: string
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
 * `foot` draws, in two rows, goes below the words, or below everything where they are no board's.
 */
export const drawMatch = (
  canvas: Canvas,
  moment: Moment,
  look: BoardLook = {},
  foot: ((canvas: Canvas) => void) | null = null,
): void => {
  const board = readBoard(moment.drawing)
  const wide = canvas.width >= 60
  const aside = foot !== null && wide && board !== null
  const height = foot === null || aside ? canvas.height : canvas.height - 2
  if (foot !== null && !aside) foot(canvas.part(0, height))
  if (!wide) {
    drawNames(canvas, moment)
    drawPosition(canvas.part(0, 1, canvas.width, height - 2), moment.drawing, board, look)
    const words = moment.words[0] ?? lastMove(moment)
    canvas.text(0, height - 1, clip(plain(words), canvas.width), 'bright')
    return
  }
  const width = Math.min(canvas.width - 28, drawingWidth(moment.drawing, board, height))
  drawPosition(canvas.part(0, 0, width, height), moment.drawing, board, look)
  const side = canvas.part(width + 2, 0, canvas.width - width - 2, height - (aside ? 3 : 0))
  drawSide(side, moment)
  if (aside) foot(canvas.part(width + 2, height - 2))
}

const drawPosition = (
  canvas: Canvas,
  drawing: string,
  board: Board | null,
  look: BoardLook,
): void => {
  if (board === null) {
    // What is new is at the bottom.
    const lines = plainLines(drawing).flatMap(line => wrap(line, canvas.width))
    for (const [y, line] of lines.slice(Math.max(0, lines.length - canvas.height)).entries())
      canvas.text(0, y, line)
    return
  }
  const notes = board.notes.flatMap(note => wrap(plain(note), Math.max(20, canvas.width)))
  const height = canvas.height - notes.length
  drawBoard(canvas.part(0, 0, canvas.width, height), board, look)
  for (const [y, note] of notes.entries()) canvas.text(0, height + y, note, 'dim')
}

const drawingWidth = (drawing: string, board: Board | null, height: number): number =>
  board === null
    ? Math.max(20, ...drawing.split('\n').map(line => line.length))
    : Math.max(20, boardWidth(board, height))

const drawNames = (canvas: Canvas, { seats }: Moment): void => {
  const room = Math.floor(canvas.width / seats.length)
  for (const [seat, { name, clock, toMove }] of seats.entries()) {
    const mark = toMove ? '▸' : ' '
    const time = clock === null ? '' : ` ${clockText(clock)}`
    canvas.text(seat * room, 0, mark + clip(name, room - 2 - time.length) + time, roleOf(seat))
  }
}

const drawSide = (canvas: Canvas, moment: Moment): void => {
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
