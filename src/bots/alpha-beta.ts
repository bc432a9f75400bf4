import type { Dice } from '../games/dice.ts'
import { type Game, isFinal, isIllegal, type Seat, stateAfter } from '../games/game.ts'
import { worth } from './worth.ts'

/**
 * The best move by iterative deepening alpha-beta search over at most `nodes` moves. Once the rest of the game fits, it is
 * solved; until then leaves are valued by the game's guess. For two seats that alternate, without secrets or luck, with
 * listed moves.
 */
export const alphaBeta = (game: Game, state: unknown, nodes: number, dice: Dice): string => {
  const tree = new Tree(game, nodes, JSON.stringify(state).length <= maxComparedState)
  const root = tree.expand(state)
  shuffle(root.moves, dice)
  let best = root.moves[0]!
  for (let depth = 1; root.moves.length > 1 && depth <= maxDepth; depth++) {
    tree.isComplete = true
    const value = tree.value(root, depth, -1, 1)
    // Every move loses. The move that was best at a lower depth loses latest.
    if (value === -1) break
    // Even when the nodes run out, the first move is the best of the last depth, or a better one.
    best = root.moves[0]!
    if (value === null || value === 1 || tree.isComplete) break
  }
  return best
}

const maxDepth = 100

// Transpositions pay where states are small. Large states contain their history, so that two of them are never equal.
const maxComparedState = 400

/** A position in the tree. It is expanded when first visited, and kept for the deeper iterations. */
interface Node {
  readonly state: unknown
  readonly mover: Seat
  /** The value of the ending for seat 0; null while the game is not over. */
  readonly end: number | null
  /** Best move first, as far as known. */
  readonly moves: string[]
  /** The positions after the first moves; the rest are not expanded yet. */
  readonly children: Node[]
  guess: number | null
}

class Tree {
  /** Whether the current iteration has reached the end of the game on every path that it had to search. */
  isComplete = true
  readonly #game: Game
  readonly #known: Map<string, Node> | null
  #nodes: number

  constructor(game: Game, nodes: number, compares: boolean) {
    this.#game = game
    this.#nodes = nodes
    this.#known = compares ? new Map() : null
  }

  expand(state: unknown): Node {
    const key = this.#known && JSON.stringify(state)
    const known = key === null ? undefined : this.#known?.get(key)
    if (known !== undefined) return known
    const status = this.#game.status(state)
    const node: Node = isFinal(status)
      ? { state, mover: 0, end: worth(status, 0), moves: [], children: [], guess: null }
      : { state, mover: status.toMove[0]!, end: null, moves: [], children: [], guess: null }
    if (!isFinal(status)) node.moves.push(...this.#game.moves!(state, node.mover))
    if (key !== null) this.#known?.set(key, node)
    return node
  }

  /** The value for the seat to move, from −1 to 1; null when the nodes have run out. */
  value(node: Node, depth: number, alpha: number, beta: number): number | null {
    if (node.end !== null) return node.mover === 0 ? node.end : -node.end
    if (depth === 0) {
      this.isComplete = false
      return this.#guess(node)
    }
    let best = -Infinity
    let floor = alpha
    let bestAt = 0
    for (let i = 0; i < node.moves.length; i++) {
      const child = this.#child(node, i)
      const value = child && this.#valueFor(node.mover, child, depth - 1, floor, beta)
      if (value === null || value === undefined) {
        toFront(node, bestAt)
        return null
      }
      if (value > best) {
        best = value
        bestAt = i
      }
      floor = Math.max(floor, value)
      if (floor >= beta) break
    }
    toFront(node, bestAt)
    return best
  }

  #valueFor(seat: Seat, child: Node, depth: number, alpha: number, beta: number): number | null {
    if (child.mover === seat) return this.value(child, depth, alpha, beta)
    const value = this.value(child, depth, -beta, -alpha)
    return value === null ? null : -value
  }

  #child(node: Node, at: number): Node | undefined {
    const known = node.children[at]
    if (known !== undefined) return known
    if (this.#nodes-- <= 0) return undefined
    const state = stateAfter(this.#game, node.state, node.mover, node.moves[at]!)
    if (isIllegal(state))
      throw new Error(`${this.#game.id} refuses ${node.moves[at]}, its own move`)
    const child = this.expand(state)
    node.children.push(child)
    return child
  }

  #guess(node: Node): number {
    // A guessed win is worth less than a proven one.
    node.guess ??= 0.99 * (this.#game.guess?.(node.state, node.mover) ?? 0)
    return node.guess
  }
}

const toFront = ({ moves, children }: Node, at: number): void => {
  if (at === 0) return
  moves.unshift(...moves.splice(at, 1))
  children.unshift(...children.splice(at, 1))
}

const shuffle = (list: string[], dice: Dice): void => {
  for (let i = list.length - 1; i > 0; i--) {
    const j = dice.roll(i + 1)
    ;[list[i], list[j]] = [list[j]!, list[i]!]
  }
}
