// Each limit has to arrive where it is enforced: the real process, with limits of next to nothing.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import ssh2, { type ClientChannel } from 'ssh2'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { Host } from './support/host.ts'

let host: Host
beforeAll(async () => {
  host = await Host.start(
    {
      AGENTBBS_MAX_CONNECTIONS_PER_ACCOUNT: '2',
      AGENTBBS_MAX_MATCHES_PER_ACCOUNT: '1',
      // So that all other loopback addresses count as the internet.
      AGENTBBS_TRUSTED_PROXIES: '127.0.0.1',
    },
    {
      constants: {
        limits: {
          messages: 1,
          tooFast: 3,
          channels: 1,
          hubSessions: 1,
          inputRate: 2,
          lockoutAfter: 1,
          lockoutFirst: 77_000,
        },
      },
    },
  )
})
afterAll(() => host.stop())

it('of seats and connections of an account', async () => {
  const { token } = await host.account('ann')
  await host.agent(token, '?game=ttt').next('queued')
  const second = host.agent(token, '?game=c4')
  expect(await second.next()).toMatchObject({ code: 'too-many-matches' })
  expect(await second.closed).toBe(1008)
  const [, third] = [host.agent(token, ''), host.agent(token, '')]
  const [, response] = await once(third.webSocket, 'unexpected-response')
  expect(response.statusCode).toBe(429)
})

it('of messages a second, and of messages beyond that', async () => {
  const { token } = await host.account('bob')
  const agent = await host.agent(token, '').opened()
  for (let i = 0; i < 20; i++) agent.say({ type: 'ping' })
  expect(await agent.closed).toBe(1008)
  const codes = agent.heard.map(({ type, code }) => code ?? type)
  // A burst of five, and one more for each second that passes; with default limits all 20 are answered.
  expect(codes.slice(0, 5)).toEqual(Array(5).fill('pong'))
  expect(codes.filter(code => code === 'too-fast')).toHaveLength(4)
})

it('of sessions on one SSH connection', async () => {
  const { key } = await host.account('cat')
  const client = await dial('game', key)
  await exec(client, 'ttt')
  await expect(exec(client, 'ttt')).rejects.toThrow('Channel open failure')
})

it('of hub sessions and of input', async () => {
  const { key } = await host.account('dan')
  const first = await sit(await dial('dan', key))
  const second = await sit(await dial('dan', key))
  expect(await second.over).toContain('You have 1 hub session already')
  // The burst is the input of sixteen seconds.
  for (let times = 0; times < 4; times++) first.channel.write('?'.repeat(16))
  expect(await first.over).toContain('more than is taken at once')
})

it('of the time before authentication', async () => {
  const quiet = await Host.start({}, { constants: { idle: 1_000 } })
  onTestFinished(() => quiet.stop())
  const { key } = await quiet.account('dan')
  const { over } = await sit(await dial('dan', key, quiet))
  expect(await over).toContain('This session was idle for too long')
})

it('of failed logins', async () => {
  const { key } = await host.account('eve')
  const knock = () =>
    new Promise<string>(resolve => {
      const args = ['-b', '127.0.0.7', ...host.sshArgs(key, 'whist')]
      execFile('ssh', args, (_, stdout, stderr) => resolve(stdout + stderr))
    })
  expect(await knock()).toContain('unknown-game')
  await once(new WebSocket(host.playUrl('?token=guess'), { localAddress: '127.0.0.7' }), 'error')
  const [, seconds] = /try again in (\d+) s/.exec(await knock()) ?? []
  // Some of them may have gone by; by default it would be 30.
  expect(Number(seconds)).toBeGreaterThan(30)
  expect(Number(seconds)).toBeLessThanOrEqual(77)
})

const dial = async (username: string, key: string, to = host): Promise<ssh2.Client> => {
  const client = new ssh2.Client()
  onTestFinished(() => void client.end())
  client.connect({
    host: '127.0.0.1',
    port: to.ssh,
    username,
    privateKey: readFileSync(key),
  })
  await once(client, 'ready')
  client.on('error', () => {})
  return client
}

const exec = (client: ssh2.Client, command: string) =>
  new Promise<ClientChannel>((resolve, reject) => {
    client.exec(command, (error, channel) => (error ? reject(error) : resolve(channel)))
  })

/** Opens a terminal, and returns all of its output at the end. */
const sit = (client: ssh2.Client) =>
  new Promise<{ channel: ClientChannel; over: Promise<string> }>((resolve, reject) => {
    client.shell({ term: 'xterm', cols: 80, rows: 24 }, (error, channel) => {
      if (error) return reject(error)
      let seen = ''
      for (const stream of [channel, channel.stderr])
        stream.on('data', (chunk: Buffer) => {
          seen += chunk
        })
      const over = once(channel, 'close').then(() => seen)
      void Promise.race([once(channel, 'data'), once(channel.stderr, 'data')]).then(() =>
        resolve({ channel, over }),
      )
    })
  })
