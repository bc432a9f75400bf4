import type { Answers } from './question.ts'

export interface Spread {
  readonly p50: number
  readonly p99: number
}

export const spread = (values: readonly number[]): Spread => {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The median of each share over some rounds. */
export const middle = (rounds: readonly Spread[]): Spread => ({
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
})

/** Bytes. */
export interface Memory {
  readonly rss: number
  readonly heap: number
}

/** What each of so many takes, by the memory before and after they came. */
export const each = (before: Memory, after: Memory, count: number): Memory => ({
  rss: (after.rss - before.rss) / count,
  heap: (after.heap - before.heap) / count,
})

export const memory = (): Memory => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heap: heapUsed + external }
}

/** What every server of a bench can say about what it uses. */
export const usage: Answers = {
  /** Processor time in seconds, of all threads. */
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  },
  memory,
}
