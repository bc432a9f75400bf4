// A go board for many thousands of playouts: typed arrays with a rim around the board, and chains that count and sum
// their liberties. The JSON state of the rules (src/games/go.ts) is read once and never changed.

export const empty = 0
export const black = 1
export const white = 2
const rim = 3
export type Colour = typeof black | typeof white

export const pass = 0

export const otherOf = (colour: Colour): Colour => (colour === black ? white : black)

export class GoBoard {
  readonly size: number
  /** The step from one point to the point below it. */
  readonly stride: number
  readonly area: number
  readonly at: Uint8Array
  /** All points, in the order of the rules. */
  readonly points: Int16Array
  readonly neighbours: readonly [number, number, number, number]
  readonly diagonals: readonly [number, number, number, number]
  /** The empty points, unordered, and the index of each in this list. */
  readonly free: Int16Array
  readonly #freeAt: Int16Array
  freeCount = 0
  /** The point of a ko, where the next move is illegal; 0 for none. */
  ko = 0
  last = pass
  toMove: Colour = black

  /** For each stone its chain, identified by one of its stones, and the next stone of the chain, in a circle. */
  readonly #chain: Int16Array
  readonly #next: Int16Array
  /**
   * For each chain its stones; its liberties, each counted once for every stone beside it; and the sums of these liberties
   * and of their squares, which show whether all of them are the same point.
   */
  readonly #stones: Int16Array
  readonly #liberties: Int16Array
  readonly #sum: Int32Array
  readonly #squares: Float64Array
  readonly #seen: Int32Array
  #mark = 0

  constructor(size: number) {
    this.size = size
    this.stride = size + 1
    this.area = (size + 2) * this.stride + 1
    const { stride, area } = this
    this.at = new Uint8Array(area).fill(rim)
    this.neighbours = [-stride, -1, 1, stride]
    this.diagonals = [-stride - 1, -stride + 1, stride - 1, stride + 1]
    this.points = Int16Array.from({ length: size * size }, (_, i) => this.pointAt(i))
    this.free = new Int16Array(size * size)
    this.#freeAt = new Int16Array(area)
    this.#chain = new Int16Array(area)
    this.#next = new Int16Array(area)
    this.#stones = new Int16Array(area)
    this.#liberties = new Int16Array(area)
    this.#sum = new Int32Array(area)
    this.#squares = new Float64Array(area)
    this.#seen = new Int32Array(area)
    for (const point of this.points) this.#setFree(point)
  }

  /** The point of a cell, which the rules count row by row from the top. */
  pointAt(cell: number): number {
    return (Math.floor(cell / this.size) + 1) * this.stride + (cell % this.size) + 1
  }

  cellAt(point: number): number {
    return (Math.floor(point / this.stride) - 1) * this.size + (point % this.stride) - 1
  }

  copy(from: GoBoard): void {
    this.at.set(from.at)
    this.free.set(from.free)
    this.#freeAt.set(from.#freeAt)
    this.#chain.set(from.#chain)
    this.#next.set(from.#next)
    this.#stones.set(from.#stones)
    this.#liberties.set(from.#liberties)
    this.#sum.set(from.#sum)
    this.#squares.set(from.#squares)
    this.freeCount = from.freeCount
    this.ko = from.ko
    this.last = from.last
    this.toMove = from.toMove
  }

  isLegal(point: number, colour: Colour): boolean {
    const { at } = this
    if (at[point] !== empty || (point === this.ko && colour === this.toMove)) return false
    for (const step of this.neighbours) {
      const stone = at[point + step]!
      if (stone === empty) return true
      if (stone === rim) continue
      if ((stone === colour) !== this.isInAtari(point + step)) return true
    }
    return false
  }

  /**
   * Whether the point is an eye of this colour: all neighbours have the colour, and not too many diagonal points are
   * lost.
   */
  isEye(point: number, colour: Colour): boolean {
    const { at } = this
    for (const step of this.neighbours) {
      const stone = at[point + step]
      if (stone !== colour && stone !== rim) return false
    }
    const other = otherOf(colour)
    let strange = 0
    let isAtRim = false
    for (const step of this.diagonals) {
      const stone = at[point + step]
      if (stone === other) strange++
      else if (stone === rim) isAtRim = true
    }
    return strange + (isAtRim ? 1 : 0) < 2
  }

  /** Whether the chain of this stone has one liberty left. */
  isInAtari(stone: number): boolean {
    const chain = this.#chain[stone]!
    const sum = this.#sum[chain]!
    return this.#squares[chain]! * this.#liberties[chain]! === sum * sum
  }

  /** The one liberty of a chain in atari. */
  libertyOf(stone: number): number {
    const chain = this.#chain[stone]!
    return this.#sum[chain]! / this.#liberties[chain]!
  }

  chainOf(stone: number): number {
    return this.#chain[stone]!
  }

  sizeOf(stone: number): number {
    return this.#stones[this.#chain[stone]!]!
  }

  nextInChain(stone: number): number {
    return this.#next[stone]!
  }

