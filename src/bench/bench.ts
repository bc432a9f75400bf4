import { Helper } from './helper.ts'
import type { Stretch, Target, Transport } from './load.ts'
import type { Seen, Spread } from './tally.ts'
import type { Memory } from './usage.ts'

export interface BenchOptions {
  readonly transport: Transport
  readonly pairs: number
  /** In all, for each of the two servers. */
  readonly stretch: Stretch
  /** Connections to open for the figure of memory. */
  readonly waiting: number
}

/** What one server did under load. */
export interface Figures extends Omit<Seen, 'seconds' | 'matches' | 'moves'> {
  readonly matchesPerSecond: number
  readonly movesPerSecond: number
  /** Seconds of the server's processor for 1,000 matches. */
  readonly cpuPer1000: number
  /** KiB for each agent that waits. */
  readonly waitingRss: number
  readonly waitingHeap: number
}

/** The house, and beside it a relay over the same transport that plays no game and keeps nothing. */
export interface Comparison {
  readonly options: BenchOptions
  readonly matches: number
  readonly house: Figures
  readonly relay: Figures
}

const rounds = 5
const warmUp: Stretch = { seconds: 1 }
