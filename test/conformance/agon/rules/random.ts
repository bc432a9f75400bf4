/** The generator of §10, so that a printed seed repeats a run. */
export class Random {
  private x: number

  constructor(seed: number) {
    this.x = (seed ^ 0x9e3779b9) >>> 0 || 1
    for (let i = 0; i < 16; i++) this.step()
  }

  below(n: number): number {
    return Math.floor((this.step() / 2 ** 32) * n)
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }

  private step(): number {
    let x = this.x
    x = (x ^ (x << 13)) >>> 0
    x = (x ^ (x >>> 17)) >>> 0
    x = (x ^ (x << 5)) >>> 0
    this.x = x
    return x
  }
}
