import type { Chart, Look, Panel, Text } from '../games/look.ts'
import { clip, cropped, wrap } from '../games/words.ts'
import { boardText, marksText } from './board-text.ts'
import { sparkline, thinned } from './sparkline.ts'
import { trackText } from './track-text.ts'

/** A position as plain text, at most 80 columns wide. */
export const lookText = (look: Look): string =>
  [look.board || look.track ? `${plainBoard(look)}\n` : '', ...panelText(look, { width: 80 })]
    .filter(Boolean)
    .join('\n')
    .trimEnd()

/** The board or track of a look as plain text; empty if the look has none. */
export const plainBoard = ({ board, track }: Look): string =>
  (board ? boardText(board) : track ? trackText(track).lines : [])
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
    ...panels.flatMap(panel => linesOf(panel, { width, wrapAt, rich }, nameOf)),
  ]
}

const linesOf = (
  panel: Panel,
  { width, wrapAt, rich }: { readonly width: number; wrapAt: number; rich: boolean },
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
    case 'log':
      return panel.lines.flatMap(text => wrap(wordsOf(text, nameOf), wrapAt))
    case 'chart':
      return (rich ? chartLines : chartTable)(panel, width, nameOf)
  }
}

/** Columns as wide as their widest cell. Numbers are aligned to the right, words to the left. */
export const tableText = (
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
export const wordsOf = (text: Text, nameOf: (seat: number) => string): string => {
  if (typeof text === 'string' || typeof text === 'number') return `${text}`
  const words = text.map(part => {
    if (typeof part === 'string') return part
    if ('seat' in part) return nameOf(part.seat)
    return part.tone === 'quote' ? `"${part.text}"` : part.text
  })
  const isList = text.length > 1 && text.every(part => typeof part === 'object' && 'tone' in part)
  return words.join(isList ? ' ' : '')
}

/** A line of bars for each seat, all to one scale, and its newest number. */
const chartLines = (
  { title, along, step, lines }: Chart,
  width: number,
  nameOf: (seat: number) => string,
): readonly string[] => {
  const all = lines.flat()
  if (all.length === 0) return []
  const range = [Math.min(...all), Math.max(...all)] as const
  const names = lines.map((_, seat) => clip(nameOf(seat), 16))
  const longest = Math.max(...names.map(name => name.length))
  const room = Math.max(1, width - longest - 2 - `${range[1]}`.length - 1)
  const last = (lines[0]!.length - 1) * step
  // Bars are one column wide each, which `cropped` does not know.
  return [
    cropped(`${title} from ${along} 0 to ${last}, between ${range[0]} and ${range[1]}:`, width),
    ...lines.map(
      (line, seat) =>
        `${names[seat]!.padEnd(longest)}  ${sparkline(thinned(line, room), room, range)} ${line.at(-1)}`,
    ),
  ]
}

/** A few of the numbers, without signs that a plain terminal may lack. */
const chartTable = (
  { title, along, step, lines }: Chart,
  width: number,
  nameOf: (seat: number) => string,
): readonly string[] => {
  const points = lines[0]?.map((_, i) => i) ?? []
  if (points.length === 0) return []
  const shown = thinned(points, 8)
  return tableText(
    [
      [`${title} by ${along}`, ...shown.map(i => i * step)],
      ...lines.map((line, seat) => [clip(nameOf(seat), 16), ...shown.map(i => line[i]!)]),
    ],
    nameOf,
  ).map(line => cropped(line, width))
}
