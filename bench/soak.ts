import { canPin, Helper, loadCore, serverCore } from './helper.ts'
import type { Standing } from './inside.ts'
import type { Memory } from './measure.ts'
import type { SoakSeen } from './processes/soak-load.ts'
import type { BenchAccount, Reaches } from './server.ts'

/** What becomes of a house that is kept half busy for long. */
export interface Soak {
  readonly minutes: number
  readonly pinned: boolean
  /** Matches a second: what the house can take of this mixture, and what it was given. */
  readonly full: number
  readonly given: number
  readonly seen: SoakSeen
  /** In the course of time, once what is not needed any more has been collected. */
  readonly memory: readonly (Memory & { readonly minute: number })[]
  /** KiB a minute, over the second half. */
  readonly slope: Memory
  /** Before anybody came to stay, and when all had left. */
  readonly start: Standing
  readonly end: Standing
  readonly delay: { readonly p50: number; readonly p99: number; readonly most: number }
  /** Faults that the house has logged. */
  readonly faults: readonly string[]
  readonly verify: {
    readonly matches: number
    readonly differences: readonly string[]
    readonly integrity: string
  }
}

const accounts = 64
const pairs = 24
/** Short, so that many are late. */
const moveTimeout = 5_000

export const benchSoak = async (
  minutes: number,
  tell: (line: string) => void = () => {},
): Promise<Soak> => {
  const load = new Helper('processes/soak-load', loadCore)
  const house = new Helper('processes/house', serverCore)
  try {
    await house.ask('inEarnest', moveTimeout)
    const who = await load.ask<BenchAccount[]>('accounts', accounts)
    const at = await house.ask<Reaches>('open', who)
    const seconds = Math.min(30, Math.max(3, minutes * 6))
    const full = await load.ask<number>('full', { at, pairs, seconds })
    tell(`${full.toFixed(0)} matches a second is full speed.`)
    const start = await settled(house)
    await house.ask('delays')
    await load.ask('begin', full / 2)
    const memory = await watch(house, minutes, tell)
    const delay = await house.ask<Soak['delay']>('delays')
    const seen = await load.ask<SoakSeen>('end')
    const end = await settled(house, start)
    const faults = await house.ask<string[]>('faults')
    const verify = await house.ask<Soak['verify']>('close')
    return {
      ...{ minutes, pinned: canPin(), full, given: full / 2, seen, memory },
      slope: slopeOf(memory.slice(Math.floor(memory.length / 2))),
      ...{ start, end, delay, faults, verify },
    }
  } finally {
    load.stop()
    house.stop()
  }
}

/** What went wrong, in words; empty for a house that can be left alone. */
export const soakProblems = ({ seen, faults, verify, start, end }: Soak): readonly string[] => [
  ...seen.faults.map(([what, times]) => `${times} × to an agent: ${what}`),
  ...faults.map(fault => `in the log: ${fault}`),
  ...verify.differences.map(difference => `kept wrong: ${difference}`),
  ...(verify.integrity === 'ok' ? [] : [`the database: ${verify.integrity}`]),
  ...left(start, end).map(kind => `${kind}: ${start[kind]} before, ${end[kind]} after`),
]

/** What there is more of. */
const left = (start: Standing, end: Standing) =>
  (Object.keys(start) as (keyof Standing)[]).filter(kind => end[kind] > start[kind])

const watch = async (
  house: Helper,
  minutes: number,
  tell: (line: string) => void,
): Promise<Soak['memory']> => {
  const every = Math.min(15_000, (minutes * 60_000) / 40)
  const memory: Soak['memory'][number][] = []
  const since = performance.now()
  for (let minute = 0; minute < minutes; ) {
    await sleep(every)
    minute = (performance.now() - since) / 60_000
    const now = await house.ask<Memory>('memory')
    memory.push({ minute, ...now })
    if (memory.length % 4 === 0)
      tell(`${minute.toFixed(1)} min: ${mib(now.rss)} MiB, ${mib(now.heap)} of it JavaScript`)
  }
  return memory
}

/** Waits until as little is there as before, for some seconds at most. */
const settled = async (house: Helper, before?: Standing): Promise<Standing> => {
  for (let tries = 0; ; tries++) {
    await sleep(500)
    const now = await house.ask<Standing>('standing')
    const done = before === undefined ? tries === 4 : left(before, now).length === 0
    if (done || tries === 30) return now
  }
}

/** By least squares. */
const slopeOf = (memory: Soak['memory']): Memory => {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const minute = mean(memory.map(({ minute }) => minute))
  const spread = mean(memory.map(one => (one.minute - minute) ** 2))
  const slope = (value: (one: Memory) => number) => {
    const middle = mean(memory.map(value))
    const together = mean(memory.map(one => (one.minute - minute) * (value(one) - middle)))
    return together / spread / 1024
  }
  return { rss: slope(one => one.rss), heap: slope(one => one.heap) }
}

export const mib = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1)

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
