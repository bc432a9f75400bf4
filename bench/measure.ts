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

/** Every number of these results, which have the same shape, as the median of all. */
export const medians = <T extends object>(results: readonly T[]): T =>
  Object.fromEntries(
    Object.keys(results[0]!).map(key => {
      const values = results.map(result => result[key as keyof T])
      return [
        key,
        typeof values[0] === 'number' ? median(values as number[]) : medians(values as object[]),
      ]
    }),
  ) as T

/** The median of some values, and between which they lie. */
export const range = (values: readonly number[]) => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values),
})

/** A figure that a host must not exceed. */
export interface Bar {
  readonly figure: string
  readonly value: number
  readonly most: number
  readonly met: boolean
  /** A lower value to work for, where there is one. */
  readonly aim: number | null
}

export const bar = (
  figure: string,
  value: number,
  most: number,
  aim: number | null = null,
): Bar => ({
  ...{ figure, value, most, aim },
  met: value <= most,
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
