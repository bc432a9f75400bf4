import { canPin, type Helper } from './helper.ts'
import { type Memory, median, middle, type Spread } from './measure.ts'
import {
  type BenchAccount,
  newLoad,
  type Round,
  Server,
  type Stretch,
  type Transport,
} from './server.ts'

export interface BenchOptions {
  readonly transport: Transport
  readonly pairs: number
  /** For each of the two servers, in all. */
  readonly stretch: Stretch
  /** How many waiting agents to weigh; 0 leaves it out. */
  readonly waiting: number
}

/** The house, and beside it a relay over the same transport that plays no game and keeps nothing. */
export interface Comparison extends BenchOptions {
  /** Whether the servers and the load had a core each. */
  readonly pinned: boolean
  readonly house: Figures
  readonly relay: Figures
}

export interface Figures {
  readonly matches: number
  readonly matchesPerSecond: number
  readonly movesPerSecond: number
  /** Seconds of the server's processor for 1,000 matches. */
  readonly cpu: number
  readonly move: Spread
  readonly result: Spread
  readonly queued: Spread
  /** KiB that each waiting agent takes; null where it was not asked for. */
  readonly waiting: Memory | null
}

const names = ['house', 'relay'] as const
const rounds = 5

/** The servers take turns, so that what else the machine does falls on both, and the middle round counts. */
export const bench = async (options: BenchOptions): Promise<Comparison> => {
  const { transport, pairs } = options
  const load = newLoad()
  try {
    const accounts = await load.ask<BenchAccount[]>('accounts', { count: 2 * pairs, transport })
    const seen = await playInTurn(load, accounts, options)
    const waiting: (Memory | null)[] = []
    for (const name of names) waiting.push(await weighed(load, name, accounts, options))
    const [house, relay] = names.map((_, i) => figures(seen[i]!, waiting[i]!))
    return { ...options, pinned: canPin(), house: house!, relay: relay! }
  } finally {
    load.stop()
  }
}

const playInTurn = async (
  load: Helper,
  accounts: readonly BenchAccount[],
  { transport, pairs, stretch: whole }: BenchOptions,
): Promise<readonly (readonly Round[])[]> => {
  const crowd = { transport, pairs }
  const servers: Server[] = []
  try {
    for (const name of names) servers.push(await Server.open(name, accounts))
    // Until what runs often has been compiled.
    for (const server of servers)
      await server.play(load, { ...crowd, warmUp: part(whole, 3), stretch: part(whole, 10) })
    const turn = { ...crowd, warmUp: part(whole, 4 * rounds), stretch: part(whole, rounds) }
    const seen: Round[][] = servers.map(() => [])
    for (let round = 0; round < rounds; round++)
      for (const [i, server] of servers.entries()) seen[i]!.push(await server.play(load, turn))
    return seen
  } finally {
    for (const server of servers) server.stop()
  }
}

/** KiB that each waiting agent takes, in a new process whose memory has held nothing else. */
const weighed = async (
  load: Helper,
  name: (typeof names)[number],
  accounts: readonly BenchAccount[],
  { transport, waiting }: BenchOptions,
): Promise<Memory | null> => {
  if (waiting === 0) return null
  const server = await Server.open(name, accounts)
  try {
    // All of one account, which never meets itself.
    const { rss, heap } = await server.weigh(load, { count: waiting, accounts: 1 }, transport)
    return { rss: rss / 1024, heap: heap / 1024 }
  } finally {
    server.stop()
  }
}

const part = (whole: Stretch, of: number): Stretch =>
  'seconds' in whole ? { seconds: whole.seconds / of } : { matches: Math.ceil(whole.matches / of) }

const figures = (seen: readonly Round[], waiting: Memory | null): Figures => {
  const medianOf = (value: (round: Round) => number) => median(seen.map(value))
  const spreadOf = (which: 'move' | 'result' | 'queued') => middle(seen.map(round => round[which]))
  return {
    matches: seen.reduce((sum, { matches }) => sum + matches, 0),
    matchesPerSecond: medianOf(({ matches, seconds }) => matches / seconds),
    movesPerSecond: medianOf(({ moves, seconds }) => moves / seconds),
    cpu: medianOf(({ cpu, matches }) => (cpu / matches) * 1000),
    move: spreadOf('move'),
    result: spreadOf('result'),
    queued: spreadOf('queued'),
    waiting,
  }
}
