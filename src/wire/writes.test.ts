import { afterEach, beforeEach, expect, test } from 'vitest'
import { startHttpHost } from '../../test/support/http-host.ts'
import { followSockets } from '../../test/support/socket-traffic.ts'
import { SshHost } from '../../test/support/ssh-host.ts'

let traffic: ReturnType<typeof followSockets>
beforeEach(() => {
  traffic = followSockets()
})
afterEach(() => traffic.stop())

/** What is in a write to a WebSocket. */
const told = (bytes: string) => [
  ...(bytes.startsWith('HTTP/1.1 101') ? ['handshake'] : []),
  ...[...bytes.matchAll(/"type":"(\w+)"/g)].map(([, type]) => type),
  ...(bytes.endsWith('\x88\x02\x03\xe8') ? ['close'] : []),
]

test('over WebSocket the messages that start a match leave in one write, and those that end it', async () => {
  const host = await startHttpHost()
  for (const name of ['anna', 'bert']) host.register(name)
  const anna = host.dial('anna')
  await anna.next('queued')
  const bert = host.dial('bert')
  await Promise.all([anna.next('state'), bert.next('state')])
  bert.say({ type: 'resign' })
  await Promise.all([anna.closed, bert.closed])
  expect(traffic.sockets.map(({ writes }) => writes.map(told))).toEqual([
    [
      ['handshake', 'queued'],
      ['hello', 'state'],
      ['result', 'close'],
    ],
    [
      ['handshake', 'queued', 'hello', 'state'],
      ['result', 'close'],
    ],
  ])
  await host.close()
})

test('over SSH a chunk is answered in one write, and a match ends in one with the exit status', async () => {
  const host = await SshHost.open()
  const agents = ['anna', 'bert'].map(name => host.ssh(['-i', host.agent(name).key], 'ttt'))
  await Promise.all(agents.map(agent => agent.until('state')))
  for (const { reads, writes } of traffic.sockets) {
    // Unasked are the version of SSH, the match of the agent that waited, and the answer to a key that was looked up.
    expect(writes.length).toBeLessThanOrEqual(reads + 3)
  }
  for (const socket of traffic.sockets) socket.writes = []
  agents[0]!.send({ type: 'resign' })
  await Promise.all(agents.map(agent => agent.exit))
  expect(traffic.sockets.map(({ writes }) => writes.length)).toEqual([1, 1])
  await host.close()
})
