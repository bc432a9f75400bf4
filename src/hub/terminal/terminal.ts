import type { Clock, Timer } from '../../clock.ts'
import type { Connection, Size } from '../../protocols/connection.ts'
import type { FairScheduler } from '../../scheduling/fair-scheduler.ts'
import { Canvas, type DrawTarget } from './canvas.ts'
import { Grid } from './grid.ts'
import { renderChanges, type Sgr } from './render-changes.ts'

type TerminalOutput = Pick<Connection, 'send' | 'unsent' | 'cut'>

/**
 * Shows on a terminal what `draw` draws, at most twenty frames a second. While the client has not read a frame, no
 * further one is sent, so a slow client gets fewer frames. A client that reads nothing for 30 s is cut.
 */
export class Terminal {
  readonly #clock: Clock
  readonly #scheduler: FairScheduler
  readonly #out: TerminalOutput
  readonly #draw: (canvas: Canvas) => void
  readonly #shown: Grid
  #sgr: Sgr
  #size: Size
  #fresh = true
  #timer: Timer | null = null
  #lastFrame = Number.NEGATIVE_INFINITY
  #stalled: Timer | null = null
  #wanted = false
  #cursorShown = false
  #open = true

  constructor(
    clock: Clock,
    scheduler: FairScheduler,
    out: TerminalOutput,
    size: Size,
    sgr: Sgr,
    draw: (canvas: Canvas) => void,
  ) {
    this.#clock = clock
    this.#scheduler = scheduler
    this.#out = out
    this.#draw = draw
    this.#sgr = sgr
    this.#size = bounded(size)
    this.#shown = new Grid(this.#size.columns, this.#size.rows)
    out.send(enter)
    this.redraw()
  }

  get size(): Size {
    return this.#size
  }

  /** Draws a frame soon, because something has changed. */
  redraw(): void {
    if (!this.#open) return
    this.#wanted = true
    if (this.#timer !== null || this.#stalled !== null) return
    const since = this.#clock.now() - this.#lastFrame
    this.#timer = this.#clock.after(Math.max(0, frameInterval - since), () => {
      this.#scheduler.add(() => {
        this.#timer = null
        if (this.#open) this.#frame()
      })
    })
  }

  /** Draws the whole screen again, because its contents are unknown. */
  refresh(): void {
    this.#fresh = true
    this.redraw()
  }

  resize(size: Size): void {
    this.#size = bounded(size)
    this.#shown.resize(this.#size.columns, this.#size.rows)
    this.refresh()
  }

  setColours(sgr: Sgr): void {
    this.#sgr = sgr
    this.refresh()
  }

  /** The client has read all that was sent. */
  drained(): void {
    if (this.#stalled === null || this.#out.unsent > 0) return
    this.#stalled.cancel()
    this.#stalled = null
    if (this.#wanted) this.redraw()
  }

  /** Restores the terminal as it was, and prints a message there. */
  close(message = ''): void {
    if (!this.#open) return
    this.#open = false
    this.#timer?.cancel()
    this.#stalled?.cancel()
    this.#out.send(leave + message)
  }

  /** The client is gone: nothing more is sent. */
  gone(): void {
    this.#open = false
    this.#timer?.cancel()
    this.#stalled?.cancel()
  }

  #frame(): void {
    if (this.#out.unsent > 0) {
      this.#stalled = this.#clock.after(stallTimeout, () => this.#out.cut())
      return
    }
    this.#wanted = false
    this.#lastFrame = this.#clock.now()
    grid.resize(this.#size.columns, this.#size.rows)
    const target: DrawTarget = { grid, cursor: null }
    this.#draw(new Canvas(target))
    let frame = ''
    if (this.#fresh) {
      this.#fresh = false
      this.#shown.clear()
      frame += clear
    }
    const cells = renderChanges(this.#shown, grid, this.#sgr)
    const cursor = target.cursor
    if (this.#cursorShown && (cells !== '' || cursor === null)) {
      frame += hideCursor
      this.#cursorShown = false
    }
    frame += cells
    if (cursor !== null) {
      frame += `\x1b[${cursor.y + 1};${cursor.x + 1}H${this.#cursorShown ? '' : showCursor}`
      this.#cursorShown = true
    }
    if (frame !== '') this.#out.send(frame)
  }
}

/** Milliseconds: twenty frames a second. */
const frameInterval = 50
/** Milliseconds after which a client that reads nothing is cut. */
const stallTimeout = 30_000

/** A frame is drawn in one go, so all sessions share one grid to draw on. */
const grid = new Grid(1, 1)

const hideCursor = '\x1b[?25l'
const showCursor = '\x1b[?25h'
const clear = '\x1b[m\x1b[H\x1b[2J'
const enter = `\x1b[?1049h${hideCursor}\x1b[?2004h`
const leave = `\x1b[?2004l\x1b[m${showCursor}\x1b[?1049l`

/** A larger terminal stays empty at its edges. A smaller one gets a frame that is too large. */
const bounded = ({ columns, rows }: Size): Size => ({
  columns: Math.max(10, Math.min(240, columns || 80)),
  rows: Math.max(4, Math.min(80, rows || 24)),
})
