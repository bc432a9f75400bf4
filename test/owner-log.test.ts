// The owner's log of a real host: what is in it for each protocol, and who can read it.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KeptEntry } from '../src/owner-log/read-log.ts'
import { Host } from './support/host.ts'
import { LoaAgent } from './support/loa-agent.ts'
import { McpAgent } from './support/mcp-agent.ts'
import { PlayAgent } from './support/play-agent.ts'
import type { ScriptedAgent } from './support/scripted-agent.ts'
import { SshAgent } from './support/ssh-agent.ts'
import { WebSocketAgent } from './support/websocket-agent.ts'

const names = ['ann', 'sue', 'web', 'post', 'eve'] as const
const accounts = {} as Record<(typeof names)[number], { key: string; token: string }>
const tokenOf = (name: (typeof names)[number]) => accounts[name].token
/** The key of an agent that has registered in League of Agents. */
let apiKey = ''
let host: Host

beforeAll(async () => {
  host = await Host.start({ AGENTBBS_REGISTRATION: 'open' })
  for (const name of names) accounts[name] = await host.account(name)
  await host.cli('set-owner', 'sue', 'ann')
  const response = await fetch(`http://127.0.0.1:${host.http}/loa/api/v1/agents`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'lea', description: '' }),
  })
  apiKey = ((await response.json()) as { apiKey: string }).apiKey
})
afterAll(() => host?.stop())

const ask = (query: string, token?: string) =>
  fetch(`http://127.0.0.1:${host.http}/api/v1/log${query}`, {
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  })

const entries = async (query: string, token: string): Promise<readonly KeptEntry[]> => {
  const response = await ask(query, token)
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const lines = (await response.text()).trimEnd().split('\n')
  return lines.filter(line => line !== '').map(line => JSON.parse(line))
}

/** Reads until an entry of this kind is there. */
const written = async (query: string, token: string, kind: string, count = 1) => {
  let read: readonly KeptEntry[] = []
  await expect
    .poll(
      async () => {
        read = await entries(query, token)
        return read.filter(entry => entry.kind === kind).length
      },
      { timeout: 10_000 },
    )
    .toBeGreaterThanOrEqual(count)
  return read
}

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(file => readFileSync(join(file.parentPath, file.name), 'utf8'))

/** Plays moves of tic-tac-toe in turn. */
const playOut = async (agents: readonly [ScriptedAgent, ScriptedAgent]) => {
  const hello = await Promise.all(agents.map(agent => agent.next('hello')))
  const bySeat = hello[0]!.player === 0 ? agents : ([agents[1], agents[0]] as const)
  for (const [turn, move] of ['0', '3', '1', '4', '2'].entries()) {
    const agent = bySeat[turn % 2]!
    while (!(await agent.next('state')).yourTurn);
    agent.say({ type: 'move', move })
  }
  await Promise.all(agents.map(agent => agent.next('result')))
  return hello[0]!.match as number
}

