import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../test/support/fake-clock.ts'
import { HeadlessScreen } from '../../../test/support/headless-screen.ts'
import { FairScheduler } from '../../scheduling/fair-scheduler.ts'
import type { Canvas } from './canvas.ts'
import { sgrOf } from './palette.ts'
import { Terminal } from './terminal.ts'

class Shown {
  readonly clock = new FakeClock()
  readonly screen: HeadlessScreen
  readonly terminal: Terminal
  draw: (canvas: Canvas) => void
  unsent = 0
  frames = 0
  wasCut = false
  #last: Promise<void> = Promise.resolve()

  constructor(
    columns: number,
    rows: number,
    draw: (canvas: Canvas) => void,
    screen = new HeadlessScreen(columns, rows),
  ) {
    this.draw = draw
    this.screen = screen
    const shown = this
    this.terminal = new Terminal(
      this.clock,
      new FairScheduler(run => run()),
      {
        send: text => {
          this.frames++
          this.#last = this.screen.write(text)
        },
        get unsent() {
          return shown.unsent
        },
        cut: () => {
          this.wasCut = true
        },
      },
      { columns, rows },
      sgrOf('harbour', 'full'),
      canvas => this.draw(canvas),
    )
  }

  async text(): Promise<string> {
    this.clock.pass(100)
    await this.#last
    return this.screen.text.trimEnd()
  }

  /** The bytes of the next frame. */
  async bytes(): Promise<number> {
    const before = this.screen.received
    this.terminal.redraw()
    await this.text()
    return this.screen.received - before
  }
}

/** Fills a screen of any size, and writes its size into the corner. */
const full = (canvas: Canvas) => {
  for (let y = 0; y < canvas.height; y++)
    canvas.bar(y, String.fromCharCode(97 + (y % 26)).repeat(400), 'bar')
  canvas.text(0, 0, `${canvas.width}×${canvas.height}`, 'title')
}

describe('a terminal', () => {
  it.each([
    [80, 24],
    [132, 43],
    [40, 12],
  ])('shows every cell at %i × %i', async (columns, rows) => {
    const shown = new Shown(columns, rows, full)
    await shown.text()
    const { lines } = shown.screen
    expect(lines[0]).toMatch(new RegExp(`^${columns}×${rows}a+…$`))
    expect(lines.every(line => line.length === columns)).toBe(true)
  })

  it('follows every resize', async () => {
    const shown = new Shown(80, 24, full)
    for (const [columns, rows] of [
      [132, 43],
      [40, 12],
      [41, 13],
      [20, 5],
      [80, 24],
    ] as const) {
      shown.screen.resize(columns, rows)
      shown.terminal.resize({ columns, rows })
      await shown.text()
      expect(shown.screen.lines[0]).toMatch(new RegExp(`^${columns}×${rows}a+…$`))
      expect(shown.screen.lines.every(line => line.length === columns)).toBe(true)
    }
  })

  it('sends only what has changed', async () => {
    let move = 1
    const shown = new Shown(80, 24, canvas => {
      for (let y = 0; y < 24; y++) canvas.text(0, y, `row ${y} `.repeat(9))
      canvas.text(30, 10, `move ${move}`, 'title')
    })
    await shown.text()
    move++
    expect(await shown.bytes()).toBeLessThan(50)
    expect(await shown.bytes()).toBe(0)
    expect(shown.screen.lines[10]).toContain('move 2')
  })

  it('shows each frame of a sequence as if it were drawn alone', async () => {
    const words = ['', 'x', '囲碁', '😀😀', 'a 囲 b', '─│┌', 'é', '          .', 'long '.repeat(9)]
    const shown = new Shown(40, 12, () => {})
    let seed = 7
    const random = (n: number) => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      return seed % n
    }
    for (let round = 0; round < 60; round++) {
      const picture = Array.from(
        { length: 30 },
        () => [random(42) - 1, random(12), words[random(words.length)]!, random(3)] as const,
      )
      const draw = (canvas: Canvas) => {
        for (const [x, y, word, role] of picture)
          canvas.text(x, y, word, (['text', 'bar', 'title'] as const)[role])
      }
      shown.draw = draw
      shown.terminal.redraw()
      const alone = new Shown(40, 12, draw)
      expect(await shown.text()).toBe(await alone.text())
    }
  })

  it('leaves no remains on a terminal that takes a wide glyph for a narrow one', async () => {
    let text = 'twelve chars'
    const draw = (canvas: Canvas) => void canvas.text(0, 0, text)
    const shown = new Shown(12, 1, draw, new HeadlessScreen(12, 1, 'long ago'))
    expect(await shown.text()).toBe(text)
    text = 'ok 😀 wel 😀'
    shown.terminal.redraw()
    expect(await shown.text()).toBe('ok 😀  wel 😀')
  })

  it('draws at most twenty frames a second', async () => {
    const shown = new Shown(40, 12, canvas => canvas.text(0, 0, String(shown.clock.now())))
    await shown.text()
    const before = shown.frames
    for (let ms = 0; ms < 1000; ms++) {
      shown.terminal.redraw()
      shown.clock.pass(1)
    }
    expect(shown.frames - before).toBeLessThanOrEqual(21)
  })

  it('skips frames while the client does not read, and then shows the newest one', async () => {
    let drawn = 0
    const shown = new Shown(40, 12, canvas => canvas.text(0, 0, `frame ${++drawn}`))
    await shown.text()
    shown.unsent = 1000
    for (let i = 0; i < 100; i++) {
      shown.terminal.redraw()
      shown.clock.pass(100)
    }
    expect(drawn).toBe(1)
    shown.unsent = 0
    shown.terminal.drained()
    expect(await shown.text()).toBe('frame 2')
    expect(shown.wasCut).toBe(false)
  })

  it('cuts a client that never reads', async () => {
    const shown = new Shown(40, 12, () => {})
    await shown.text()
    shown.unsent = 1000
    shown.terminal.redraw()
    shown.clock.pass(60_000)
    expect(shown.wasCut).toBe(true)
  })

  it('is restored at the end', async () => {
    const shown = new Shown(40, 12, full)
    await shown.text()
    expect(shown.screen.isAlternate).toBe(true)
    shown.terminal.close('So long.\r\n')
    expect(await shown.text()).toBe('So long.')
    expect(shown.screen.isAlternate).toBe(false)
    expect(shown.clock.pending).toBe(0)
  })
})
