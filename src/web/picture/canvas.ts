import { type Point, type Shape, type Tone, tones } from '../board/scene.ts'
import { dotsOf } from './letters.ts'

/** Samples of a pixel in each direction. Their average makes edges smooth. */
const samples = 2

/** A raster on which scenes are drawn, with one tone for each sample. */
export class Canvas {
  readonly width: number
  readonly height: number
  readonly #across: number
  readonly #down: number
  readonly #cells: Uint8Array

  constructor(width: number, height: number, ground: Tone) {
    this.width = width
    this.height = height
    this.#across = width * samples
    this.#down = height * samples
    this.#cells = new Uint8Array(this.#across * this.#down).fill(tones.indexOf(ground))
  }

  /** Draws shapes moved to `at` and enlarged by `scale`. */
  draw(shapes: readonly Shape[], at: Point, scale: number): void {
    const to = ([x, y]: Point): Point => [at[0] + x * scale, at[1] + y * scale]
    for (const shape of shapes) this.#shape(shape, to, scale)
  }

  /** Writes one line of capitals. */
  write(text: string, [x, y]: Point, dot: number, tone: Tone): void {
    let left = x
    for (const character of text) {
      for (const [row, dots] of dotsOf(character).entries())
        for (let column = 0; column < 3; column++)
          if (dots & (4 >> column))
            this.#rect([left + column * dot, y + row * dot], [dot, dot], tone)
      left += 4 * dot
    }
  }

  /** Red, green and blue of each pixel, row by row. Each row begins with a 0, the PNG filter type. */
  pixels(palette: Readonly<Record<Tone, string>>): Uint8Array {
    const colours = tones.map(tone => Number.parseInt(palette[tone].slice(1), 16))
    const reds = colours.map(colour => colour >> 16)
    const greens = colours.map(colour => (colour >> 8) & 255)
    const blues = colours.map(colour => colour & 255)
    const row = this.width * 3 + 1
    const bytes = new Uint8Array(row * this.height)
    for (let y = 0; y < this.height; y++)
      for (let x = 0, out = y * row + 1; x < this.width; x++, out += 3) {
        const first = y * samples * this.#across + x * samples
        const a = this.#cells[first]!
        const b = this.#cells[first + 1]!
        const c = this.#cells[first + this.#across]!
        const d = this.#cells[first + this.#across + 1]!
        bytes[out] = (reds[a]! + reds[b]! + reds[c]! + reds[d]!) >> 2
        bytes[out + 1] = (greens[a]! + greens[b]! + greens[c]! + greens[d]!) >> 2
        bytes[out + 2] = (blues[a]! + blues[b]! + blues[c]! + blues[d]!) >> 2
      }
    return bytes
  }

