import type { Look, Panel, Text } from '../games/look.ts'
import { clip, cropped, wrap } from '../games/words.ts'
import { boardText, marksText } from './board-text.ts'

/** A position as plain text, at most 80 columns wide. */
export const lookText = (look: Look): string =>
  [look.board ? `${plainBoard(look)}\n` : '', ...panelText(look, { width: 80 })]
    .filter(Boolean)
    .join('\n')
    .trimEnd()

/** The board of a look as plain text; empty if the look has no board. */
export const plainBoard = ({ board }: Look): string =>
  board === undefined
    ? ''
    : boardText(board)
        .map(spans => spans.map(({ text }) => text).join(''))
        .join('\n')

export interface PanelView {
  /** The width at which tables are cut off, in columns. */
  readonly width: number
  /** The width at which text is wrapped. */
  readonly wrapAt?: number
  readonly rich?: boolean
  /** By seat. A seat without a name appears as its number. */
  readonly names?: readonly string[]
}

/** The legend of the marks and the panels beside the board, as lines. */
export const panelText = (
  { board, panels = [] }: Look,
  { width, wrapAt = width, rich = false, names = [] }: PanelView,
): readonly string[] => {
  const marks = board ? marksText(board, rich) : ''
  const nameOf = (seat: number) => names[seat] ?? `seat ${seat}`
  return [
    ...(marks === '' ? [] : wrap(marks, wrapAt)),
    ...panels.flatMap(panel => linesOf(panel, width, wrapAt, nameOf)),
  ]
}

const linesOf = (
  panel: Panel,
  width: number,
  wrapAt: number,
  nameOf: (seat: number) => string,
): readonly string[] => {
  switch (panel.kind) {
    case 'line':
      return wrap(wordsOf(panel.text, nameOf), wrapAt)
    case 'talk':
      return panel.messages.flatMap(({ seat, text }) => wrap(`${nameOf(seat)}: ${text}`, wrapAt))
    case 'table':
      return tableText(
        [panel.head, ...panel.rows, ...(panel.foot ? [panel.foot] : [])],
        nameOf,
      ).map(line => cropped(line, width))
  }
}

/** Columns as wide as their widest cell. Numbers are aligned to the right, words to the left. */
const tableText = (
  rows: readonly (readonly Text[])[],
  nameOf: (seat: number) => string,
): readonly string[] => {
  const cells = rows.map(row => row.map(cell => clip(wordsOf(cell, nameOf), 60)))
  const columns = cells[0]!.map((_, i) => cells.map(row => row[i] ?? ''))
  const widths = columns.map(column => Math.max(...column.map(cell => cell.length)))
  const isWord = columns.map(column => column.slice(1).some(cell => /[a-z]/i.test(cell)))
  return cells.map(row =>
    row
      .map((cell, i) => (isWord[i] ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd(),
  )
}

/** Writes quotes with quotation marks and drops the other tones. Parts that only have a tone are separated by blanks. */
const wordsOf = (text: Text, nameOf: (seat: number) => string): string => {
  if (typeof text === 'string' || typeof text === 'number') return `${text}`
  const words = text.map(part => {
    if (typeof part === 'string') return part
    if ('seat' in part) return nameOf(part.seat)
    return part.tone === 'quote' ? `"${part.text}"` : part.text
  })
  const isList = text.length > 1 && text.every(part => typeof part === 'object' && 'tone' in part)
  return words.join(isList ? ' ' : '')
}
