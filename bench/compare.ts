import type { Recording } from './agent.ts'
import { type Memory, median, type Spread } from './measure.ts'
import {
  type BenchAccount,
  MeasuredServer,
  type Opening,
  type Round,
  type Stretch,
  type Transport,
} from './measured-server.ts'
import { canPin, Helper } from './process.ts'

export interface BenchOptions {
  readonly transport: Transport
  readonly pairs: number
  /** For each of the two servers, over all rounds. */
  readonly stretch: Stretch
  /** The number of waiting agents whose memory is measured; 0 leaves that out. */
  readonly waiting: number
}

/** The host, and a relay over the same transport that plays no game and stores nothing. */
export interface Comparison extends BenchOptions {
  /** Whether server and load had a core each. */
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
  /** KiB for each waiting agent; null where it was not measured. */
  readonly waiting: Memory | null
}

const rounds = 5

/** Host and relay are measured in turn, so that other work on the machine disturbs both, and the medians count. */
export const bench = async (options: BenchOptions): Promise<Comparison> => {
  const { transport, pairs, waiting } = options
  const load = new Helper('load')
  const servers: MeasuredServer[] = []
  const open = async (name: 'host' | 'relay', opening: Opening) => {
    const server = await MeasuredServer.open(name, opening)
    servers.push(server)
    return server
  }
  /** In a new process, whose memory has held nothing else. */
  const weigh = async (name: 'host' | 'relay', opening: Opening): Promise<Memory | null> => {
    if (waiting === 0) return null
    const server = await open(name, opening)
    // All agents have one account, which never plays against itself.
    const wait = { target: server.target(transport), count: waiting, accounts: 1 }
    const { rss, heap } = await server.weigh(load, wait)
    server.stop()
    return { rss: rss / 1024, heap: heap / 1024 }
  }
  try {
    const accounts = await load.ask<BenchAccount[]>('accounts', { count: 2 * pairs, transport })
    const host = await open('host', { accounts })
    const recording = await load.ask<Recording>('record', host.target(transport))
    const relay = await open('relay', { accounts, recording })
    const [ofHost, ofRelay] = await playInTurn(load, [host, relay], options)
    for (const server of [host, relay]) server.stop()
    const [hostMemory, relayMemory] = [
      await weigh('host', { accounts }),
      await weigh('relay', { accounts, recording }),
    ]
    const house = figures(ofHost!, hostMemory)
    return { ...options, pinned: canPin(), house, relay: figures(ofRelay!, relayMemory) }
  } finally {
    for (const helper of [load, ...servers]) helper.stop()
  }
}

const playInTurn = async (
  load: Helper,
  servers: readonly MeasuredServer[],
  { transport, pairs, stretch }: BenchOptions,
): Promise<readonly (readonly Round[])[]> => {
  const play = (server: MeasuredServer, warmUp: number, measured: number) =>
    server.play(load, {
      ...{ transport, pairs },
      ...{ warmUp: part(stretch, warmUp), stretch: part(stretch, measured) },
    })
  // Until the code that runs often has been compiled.
  for (const server of servers) await play(server, 3, 10)
  const seen: Round[][] = servers.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [i, server] of servers.entries())
      seen[i]!.push(await play(server, 4 * rounds, rounds))
  return seen
}

const part = (whole: Stretch, of: number): Stretch =>
  'seconds' in whole ? { seconds: whole.seconds / of } : { matches: Math.ceil(whole.matches / of) }

const figures = (seen: readonly Round[], waiting: Memory | null): Figures => {
  const medianOf = (value: (round: Round) => number) => median(seen.map(value))
  const spreadOf = (which: 'move' | 'result' | 'queued') => ({
    p50: medianOf(round => round[which].p50),
    p99: medianOf(round => round[which].p99),
  })
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
