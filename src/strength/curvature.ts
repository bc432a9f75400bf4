import type { Pair } from './outcomes.ts'

/**
 * The second derivatives of the logarithm of the likelihood, with their sign changed: a sparse symmetric matrix, with a row for
 * each account and a last one for the first seat. Rows of fixed accounts are left out: what is solved for is 0 there.
 */
export class Curvature {
  /** For each pair; off the diagonal it stands with a minus. */
  readonly pairs: Float64Array
  readonly diagonal: Float64Array
  /** The last row, up to the diagonal. */
  readonly lead: Float64Array
  readonly #a: Int32Array
  readonly #b: Int32Array
  readonly #fixed: Uint8Array

  constructor(accounts: number, pairs: readonly Pair[], fixed: Uint8Array) {
    this.pairs = new Float64Array(pairs.length)
    this.diagonal = new Float64Array(accounts + 1)
    this.lead = new Float64Array(accounts)
    this.#a = Int32Array.from(pairs, ({ a }) => a)
    this.#b = Int32Array.from(pairs, ({ b }) => b)
    this.#fixed = fixed
  }

  get accounts(): number {
    return this.lead.length
  }

  clear(): void {
    for (const part of [this.pairs, this.diagonal, this.lead]) part.fill(0)
  }

  /** Adds every pair to the diagonal. */
  sumPairs(): void {
    for (let i = 0; i < this.pairs.length; i++) {
      this.diagonal[this.#a[i]!]! += this.pairs[i]!
      this.diagonal[this.#b[i]!]! += this.pairs[i]!
    }
  }

  times(x: Float64Array, into: Float64Array): void {
    const [a, b, pairs, lead, n] = [this.#a, this.#b, this.pairs, this.lead, this.accounts]
    for (let i = 0; i <= n; i++) into[i] = this.diagonal[i]! * x[i]!
    for (let i = 0; i < pairs.length; i++) {
      into[a[i]!]! -= pairs[i]! * x[b[i]!]!
      into[b[i]!]! -= pairs[i]! * x[a[i]!]!
    }
    let last = into[n]!
    for (let i = 0; i < n; i++) {
      last += lead[i]! * x[i]!
      into[i]! += lead[i]! * x[n]!
    }
    into[n] = last
    this.#hold(into)
  }

  /** Solves for the vector whose product is `right`, by conjugate gradients in as many steps as the numbers ask for. */
  solve(right: Float64Array): Float64Array {
    const n = right.length
    const x = new Float64Array(n)
    const rest = right.slice()
    this.#hold(rest)
    const scaled = rest.map((value, i) => value / this.diagonal[i]!)
    this.#hold(scaled)
    const direction = scaled.slice()
    const product = new Float64Array(n)
    let size = dot(rest, scaled)
    const enough = size * 1e-26
    for (let step = 0; step < maxSteps && size > enough; step++) {
      this.times(direction, product)
      const by = size / dot(direction, product)
      for (let i = 0; i < n; i++) {
        x[i]! += by * direction[i]!
        rest[i]! -= by * product[i]!
        scaled[i] = this.#fixed[i] === 1 ? 0 : rest[i]! / this.diagonal[i]!
      }
      const next = dot(rest, scaled)
      const grow = next / size
      for (let i = 0; i < n; i++) direction[i] = scaled[i]! + grow * direction[i]!
      size = next
    }
    return x
  }

  /** The inverse, row by row, where fixed rows are 0. Its cost grows with the cube of the accounts. */
  inverse(): Float64Array {
    const size = this.accounts + 1
    const matrix = new Float64Array(size * size)
    for (let i = 0; i < this.pairs.length; i++) {
      const [a, b] = [this.#a[i]!, this.#b[i]!]
      matrix[Math.max(a, b) * size + Math.min(a, b)] = -this.pairs[i]!
    }
    matrix.set(this.lead, (size - 1) * size)
    for (let i = 0; i < size; i++) {
      matrix[i * size + i] = this.diagonal[i]!
      if (this.#fixed[i] !== 1) continue
      for (let j = 0; j < size; j++) matrix[Math.max(i, j) * size + Math.min(i, j)] = 0
      // Far too well known to vary.
      matrix[i * size + i] = Number.MAX_VALUE
    }
    return inverseOf(matrix, size)
  }

  #hold(vector: Float64Array): void {
    for (let i = 0; i < vector.length; i++) if (this.#fixed[i] === 1) vector[i] = 0
  }
}

/** More than any ladder has needed. */
const maxSteps = 1_000

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/** Of a symmetric positive definite matrix, of which the lower half is given: by Cholesky's method. */
const inverseOf = (matrix: Float64Array, size: number): Float64Array => {
  for (let i = 0; i < size; i++) {
    const row = matrix.subarray(i * size, i * size + i + 1)
    for (let j = 0; j <= i; j++) {
      const other = matrix.subarray(j * size, j * size + j + 1)
      let sum = row[j]!
      for (let k = 0; k < j; k++) sum -= row[k]! * other[k]!
      row[j] = i === j ? Math.sqrt(sum) : sum / other[j]!
    }
  }
  // The inverse of the triangle, as columns that are kept as rows.
  const columns = new Float64Array(size * size)
  for (let j = 0; j < size; j++) {
    const column = columns.subarray(j * size, (j + 1) * size)
    column[j] = 1 / matrix[j * size + j]!
    for (let i = j + 1; i < size; i++) {
      const row = matrix.subarray(i * size, i * size + i + 1)
      let sum = 0
      for (let k = j; k < i; k++) sum -= row[k]! * column[k]!
      column[i] = sum / row[i]!
    }
  }
  const inverse = new Float64Array(size * size)
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) {
      let sum = 0
      for (let k = i; k < size; k++) sum += columns[i * size + k]! * columns[j * size + k]!
      inverse[i * size + j] = sum
      inverse[j * size + i] = sum
    }
  return inverse
}
