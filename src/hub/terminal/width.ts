import stringWidth from 'string-width'

/** The width of a text in columns. */
export const widthOf = (text: string): number => (isNarrow(text) ? text.length : stringWidth(text))

/**
 * Whether every character is one column wide on all terminals: Latin letters, arrows, lines, blocks and stones. Nearly all
 * text is. Measuring other text takes a hundred times as long.
 */
export const isNarrow = (text: string): boolean => narrow.test(text)

/** The glyphs of a text with their widths. Those without a width are left out. */
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

/** Cuts a text to a width, with an ellipsis at the cut. */
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

/** Cuts a text, or pads it with blanks, to exactly this width. */
export const filled = (text: string, width: number, align: 'left' | 'right' = 'left'): string => {
  const clipped = clip(text, width)
  const blanks = ' '.repeat(Math.max(0, width - widthOf(clipped)))
  return align === 'left' ? clipped + blanks : blanks + clipped
}

/** Breaks a text into lines at blanks, and in words longer than a line. All lines are indented like the first. */
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
