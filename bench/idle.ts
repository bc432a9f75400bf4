import { type Bar, bar } from './bar.ts'
import { accountsFor, Load, loadSettings, type Play, waitingPerAccount } from './load.ts'
import type { Memory, Spread } from './measure.ts'
import { pinLoad, withServer } from './server.ts'
import type { Seen } from './tally.ts'

/** What waiting agents cost, and what they do to agents that play. */
export interface Idle {
  readonly pinned: boolean
  /** Settings of the host that were not at their defaults. */
  readonly settings: Readonly<Record<string, string>>
  readonly webSockets: WaitingAgents
  readonly ssh: WaitingAgents
  readonly play: {
    readonly without: Seen
    readonly with: Seen
    /** Of the event loop, while all waited and some played. */
    readonly delay: Spread
  }
  readonly bars: readonly Bar[]
}

interface WaitingAgents {
  readonly count: number
  /** Bytes of each. */
  readonly each: Memory
  /** How many were still connected at the end. */
  readonly waiting: number
}

/** So many agents wait on WebSocket, and a fifth of that on SSH, for an account that does not come. */
export const benchIdle = (count: number, seconds: number): Promise<Idle> => {
  const counts = { ws: count, ssh: Math.ceil(count / 5) }
  const stretch = { seconds }
  const play: Play = { transport: 'ws', pairs: 16, warmUp: stretch, stretch }
  const accounts = accountsFor('ws', stretch, stretch, stretch, stretch)
  const keys = Math.ceil(counts.ssh / waitingPerAccount)
  const load = new Load(Math.max(accounts, Math.ceil(count / waitingPerAccount)), keys)
  // They all wait until the end, however long it takes to connect them.
  const settings = { ...loadSettings('ssh'), AGENTBBS_GAME_QUEUE_WAIT: '86400' }
  return withServer('host', { accounts: load.accounts, settings }, async host => {
    // First, in a process whose memory has held nothing else.
    const [ws, ssh] = [
      await load.weigh(host, 'ws', counts.ws),
      await load.weigh(host, 'ssh', counts.ssh),
    ]
    await host.ask('delays')
    const beside = await load.play(host, play)
    const delay = await host.ask<Spread>('delays')
    const left = { ws: load.waiting('ws'), ssh: load.waiting('ssh') }
    await load.stopWaiting()
    const without = await load.play(host, play)
    return {
      ...{ pinned: pinLoad(), settings },
      webSockets: { count: counts.ws, each: ws, waiting: left.ws },
      ssh: { count: counts.ssh, each: ssh, waiting: left.ssh },
      play: { without, with: beside, delay },
      bars: [bar('webSockets.each.rss', ws.rss, 6_700), bar('ssh.each.rss', ssh.rss, 25_600)],
    }
  })
}
