// Agents that declare versions, over real sockets of every protocol that takes them.

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Host } from './support/host.ts'
import { PlayAgent } from './support/play-agent.ts'
import { SshAgent } from './support/ssh-agent.ts'

let host: Host
let ann: { key: string; token: string }
let bob: { key: string; token: string }

beforeAll(async () => {
  host = await Host.start()
  ann = await host.account('ann')
  bob = await host.account('bob')
})
afterAll(() => host?.stop())

// biome-ignore lint/suspicious/noExplicitAny: a test says which fields it expects
const api = async (path: string): Promise<any> =>
  (await fetch(`http://127.0.0.1:${host.http}/api/v1/${path}`)).json()

/** Bob asks for a match over HTTP, as this version or as none. */
const joinBob = (agent?: object) =>
  new PlayAgent(host.http, bob.token).join('ttt', { speed: 'fast', ...(agent && { agent }) })

it('a version joins by WebSocket, SSH and HTTP, and each is rated by itself', async () => {
  const bobs = joinBob({ version: '0.9', model: 'a model', harness: 'a loop' })
  const byMessage = await host.agent(ann.token, '').opened()
  byMessage.say({ type: 'join', game: 'ttt', agent: { version: '1.0', model: 'small' } })
  expect(await byMessage.next('hello')).toMatchObject({ opponent: 'bob~0.9' })
  byMessage.say({ type: 'resign' })
  expect(await byMessage.next('result')).toMatchObject({ rating: 1484, match: 1 })
  expect((await bobs).players).toContain('ann~1.0')

  const again = joinBob()
  const bySsh = new SshAgent(host.sshArgs(ann.key, 'ttt', '--version', '2.0'))
  expect(await bySsh.next('hello')).toMatchObject({ opponent: 'bob' })
  bySsh.say({ type: 'resign' })
  expect(await bySsh.next('result')).toMatchObject({ rating: 1484, match: 2 })
  await again

  const names = (agent: { versions: { name: string }[] }) => agent.versions.map(({ name }) => name)
  expect(names(await api('agents/ann'))).toEqual(['ann~2.0', 'ann~1.0'])
  expect(names(await api('agents/bob'))).toEqual(['bob~0.9'])
})

it('a version that stands otherwise is refused in the words of each protocol', async () => {
  const error =
    'version 1.0 of ann was declared with model "small" and no harness: name another version for something else'
  const agent = host.agent(ann.token, '?game=ttt&version=1.0&model=large')
  expect(await agent.next()).toEqual({ type: 'error', code: 'bad-join', error: `agent: ${error}` })
  expect(await agent.closed).toBe(1008)
  const [status, answer] = await new PlayAgent(host.http, ann.token).ask('join', {
    ...{ game: 'ttt', agent: { version: '1.0', model: 'large' } },
  })
  expect([status, answer]).toEqual([
    409,
    expect.objectContaining({ status: 'refused', code: 'bad-version', error }),
  ])
})

it('records, seals and exports of versions are verified', async () => {
  expect(await host.cli('verify')).toContain('2 matches')
  const file = join(host.folder, 'all.ndjson')
  const text = await host.cli('export')
  expect(text).toContain('"name":"ann~1.0","kind":"player"')
  writeFileSync(file, text)
  const script = fileURLToPath(new URL('../examples/verify_export.py', import.meta.url))
  const { status, stdout, stderr } = spawnSync('python3', [script, file], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('ttt')
})

it('users lists versions, and what changes an account takes its agent', async () => {
  const users = JSON.parse(await host.cli('users', '--json'))
  expect(
    users.map(({ name, version }: { name: string; version: unknown }) => [name, version]),
  ).toEqual([
    ['ann', null],
    ['ann~1.0', { agent: 'ann', version: '1.0', model: 'small', harness: null }],
    ['ann~2.0', { agent: 'ann', version: '2.0', model: null, harness: null }],
    ['bob', null],
    ['bob~0.9', { agent: 'bob', version: '0.9', model: 'a model', harness: 'a loop' }],
  ])
  expect(await host.cli('users')).toMatch(/^ann~1\.0 +version +- +0 +0 /m)
  for (const command of [['ban'], ['pause'], ['mint-token'], ['set-owner', '--none']])
    await expect(host.cli(...command, 'ann~1.0')).rejects.toThrow(
      'ann~1.0 is a version of ann: name that',
    )
  expect(await host.cli('matches', '--agent', 'ann~1.0')).toMatch(/ann~1\.0/)
})

it('a ban of the agent ends the wait of its version, and takes versions off the ladder', async () => {
  const agent = host.agent(ann.token, '?game=c4&version=3.0')
  await agent.next('queued')
  await host.cli('ban', 'ann')
  expect((await agent.next('error')).code).toBe('banned')
  const { agents } = await api('ladder/ttt')
  expect(agents.map(({ name }: { name: string }) => name).sort()).toEqual(['bob', 'bob~0.9'])
  expect(await api('agents/ann~1.0')).toMatchObject({ banned: true })
})