describe('a match of AgentGames', () => {
  let match = 0
  beforeAll(async () => {
    const { key } = accounts.sue
    const sue = new SshAgent(host.sshArgs(key, 'ttt'))
    await sue.next('queued')
    sue.write(`token ${tokenOf('sue')}`)
    await sue.next('error')
    const other = new WebSocketAgent(host.playUrl(`?game=ttt&token=${tokenOf('web')}`))
    await other.opened()
    other.say({ type: 'ping', token: tokenOf('web') })
    match = await playOut([sue, other])
    await Promise.all([sue.closed, other.closed])
  })

  it('is in the log by SSH, with each line, each move and its time', async () => {
    const log = await written('?agent=sue', tokenOf('sue'), 'closed')
    expect(log.slice(0, 2)).toMatchObject([
      { kind: 'opened', text: 'SSH, agentgames' },
      { kind: 'in', text: 'ttt' },
    ])
    expect(log.find(({ code }) => code === 'bad-message')!.text).toContain('this is not JSON')
    const moves = log.filter(({ kind }) => kind === 'move')
    expect(moves.length).toBeGreaterThanOrEqual(2)
    for (const move of moves) {
      expect(move).toMatchObject({ match, ms: expect.any(Number), ply: expect.any(Number) })
      const line = `{"type":"move","move":"${move.text}"}`
      expect(log.find(({ kind, text }) => kind === 'in' && text === line)).toMatchObject({ match })
    }
    expect(log.at(-1)).toMatchObject({ kind: 'closed', text: 'done' })
    const types = log.filter(({ kind }) => kind === 'out').map(({ text }) => JSON.parse(text!).type)
    expect(types).toEqual(expect.arrayContaining(['queued', 'hello', 'state', 'result']))
    expect(new Set(log.map(({ connection }) => connection)).size).toBe(1)
  })

  it('is in the log by WebSocket, and one match can be read alone', async () => {
    await written('', tokenOf('web'), 'closed')
    const log = await entries(`?match=${match}`, tokenOf('web'))
    expect(log[0]).toMatchObject({ kind: 'out', match })
    expect(JSON.parse(log[0]!.text!).type).toBe('hello')
    expect(log.every(entry => entry.match === match)).toBe(true)
    expect(log.some(({ text }) => text?.includes('"type":"result"'))).toBe(true)
    const [first, second] = log
    expect(await entries(`?match=${match}&after=${first!.id}&limit=1`, tokenOf('web'))).toEqual([
      second,
    ])
  })

  it('can be read by the agent and its owner alone', async () => {
    await written('?agent=sue', tokenOf('ann'), 'closed')
    const refusals = await Promise.all(
      [
        ask('?agent=sue', tokenOf('eve')),
        ask('?agent=ann', tokenOf('sue')),
        ask('?agent=unknown', tokenOf('eve')),
      ].map(async asked => {
        const response = await asked
        return [response.status, ((await response.json()) as { error: string }).error]
      }),
    )
    const refused = (name: string) => [
      404,
      `this token may not read a log of "${name}": give one of that agent, or of its owner`,
    ]
    expect(refusals).toEqual(['sue', 'ann', 'unknown'].map(refused))
    for (const token of [undefined, 'abbs_wrong']) {
      const response = await ask('?agent=sue', token)
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    }
    expect((await ask('?match=x', tokenOf('sue'))).status).toBe(400)
    expect((await ask('?match=999999', tokenOf('sue'))).status).toBe(404)
  })

  it('is shown by the command to the operator', async () => {
    const text = await host.cli('log', 'sue', '--match', String(match))
    expect(text).toMatch(/ {2}> \{"type":"move","move":"\d"\}\n/)
    expect(text).toMatch(/ {2}\* move \d was \d, after \d+ ms\n/)
    expect(JSON.parse(await host.cli('log', 'sue', '--json', '--limit', '1'))).toHaveLength(1)
    await expect(host.cli('log', 'unknown')).rejects.toThrow('no account is called unknown')
    await expect(host.cli('log', 'sue', '--match', '99999')).rejects.toThrow('there is no match')
  })
})

it('a match of League of Agents is in the log of an agent that came with an API key', async () => {
  const lea = await LoaAgent.as(apiKey, host.http, 1)
  const web = await LoaAgent.as(tokenOf('web'), host.http, 2)
  lea.say({ type: 'authenticate', token: apiKey })
  await lea.next('error')
  await Promise.all([lea.play('echo'), web.play('echo')])
  lea.webSocket.close()
  web.webSocket.close()
  const log = await written('', apiKey, 'closed')
  expect(log[0]).toMatchObject({ kind: 'opened', text: 'WebSocket, loa' })
  expect(log.find(({ text }) => text?.includes('"authenticate"'))!.text).toBe(
    '{"type":"authenticate","token":"…removed…"}',
  )
  expect(log.find(({ code }) => code === 'already-authenticated')!.kind).toBe('out')
  const moves = log.filter(({ kind }) => kind === 'move')
  expect(moves.length).toBeGreaterThan(0)
  expect(
    log.filter(({ text }) => text?.includes('"submit_move"')).map(({ match }) => match),
  ).toEqual(moves.map(({ match }) => match))
})

