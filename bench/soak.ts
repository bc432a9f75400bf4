import type { Counts } from './inspector.ts'
import { type Memory, type Spread, sleep } from './measure.ts'
import type { Addresses, BenchAccount, Opening } from './measured-server.ts'
import { canPin, Helper } from './process.ts'
import type { Behaviour } from './tally.ts'

/** What agents and spectators of a soak saw. */
export interface SoakSeen {
  readonly agents: number
  /** Agents that were due but did not connect, because too many others were still there. */
  readonly stayedAway: number
  readonly results: number
  readonly done: Record<Behaviour, number>
  readonly watched: { readonly streams: number; readonly screens: number; readonly bytes: number }
  readonly faults: readonly (readonly [what: string, times: number])[]
}

/** What happens on a host that is half busy for a long time. */
export interface Soak {
  readonly minutes: number
  readonly pinned: boolean
  /** Matches a second: what the host can take of this mixture, and what it was given. */
  readonly full: number
  readonly given: number
  readonly seen: SoakSeen
  /** Over time, after garbage collection. */
  readonly memory: readonly (Memory & { readonly minute: number })[]
  /** KiB a minute, over the second half. */
  readonly slope: Memory
  /** Before the soak, and when all have disconnected. */
  readonly start: Counts
  readonly end: Counts
  readonly delay: Spread & { readonly most: number }
  /** Errors in the log of the host. */
  readonly faults: readonly string[]
  readonly verify: {
    readonly matches: number
    readonly differences: readonly string[]
    readonly integrity: string
  }
}

const accountCount = 64
const pairs = 24
/** Short, so that many moves are late. */
const moveTimeout = 5_000

export const benchSoak = async (
  minutes: number,
  print: (line: string) => void = () => {},
): Promise<Soak> => {
  const [load, host] = [new Helper('load'), new Helper('host')]
  try {
    const crew = { count: accountCount, transport: 'ssh' }
    const accounts = await load.ask<BenchAccount[]>('accounts', crew)
    const opening: Opening = { accounts, moveTimeout }
    const addresses = await host.ask<Addresses>('open', opening)
    const seconds = Math.min(30, Math.max(3, minutes * 6))
    const full = await load.ask<number>('fullSpeed', { addresses, pairs, seconds })
    print(`Full speed: ${full.toFixed(0)} matches a second.`)
    const start = await settled(host)
    await host.ask('delays')
    await load.ask('soak', full / 2)
    const memory = await watch(host, minutes, print)
    const delay = await host.ask<Soak['delay']>('delays')
    const seen = await load.ask<SoakSeen>('endSoak')
    const end = await settled(host, start)
    const faults = await host.ask<string[]>('faults')
    const verify = await host.ask<Soak['verify']>('close')
    return {
      ...{ minutes, pinned: canPin(), full, given: full / 2, seen, memory },
      slope: slopeOf(memory.slice(Math.floor(memory.length / 2))),
      ...{ start, end, delay, faults, verify },
    }
  } finally {
    load.stop()
    host.stop()
  }
}

/** What went wrong, in words. */
export const soakProblems = ({ seen, faults, verify, start, end }: Soak): readonly string[] => [
  ...seen.faults.map(([what, times]) => `${times} × told to an agent: ${what}`),
  ...faults.map(fault => `in the log: ${fault}`),
  ...verify.differences.map(difference => `stored wrong: ${difference}`),
  ...(verify.integrity === 'ok' ? [] : [`the database: ${verify.integrity}`]),
  ...grown(start, end).map(kind => `${kind}: ${start[kind]} before, ${end[kind]} after`),
]

const grown = (start: Counts, end: Counts) =>
  (Object.keys(start) as (keyof Counts)[]).filter(kind => end[kind] > start[kind])

const watch = async (
  host: Helper,
  minutes: number,
  print: (line: string) => void,
): Promise<Soak['memory']> => {
  const every = Math.min(15_000, (minutes * 60_000) / 40)
  const memory: Soak['memory'][number][] = []
  const since = performance.now()
  for (let minute = 0; minute < minutes; ) {
    await sleep(every)
    minute = (performance.now() - since) / 60_000
    const now = await host.ask<Memory>('memory')
    memory.push({ minute, ...now })
    if (memory.length % 4 === 0)
      print(`${minute.toFixed(1)} min: ${mib(now.rss)} MiB, ${mib(now.heap)} of it JavaScript`)
  }
  return memory
}

/** The counts, once they are as low as before; at the latest after 15 s. */
const settled = async (host: Helper, before?: Counts): Promise<Counts> => {
  for (let tries = 0; ; tries++) {
    await sleep(500)
    const now = await host.ask<Counts>('counts')
    const done = before === undefined ? tries === 4 : grown(before, now).length === 0
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
