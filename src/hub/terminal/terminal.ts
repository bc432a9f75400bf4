import type { Clock, Timer } from '../../clock.ts'
import type { FairScheduler } from '../../scheduling/fair-scheduler.ts'
import { Canvas, type Sheet } from './canvas.ts'
import { Grid } from './grid.ts'
import { paint, type Sgr } from './paint.ts'

/** The way to a terminal. */
export interface Out {
  write(text: string): void
  /** Bytes that were written and have not left yet. */
  readonly unsent: number
  /** Gives up on somebody who reads nothing. */
  cut(): void
}

export interface Size {
  readonly columns: number
  readonly rows: number
}

/**
 * Keeps one terminal showing what `draw` draws. Frames are made at most twenty times a second, and none while the
 * last one has not left: whoever reads slowly sees fewer of them, and whoever reads nothing is cut after a while.
 */
export class Terminal {
  readonly #clock: Clock
  readonly #scheduler: FairScheduler
  readonly #out: Out
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
    out: Out,
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
    out.write(enter)
    this.redraw()
  }

  get size(): Size {
    return this.#size
  }

  /** Something to be shown has changed. */
  redraw(): void {
    if (!this.#open) return
    this.#wanted = true
    if (this.#timer !== null || this.#stalled !== null) return
    const since = this.#clock.now() - this.#lastFrame
    this.#timer = this.#clock.after(Math.max(0, frameEvery - since), () => {
      this.#scheduler.add(() => {
        this.#timer = null
        if (this.#open) this.#frame()
      })
    })
  }

  /** The screen may show anything: everything is drawn anew. */
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

  /** What was written has left. */
  drained(): void {
    if (this.#stalled === null || this.#out.unsent > 0) return
    this.#stalled.cancel()
    this.#stalled = null
    if (this.#wanted) this.redraw()
  }

  /** Leaves the terminal as it was found, with a few last words on it. */
  close(words = ''): void {
    if (!this.#open) return
    this.#open = false
    this.#timer?.cancel()
    this.#stalled?.cancel()
    this.#out.write(leave + words)
  }

  /** The terminal is gone. */
  gone(): void {
    this.#open = false
    this.#timer?.cancel()
    this.#stalled?.cancel()
  }

  #frame(): void {
    if (this.#out.unsent > 0) {
      this.#stalled = this.#clock.after(stalledFor, () => this.#out.cut())
      return
    }
    this.#wanted = false
    this.#lastFrame = this.#clock.now()
    grid.resize(this.#size.columns, this.#size.rows)
    const sheet: Sheet = { grid, cursor: null }
    this.#draw(new Canvas(sheet))
    let frame = ''
    if (this.#fresh) {
      this.#fresh = false
      this.#shown.clear()
      frame += clear
    }
    const cells = paint(this.#shown, grid, this.#sgr)
    const cursor = sheet.cursor
    if (this.#cursorShown && (cells !== '' || cursor === null)) {
      frame += hideCursor
      this.#cursorShown = false
    }
    frame += cells
    if (cursor !== null) {
      frame += `\x1b[${cursor.y + 1};${cursor.x + 1}H${this.#cursorShown ? '' : showCursor}`
      this.#cursorShown = true
    }
    if (frame !== '') this.#out.write(frame)
  }
}

/** Twenty frames a second. */
const frameEvery = 50
/** How long somebody may leave a frame unread. */
const stalledFor = 30_000

/** Drawing is done in one go, so that all sessions can share what they draw on. */
const grid = new Grid(1, 1)

const hideCursor = '\x1b[?25l'
const showCursor = '\x1b[?25h'
const clear = '\x1b[m\x1b[H\x1b[2J'
const enter = `\x1b[?1049h${hideCursor}\x1b[?2004h`
const leave = `\x1b[?2004l\x1b[m${showCursor}\x1b[?1049l`

/** What is larger than this stays empty at its edges; what is smaller is drawn on as if it were not. */
const bounded = ({ columns, rows }: Size): Size => ({
  columns: Math.max(10, Math.min(240, columns || 80)),
  rows: Math.max(4, Math.min(80, rows || 24)),
})
