import { accountsFor, Load, loadSettings, type Play, waitingPerAccount } from './load.ts'
import { bar, type Spread } from './measure.ts'
import { pinLoad, withServer } from './server.ts'

/** What waiting agents cost, and what they do to agents that play. */
export type Idle = Awaited<ReturnType<typeof benchIdle>>

/** So many agents wait on WebSocket, and a fifth of that on SSH, for an account that does not come. */
export const benchIdle = (count: number, seconds: number) => {
  const onSsh = Math.ceil(count / 5)
  const stretch = { seconds }
  const play: Play = { transport: 'ws', pairs: 16, warmUp: stretch, stretch }
  const load = new Load(
    Math.max(
      accountsFor('ws', stretch, stretch, stretch, stretch),
      Math.ceil(count / waitingPerAccount),
    ),
    Math.ceil(onSsh / waitingPerAccount),
  )
  // They all wait until the end, however long it takes to connect them.
  const settings = { ...loadSettings('ssh'), AGENTBBS_GAME_QUEUE_WAIT: '86400' }
  return withServer('host', { accounts: load.accounts, settings }, async host => {
    // First, in a process whose memory has held nothing else.
    const ws = await load.weigh(host, 'ws', count)
    const ssh = await load.weigh(host, 'ssh', onSsh)
    await host.ask('delays')
    const beside = await load.play(host, play)
    const delay = await host.ask<Spread>('delays')
    const waiting = { ws: load.waiting('ws'), ssh: load.waiting('ssh') }
    await load.stopWaiting()
    const without = await load.play(host, play)
    return {
      ...{ pinned: pinLoad(), settings },
      webSockets: { count, each: ws, waiting: waiting.ws },
      ssh: { count: onSsh, each: ssh, waiting: waiting.ssh },
      // `delay`: of the event loop, while all waited and some played.
      play: { without, with: beside, delay },
      bars: [bar('webSockets.each.rss', ws.rss, 6_700), bar('ssh.each.rss', ssh.rss, 25_600)],
    }
  })
}
