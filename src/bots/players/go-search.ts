import { type Colour, empty, GoBoard, otherOf, pass } from './go-board.ts'
import { type Chance, playOut, rescueOf } from './go-playout.ts'
import { isShape, shapeAt } from './go-shapes.ts'

/** A move is expanded after this many visits. */
const growAt = 8
/** After this many visits of its own, a move's own results weigh as much as its RAVE results. */
const equivalence = 3500

/**
 * A Monte-Carlo tree search (UCT). A move is also valued by the playouts in which it was played later (RAVE), and starts
 * with a prior value.
 */
export class GoSearch {
  readonly #root: GoBoard
  readonly #board: GoBoard
  readonly #komi: number
  readonly #chance: Chance
  readonly #tree: Node
  readonly #owners: Int8Array
  /** For each point the ply at which it was first played in this playout, and by which colour. */
  readonly #ply: Int16Array
  readonly #by: Uint8Array
  readonly #path: Node[] = []
  readonly #picks: number[] = []
  /** For each point the number of playouts that ended with it black, minus those that ended with it white. */
  readonly owned: Int32Array

  constructor(root: GoBoard, komi: number, chance: Chance, allowed?: (point: number) => boolean) {
    this.#root = root
    this.#komi = komi
    this.#chance = chance
    this.#board = new GoBoard(root.size)
    this.#owners = new Int8Array(root.area)
    this.#ply = new Int16Array(root.area)
    this.#by = new Uint8Array(root.area)
    this.owned = new Int32Array(root.area)
    this.#tree = new Node(root, allowed)
  }

