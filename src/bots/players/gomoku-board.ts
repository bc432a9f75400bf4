import { five, four, openFour, openThree, shapesFor } from './gomoku-shapes.ts'

export type Colour = 1 | 2

export const width = 15
/** The step from one cell to the cell below it. Five cells of rim lie beyond each side. */
const stride = width + 5
const area = stride * (width + 10)
const steps = [1, stride, stride + 1, stride - 1] as const

/** The kind of shape that one stone makes over all four lines. A higher kind forces more. */
const quiet = 0
export const makesThree = 1
export const makesFour = 2
const makesTwoThrees = 3
const makesFourAndThree = 4
/** An open four or two fours: it makes five next, unless the other side does so first. */
export const makesOpenFour = 5
export const makesFive = 6
const kinds = 7

const worthOf = [0, 3, 15, 20, 120, 150, 1_000, 1_200, 10_000, 100_000]

/** A gomoku board that knows for each free cell the shape that a stone of either colour makes there. */
export class GomokuBoard {
  readonly at = new Uint8Array(area).fill(3)
  /** All cells, in the order of the rules. */
  readonly cells = Int16Array.from({ length: width * width }, (_, cell) => pointAt(cell))
  stones = 0
  /** Two halves of a hash of the position. */
  low = 0
  high = 0
  /** By colour and cell: the value of a stone there, and the kind of shape it makes. */
  readonly worth = [new Int32Array(0), new Int32Array(area), new Int32Array(area)] as const
  readonly kind = [new Uint8Array(0), new Uint8Array(area), new Uint8Array(area)] as const
  /** By colour: the value of all free cells, and how many of them have each kind. */
  readonly total = [0, 0, 0]
  readonly count = [new Int16Array(0), new Int16Array(kinds), new Int16Array(kinds)] as const
  /** By cell and line: the eight cells around. */
  readonly #around = new Uint16Array(4 * area)

  constructor() {
    for (const point of this.cells) this.at[point] = 0
    for (const point of this.cells)
      for (const [line, step] of steps.entries()) {
        let around = 0
        for (let i = 0; i < 8; i++) around |= this.at[point + offsets[i]! * step]! << (2 * i)
        this.#around[4 * point + line] = around
      }
    for (const point of this.cells) this.#add(point)
  }

  put(point: number, colour: Colour): void {
    this.#remove(point)
    this.at[point] = colour
    this.stones++
    this.#change(point, colour)
  }

  takeBack(point: number): void {
    const colour = this.at[point]! as Colour
    this.at[point] = 0
    this.stones--
    this.#change(point, colour)
    this.#add(point)
  }

  /** Adds a stone to the surroundings of the cells beside it, or removes it: both flip the same bits. */
  #change(point: number, colour: Colour): void {
    this.low ^= keys[4 * point + colour]!
    this.high ^= keys[4 * (area + point) + colour]!
    for (let line = 0; line < 4; line++) {
      const step = steps[line]!
      for (let i = 0; i < 8; i++) {
        const near = point - offsets[i]! * step
        if (this.at[near] === 3) continue
        this.#around[4 * near + line]! ^= colour << (2 * i)
        if (this.at[near] === 0) {
          this.#remove(near)
          this.#add(near)
        }
      }
    }
  }

  #remove(point: number): void {
    for (let colour = 1; colour < 3; colour++) {
      this.total[colour]! -= this.worth[colour]![point]!
      this.count[colour]![this.kind[colour]![point]!]!--
    }
  }

  #add(point: number): void {
    for (let colour = 1; colour < 3; colour++) {
      const shapes = shapesFor[colour]!
      let worth = 0
      let fours = 0
      let threes = 0
      let best = 0
      for (let line = 0; line < 4; line++) {
        const shape = shapes[this.#around[4 * point + line]!]!
        worth += worthOf[shape]!
        if (shape === four) fours++
        else if (shape === openThree) threes++
        if (shape > best) best = shape
      }
      const kind =
        best === five
          ? makesFive
          : best === openFour || fours > 1
            ? makesOpenFour
            : fours > 0
              ? threes > 0
                ? makesFourAndThree
                : makesFour
              : threes > 1
                ? makesTwoThrees
                : threes > 0
                  ? makesThree
                  : quiet
      this.worth[colour]![point] = worth
      this.kind[colour]![point] = kind
      this.total[colour]! += worth
      this.count[colour]![kind]!++
    }
  }
}

export function pointAt(cell: number): number {
  return (Math.floor(cell / width) + 5) * stride + (cell % width)
}

export function cellAt(point: number): number {
  return (Math.floor(point / stride) - 5) * width + (point % stride)
}

/** The offsets of the eight cells around a cell along a line. */
const offsets = [-4, -3, -2, -1, 1, 2, 3, 4] as const

const keys = Int32Array.from({ length: 8 * area }, (_, i) => mixed(i + 1))

function mixed(i: number): number {
  let x = Math.imul(i, 0x9e3779b9)
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}
