import { printable } from './printable.ts'

export interface Column {
  readonly title: string
  readonly right?: true
  /** May be cut in a narrow terminal. */
  readonly long?: true
}

/**
 * Rows in aligned columns. If they do not fit into the width, long columns are cut and end in ".."; if that is not
 * enough, each row becomes several lines.
 */
export const table = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string => {
  const cells = rows.map(row => row.map(cell => printable(cell.replace(/\s+/g, ' '))))
  const natural = columns.map(({ title }, i) =>
    Math.max(title.length, ...cells.map(row => row[i]!.length)),
  )
  const widths = shrunk(columns, natural, width)
  return widths === undefined
    ? cells.map(row => record(columns, row)).join('\n\n')
    : [columns.map(({ title }) => title), ...cells]
        .map(row => line(columns, row, widths))
        .join('\n')
}

const gap = 2
const shortest = 10

const shrunk = (
  columns: readonly Column[],
  natural: readonly number[],
  width: number,
): readonly number[] | undefined => {
  const widths = [...natural]
  const over = () => widths.reduce((sum, w) => sum + w + gap, -gap) - width
  while (over() > 0) {
    const widest = widths.reduce(
      (best, w, i) => (columns[i]!.long && w > shortest && w > (widths[best] ?? 0) ? i : best),
      -1,
    )
    if (widest < 0) return undefined
    widths[widest]!--
  }
  return widths
}

const line = (
  columns: readonly Column[],
  row: readonly string[],
  widths: readonly number[],
): string =>
  row
    .map((cell, i) => {
      const width = widths[i]!
      const cut = cell.length > width ? `${cell.slice(0, width - 2)}..` : cell
      return columns[i]!.right ? cut.padStart(width) : cut.padEnd(width)
    })
    .join(' '.repeat(gap))
    .trimEnd()

const record = (columns: readonly Column[], row: readonly string[]): string => {
  const longest = Math.max(...columns.map(({ title }) => title.length))
  return row.map((cell, i) => `${columns[i]!.title.padEnd(longest)}  ${cell}`.trimEnd()).join('\n')
}
