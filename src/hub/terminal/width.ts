import stringWidth from 'string-width'

/** How many columns a text takes on a screen. */
export const widthOf = (text: string): number => (isNarrow(text) ? text.length : stringWidth(text))

/**
 * Whether each of its characters is one column wide, on every terminal: letters of the west, arrows, lines, blocks and
 * stones. Nearly all that is shown is, and need not be looked at more closely, which takes a hundred times as long.
 */
export const isNarrow = (text: string): boolean => narrow.test(text)

/** The glyphs of a text, each with its width; what has none is left out. */
export const glyphsOf = (text: string): readonly Glyph[] => {
  const glyphs: Glyph[] = []
  for (const { segment } of graphemes.segment(text)) {
    const width = Math.min(2, stringWidth(segment))
    if (width > 0) glyphs.push({ glyph: segment, width })
  }
  return glyphs
}

export interface Glyph {
  readonly glyph: string
  readonly width: number
}

/** Shortened to a width, with a mark where something is missing. */
export const clip = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text
  let result = ''
  let room = width - 1
  for (const { glyph, width } of glyphsOf(text)) {
    room -= width
    if (room < 0) break
    result += glyph
  }
  return width > 0 ? `${result}…` : ''
}

/** Shortened or filled up with blanks to exactly this width. */
export const filled = (text: string, width: number, align: 'left' | 'right' = 'left'): string => {
  const clipped = clip(text, width)
  const blanks = ' '.repeat(Math.max(0, width - widthOf(clipped)))
  return align === 'left' ? clipped + blanks : blanks + clipped
}

/** Broken into lines at blanks, all as far from the edge as the first; a word that is too long is broken as well. */
export const wrap = (text: string, width: number): string[] => {
  const words = text.trimStart()
  const margin = ' '.repeat(Math.max(0, Math.min(text.length - words.length, width - 1)))
  return broken(words, width - margin.length).map(line => margin + line)
}

const broken = (text: string, width: number): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
    while (widthOf(line) > width && width > 0) {
      const head = headOf(line, width)
      lines.push(head)
      line = line.slice(head.length)
    }
  }
  return [...lines, line]
}

const narrow = /^[ -~\u00A0-\u00AC\u00AE-\u02FF\u2010-\u2027\u2190-\u2319\u2500-\u25FC]*$/
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const headOf = (text: string, width: number): string => {
  let head = ''
  let room = width
  for (const { glyph, width } of glyphsOf(text)) {
    room -= width
    if (room < 0) break
    head += glyph
  }
  return head === '' ? [...text][0]! : head
}
