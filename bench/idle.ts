import { countsOf, valuesOf } from './compare.ts'
import { accountsForSeconds, accountsForWaiting, Load, type Play, sshSettings } from './load.ts'
import { bar, figuresOf, type Measured, medianOf, type Values } from './measure.ts'
import { pinLoad, type Server, withHost, withRelay } from './server.ts'

/** What waiting agents cost, and what they do to agents that play: so many on WebSocket, and a fifth of that on SSH. */
export const benchIdle = async (count: number, seconds: number) => {
  const onSsh = Math.ceil(count / 5)
  const play: Play = { transport: 'ws', pairs: 16, warmUp: seconds, seconds, rounds: 3 }
  const accounts = accountsForSeconds('ws', 8 * seconds) + accountsForWaiting(count)
  const load = new Load(accounts, Math.max(2, accountsForWaiting(onSsh)))
  // They all wait until the end, however long it takes to connect them.
  const settings = { ...sshSettings, AGENTBBS_GAME_QUEUE_WAIT: '86400' }
  const weigh = async (server: Server) => ({
    ws: await load.weigh(server, 'ws', count),
    ssh: await load.weigh(server, 'ssh', onSsh),
  })
  const seen = await withHost({ accounts: load.accounts, settings }, async host => {
    // First, in a process whose memory has held nothing else.
    const each = await weigh(host)
    await host.ask('delays')
    const beside = await load.play(host, play)
    const delay = await host.ask<Values>('delays')
    const waiting = { ws: load.waiting('ws'), ssh: load.waiting('ssh') }
    await load.stopWaiting()
    const without = await load.play(host, play)
    return { each, beside, delay, waiting, without, recording: await load.record(host, 'ws') }
  })
  const relay = await withRelay(seen.recording, async relay => {
    const each = await weigh(relay)
    await load.stopWaiting()
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
