import type { Answers } from './server.ts'

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

/** The median of some values, and between which they lie. */
export interface Range {
  readonly median: number
  readonly least: number
  readonly most: number
}

export const range = (values: readonly number[]): Range => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values),
})

/** Bytes. */
export interface Memory {
  readonly rss: number
  readonly heap: number
}

/** Memory in use, after garbage collection. */
export const memory = (): Memory => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heap: heapUsed + external }
}

/** What every measured server answers. */
export const usage: Answers = {
  /** Processor time of all threads, in seconds. */
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  },
  memory,
}

export const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
