// The one costly rule of skill-gomoku: of up to 1680 ways to lay out the stones of nine cells anew, those
// that make no five. What could make a five is found once; each way is then a few comparisons of bits.

const directions = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
] as const

/**
 * Every other way to lay out what lies on these cells (0 empty, 1 black, 2 white) that gives no player
 * five in a row, in the order of the values.
 */
export const safeLayouts = (board: string, width: number, slots: readonly number[]): number[][] => {
  const current = slots.map(cell => Number(board[cell]))
  const dangers = dangersOf(board, width, slots)
  const layouts: number[][] = []
  const values = current.toSorted()
  do {
    const held = [0, bitsOf(values, 1), bitsOf(values, 2)]
    if (dangers.some(({ value, bits }) => (held[value]! & bits) === bits)) continue
    if (values.some((value, slot) => value !== current[slot])) layouts.push([...values])
  } while (rearrange(values))
  return layouts
}

/** A stone of this value on all of these slots would make a five. */
type Danger = { readonly value: number; readonly bits: number }

const dangersOf = (board: string, width: number, slots: readonly number[]): Danger[] => {
  const dangers = new Map<number, Danger>()
  for (const slot of slots)
    for (const [down, right] of directions)
      for (let back = 0; back < 5; back++) {
        const row = Math.floor(slot / width) - back * down
        const column = (slot % width) - back * right
        const five = [0, 1, 2, 3, 4].map(i => [row + i * down, column + i * right] as const)
        if (five.some(([y, x]) => y < 0 || x < 0 || x >= width || y * width + x >= board.length))
          continue
        const line = five.map(([y, x]) => y * width + x)
        const others = line.filter(cell => !slots.includes(cell))
        const bits = slots.reduce(
          (mask, cell, i) => (line.includes(cell) ? mask | (1 << i) : mask),
          0,
        )
        for (const value of [1, 2])
          if (others.every(cell => board[cell] === `${value}`))
            dangers.set(bits * 4 + value, { value, bits })
      }
  return [...dangers.values()]
}

const bitsOf = (values: readonly number[], wanted: number): number =>
  values.reduce((bits, value, slot) => (value === wanted ? bits | (1 << slot) : bits), 0)

/** Turns the values into their next arrangement in order; false after the last. */
const rearrange = (values: number[]): boolean => {
  let pivot = values.length - 2
  while (pivot >= 0 && values[pivot]! >= values[pivot + 1]!) pivot--
  if (pivot < 0) return false
  let swap = values.length - 1
  while (values[swap]! <= values[pivot]!) swap--
  exchange(values, pivot, swap)
  for (let a = pivot + 1, b = values.length - 1; a < b; a++, b--) exchange(values, a, b)
  return true
}

const exchange = (values: number[], a: number, b: number) => {
  const kept = values[a]!
  values[a] = values[b]!
  values[b] = kept
}
