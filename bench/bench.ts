import type { BenchAccount } from './account.ts'
import { canPin, Helper } from './helper.ts'
import type { Stretch, Transport } from './load.ts'
import { median } from './median.ts'
import { loadCore, type Round, Server } from './server.ts'
import type { Spread } from './tally.ts'
import type { Memory } from './usage.ts'

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
  /** KiB that each waiting agent takes, if that was asked for. */
  readonly waiting: Memory | null
}

const relays = { ws: 'relay-websocket', ssh: 'relay-ssh' } as const
const rounds = 5

/** The servers take turns, so that what else the machine does falls on both, and the middle round counts. */
export const bench = async (options: BenchOptions): Promise<Comparison> => {
  const { transport, pairs, stretch } = options
  const load = new Helper('load', loadCore)
  try {
    const accounts = await load.ask<BenchAccount[]>('accounts', { count: 2 * pairs, transport })
    const names = ['house', relays[transport]] as const
    const seen = await playInTurn(load, names, accounts, { transport, pairs }, stretch)
    const waiting = await weighInTurn(load, names, accounts, options)
    const [house, relay] = names.map((_, i) => figures(seen[i]!, waiting[i]!))
    return { ...options, pinned: canPin(), house: house!, relay: relay! }
  } finally {
    load.stop()
  }
}

const playInTurn = async (
  load: Helper,
  names: readonly string[],
  accounts: readonly BenchAccount[],
  crowd: { readonly transport: Transport; readonly pairs: number },
  whole: Stretch,
): Promise<readonly (readonly Round[])[]> => {
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

/** In new processes, whose memory has held nothing else. */
const weighInTurn = async (
  load: Helper,
  names: readonly string[],
  accounts: readonly BenchAccount[],
  { transport, waiting }: BenchOptions,
): Promise<readonly (Memory | null)[]> => {
  const weights: (Memory | null)[] = []
  for (const name of names) {
    if (waiting === 0) {
      weights.push(null)
      continue
    }
    const server = await Server.open(name, accounts)
    try {
      weights.push(await server.weigh(load, transport, waiting))
    } finally {
      server.stop()
    }
  }
  return weights
}

const part = (whole: Stretch, of: number): Stretch =>
  'seconds' in whole ? { seconds: whole.seconds / of } : { matches: Math.ceil(whole.matches / of) }

const figures = (seen: readonly Round[], waiting: Memory | null): Figures => {
  const middle = (value: (round: Round) => number) => median(seen.map(value))
  const spread = (which: 'move' | 'result' | 'queued') => ({
    p50: middle(round => round[which].p50),
    p99: middle(round => round[which].p99),
  })
  return {
    matches: seen.reduce((sum, { matches }) => sum + matches, 0),
    matchesPerSecond: middle(({ matches, seconds }) => matches / seconds),
    movesPerSecond: middle(({ moves, seconds }) => moves / seconds),
    cpu: middle(({ cpu, matches }) => (cpu / matches) * 1000),
    move: spread('move'),
    result: spread('result'),
    queued: spread('queued'),
    waiting,
  }
}