  #shape(shape: Shape, to: (point: Point) => Point, scale: number): void {
    switch (shape.kind) {
      case 'rect': {
        const size: Point = [shape.size[0] * scale, shape.size[1] * scale]
        if (shape.fill) this.#rect(to(shape.at), size, shape.fill)
        if (shape.line) this.#frame(to(shape.at), size, (shape.width ?? 1) * scale, shape.line)
        break
      }
      case 'circle': {
        const half = ((shape.width ?? 1) * scale) / 2
        const radius = shape.radius * scale
        if (shape.line && !shape.fill)
          this.#ring(to(shape.at), radius - half, radius + half, shape.line)
        else {
          if (shape.line) this.#ring(to(shape.at), 0, radius + half, shape.line)
          if (shape.fill) this.#ring(to(shape.at), 0, radius - (shape.line ? half : 0), shape.fill)
        }
        break
      }
      case 'polygon': {
        const points = shape.points.map(to)
        if (shape.fill) this.#polygon(points, shape.fill)
        if (shape.line)
          for (const [i, point] of points.entries())
            this.#line(
              point,
              points[(i + 1) % points.length]!,
              (shape.width ?? 1) * scale,
              shape.line,
            )
        break
      }
      case 'line':
        this.#line(to(shape.from), to(shape.to), shape.width * scale, shape.line)
        break
      case 'cells':
        for (const [x, y, n] of shape.runs) this.#rect(to([x, y]), [n * scale, scale], shape.fill)
        break
      case 'group':
        for (const part of shape.shapes) this.#shape(part, to, scale)
        break
      case 'text': {
        if (shape.fine) break
        const dot = Math.max(1, (shape.size * scale) / 7)
        const [x, y] = to(shape.at)
        const width = shape.text.length * 4 * dot - dot
        this.write(shape.text, [x - width / 2, y - 2.5 * dot], dot, shape.fill)
        break
      }
    }
  }

  #rect([x, y]: Point, [width, height]: Point, tone: Tone): void {
    for (let row = sample(y); row < sample(y + height); row++)
      this.#run(row, x * samples, (x + width) * samples, tone)
  }

  #frame([x, y]: Point, [width, height]: Point, line: number, tone: Tone): void {
    for (const [at, size] of [
      [
        [x, y],
        [width, line],
      ],
      [
        [x, y + height - line],
        [width, line],
      ],
      [
        [x, y],
        [line, height],
      ],
      [
        [x + width - line, y],
        [line, height],
      ],
    ] as const)
      this.#rect(at, size, tone)
  }

  #ring([x, y]: Point, inner: number, outer: number, tone: Tone): void {
    const [cx, cy, r, hole] = [x * samples, y * samples, outer * samples, inner * samples]
    for (let row = Math.floor(cy - r); row <= cy + r; row++) {
      const off = row + 0.5 - cy
      const reach = Math.sqrt(Math.max(0, r * r - off * off))
      if (reach === 0) continue
      const gap = Math.sqrt(Math.max(0, hole * hole - off * off))
      if (gap === 0) this.#run(row, cx - reach, cx + reach, tone)
      else {
        this.#run(row, cx - reach, cx - gap, tone)
        this.#run(row, cx + gap, cx + reach, tone)
      }
    }
  }

  #line(from: Point, to: Point, width: number, tone: Tone): void {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
    const length = Math.hypot(dx, dy) || 1
    const [ox, oy] = [(-dy / length) * (width / 2), (dx / length) * (width / 2)]
    this.#polygon(
      [
        [from[0] + ox, from[1] + oy],
        [to[0] + ox, to[1] + oy],
        [to[0] - ox, to[1] - oy],
        [from[0] - ox, from[1] - oy],
      ],
      tone,
    )
    for (const end of [from, to]) this.#ring(end, 0, width / 2, tone)
  }

  #polygon(points: readonly Point[], tone: Tone): void {
    const ys = points.map(([, y]) => y * samples)
    for (let row = Math.floor(Math.min(...ys)); row <= Math.max(...ys); row++) {
      const at = row + 0.5
      const crossings: number[] = []
      for (const [i, [x, y]] of points.entries()) {
        const [nx, ny] = points[(i + 1) % points.length]!
        const [top, bottom] = [y * samples, ny * samples]
        if (top <= at === bottom <= at) continue
        crossings.push((x + ((nx - x) * (at - top)) / (bottom - top)) * samples)
      }
      crossings.sort((a, b) => a - b)
      for (let i = 0; i + 1 < crossings.length; i += 2)
        this.#run(row, crossings[i]!, crossings[i + 1]!, tone)
    }
  }

  #run(row: number, from: number, to: number, tone: Tone): void {
    if (row < 0 || row >= this.#down) return
    const start = Math.max(0, Math.round(from))
    const end = Math.min(this.#across, Math.round(to))
    if (end <= start) return
    this.#cells.fill(toneNumbers[tone], row * this.#across + start, row * this.#across + end)
  }
}

/** The number of each tone on the raster. */
const toneNumbers = Object.fromEntries(tones.map((tone, i) => [tone, i])) as Record<Tone, number>

const sample = (value: number) => Math.round(value * samples)
