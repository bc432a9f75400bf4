// A cap that is set in the environment has to arrive where it is kept: the real process, with caps of next to nothing.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import ssh2, { type ClientChannel } from 'ssh2'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { Host } from './testing/host.ts'

let host: Host
beforeAll(async () => {
  host = await Host.start({
    AGENTBBS_MAX_CONNECTIONS_PER_ACCOUNT: '2',
    AGENTBBS_MAX_MATCHES_PER_ACCOUNT: '1',
    AGENTBBS_MAX_MESSAGES: '1',
    AGENTBBS_MAX_TOO_FAST: '3',
    AGENTBBS_MAX_CHANNELS: '1',
    AGENTBBS_MAX_VISITS: '1',
    AGENTBBS_MAX_KEYS: '2',
    AGENTBBS_LOCKOUT_AFTER: '1',
    AGENTBBS_LOCKOUT_FIRST: '77',
    AGENTBBS_IDLE: '4',
    // So that the rest of the loopback range is the open internet.
    AGENTBBS_TRUSTED_PROXIES: '127.0.0.1',
  })
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

it('of messages a second, and of those beyond', async () => {
  const { token } = await host.account('bob')
  const agent = await host.agent(token, '').opened()
  for (let i = 0; i < 20; i++) agent.say({ type: 'ping' })
  expect(await agent.closed).toBe(1008)
  const codes = agent.heard.map(({ type, code }) => code ?? type)
  // A burst of five, and perhaps one more for a second that has gone by.
  expect(codes.filter(code => code === 'too-fast')).toHaveLength(4)
  expect(codes.filter(code => code === 'pong').length).toBeLessThan(10)
})

it('of sessions on one SSH connection', async () => {
  const { key } = await host.account('cat')
  const client = await dial('game', key)
  await exec(client, 'ttt')
  await expect(exec(client, 'ttt')).rejects.toThrow('Channel open failure')
})

it('of visits, of keys, and of the time without any', async () => {
  const { key } = await host.account('dan')
  const first = await sit(await dial('dan', key))
  const second = await sit(await dial('dan', key))
  expect(await second.over).toContain('You are here once already')
  // Sixteen seconds' worth may come at once.
  for (let times = 0; times < 4; times++) first.channel.write('?'.repeat(16))
  expect(await first.over).toContain('more than is taken at once')
  const third = await sit(await dial('dan', key))
  expect(await third.over).toContain('You were away for a while')
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
  expect(await knock()).toMatch(/try again in 7\d s/)
})

const dial = async (username: string, key: string): Promise<ssh2.Client> => {
  const client = new ssh2.Client()
  onTestFinished(() => void client.end())
  client.connect({
    host: '127.0.0.1',
    port: host.ssh,
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

/** At a terminal, once there is something on it; and all that was ever on it, in the end. */
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
