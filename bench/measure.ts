import { readFileSync } from 'node:fs'

export interface Spread {
  readonly p50: number
  readonly p99: number
}

export const spread = (values: readonly number[]): Spread => {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

/** Figures of one measurement, by name. */
export type Values = Readonly<Record<string, number>>

/** A figure of several measurements: the median, and between which values they lie. */
interface Range {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** A figure of the host, and of the relay where that was measured, too. */
export interface Figure {
  readonly figure: string
  readonly host: Range
  readonly relay: Range | null
  /** Host : relay, measured one after the other. */
  readonly ratio: Range | null
}

/** A figure that a host must not exceed. */
export interface Bar {
  readonly figure: string
  readonly value: number
  readonly most: number
  /** A lower value to work for, where there is one. */
  readonly aim: number | null
  readonly met: boolean
}

/** What a benchmark reports, apart from what it says about itself. */
export interface Measured {
  readonly figures: readonly Figure[]
  readonly bars: readonly Bar[]
}

export const figuresOf = (
  name: string,
  host: readonly Values[],
  relay?: readonly Values[],
): readonly Figure[] =>
  Object.keys(host[0]!).map(key => {
    const [ours, theirs] = [host.map(one => one[key]!), relay?.map(one => one[key]!)]
    return {
      figure: `${name}.${key}`,
      host: range(ours),
      relay: theirs ? range(theirs) : null,
      ratio: theirs ? range(ours.map((value, i) => value / theirs[i]!)) : null,
    }
  })

const range = (values: readonly number[]): Range => ({
  median: values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!,
  least: Math.min(...values),
  most: Math.max(...values),
})

/** The median of a figure of the host. */
export const medianOf = (figures: readonly Figure[], name: string): number =>
  figures.find(({ figure }) => figure === name)!.host.median

export const bar = (
  figure: string,
  value: number,
  most: number,
  aim: number | null = null,
): Bar => ({ figure, value, most, aim, met: value <= most })

/**
 * How many milliseconds the first thread of a process was ready and had no processor, where the system reports it: what other
 * work on the machine costs.
 */
export const starved = (pid: number | 'self'): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

/** Bytes. */
export interface Memory {
  readonly rss: number
  readonly heap: number
}

export const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
