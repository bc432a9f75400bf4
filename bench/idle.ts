import { canPin, type Helper } from './helper.ts'
import type { Memory, Spread } from './measure.ts'
import { absent, type BenchAccount, newLoad, Server } from './server.ts'
import type { Seen } from './tally.ts'

/** What agents cost who only wait, and what they do to those who play. */
export interface Idle {
  readonly pinned: boolean
  readonly webSockets: Crowd
  readonly ssh: Crowd
  readonly play: {
    readonly without: Seen
    readonly with: Seen
    /** Of the event loop, while all waited and some played. */
    readonly delay: Spread
  }
}

interface Crowd {
  readonly count: number
  /** Bytes of each. */
  readonly each: Memory
  /** How many of them were still there at the end. */
  readonly waiting: number
}

/** How many connections an account has that waits. */
const perAccount = 8
const players = 32

export const benchIdle = async (
  count: { readonly ws: number; readonly ssh: number },
  seconds: number,
): Promise<Idle> => {
  const [load, crowds] = [newLoad(), { ws: newLoad(), ssh: newLoad() }]
  let server: Server | null = null
  try {
    const own = await load.ask<BenchAccount[]>('accounts', { count: players, transport: 'ws' })
    const others = await accountsFor(crowds.ssh, Math.max(count.ws, count.ssh))
    server = await Server.open('house', [...own, ...others])
    const play = {
      transport: 'ws',
      pairs: players / 2,
      warmUp: { seconds: seconds / 4 },
      stretch: { seconds },
    } as const
    const wait = { accounts: others.length, opponent: absent }
    // First of all, in a process whose memory has held nothing else.
    const weigh = (transport: 'ws' | 'ssh') =>
      server!.weigh(crowds[transport], { ...wait, count: count[transport] }, transport, players)
    const each = { ws: await weigh('ws'), ssh: await weigh('ssh') }
    await server.play(load, play)
    await server.ask('delays')
    const beside = await server.play(load, play)
    const delay = await server.ask<Spread>('delays')
    const waiting = {
      ws: await crowds.ws.ask<number>('stillWaiting'),
      ssh: await crowds.ssh.ask<number>('stillWaiting'),
    }
    for (const crowd of [crowds.ws, crowds.ssh]) await crowd.ask('stopWaiting')
    const without = await server.play(load, play)
    return {
      pinned: canPin(),
      webSockets: { count: count.ws, each: each.ws, waiting: waiting.ws },
      ssh: { count: count.ssh, each: each.ssh, waiting: waiting.ssh },
      play: { without, with: beside, delay },
    }
  } finally {
    server?.stop()
    for (const helper of [load, crowds.ws, crowds.ssh]) helper.stop()
  }
}

const accountsFor = (helper: Helper, connections: number): Promise<BenchAccount[]> => {
  const count = Math.ceil(connections / perAccount)
  return helper.ask('accounts', { count, transport: 'ssh', prefix: 'idle' })
}
