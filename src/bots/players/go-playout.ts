import { type Colour, empty, type GoBoard, otherOf, pass } from './go-board.ts'
import { isShape, shapeAt } from './go-shapes.ts'

/** Random numbers for playouts, faster than the dice of the rules. */
export class Chance {
  #x: number

  constructor(seed: number) {
    this.#x = seed | 1
  }

  /** A whole number from 0 to n − 1. */
  roll(n: number): number {
    let x = this.#x
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#x = x
    return ((x >>> 8) * n) >>> 24
  }
}

/**
 * Plays until neither side has a move outside its own eyes. Chains in atari are saved or captured first, then known
 * shapes are played beside the last move, then random moves. `note` is called with each move.
 */
export const playOut = (
  board: GoBoard,
  chance: Chance,
  note: (point: number, colour: Colour) => void,
): void => {
  const most = 3 * board.size * board.size
  for (let moves = 0, passes = 0; passes < 2 && moves < most; moves++) {
    const colour = board.toMove
    const point = choose(board, colour, chance)
    passes = point === pass ? passes + 1 : 0
    if (point !== pass) note(point, colour)
    board.play(point, colour)
  }
}

const choose = (board: GoBoard, colour: Colour, chance: Chance): number => {
  if (board.last !== pass) {
    if (chance.roll(10) > 0) {
      const urgent = answerAtari(board, colour, chance)
      if (urgent !== pass) return urgent
    }
    if (chance.roll(10) > 0) {
      const shape = makeShape(board, colour, chance)
      if (shape !== pass) return shape
    }
  }
  return anyMove(board, colour, chance)
}

/** Captures a chain that the last move left with one liberty, or saves a chain that it put in atari. */
const answerAtari = (board: GoBoard, colour: Colour, chance: Chance): number => {
  const { at, last, neighbours } = board
  if (board.isInAtari(last)) {
    const point = board.libertyOf(last)
    if (board.isLegal(point, colour)) return point
  }
  const first = chance.roll(4)
  for (let i = 0; i < 4; i++) {
    const stone = last + neighbours[(first + i) & 3]!
    if (at[stone] !== colour || !board.isInAtari(stone)) continue
    const point = rescueOf(board, stone, colour)
    if (point !== pass) return point
  }
  return pass
}

/** The move that saves a chain in atari: a capture beside it, or an extension to two liberties. */
export const rescueOf = (board: GoBoard, chain: number, colour: Colour): number => {
  const { at, neighbours } = board
  const other = otherOf(colour)
  let stone = chain
  do {
    for (const step of neighbours)
      if (at[stone + step] === other && board.isInAtari(stone + step)) {
        const point = board.libertyOf(stone + step)
        if (board.isLegal(point, colour)) return point
      }
    stone = board.nextInChain(stone)
  } while (stone !== chain)
  const point = board.libertyOf(chain)
  return board.isLegal(point, colour) && board.libertiesAfter(point, colour, 2) >= 2 ? point : pass
}

const makeShape = (board: GoBoard, colour: Colour, chance: Chance): number => {
  const { at, last, stride } = board
  const first = chance.roll(8)
  for (let i = 0; i < 8; i++) {
    const point = last + around(stride, (first + i) & 7)
    if (
      at[point] === empty &&
      isShape[shapeAt(at, point, stride)] === 1 &&
      board.isLegal(point, colour) &&
      board.libertiesAfter(point, colour, 2) >= 2
    )
      return point
  }
  return pass
}

const around = (stride: number, i: number): number => {
  const cell = i < 4 ? i : i + 1
  return (Math.floor(cell / 3) - 1) * stride + (cell % 3) - 1
}

const anyMove = (board: GoBoard, colour: Colour, chance: Chance): number => {
  const { free, freeCount } = board
  if (freeCount === 0) return pass
  const first = chance.roll(freeCount)
  for (let i = 0; i < freeCount; i++) {
    const point = free[first + i < freeCount ? first + i : first + i - freeCount]!
    if (!board.isLegal(point, colour) || board.isEye(point, colour)) continue
    // Self-atari is played rarely, but sometimes it is how an eye is destroyed.
    if (chance.roll(10) > 2 && board.libertiesAfter(point, colour, 2) < 2) continue
    return point
  }
  return pass
}
