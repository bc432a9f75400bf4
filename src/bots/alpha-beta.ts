import type { Dice } from '../games/dice.ts'
import { type Game, isFinal, isIllegal, type Seat } from '../games/game.ts'
import { worth } from './worth.ts'

/**
 * The best move that a look ahead finds which plays no more than `nodes` moves. It looks one move further each
 * time, so what is left of a game is solved as soon as it fits, and is guessed at where it does not. For two
 * seats that take turns, see everything, and have their moves listed.
 */
export const alphaBeta = (game: Game, state: unknown, nodes: number, dice: Dice): string => {
  const tree = new Tree(game, nodes, JSON.stringify(state).length <= mostToCompare)
  const root = tree.grow(state)
  shuffle(root.moves, dice)
  let best = root.moves[0]!
  for (let depth = 1; root.moves.length > 1 && depth <= mostDepth; depth++) {
    tree.isWhole = true
    const value = tree.value(root, depth, -1, 1)
    // Every move loses: the one that was best before this was known holds out longest.
    if (value === -1) break
    // Of a look cut short the first move counts all the same, being either the last best or found to be better.
    best = root.moves[0]!
    if (value === null || value === 1 || tree.isWhole) break
  }
  return best
}

const mostDepth = 100

// Two ways to one position are worth finding where states are small, and never meet where they hold their history.
const mostToCompare = 400

/** A position, grown only when it is looked at, and kept for the deeper looks that follow. */
interface Node {
  readonly state: unknown
  readonly mover: Seat
  /** How it ended for seat 0, null while the game goes on. */
  readonly end: number | null
  /** The most promising first, as far as that is known. */
  readonly moves: string[]
  /** What the first of the moves lead to; the others were not looked at yet. */
  readonly kids: Node[]
  guess: number | null
}

class Tree {
  /** Whether the present look has reached the end of the game everywhere it had to. */
  isWhole = true
  readonly #game: Game
  readonly #known: Map<string, Node> | null
  #nodes: number

  constructor(game: Game, nodes: number, compares: boolean) {
    this.#game = game
    this.#nodes = nodes
    this.#known = compares ? new Map() : null
  }

  grow(state: unknown): Node {
    const key = this.#known && JSON.stringify(state)
    const known = key === null ? undefined : this.#known?.get(key)
    if (known !== undefined) return known
    const status = this.#game.status(state)
    const node: Node = isFinal(status)
      ? { state, mover: 0, end: worth(status, 0), moves: [], kids: [], guess: null }
      : { state, mover: status.toMove[0]!, end: null, moves: [], kids: [], guess: null }
    if (!isFinal(status)) node.moves.push(...this.#game.moves!(state, node.mover))
    if (key !== null) this.#known?.set(key, node)
    return node
  }

  /** From −1 to 1 for the seat to move; null when the nodes ran out. */
  value(node: Node, depth: number, alpha: number, beta: number): number | null {
    if (node.end !== null) return node.mover === 0 ? node.end : -node.end
    if (depth === 0) {
      this.isWhole = false
      return this.#guess(node)
    }
    let best = -Infinity
    let floor = alpha
    let bestAt = 0
    for (let i = 0; i < node.moves.length; i++) {
      const kid = this.#kid(node, i)
      const value = kid && this.#valueFor(node.mover, kid, depth - 1, floor, beta)
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

  #valueFor(seat: Seat, kid: Node, depth: number, alpha: number, beta: number): number | null {
    if (kid.mover === seat) return this.value(kid, depth, alpha, beta)
    const value = this.value(kid, depth, -beta, -alpha)
    return value === null ? null : -value
  }

  #kid(node: Node, at: number): Node | undefined {
    const known = node.kids[at]
    if (known !== undefined) return known
    if (this.#nodes-- <= 0) return undefined
    const state = this.#game.play(node.state, node.mover, node.moves[at]!)
    if (isIllegal(state))
      throw new Error(`${this.#game.id} refuses ${node.moves[at]}, its own move`)
    const kid = this.grow(state)
    node.kids.push(kid)
    return kid
  }

  #guess(node: Node): number {
    // Thinking that it is won is never as good as knowing.
    node.guess ??= 0.99 * (this.#game.guess?.(node.state, node.mover) ?? 0)
    return node.guess
  }
}

const toFront = ({ moves, kids }: Node, at: number): void => {
  if (at === 0) return
  moves.unshift(...moves.splice(at, 1))
  kids.unshift(...kids.splice(at, 1))
}

const shuffle = (list: string[], dice: Dice): void => {
  for (let i = list.length - 1; i > 0; i--) {
    const j = dice.roll(i + 1)
    ;[list[i], list[j]] = [list[j]!, list[i]!]
  }
}
