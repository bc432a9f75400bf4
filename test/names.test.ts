// An account whose name has spaces and dots, on every face of the real host.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Host } from './support/host.ts'
import { SshAgent } from './support/ssh-agent.ts'
import type { WebSocketAgent } from './support/websocket-agent.ts'

const name = 'Dr. Deep Blue 2'
const word = 'dr-deep_blue.2'
const asked = 'Dr._Deep_Blue_2'

let host: Host
let page: (path: string) => Promise<string>
let doctor: { key: string; token: string }
let bob: { key: string; token: string }

beforeAll(async () => {
  host = await Host.start({ AGENTBBS_REGISTRATION: 'open' })
  page = async path => {
    const answer = await fetch(`http://127.0.0.1:${host.http}${path}`)
    expect(answer.status).toBe(200)
    return answer.text()
  }
  ;[doctor, bob] = await Promise.all([host.account(name), host.account('bob')])
  // Match 1, which is rated.
  const first = host.agent(doctor.token, '?game=chess')
  await first.next('queued')
  const second = new SshAgent(host.sshArgs(bob.key, 'chess'))
  expect(await second.next('hello')).toMatchObject({ opponent: name, rated: true })
  await first.next('state')
  first.say({ type: 'resign' })
  await second.next('result')
  expect([await first.closed, await second.closed]).toEqual([1000, 0])
})
afterAll(() => host.stop())

describe('an opponent is named', () => {
  it.each([
    ['in quotes, for a client that keeps them', ['ttt', '--opponent', `"${name}"`]],
    ['in quotes after an equals sign', ['ttt', `--opponent='${name}'`]],
    ['by underscores', ['ttt', '--opponent', asked]],
  ])('%s', async (_, command) => {
    const agent = new SshAgent(host.sshArgs(bob.key, ...command))
    await agent.next('queued')
    const other = await host.agent(doctor.token, '').opened()
    other.say({ type: 'join', game: 'ttt', opponent: 'BOB' })
    expect(await agent.next('hello')).toMatchObject({ opponent: name })
    other.webSocket.close()
    expect(await agent.next('result')).toMatchObject({ reason: 'forfeit: connection closed' })
    await agent.closed
  })

  it('and no other, where two pairs of names read the same in a row', async () => {
    const pairs = [
      ['xx', 'yy zz'],
      ['xx yy', 'zz'],
      ['zz', 'xx yy'],
    ] as const
    const accounts = await Promise.all(
      ['yy zz', ...pairs.map(([own]) => own)].map(own => host.account(own)),
    )
    const agents: WebSocketAgent[] = []
    for (const [n, [, opponent]] of pairs.entries()) {
      const query = new URLSearchParams({ game: 'ttt', opponent })
      agents.push(host.agent(accounts[n + 1]!.token, `?${query}`))
      await agents[n]!.next('queued')
    }
    expect(await agents[2]!.next('hello')).toMatchObject({ opponent: 'xx yy' })
    for (const agent of agents) agent.webSocket.close()
  })

  it('wrongly, and the right name is suggested', async () => {
    const agent = new SshAgent(host.sshArgs(bob.key, 'ttt', '--opponent', 'Dr._Deep_Blue'))
    expect(await agent.next()).toMatchObject({
      error: `opponent: no account is called "Dr._Deep_Blue" (did you mean ${name}?)`,
    })
  })
})

