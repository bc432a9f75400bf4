// The shape that a stone makes on a line, from the four cells on either side: two bits per cell, 0 empty, 1 black, 2 white,
// 3 beyond the rim. The cells are numbered along the line, 0 to 3 before the stone and 4 to 7 after it.

const none = 0
const one = 1
const openOne = 2
const two = 3
const openTwo = 4
const three = 5
/** One more stone makes an open four. */
export const openThree = 6
/** One more stone makes five, at one cell only. */
export const four = 7
/** One more stone makes five at either of two cells, and the other side can block only one. */
export const openFour = 8
export const five = 9

function tableFor(colour: 1 | 2): Uint8Array {
  return Uint8Array.from({ length: 1 << 16 }, (_, around) => {
    let line = ''
    for (let cell = 0; cell < 8; cell++) {
      const value = (around >> (2 * cell)) & 3
      // The stone itself is in the middle.
      if (cell === 4) line += 'X'
      line += value === colour ? 'X' : value === 0 ? '.' : '#'
    }
    return knownShape(line)
  })
}

function shapeOf(line: string): number {
  if (hasFive(line)) return five
  const further = [...line].flatMap((cell, at) =>
    cell === '.' ? [`${line.slice(0, at)}X${line.slice(at + 1)}`] : [],
  )
  const fives = further.filter(hasFive).length
  if (fives > 0) return fives > 1 ? openFour : four
  return Math.max(none, ...further.map(line => weaker[knownShape(line)]!))
}

/** By shape: the shape of a line that one more stone turns into it. */
const weaker = [none, none, none, one, openOne, two, openTwo, three, openThree, none]

const cache = new Map<string, number>()

function knownShape(line: string): number {
  let shape = cache.get(line)
  if (shape === undefined) {
    shape = shapeOf(line)
    cache.set(line, shape)
  }
  return shape
}

/** Five in a row through the middle cell. Rows elsewhere are found from their own cells. */
function hasFive(line: string): boolean {
  let from = 4
  let to = 4
  while (line[from - 1] === 'X') from--
  while (line[to + 1] === 'X') to++
  return to - from >= 4
}

/** The shape that a stone makes: indexed by its colour, 1 or 2, and by the eight cells around. */
export const shapesFor: readonly (Uint8Array | null)[] = [null, tableFor(1), tableFor(2)]
