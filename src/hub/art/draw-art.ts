import type { Canvas } from '../terminal/canvas.ts'
import type { Style } from '../terminal/grid.ts'
import { literal, type Role, styleOf } from '../terminal/palette.ts'
import { plain } from '../terminal/plain.ts'
import { widthOf } from '../terminal/width.ts'

/** Draws art in its own colours; where it has none, in those of the theme, from top to bottom. */
export const drawArt = (canvas: Canvas, x: number, y: number, art: string): void => {
  const coloured = art.includes('\x1b[')
  let pen = plainPen
  for (const [row, line] of art.split(/\r?\n/).entries()) {
    const glow = glows[Math.min(glows.length - 1, row)]!
    let at = x
    for (const piece of line.split(sequence)) {
      const codes = selection.exec(piece)?.[1]
      if (codes !== undefined) pen = turned(pen, codes)
      else if (!piece.startsWith('\x1b'))
        at = canvas.styled(at, y + row, piece, coloured ? styleWith(pen) : styleOf(glow))
    }
  }
}

export const artSize = (art: string): { readonly width: number; readonly height: number } => {
  const lines = art.split(/\r?\n/).map(line => plain(line.replace(sequence, '')))
  return { width: Math.max(...lines.map(widthOf)), height: lines.length }
}

interface Pen {
  readonly front: number
  readonly back: number
  readonly bold: boolean
}

const plainPen: Pen = { front: -1, back: -1, bold: false }

const glows: readonly Role[] = ['glow1', 'glow1', 'glow2', 'glow2', 'glow3', 'glow3', 'glow4']

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: this is where they are read
/** Whatever escape sequences there are, of which only those for colours mean something. */
const sequence = /(\x1b\[[0-?]*[ -/]*[@-~])/g
const selection = /^\x1b\[([\d;]*)m$/
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: this is where they are read

const turned = (pen: Pen, codes: string): Pen =>
  Object.assign({}, pen, ...codes.split(';').map(code => turnOf(Number(code))))

/** What one code changes about the pen. */
const turnOf = (code: number): Partial<Pen> => {
  if (code === 0) return plainPen
  if (code === 1) return { bold: true }
  if (code === 22) return { bold: false }
  if (code >= 30 && code <= 37) return { front: code - 30 }
  if (code === 39) return { front: -1 }
  if (code >= 40 && code <= 47) return { back: code - 40 }
  if (code === 49) return { back: -1 }
  if (code >= 90 && code <= 97) return { front: code - 82 }
  return code >= 100 && code <= 107 ? { back: code - 92 } : {}
}

/** As terminals always did: bold is bright. */
const styleWith = ({ front, back, bold }: Pen): Style =>
  literal(bold && front >= 0 && front < 8 ? front + 8 : front, back)