describe('the name is shown', () => {
  it('on pages, with links that are addresses', async () => {
    const path = '/agent/Dr.%20Deep%20Blue%202'
    const link = `<a href="${path}">${name}</a>`
    expect(await page('/match/1')).toContain(link)
    expect(await page('/agent/bob')).toContain(link)
    expect(await page('/agent/bob')).toContain('href="?against=Dr.%20Deep%20Blue%202#matches"')
    for (const address of [path, `/agent/${asked}`])
      expect(await page(address)).toMatch(`<h1>${name}`)
    expect(await page(`/agent/bob?against=${encodeURIComponent(name)}`)).toContain('/match/1"')
  })

  it('on ladders, where any way to write it finds it', async () => {
    for (const search of ['deep blue', 'deep-blue', 'DR._deep'])
      expect(await page(`/ladder/chess?q=${encodeURIComponent(search)}`)).toContain(`>${name}</a>`)
    expect(await page('/ladder/chess?q=deepblue')).not.toContain(`>${name}</a>`)
    // The first fit comes 5 s after the start, on a busy machine before this.
    const row = new RegExp(`  ${name}  +(\\d+ ± \\d+  +)?1484`)
    expect(await host.cli('ladder', 'chess')).toMatch(row)
  })

  it('in the API', async () => {
    const agent = JSON.parse(await page('/api/v1/agents/dr.%20deep%20blue%202'))
    expect(agent).toMatchObject({ name })
    const { matches } = JSON.parse(await page('/api/v1/matches?agent=Dr.+Deep+Blue+2&game=chess'))
    expect(matches).toHaveLength(1)
  })

  it('in PGN, which other programs read', async () => {
    const pgn = await page('/api/v1/matches/1/pgn')
    expect(pgn).toContain(`"${name}"]\n`)
    if (!existsSync(pgnExtract)) return
    const reading = promisify(execFile)(pgnExtract, ['-s'])
    reading.child.stdin!.end(pgn)
    expect((await reading).stdout).toContain(`"${name}"]\n`)
  })

  it('in the log, as one field', async () => {
    expect(host.said).toContain(`"account":"${name}"`)
  })

  it('by commands, for any way to write it', async () => {
    expect(await host.cli('users')).toMatch(new RegExp(`^${name}  player`, 'm'))
    expect(await host.cli('matches', '--agent', word.replace('dr-', 'dr. '))).toContain(name)
    expect(await host.cli('ban', asked)).toBe(`${name} is banned.\n`)
    expect(await host.cli('unban', name)).toContain(name)
    expect(await host.cli('audit', '--target', name)).toMatch(/unban +Dr\. Deep Blue 2/)
    expect(await host.cli('add-user', 'My Agent')).toContain('mint-token My_Agent, or')
  })

  it('in the hub, to its commands', async () => {
    const ssh = async (user: string, ...command: string[]) => {
      const args = host.sshArgs(doctor.key).slice(0, -1)
      return (await promisify(execFile)('ssh', [...args, `${user}@127.0.0.1`, ...command])).stdout
    }
    for (const user of [name, asked]) expect(await ssh(user, 'whoami')).toBe(`${name}\n`)
    expect(await ssh('guest', 'matches', '--agent', `"${name}"`)).toContain(name)
    expect(await ssh(asked, 'unpause', asked)).toBe(`${name} was not paused.\n`)
  })
})

describe('a name that begins like an option, with two spaces in a row', () => {
  const odd = '-.Max  Power'

  it('is found on its page, and by commands', async () => {
    const { key } = await host.account(odd)
    const path = `/agent/${encodeURIComponent(odd)}`
    for (const address of [path, '/agent/__max_power', '/agent/-.Max%20Power'])
      expect(await page(address)).toContain(`<h1>${odd}`)
    expect(JSON.parse(await page(`/api/v1${path.replace('agent', 'agents')}`)).name).toBe(odd)
    expect(await host.cli('pause', '__Max_Power')).toContain(`${odd} is paused`)
    expect(await host.cli('unpause', '--', odd)).toContain(odd)
    // OpenSSH takes no user name that begins like an option.
    const args = [...host.sshArgs(key).slice(0, -1), '__Max_Power@127.0.0.1', 'whoami']
    expect((await promisify(execFile)('ssh', args)).stdout).toBe(`${odd}\n`)
  })

  it('cannot be made twice', async () => {
    await expect(host.cli('add-user', '_-max power')).rejects.toMatchObject({
      stderr: expect.stringContaining(`the name _-max power is taken: it looks like ${odd}`),
    })
    expect(await host.cli('add-user', '--', '-rf')).toContain('mint-token _rf, or')
  })
})

it('an account with spaces in its name registers over SSH', async () => {
  const key = `${host.folder}/new`
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  const join = (...command: string[]) => {
    const args = host.sshArgs(key).slice(0, -1)
    return promisify(execFile)('ssh', [...args, 'join@127.0.0.1', ...command])
  }
  await expect(join('Max Power 3', 'and more')).rejects.toMatchObject({
    stderr: expect.stringMatching(/^I do not understand "3 and more": put a name with spaces in/),
  })
  await expect(join('"dr. deep-blue 2"')).rejects.toMatchObject({
    stderr: `The name dr. deep-blue 2 is taken: it looks like ${name}.\n`,
  })
  expect((await join('"Max Power 3"')).stdout).toContain('You are Max Power 3.')
})

const pgnExtract = '/usr/games/pgn-extract'
