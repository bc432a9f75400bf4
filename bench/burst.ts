import type { BenchAccount } from './account.ts'
import { canPin, Helper } from './helper.ts'
import { median } from './median.ts'
import { loadCore, type Round, Server } from './server.ts'
import type { Spread } from './tally.ts'

export interface BurstOptions {
  readonly pairs: number
  /** For play with logins and for play without, in all. */
  readonly stretch: { readonly seconds: number }
}

/** What logins by SSH do to moves by WebSocket. */
export interface Burst extends BurstOptions {
  readonly pinned: boolean
  readonly loginsPerSecond: number
  readonly quiet: { readonly move: Spread }
  readonly burst: { readonly move: Spread }
}

const loginsPerSecond = 50
const rounds = 5

export const benchBurst = async ({ pairs, stretch }: BurstOptions): Promise<Burst> => {
  const load = new Helper('load', loadCore)
  // Behind the other, which measures: only the server is to feel the logins.
  const strangers = new Helper('load', loadCore, 'behind')
  let server: Server | null = null
  try {
    const crowd = { count: 2 * pairs, transport: 'ws' } as const
    const accounts = await load.ask<BenchAccount[]>('accounts', crowd)
    await strangers.ask('accounts', { count: 1, transport: 'ssh' })
    server = await Server.open('house', accounts)
    const { port } = server.target('ssh')
    const seconds = stretch.seconds / rounds
    const play = {
      transport: 'ws',
      pairs,
      warmUp: { seconds: seconds / 2 },
      stretch: { seconds },
    } as const
    const seen: Record<'quiet' | 'burst', Round[]> = { quiet: [], burst: [] }
    await server.play(load, play)
    for (let round = 0; round < rounds; round++) {
      seen.quiet.push(await server.play(load, play))
      await strangers.ask('logIns', { port, perSecond: loginsPerSecond })
      seen.burst.push(await server.play(load, play))
      await strangers.ask('logIns', { port, perSecond: 0 })
    }
    const move = (rounds: readonly Round[]): Spread => ({
      p50: median(rounds.map(round => round.move.p50)),
      p99: median(rounds.map(round => round.move.p99)),
    })
    return {
      pairs,
      stretch,
      pinned: canPin(),
      loginsPerSecond,
      quiet: { move: move(seen.quiet) },
      burst: { move: move(seen.burst) },
    }
  } finally {
    server?.stop()
    load.stop()
    strangers.stop()
  }
}
