import type { Canvas } from '../terminal/canvas.ts'
import type { Style } from '../terminal/grid.ts'
import { literal, type Role, styleOf } from '../terminal/palette.ts'
import { sanitized } from '../terminal/sanitize.ts'
import { widthOf } from '../terminal/width.ts'
import type { Art } from './default-art.ts'

/** Draws art in its own colours, or in a gradient of the theme where it has none. */
export const drawArt = (canvas: Canvas, x: number, y: number, art: string): void => {
  const hasColours = art.includes('\x1b[')
  let pen = plainPen
  for (const [row, line] of art.split(/\r?\n/).entries()) {
    const role = gradient[Math.min(gradient.length - 1, row)]!
    let at = x
    for (const piece of line.split(sequence)) {
      const codes = colours.exec(piece)?.[1]
      if (codes !== undefined) pen = changed(pen, codes)
      else if (!piece.startsWith('\x1b'))
        at = canvas.styled(at, y + row, piece, hasColours ? styleWith(pen) : styleOf(role))
    }
  }
}

const artSize = (art: string): { readonly width: number; readonly height: number } => {
  const lines = art.split(/\r?\n/).map(line => sanitized(line.replace(sequence, '')))
  return { width: Math.max(...lines.map(widthOf)), height: lines.length }
}

/** The largest banner that fits, with its size. */
export const largestBanner = ({ banner, smallBanner }: Art, maxWidth: number, maxHeight: number) =>
  [banner, smallBanner]
    .map(art => ({ art, ...artSize(art) }))
    .find(({ width, height }) => width <= maxWidth && height <= maxHeight)

interface Pen {
  readonly front: number
  readonly back: number
  readonly bold: boolean
}

const plainPen: Pen = { front: -1, back: -1, bold: false }

const gradient: readonly Role[] = ['glow1', 'glow1', 'glow2', 'glow2', 'glow3', 'glow3', 'glow4']

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: escape sequences are parsed here
/** Any escape sequence. Those for colours are applied, all others are dropped. */
const sequence = /(\x1b\[[0-?]*[ -/]*[@-~])/g
const colours = /^\x1b\[([\d;]*)m$/
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: escape sequences are parsed here

const changed = (pen: Pen, codes: string): Pen =>
  Object.assign({}, pen, ...codes.split(';').map(code => changeOf(Number(code))))

/** What one code changes. */
const changeOf = (code: number): Partial<Pen> => {
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

/** Bold text has the bright colour, as on old terminals. */
const styleWith = ({ front, back, bold }: Pen): Style =>
  literal(bold && front >= 0 && front < 8 ? front + 8 : front, back)
