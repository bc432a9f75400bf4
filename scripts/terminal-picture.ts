import xterm from '@xterm/headless'

/** A terminal emulator whose screen can be drawn as an SVG with real text. */
export class TerminalPicture {
  readonly #terminal: xterm.Terminal
  readonly #columns: number
  readonly #rows: number

  constructor(columns: number, rows: number) {
    this.#columns = columns
    this.#rows = rows
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      allowProposedApi: true,
      scrollback: 0,
    })
  }

  /** Resolves when the screen shows all of it. */
  write(bytes: Uint8Array): Promise<void> {
    return new Promise(resolve => this.#terminal.write(bytes, resolve))
  }

  get text(): string {
    return this.#cells.map(row => row.map(({ chars }) => chars).join('')).join('\n')
  }

  svg(title: string): string {
    const width = this.#columns * cellWidth + 2 * margin
    const height = this.#rows * cellHeight + 2 * margin
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<rect width="${width}" height="${height}" rx="8" fill="${ground}"/>
<g font-family="'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="${fontSize}" fill="${ink}">
${this.#cells.flatMap((row, y) => [...grounds(row, y), ...texts(row, y)]).join('\n')}
</g>
</svg>
`
  }

  get #cells(): readonly (readonly Cell[])[] {
    const { active } = this.#terminal.buffer
    return Array.from({ length: this.#rows }, (_, y) => {
      const line = active.getLine(active.baseY + y)
      return Array.from({ length: this.#columns }, (_, x) => cellOf(line?.getCell(x)))
    })
  }
}

interface Cell {
  readonly chars: string
  readonly front: string
  readonly back: string
  readonly isBold: boolean
}

const cellWidth = 9
const cellHeight = 18
const fontSize = 15
const margin = 14
const ground = '#10161d'
const ink = '#d7dee6'

const cellOf = (cell: xterm.IBufferCell | undefined): Cell => {
  if (cell === undefined) return { chars: ' ', front: ink, back: ground, isBold: false }
  const front = cell.isFgDefault() ? ink : colourOf(cell.getFgColor(), cell.isFgRGB())
  const back = cell.isBgDefault() ? ground : colourOf(cell.getBgColor(), cell.isBgRGB())
  const isTurned = cell.isInverse() !== 0
  return {
    chars: cell.getWidth() === 0 ? '' : cell.getChars() || ' ',
    front: isTurned ? back : front,
    back: isTurned ? front : back,
    isBold: cell.isBold() !== 0,
  }
}

/** A colour of 24 bits, or one of the 256 colours of xterm. */
const colourOf = (number: number, isFull: boolean): string => {
  if (isFull) return hex([number >> 16, (number >> 8) & 255, number & 255])
  if (number < 16) return sixteen[number]!
  if (number > 231) return hex(Array(3).fill(8 + 10 * (number - 232)))
  const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step)
  const cube = number - 16
  return hex([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)])
}

const sixteen =
  '#1c2530 #d75f5f #87af5f #d7af5f #5f87d7 #af87d7 #5fafaf #c6ced6 #5f6b78 #ff8787 #afd787 #ffd787 #87afff #d7afff #87d7d7 #ffffff'.split(
    ' ',
  )

const hex = (parts: readonly number[]): string =>
  `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`

/** Runs of cells with the same look, each with its first column. */
const runs = (row: readonly Cell[], isSame: (a: Cell, b: Cell) => boolean) => {
  const found: { from: number; cells: Cell[] }[] = []
  for (const [x, cell] of row.entries()) {
    const last = found.at(-1)
    if (last !== undefined && isSame(last.cells[0]!, cell)) last.cells.push(cell)
    else found.push({ from: x, cells: [cell] })
  }
  return found
}

const grounds = (row: readonly Cell[], y: number): readonly string[] =>
  runs(row, (a, b) => a.back === b.back)
    .filter(({ cells }) => cells[0]!.back !== ground)
    .map(
      ({ from, cells }) =>
        `<rect x="${margin + from * cellWidth}" y="${margin + y * cellHeight}" width="${cells.length * cellWidth}" height="${cellHeight}" fill="${cells[0]!.back}"/>`,
    )

/** One text for each run without a gap, with a fixed length, so that columns are aligned in every font. */
const texts = (row: readonly Cell[], y: number): readonly string[] =>
  runs(row, (a, b) => a.front === b.front && a.isBold === b.isBold).flatMap(({ from, cells }) => {
    const { front, isBold } = cells[0]!
    const look = `${front === ink ? '' : ` fill="${front}"`}${isBold ? ' font-weight="bold"' : ''}`
    const line = cells.map(({ chars }) => chars).join('')
    return [...line.matchAll(/\S+( \S+)*/g)].map(
      ({ 0: text, index }) =>
        `<text x="${margin + (from + index) * cellWidth}" y="${margin + y * cellHeight + 14}" textLength="${text.length * cellWidth}" lengthAdjust="spacingAndGlyphs"${look}>${escaped(text)}</text>`,
    )
  })

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, mark => `&#${mark.charCodeAt(0)};`)