  run(playouts: number): void {
    for (let i = 0; i < playouts; i++) {
      this.#playOne()
      // The remaining playouts cannot change the choice.
      if ((i & 63) === 63 && this.#tree.lead() > playouts - i) break
    }
  }

  /** The most visited move, and its share of wins. */
  best(): { readonly point: number; readonly wins: number } {
    const { moves, visits, wins } = this.#tree
    let best = 0
    for (let i = 1; i < moves.length; i++) if (visits[i]! > visits[best]!) best = i
    return { point: moves[best] ?? pass, wins: wins[best]! / visits[best]! }
  }

  #playOne(): void {
    const board = this.#board
    const path = this.#path
    const picks = this.#picks
    board.copy(this.#root)
    this.#by.fill(0)
    path.length = 0
    picks.length = 0
    let ply = 0
    let passes = 0
    const note = (point: number, colour: Colour) => {
      if (this.#by[point] === 0) {
        this.#by[point] = colour
        this.#ply[point] = ply
      }
      ply++
    }
    for (let node: Node | null = this.#tree; node !== null && passes < 2; ) {
      const pick = node.pick()
      const point = node.moves[pick]!
      path.push(node)
      picks.push(pick)
      passes = point === pass ? passes + 1 : 0
      note(point, node.colour)
      board.play(point, node.colour)
      node = node.grow(pick, board)
    }
    if (passes < 2) playOut(board, this.#chance, note)
    const hasBlackWon = board.score(this.#owners) > this.#komi
    for (const point of board.points) this.owned[point]! += this.#owners[point]!
    for (const [depth, node] of path.entries())
      node.learn(picks[depth]!, hasBlackWon === (node.colour === 1), depth, this.#ply, this.#by)
  }
}

class Node {
  readonly colour: Colour
  readonly moves: readonly number[]
  readonly visits: Float64Array
  readonly wins: Float64Array
  readonly #laterVisits: Float64Array
  readonly #laterWins: Float64Array
  readonly #given: Float64Array
  readonly #kids: (Node | undefined)[] = []

  constructor(board: GoBoard, allowed: (point: number) => boolean = () => true) {
    const colour = board.toMove
    const moves: number[] = []
    for (let i = 0; i < board.freeCount; i++) {
      const point = board.free[i]!
      if (board.isLegal(point, colour) && !board.isEye(point, colour) && allowed(point))
        moves.push(point)
    }
    if (moves.length === 0) moves.push(pass)
    this.colour = colour
    this.moves = moves
    this.visits = new Float64Array(moves.length)
    this.wins = new Float64Array(moves.length)
    this.#laterVisits = new Float64Array(moves.length)
    this.#laterWins = new Float64Array(moves.length)
    expect(board, this)
    this.#given = this.visits.slice()
  }

  pick(): number {
    const { visits, wins } = this
    let best = 0
    let most = -1
    for (let i = 0; i < visits.length; i++) {
      const own = visits[i]!
      const later = this.#laterVisits[i]!
      let worth = wins[i]! / own
      if (later > 0) {
        const share = later / (later + own + (later * own) / equivalence)
        worth += share * (this.#laterWins[i]! / later - worth)
      }
      if (worth > most) {
        most = worth
        best = i
      }
    }
    return best
  }

  /** The node after a move, once the move has been visited often enough. */
  grow(pick: number, board: GoBoard): Node | null {
    const known = this.#kids[pick]
    if (known !== undefined) return known
    if (this.visits[pick]! - this.#given[pick]! < growAt) return null
    const kid = new Node(board)
    this.#kids[pick] = kid
    return kid
  }

  learn(pick: number, won: boolean, depth: number, ply: Int16Array, by: Uint8Array): void {
    const { moves, colour } = this
    const win = won ? 1 : 0
    this.visits[pick]! += 1
    this.wins[pick]! += win
    for (let i = 0; i < moves.length; i++) {
      const point = moves[i]!
      if (by[point] === colour && ply[point]! >= depth) {
        this.#laterVisits[i]! += 1
        this.#laterWins[i]! += win
      }
    }
  }

  /** The lead of the most visited move over the next one, in visits. */
  lead(): number {
    let best = 0
    let next = 0
    for (const visits of this.visits)
      if (visits > best) {
        next = best
        best = visits
      } else if (visits > next) next = visits
    return this.visits.length === 1 ? Number.POSITIVE_INFINITY : best - next
  }
}

/** The prior value of each move, as a number of won or lost playouts. */
const expect = (board: GoBoard, { moves, visits, wins, colour }: Node): void => {
  const { at, neighbours, stride } = board
  const other = otherOf(colour)
  const near = board.last === pass ? null : distances(board, board.last)
  for (let i = 0; i < moves.length; i++) {
    const point = moves[i]!
    let won = 5
    let lost = 5
    if (point !== pass) {
      for (const step of neighbours) {
        const stone = point + step
        if (at[stone] === other && board.isInAtari(stone)) won += board.sizeOf(stone) > 1 ? 30 : 15
        else if (at[stone] === colour && board.isInAtari(stone)) {
          if (rescueOf(board, stone, colour) === point) won += board.sizeOf(stone) > 1 ? 30 : 15
        }
      }
      if (isShape[shapeAt(at, point, stride)] === 1) won += 10
      const distance = near?.[point] ?? 9
      if (distance <= 3) won += byDistance[distance - 1]!
      if (board.libertiesAfter(point, colour, 2) < 2) lost += 10
      const line = lineOf(board, point)
      if (line <= 3 && isLonely(board, point)) {
        if (line === 1) lost += 10
        if (line === 3) won += 10
      }
    }
    visits[i] = won + lost
    wins[i] = won
  }
}

const byDistance = [24, 22, 8]

/** The distance of each point from one point, where connected stones are no step apart; 9 for far away. */
const distances = (board: GoBoard, from: number): Uint8Array => {
  const { at, neighbours, area } = board
  const steps = new Uint8Array(area).fill(9)
  steps[from] = 0
  const reached = [from]
  for (let i = 0; i < reached.length; i++) {
    const point = reached[i]!
    const here = steps[point]!
    for (const step of neighbours) {
      const next = point + step
      const stone = at[next]!
      if (stone === 3) continue
      const isOne = stone !== empty && stone === at[point]
      const there = here + (isOne ? 0 : 1)
      if (there > 3 || there >= steps[next]!) continue
      steps[next] = there
      reached.push(next)
    }
  }
  return steps
}

/** The line from the rim on which a point lies, 1 for the first. */
const lineOf = ({ size, stride }: GoBoard, point: number): number => {
  const row = Math.floor(point / stride)
  const column = point % stride
  return Math.min(row, column, size + 1 - row, size + 1 - column)
}

/** Whether no stone is within three steps. */
const isLonely = ({ at, size, stride }: GoBoard, point: number): boolean => {
  const row = Math.floor(point / stride)
  const column = point % stride
  for (let y = Math.max(1, row - 3); y <= Math.min(size, row + 3); y++) {
    const reach = 3 - Math.abs(y - row)
    for (let x = Math.max(1, column - reach); x <= Math.min(size, column + reach); x++)
      if (at[y * stride + x] !== empty) return false
  }
  return true
}
