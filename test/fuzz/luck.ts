import { Dice } from '../../src/games/dice.ts'

/** The random choices of one attack: the same seed makes the same attack. */
export class Luck {
  readonly seed: number
  readonly #dice: Dice

  constructor(seed: number) {
    this.seed = seed
    this.#dice = Dice.fromSeed(seed)
  }

  /** From 0 to n − 1. */
  roll(n: number): number {
    return this.#dice.roll(n)
  }

  from(low: number, high: number): number {
    return low + this.roll(high - low + 1)
  }

  /** True one time in so many. */
  once(times: number): boolean {
    return this.roll(times) === 0
  }

  pick<T>(list: readonly T[]): T {
    return this.#dice.pick(list)
  }

  list<T>(low: number, high: number, make: (i: number) => T): T[] {
    return Array.from({ length: this.from(low, high) }, (_, i) => make(i))
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.roll(256)))
  }

  /** One of about sixteen million loopback addresses; honest agents have others. */
  address(): string {
    return `127.${this.from(10, 250)}.${this.roll(256)}.${this.from(1, 254)}`
  }

  /** A number that programs often handle wrong. */
  oddNumber(): number {
    return this.pick([
      ...[0, 1, 2, 3, 7, 8, 127, 128, 255, 256, 1023, 32_767, 32_768, 65_535, 65_536],
      ...[100_000, 1 << 20, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff],
      this.roll(0xffff_ffff),
    ])
  }

  /** A text that programs often handle wrong. */
  oddText(): string {
    const text = this.pick(oddTexts)
    if (this.once(8)) return text.repeat(this.from(1, 300))
    return this.once(4) ? text + this.pick(oddTexts) : text
  }
}

/** The seed of the nth attack, independent of its neighbours. */
export const seedOf = (seed: number, n: number): number => {
  let x = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(n, 0x85ebca6b)) >>> 0
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d) >>> 0
  return (x ^ (x >>> 15)) >>> 0
}

const oddTexts = [
  ...['', ' ', '0', '-1', 'NaN', '1e999', 'null', 'true', '__proto__', 'constructor', 'prototype'],
  ...['toString', 'hasOwnProperty', '../../../etc/passwd', '%00', '%', '%zz', '%c0%af', '\0', '\n'],
  ...["' or 1=1 --", '"', '<script>alert(1)</script>', '{{7*7}}', '$(id)', '`id`', ';', '--', '-'],
  ...['\ud800', '\udfff\ud800', '\u202e', '\u0301'.repeat(40), '💥', '囲', 'é', '\uffff', '\ufeff'],
  ...['\x1b[2J', '\x1b]0;x\x07', '\x9b31m', 'ttt', 'c4', 'chess', '999999999999999999999', '1'],
]