it('calls over HTTP are in the log, with their verbs and answers', async () => {
  const agent = new PlayAgent(host.http, tokenOf('post'))
  const first = await agent.join('ttt', { practice: true })
  await agent.ask('move', { seat: agent.seat, ply: first.ply, move: 'x', token: agent.token })
  await agent.move(first.ply + 90, '0')
  await agent.ask('leave', { seat: agent.seat })
  const log = await written('', tokenOf('post'), 'out', 4)
  expect(log.filter(({ kind }) => kind === 'in').map(({ verb }) => verb)).toEqual([
    ...['join', 'move', 'move', 'leave'],
  ])
  expect(log[0]).toMatchObject({ connection: 'http', verb: 'join' })
  expect(log.find(({ code }) => code === 'unreadable')).toMatchObject({ kind: 'out', verb: 'move' })
  expect(log.find(({ code }) => code === 'wrong-ply')).toMatchObject({ match: first.match })
})

it('calls over MCP are in the same log', async () => {
  const agent = new McpAgent(host.http, tokenOf('post'))
  await agent.join('c4', { practice: true })
  await agent.ask('leave', { seat: agent.seat })
  const log = await written('', tokenOf('post'), 'out', 6)
  const calls = log.filter(({ connection }) => connection === 'mcp')
  expect(calls.filter(({ kind }) => kind === 'in').map(({ verb }) => verb)).toEqual([
    ...['join', 'leave'],
  ])
  expect(JSON.parse(calls.at(-1)!.text!).status).toBe('over')
})

it('the page shows the log only with the token of the agent', async () => {
  const post = (fields: Record<string, string>, headers = {}) =>
    fetch(`http://127.0.0.1:${host.http}/log`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
    })
  const form = await (await fetch(`http://127.0.0.1:${host.http}/log`)).text()
  expect(form).toContain('<form class="filters" method="post" action="/log">')
  const shown = await post({ token: tokenOf('ann'), agent: 'sue', match: '' })
  const page = await shown.text()
  expect(shown.status).toBe(200)
  expect(shown.headers.get('set-cookie')).toBeNull()
  expect(shown.headers.get('cache-control')).toBe('no-store')
  expect(page).toContain('logged in: SSH, agentgames')
  expect(page).toContain('<tr class="bad">')
  expect(page).toContain('<details><summary>')
  expect(page).not.toContain(tokenOf('ann'))
  const statuses = await Promise.all(
    [
      post({ token: tokenOf('eve'), agent: 'sue' }),
      post({ token: 'abbs_wrong', agent: 'sue' }),
      post({ token: '', agent: 'sue' }),
      post({ token: tokenOf('ann'), agent: 'sue', match: 'x' }),
      post({ token: tokenOf('ann'), agent: 'sue', match: '99999' }),
      post({ token: tokenOf('ann'), agent: 'sue' }, { Origin: 'https://elsewhere.example' }),
    ].map(async asked => {
      const response = await asked
      expect(await response.text()).not.toContain('logged in')
      return response.status
    }),
  )
  expect(statuses).toEqual([404, 401, 401, 400, 404, 403])
})

it('no token and no key is in any file of the logs', () => {
  const files = filesOf(join(host.data, 'owner-log'))
  expect(files.length).toBeGreaterThanOrEqual(4)
  const secrets = [...names.map(tokenOf), apiKey]
  for (const file of files) for (const secret of secrets) expect(file).not.toContain(secret)
  expect(files.join('')).toContain('…removed…')
})

it('a crash loses a second at most, and a stop nothing', async () => {
  const before = host.agent(tokenOf('eve'), '?game=ttt')
  await before.next('queued')
  before.say({ type: 'ping' })
  await before.next('pong')
  await new Promise(resolve => setTimeout(resolve, 1_500))
  await host.kill()
  expect(await host.cli('log', 'eve')).toContain('> {"type":"ping"}')
  await host.serve()
  const after = host.agent(tokenOf('eve'), '?game=ttt')
  await after.next('queued')
  await host.terminate()
  const text = await host.cli('log', 'eve')
  expect(text).toContain('refused, shutting-down')
  expect(text.trimEnd().split('\n').at(-1)).toContain('connection ended')
})
