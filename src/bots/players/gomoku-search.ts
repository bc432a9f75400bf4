import type { Dice } from '../../games/dice.ts'
import {
  type Colour,
  type GomokuBoard,
  makesFive,
  makesFour,
  makesOpenFour,
  makesThree,
} from './gomoku-board.ts'

/** The value of a won position, minus the number of moves to the win. */
const won = 1_000_000
const sure = won - 1_000

/** How many moves are searched where no move is forced. */
const widest = 16
/** How many fours in a row are followed at the leaves, and at the root. */
const foursAtLeaf = 4
const foursAtRoot = 16

const tableSize = 1 << 18

/** Iterative deepening alpha-beta over moves that threaten or answer threats, with chains of fours at the leaves. */
export class GomokuSearch {
  readonly #board: GomokuBoard
  #nodes: number
  readonly #keys = new Int32Array(tableSize)
  readonly #moves = new Int16Array(tableSize)
  readonly #values = new Int32Array(tableSize)
  /** Four times the depth, plus 0 for an exact value, 1 for a lower bound, 2 for an upper bound; −1 for an empty entry. */
  readonly #kinds = new Int16Array(tableSize).fill(-1)
  #isCut = false
  readonly #dice: Dice
  readonly #salt: number

  constructor(board: GomokuBoard, nodes: number, dice: Dice) {
    this.#board = board
    this.#nodes = nodes
    this.#dice = dice
    this.#salt = dice.step()
  }

  /** The best move for this colour. */
  best(colour: Colour): number {
    const { cells, at } = this.#board
    const free = [...cells].filter(point => at[point] === 0)
    return this.#nodes < free.length ? this.#glance(colour, free) : this.#search(colour)
  }

  /** The best of a random part of the cells, without a search: with fewer nodes than cells, some are missed. */
  #glance(colour: Colour, free: readonly number[]): number {
    const promise = (point: number) => this.#promise(point, colour)
    const near = free.filter(point => promise(point) > 0)
    const cells = near.length > 0 ? near : free
    return Array.from({ length: this.#nodes }, () => this.#dice.pick(cells)).reduce(
      (best, point) => (promise(point) > promise(best) ? point : best),
    )
  }

