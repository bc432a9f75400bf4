import type { Memory, Spread } from './measure.ts'
import { absent, type BenchAccount, MeasuredServer } from './measured-server.ts'
import { canPin, Helper } from './process.ts'
import type { Seen } from './tally.ts'

/** What waiting agents cost, and what they do to agents that play. */
export interface Idle {
  readonly pinned: boolean
  readonly webSockets: WaitingAgents
  readonly ssh: WaitingAgents
  readonly play: {
    readonly without: Seen
    readonly with: Seen
    /** Of the event loop, while all waited and some played. */
    readonly delay: Spread
  }
}

interface WaitingAgents {
  readonly count: number
  /** Bytes of each. */
  readonly each: Memory
  /** How many were still connected at the end. */
  readonly waiting: number
}

const connectionsPerAccount = 8
const players = 32

export const benchIdle = async (
  count: { readonly ws: number; readonly ssh: number },
  seconds: number,
): Promise<Idle> => {
  const [load, ws, ssh] = [new Helper('load'), new Helper('load'), new Helper('load')]
  let server: MeasuredServer | null = null
  try {
    const own = await load.ask<BenchAccount[]>('accounts', { count: players, transport: 'ws' })
    const accounts = Math.ceil(Math.max(count.ws, count.ssh) / connectionsPerAccount)
    const crew = { count: accounts, transport: 'ssh', prefix: 'idle' }
    const others = await ssh.ask<BenchAccount[]>('accounts', crew)
    server = await MeasuredServer.open('host', { accounts: [...own, ...others] })
    const weigh = (helper: Helper, transport: 'ws' | 'ssh') => {
      const { port, tokens } = server!.addresses[transport]
      const target = { transport, port, tokens: tokens.slice(players) }
      return server!.weigh(helper, { target, count: count[transport], accounts, opponent: absent })
    }
    // First, in a process whose memory has held nothing else.
    const [eachWs, eachSsh] = [await weigh(ws, 'ws'), await weigh(ssh, 'ssh')]
    const [warmUp, stretch] = [{ seconds: seconds / 4 }, { seconds }]
    const play = { transport: 'ws', pairs: players / 2, warmUp, stretch } as const
    await server.play(load, play)
    await server.ask('delays')
    const beside = await server.play(load, play)
    const delay = await server.ask<Spread>('delays')
    const left = {
      ws: await ws.ask<number>('stillWaiting'),
      ssh: await ssh.ask<number>('stillWaiting'),
    }
    for (const helper of [ws, ssh]) await helper.ask('stopWaiting')
    const without = await server.play(load, play)
    return {
      pinned: canPin(),
      webSockets: { count: count.ws, each: eachWs, waiting: left.ws },
      ssh: { count: count.ssh, each: eachSsh, waiting: left.ssh },
      play: { without, with: beside, delay },
    }
  } finally {
    for (const helper of [server, load, ws, ssh]) helper?.stop()
  }
}
