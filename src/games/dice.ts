import { sha256 } from './sha256.ts'

/**
 * What the luck of a match grows from. A number has 32 bits. A string is 32 hex digits, 128 bits, which
 * cannot be found from the luck that is seen.
 */
export type Seed = number | string

/** Where a generator stands: a number for xorshift, text for the cryptographic one. Plain JSON, for a game's own state. */
export type DiceState = number | string

/** The one source of luck. Which generator it is follows from the seed. */
export abstract class Dice {
  static fromSeed(seed: Seed): Dice {
    return typeof seed === 'number' ? Xorshift.seeded(seed) : HashStream.seeded(seed)
  }

  static resume(state: DiceState): Dice {
    return typeof state === 'number' ? new Xorshift(state) : HashStream.at(state)
  }

  /** To be kept in a game's state and given to `resume`. */
  abstract get state(): DiceState

  /** The next 32 bits. */
  abstract step(): number

  /** From 0 up to but not including 1. */
  next(): number {
    return this.step() / 0x1_0000_0000
  }

  /** A whole number from 0 to n − 1. */
  roll(n: number): number {
    return Math.floor(this.next() * n)
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('nothing to pick from')
    return list[this.roll(list.length)] as T
  }
}

/** A xorshift of 32 bits, as other hosts of these games have it. From 32 bits of its numbers the rest can be found. */
class Xorshift extends Dice {
  #x: number

  constructor(x: number) {
    super()
    this.#x = x
  }

  static seeded(seed: number): Dice {
    const x = (seed ^ 0x9e3779b9) >>> 0
    const dice = new Xorshift(x === 0 ? 1 : x)
    for (let i = 0; i < 16; i++) dice.step()
    return dice
  }

  get state(): number {
    return this.#x
  }

  step(): number {
    let x = this.#x
    x = (x ^ (x << 13)) >>> 0
    x = (x ^ (x >>> 17)) >>> 0
    x = (x ^ (x << 5)) >>> 0
    this.#x = x
    return x
  }
}

/** Number n is the first 32 bits of SHA-256 over the 128 bits of the seed and n: what was thrown tells nothing of the rest. */
class HashStream extends Dice {
  readonly #seed: string
  #thrown: number

  private constructor(seed: string, thrown: number) {
    super()
    this.#seed = seed
    this.#thrown = thrown
  }

  static seeded(seed: string): Dice {
    if (!/^[0-9a-f]{32}$/.test(seed)) throw new Error('a seed of 128 bits is 32 hex digits')
    return new HashStream(seed, 0)
  }

  static at(state: string): Dice {
    const [seed, thrown] = state.split('/') as [string, string]
    return new HashStream(seed, Number(thrown))
  }

  get state(): string {
    return `${this.#seed}/${this.#thrown}`
  }

  step(): number {
    const words = new DataView(new ArrayBuffer(20))
    for (let i = 0; i < 4; i++)
      words.setUint32(4 * i, Number.parseInt(this.#seed.slice(8 * i, 8 * i + 8), 16))
    words.setUint32(16, this.#thrown++)
    return new DataView(sha256(new Uint8Array(words.buffer)).buffer).getUint32(0)
  }
}
