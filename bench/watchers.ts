import type { BenchAccount } from './account.ts'
import { canPin, Helper } from './helper.ts'
import { median } from './median.ts'
import { loadCore, type Round, Server } from './server.ts'
import type { Spread } from './tally.ts'

/** What those who watch one match do to the moves of all others. */
export interface Watching {
  readonly pairs: number
  readonly watchers: number
  readonly pinned: boolean
  readonly alone: Spread
  readonly watched: Spread
  /** What the watchers were sent, in MB a second. */
  readonly sent: number
  /** How many still watched at the end. */
  readonly watching: number
}

const rounds = 5

export const benchWatchers = async (
  watchers: number,
  pairs: number,
  seconds: number,
): Promise<Watching> => {
  const load = new Helper('load', loadCore)
  // Behind the other, which measures: only the server is to feel who watches.
  const crowd = new Helper('crowd', loadCore, 'behind')
  let server: Server | null = null
  try {
    const count = 2 * pairs + 2
    const accounts = await load.ask<BenchAccount[]>('accounts', { count, transport: 'ws' })
    server = await Server.open('house', accounts)
    const { port, tokens } = server.target('ws')
    await crowd.ask('play', { port, tokens: tokens.slice(-2) })
    const stretch = { seconds: seconds / rounds / 2 }
    const play = { transport: 'ws', pairs, warmUp: { seconds: 1 }, stretch } as const
    const seen: Record<'alone' | 'watched', Round[]> = { alone: [], watched: [] }
    let [bytes, watching] = [0, 0]
    await server.play(load, play)
    for (let round = 0; round < rounds; round++) {
      seen.alone.push(await server.play(load, play))
      await crowd.ask('watch', { port, count: watchers })
      seen.watched.push(await server.play(load, play))
      const read = await crowd.ask<{ bytes: number; watching: number }>('read')
      bytes += read.bytes
      watching = read.watching
      await crowd.ask('watch', { port, count: 0 })
    }
    const measured = rounds * (stretch.seconds + 1)
    return {
      pairs,
      watchers,
      pinned: canPin(),
      alone: middle(seen.alone),
      watched: middle(seen.watched),
      sent: bytes / measured / 1e6,
      watching,
    }
  } finally {
    server?.stop()
    load.stop()
    crowd.stop()
  }
}

const middle = (rounds: readonly Round[]): Spread => ({
  p50: median(rounds.map(round => round.move.p50)),
  p99: median(rounds.map(round => round.move.p99)),
})
