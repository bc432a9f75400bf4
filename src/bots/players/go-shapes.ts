import { black, type Colour, otherOf, white } from './go-board.ts'

// Shapes of three by three points around a move that playouts prefer: the hanes, cuts and moves at the rim that
// Gelly, Wang, Munos and Teytaud describe ("Modification of UCT with patterns in Monte-Carlo Go", 2006).
// X is one side, O the other, x and o "not X" and "not O", . empty, # the rim, ? anything.
const shapes = [
  // hane
  ['XOX', '...', '???'],
  ['XO.', '...', '?.?'],
  ['XO?', 'X..', '?.?'],
  ['.O.', 'X..', '...'],
  // cut
  ['XO?', 'O.o', '?o?'],
  ['XO?', 'O.X', '???'],
  ['?X?', 'O.O', 'ooo'],
  ['OX?', 'o.O', '???'],
  // rim
  ['X.?', 'O.?', '###'],
  ['OX?', 'X.O', '###'],
  ['?X?', 'x.O', '###'],
  ['?XO', 'x.x', '###'],
  ['?OX', 'X.O', '###'],
] as const

/**
 * Whether a shape fits, for either colour to move: indexed by the eight points around the move, two bits each, row by
 * row.
 */
export const isShape: Uint8Array = (() => {
  const table = new Uint8Array(1 << 16)
  for (const shape of shapes)
    for (const turned of allWays(shape.join('')))
      for (const colour of [black, white] as const) fill(table, turned, colour, 0, 0)
  return table
})()

/** The index of a point's surroundings in the table. */
export const shapeAt = (at: Uint8Array, point: number, stride: number): number =>
  at[point - stride - 1]! |
  (at[point - stride]! << 2) |
  (at[point - stride + 1]! << 4) |
  (at[point - 1]! << 6) |
  (at[point + 1]! << 8) |
  (at[point + stride - 1]! << 10) |
  (at[point + stride]! << 12) |
  (at[point + stride + 1]! << 14)

function fill(table: Uint8Array, shape: string, colour: Colour, i: number, index: number): void {
  if (i === 9) {
    table[index] = 1
    return
  }
  if (i === 4) {
    fill(table, shape, colour, i + 1, index)
    return
  }
  const bit = 2 * (i > 4 ? i - 1 : i)
  for (const value of meanings(shape[i]!, colour))
    fill(table, shape, colour, i + 1, index | (value << bit))
}

function meanings(letter: string, colour: Colour): readonly number[] {
  const other = otherOf(colour)
  switch (letter) {
    case 'X':
      return [colour]
    case 'O':
      return [other]
    case 'x':
      return [0, other, 3]
    case 'o':
      return [0, colour, 3]
    case '.':
      return [0]
    case '#':
      return [3]
    default:
      return [0, 1, 2, 3]
  }
}

function allWays(shape: string): readonly string[] {
  const ways = new Set<string>()
  let turned = shape
  for (let i = 0; i < 4; i++) {
    turned = [6, 3, 0, 7, 4, 1, 8, 5, 2].map(at => turned[at]).join('')
    ways.add(turned)
    ways.add([2, 1, 0, 5, 4, 3, 8, 7, 6].map(at => turned[at]).join(''))
  }
  return [...ways]
}