  #search(colour: Colour): number {
    const forced = this.#winByFours(colour, foursAtRoot, Math.ceil(this.#nodes / 4))
    if (forced !== 0) return forced
    const moves = this.#candidates(colour)
    let best = moves[0]!
    for (let depth = 1; depth <= 30 && moves.length > 1; depth++) {
      let alpha = -won
      let bestHere = 0
      for (const move of moves) {
        const value = this.#after(move, colour, depth - 1, alpha, won, 1)
        if (this.#isCut) break
        if (value > alpha || bestHere === 0) {
          alpha = Math.max(alpha, value)
          bestHere = move
        }
      }
      // If the nodes run out, the first move is still the best of the last depth.
      if (bestHere !== 0 && !(this.#isCut && alpha < -sure)) best = bestHere
      if (this.#isCut || Math.abs(alpha) > sure) break
      moves.splice(moves.indexOf(best), 1)
      moves.unshift(best)
    }
    return best
  }

  #after(
    move: number,
    colour: Colour,
    depth: number,
    alpha: number,
    beta: number,
    ply: number,
  ): number {
    if (this.#nodes-- <= 0) {
      this.#isCut = true
      return 0
    }
    const board = this.#board
    if (board.kind[colour]![move] === makesFive) return won - ply
    board.put(move, colour)
    const value = -this.#value(otherOf(colour), depth, -beta, -alpha, ply)
    board.takeBack(move)
    return value
  }

  /** The value for the colour to move; meaningless once the nodes have run out. */
  #value(colour: Colour, depth: number, alpha: number, beta: number, ply: number): number {
    const board = this.#board
    const other = otherOf(colour)
    const own = board.count[colour]!
    const theirs = board.count[other]!
    if (own[makesFive]! > 0) return won - ply - 1
    if (theirs[makesFive]! > 1) return ply + 2 - won
    if (board.stones === 225) return 0
    if (theirs[makesFive]! === 0) {
      if (own[makesOpenFour]! > 0) return won - ply - 3
      if (depth <= 0) {
        if (
          own[makesFour]! + own[makesFour + 2]! > 0 &&
          this.#winByFours(colour, foursAtLeaf, 40) !== 0
        )
          return won - ply - 5
        return this.#guess(colour)
      }
    }
    // The answer to a four costs no depth, because there is only one.
    const left = theirs[makesFive]! > 0 ? depth : depth - 1
    const slot = (board.low ^ (colour === 1 ? 0 : 0x5bd1e995)) & (tableSize - 1)
    let known = 0
    if (this.#kinds[slot]! >= 0 && this.#keys[slot] === (board.high ^ colour)) {
      known = this.#moves[slot]!
      const value = this.#values[slot]!
      const bound = this.#kinds[slot]! & 3
      if (this.#kinds[slot]! >> 2 >= depth && Math.abs(value) < sure) {
        if (bound === 0 || (bound === 1 && value >= beta) || (bound === 2 && value <= alpha))
          return value
      }
    }
    let best = -won
    let bestMove = 0
    let floor = alpha
    const moves = this.#candidates(colour)
    const at = moves.indexOf(known)
    if (at > 0) {
      moves.splice(at, 1)
      moves.unshift(known)
    }
    for (const move of moves) {
      const value = this.#after(move, colour, left, floor, beta, ply + 1)
      if (this.#isCut) return 0
      if (value > best) {
        best = value
        bestMove = move
      }
      if (value > floor) floor = value
      if (floor >= beta) break
    }
    this.#keys[slot] = board.high ^ colour
    this.#moves[slot] = bestMove
    this.#values[slot] = best
    this.#kinds[slot] = 4 * Math.max(0, depth) + (best >= beta ? 1 : best <= alpha ? 2 : 0)
    return best
  }

  /** The moves to search, best first; at least one while a cell is free. */
  #candidates(colour: Colour): number[] {
    const board = this.#board
    const other = otherOf(colour)
    const own = board.kind[colour]!
    const theirs = board.kind[other]!
    const mine = board.count[colour]!
    const counts = board.count[other]!
    const pick = (isPicked: (point: number) => boolean) => {
      const found: number[] = []
      for (const point of board.cells)
        if (board.at[point] === 0 && isPicked(point)) found.push(point)
      return found
    }
    if (mine[makesFive]! > 0) return pick(point => own[point] === makesFive)
    if (counts[makesFive]! > 0) return pick(point => theirs[point] === makesFive)
    if (mine[makesOpenFour]! > 0) return pick(point => own[point] === makesOpenFour)
    const best = (moves: number[]) =>
      moves.sort((a, b) => this.#promise(b, colour) - this.#promise(a, colour))
    if (counts[makesOpenFour]! > 0) {
      // The other side threatens an open four: block it, or delay it by fours.
      const answers = pick(point => theirs[point]! >= makesFour || isFour(own[point]!))
      return best(answers)
    }
    const some = pick(point => this.#promise(point, colour) > 0)
    return best(some.length > 0 ? some : pick(() => true)).slice(0, widest)
  }

  /** Orders moves by the shape that they make and the shape that they block. */
  #promise(point: number, colour: Colour): number {
    const { worth } = this.#board
    return 2 * worth[colour]![point]! + worth[otherOf(colour)]![point]!
  }

  /** The value of a position without forced moves. */
  #guess(colour: Colour): number {
    const board = this.#board
    const other = otherOf(colour)
    const theirs = board.count[other]!
    // A three of the other side, or two at once, that this colour has to answer.
    const pressed = theirs[makesOpenFour]! > 0 ? 3_000 : 0
    const value = 1.2 * board.total[colour]! - board.total[other]! - pressed
    const chance = board.count[colour]![makesThree]! - theirs[makesThree]!
    // A small random part, so that matches differ.
    const luck = Math.imul(board.low ^ this.#salt, 0x9e3779b1) >>> 26
    return Math.round(Math.max(-sure, Math.min(sure, value + 10 * chance + luck)))
  }

  /** A four that wins by a chain of fours, each with one answer; 0 if there is none within this many fours. */
  #winByFours(colour: Colour, fours: number, nodes: number): number {
    this.#fourNodes = nodes
    return this.#fourThatWins(colour, fours)
  }

  #fourNodes = 0

  #fourThatWins(colour: Colour, fours: number): number {
    const board = this.#board
    const other = otherOf(colour)
    const mine = board.count[colour]!
    const isPressed = board.count[other]![makesFive]! > 0
    const own = board.kind[colour]!
    const theirs = board.kind[other]!
    if (mine[makesFive]! > 0) return this.#firstOf(point => own[point] === makesFive)
    if (board.count[other]![makesFive]! > 1) return 0
    if (!isPressed && mine[makesOpenFour]! > 0)
      return this.#firstOf(point => own[point] === makesOpenFour)
    if (fours === 0) return 0
    for (const point of board.cells) {
      if (board.at[point] !== 0 || !isFour(own[point]!)) continue
      if (isPressed && theirs[point] !== makesFive) continue
      if (this.#fourNodes-- <= 0 || this.#nodes-- <= 0) return 0
      board.put(point, colour)
      const answer = this.#firstOf(point => own[point] === makesFive)
      let wins = false
      if (answer !== 0) {
        board.put(answer, other)
        wins = this.#fourThatWins(colour, fours - 1) !== 0
        board.takeBack(answer)
      }
      board.takeBack(point)
      if (wins) return point
    }
    return 0
  }

  #firstOf(isIt: (point: number) => boolean): number {
    for (const point of this.#board.cells)
      if (this.#board.at[point] === 0 && isIt(point)) return point
    return 0
  }
}

const otherOf = (colour: Colour): Colour => (colour === 1 ? 2 : 1)

/** Whether the move makes a four of any kind, which has one answer at most. */
const isFour = (kind: number) => kind === makesFour || kind >= makesFour + 2
