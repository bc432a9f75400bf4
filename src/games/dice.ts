// The one source of luck: a xorshift of 32 bits, grown from a seed. Its state is a number, so a game keeps it
// in its own state and takes it up again at the next move.

export class Dice {
  #x: number

  private constructor(x: number) {
    this.#x = x
  }

  static fromSeed(seed: number): Dice {
    const x = (seed ^ 0x9e3779b9) >>> 0
    const dice = new Dice(x === 0 ? 1 : x)
    for (let i = 0; i < 16; i++) dice.step()
    return dice
  }

  static resume(state: number): Dice {
    return new Dice(state)
  }

  /** To be kept in a game's state and given to `resume`. */
  get state(): number {
    return this.#x
  }

  /** The next 32 bits. */
  step(): number {
    let x = this.#x
    x = (x ^ (x << 13)) >>> 0
    x = (x ^ (x >>> 17)) >>> 0
    x = (x ^ (x << 5)) >>> 0
    this.#x = x
    return x
  }

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