  /** How many liberties a stone here would have, counted up to `most`. */
  libertiesAfter(point: number, colour: Colour, most: number): number {
    const { at, neighbours } = this
    const seen = this.#seen
    const mark = ++this.#mark
    let count = 0
    seen[point] = mark
    for (const step of neighbours) {
      const near = point + step
      if (at[near] === empty) {
        if (seen[near] !== mark) {
          seen[near] = mark
          if (++count >= most) return count
        }
      } else if (at[near] === colour) {
        const chain = this.#chain[near]!
        if (seen[chain] === mark) continue
        let stone = chain
        do {
          seen[stone] = mark
          for (const step of neighbours) {
            const liberty = stone + step
            if (at[liberty] === empty && seen[liberty] !== mark) {
              seen[liberty] = mark
              if (++count >= most) return count
            }
          }
          stone = this.#next[stone]!
        } while (stone !== chain)
      } else if (at[near] !== rim && this.isInAtari(near) && seen[near] !== mark) {
        // A captured stone leaves at least this liberty.
        seen[near] = mark
        if (++count >= most) return count
      }
    }
    return count
  }

  play(point: number, colour: Colour): void {
    this.ko = 0
    this.last = point
    this.toMove = otherOf(colour)
    if (point === pass) return
    const { at, neighbours } = this
    this.#takeFree(point)
    at[point] = colour
    this.#chain[point] = point
    this.#next[point] = point
    this.#stones[point] = 1
    let liberties = 0
    let sum = 0
    let squares = 0
    for (const step of neighbours) {
      const near = point + step
      const stone = at[near]!
      if (stone === rim) continue
      if (stone === empty) {
        liberties++
        sum += near
        squares += near * near
      } else this.#loseLiberty(this.#chain[near]!, point)
    }
    this.#liberties[point] = liberties
    this.#sum[point] = sum
    this.#squares[point] = squares
    let taken = 0
    let takenAt = 0
    for (const step of neighbours) {
      const near = point + step
      const stone = at[near]!
      if (stone === colour) this.#join(point, near)
      else if (stone !== empty && stone !== rim && this.#liberties[this.#chain[near]!] === 0) {
        taken += this.#stones[this.#chain[near]!]!
        takenAt = near
        this.#take(near)
      }
    }
    if (taken === 1 && this.sizeOf(point) === 1 && this.isInAtari(point)) this.ko = takenAt
  }

  /** Places stones without playing moves. */
  setUp(stones: Iterable<readonly [point: number, colour: Colour]>): void {
    for (const [point, colour] of stones) this.play(point, colour)
    this.ko = 0
    this.last = pass
  }

  /** The points of black minus those of white, with every stone alive. Also sets the owner of each point. */
  score(owners: Int8Array): number {
    const { at, points } = this
    let lead = 0
    for (const point of points) {
      const owner = at[point] === empty ? this.#ownerOf(point) : at[point]!
      const value = owner === black ? 1 : owner === white ? -1 : 0
      owners[point] = value
      lead += value
    }
    return lead
  }

  /** The owner of an empty point at the end of a playout, when only eyes are left: the colour of the stones beside it. */
  #ownerOf(point: number): number {
    let owner = 0
    for (const step of this.neighbours) {
      const stone = this.at[point + step]!
      if (stone !== rim) owner |= stone
    }
    return owner
  }

  #join(a: number, b: number): void {
    let into = this.#chain[a]!
    let from = this.#chain[b]!
    if (into === from) return
    if (this.#stones[into]! < this.#stones[from]!) [into, from] = [from, into]
    this.#stones[into]! += this.#stones[from]!
    this.#liberties[into]! += this.#liberties[from]!
    this.#sum[into]! += this.#sum[from]!
    this.#squares[into]! += this.#squares[from]!
    let stone = from
    do {
      this.#chain[stone] = into
      stone = this.#next[stone]!
    } while (stone !== from)
    const after = this.#next[into]!
    this.#next[into] = this.#next[from]!
    this.#next[from] = after
  }

  #take(first: number): void {
    const { at, neighbours } = this
    let stone = first
    do {
      at[stone] = empty
      stone = this.#next[stone]!
    } while (stone !== first)
    do {
      const next = this.#next[stone]!
      this.#setFree(stone)
      for (const step of neighbours) {
        const near = at[stone + step]!
        if (near !== empty && near !== rim) {
          const chain = this.#chain[stone + step]!
          this.#liberties[chain]!++
          this.#sum[chain]! += stone
          this.#squares[chain]! += stone * stone
        }
      }
      stone = next
    } while (stone !== first)
  }

  #loseLiberty(chain: number, point: number): void {
    this.#liberties[chain]!--
    this.#sum[chain]! -= point
    this.#squares[chain]! -= point * point
  }

  #setFree(point: number): void {
    this.at[point] = empty
    this.#freeAt[point] = this.freeCount
    this.free[this.freeCount++] = point
  }

  #takeFree(point: number): void {
    const at = this.#freeAt[point]!
    const last = this.free[--this.freeCount]!
    this.free[at] = last
    this.#freeAt[last] = at
  }
}
