import { countsOf, valuesOf } from './compare.ts'
import { newAccounts } from './data-folder.ts'
import { accountsFor, fastest, Load, type Play, sshSettings, waitingPerAccount } from './load.ts'
import { bar, figuresOf, type Measured, medianOf, type Values } from './measure.ts'
import { pinLoad, type Server, withHost, withRelay } from './server.ts'

/** What waiting agents cost, and what they do to agents that play: so many on WebSocket, and a fifth of that on SSH. */
export const benchIdle = async (count: number, seconds: number) => {
  const onSsh = Math.ceil(count / 5)
  const play: Play = { transport: 'ws', pairs: 16, warmUp: seconds, seconds, rounds: 3 }
  const waiters = Math.ceil(count / waitingPerAccount)
  const accounts = newAccounts(accountsFor(fastest.ws * 8 * seconds) + waiters, waiters)
  const load = new Load(accounts)
  // They all wait until the end, however long it takes to connect them.
  const settings = { ...sshSettings, AGENTBBS_GAME_QUEUE_WAIT: '86400' }
  const weigh = async (server: Server) => {
    const [ws, ssh] = [new Load(accounts), new Load(accounts)]
    const each = {
      ws: await ws.weigh(server, 'ws', count),
      ssh: await ssh.weigh(server, 'ssh', onSsh),
    }
    return { each, ws, ssh, stop: () => Promise.all([ws.stop(), ssh.stop()]) }
  }
  const seen = await withHost({ accounts, settings }, async host => {
    // First, in a process whose memory has held nothing else.
    const { each, ws, ssh, stop } = await weigh(host)
    await host.ask('delays')
    const beside = await load.play(host, play)
    const delay = await host.ask<Values>('delays')
    const waiting = { ws: ws.size, ssh: ssh.size }
    await stop()
    const without = await load.play(host, play)
    return { each, beside, delay, waiting, without, recording: await load.record(host, 'ws') }
  })
  const relay = await withRelay(seen.recording, async relay => {
    const { each, stop } = await weigh(relay)
    await stop()
    return each
  })
  const figures = [
    ...figuresOf('waiting.ws', [seen.each.ws], [relay.ws]),
    ...figuresOf('waiting.ssh', [seen.each.ssh], [relay.ssh]),
    ...figuresOf('with.delay', [seen.delay]),
    ...figuresOf('with', valuesOf(seen.beside)),
    ...figuresOf('without', valuesOf(seen.without)),
  ]
  return {
    ...{ pinned: pinLoad(), settings, seconds, asked: { ws: count, ssh: onSsh } },
    // Still connected at the end.
    ...{ waiting: seen.waiting, ...countsOf([...seen.beside, ...seen.without]) },
    figures,
    bars: [
      bar('waiting.ws.rss', medianOf(figures, 'waiting.ws.rss'), 6_700),
      bar('waiting.ssh.rss', medianOf(figures, 'waiting.ssh.rss'), 25_600),
    ],
  } satisfies Measured
}
