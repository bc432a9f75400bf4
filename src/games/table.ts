/** Rows of plain cells in columns as wide as their widest cell, set to the right. */
export const table = (rows: readonly (readonly (string | number)[])[]): string => {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, i) => Math.max(`${cell}`.length, widest[i] ?? 0)),
    [],
  )
  return rows
    .map(row => row.map((cell, i) => `${cell}`.padStart(widths[i] ?? 0)))
    .map(row => row.join('  ').trimEnd())
    .join('\n')
}
