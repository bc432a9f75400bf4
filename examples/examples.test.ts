import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Host } from '../test/support/host.ts'
import { sshWithoutAPast } from '../test/support/new-user.ts'

let host: Host
let bin: string
let alice: Credentials
let bob: Credentials

type Credentials = Awaited<ReturnType<Host['account']>>

beforeAll(async () => {
  host = await Host.start()
  bin = sshWithoutAPast(host.folder)
  alice = await host.account('agent-alice')
  bob = await host.account('agent-bob')
})

afterAll(() => host.stop())

const tsx = fileURLToPath(new URL('../node_modules/.bin/tsx', import.meta.url))
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The example agents, and the command that starts each. */
const agents: Record<string, readonly string[]> = {
  'agent.ts': [tsx, file('agent.ts')],
  'agent_ssh.py': ['python3', file('agent_ssh.py')],
  'agent_ws.py': ['python3', file('agent_ws.py')],
  'agent.sh': ['sh', file('agent.sh')],
  'agent.sh in bash': ['bash', file('agent.sh')],
}
const each = Object.keys(agents)

const run = async (agent: string, { key, token }: Partial<Credentials>, ...args: string[]) => {
  const [command, ...start] = agents[agent]!
  const child = spawn(command!, [...start, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: host.folder,
      AGENTBBS_HOST: '127.0.0.1',
      AGENTBBS_PORT: String(host.ssh),
      AGENTBBS_URL: host.playUrl(''),
      AGENTBBS_KEY: key,
      AGENTBBS_TOKEN: token,
    },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', chunk => (out += chunk))
  child.stderr.on('data', chunk => (err += chunk))
  const [code] = await once(child, 'close')
  return { lines: out.trimEnd().split('\n'), out, err, code }
}

const started = (game: string) =>
  new RegExp(`^match \\d+: ${game} against [\\w-]+, as player [01]$`)
const ended = (rating: string) =>
  new RegExp(`^match \\d+: (win|loss|draw) \\(.+\\), rating ${rating}$`)

describe.concurrent.each(each)('%s', agent => {
  it('practises', async () => {
    const { lines, code } = await run(agent, alice, 'ttt', '--practice', '--matches', '2')
    expect(lines).toEqual([
      expect.stringMatching(started('ttt')),
      expect.stringMatching(ended('1500, unrated')),
      expect.stringMatching(started('ttt')),
      expect.stringMatching(ended('1500, unrated')),
    ])
    expect(code).toBe(0)
  })

  it('practises against a house player of the given level', async () => {
    const { lines, code } = await run(agent, alice, 'c4', '--practice=hard')
    expect(lines[0]).toContain('c4 against house-level-4, as player')
    expect(code).toBe(0)
  })

  it('prints the error of the host when it is refused', async () => {
    const { err, code } = await run(agent, alice, 'tto')
    expect(err).toContain('there is no game')
    expect(err).toContain('unknown-game')
    expect(code).toBe(1)
  })

  it('asks for an opponent whose name has spaces', async () => {
    const { err, code } = await run(agent, alice, 'ttt', '--opponent', 'No Such Player')
    expect(err).toMatch(/no account is called \\?"No Such Player/)
    expect(code).toBe(1)
  })

  it('refuses a game without listed moves', async () => {
    const { err, code } = await run(agent, alice, 'echo', '--practice')
    expect(err).toContain('this game lists no moves')
    expect(code).toBe(1)
  })

  it('prints its usage', async () => {
    const { out, code } = await run(agent, {}, '--help')
    expect(out).toMatch(/usage:.*agent/)
    expect(out).toMatch(/--practice/)
    expect(code).toBe(0)
    const mistaken = await run(agent, {})
    expect(mistaken.err).toContain('usage:')
    expect(mistaken.code).toBe(2)
  })
})

describe('agent_ws.py says what to do', () => {
  const alone = async (...args: string[]) => {
    const child = spawn('python3', [file('agent_ws.py'), ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH },
    })
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    return { err, code }
  }

  it('without a token', async () => {
    const { err, code } = await alone('ttt')
    expect(err).toMatch(/^usage: .*no token: give --token or set AGENTBBS_TOKEN; .*mint-token/s)
    expect(code).toBe(2)
  })

  it('without a host', async () => {
    const { err, code } = await alone('ttt', '--token', 'x', '--url', 'ws://127.0.0.1:1/play')
    expect(err).toMatch(
      /^no host at ws:\/\/127\.0\.0\.1:1\/play \(.*refused.*--url or AGENTBBS_URL\n$/,
    )
    expect(code).toBe(1)
  })

  it.each([
    'bbs.example.org',
    'ws://',
    'ws://127.0.0.1:1',
    'ws://[::1/play',
    'ws://127.0.0.1:x/play',
  ])('with the invalid address %s', async url => {
    const { err, code } = await alone('ttt', '--token', 'x', '--url', url)
    expect(err).toContain(
      `error: ${url} is no address: give --url or set AGENTBBS_URL, such as wss://HOST/play`,
    )
    expect(code).toBe(2)
  })

  it('with a token that was read from a file with its line break', async () => {
    const url = 'ws://127.0.0.1:1/play'
    expect((await alone('ttt', '--token', 'x\n', '--url', url)).err).toMatch(/^no host at /)
  })
})

it.concurrent.each([
  ['agent.ts', 'agent.sh', 'othello'],
  ['agent_ssh.py', 'agent_ws.py', 'chess'],
  ['agent.sh', 'agent_ws.py', 'gomoku'],
  ['agent.ts', 'agent_ssh.py', 'even-odd'],
] as const)('%s and %s play %s with each other', async (one, other, game) => {
  const results = await Promise.all([
    run(one, alice, game, '--matches', '2'),
    run(other, bob, game, '--matches', '2'),
  ])
  for (const [i, { lines, code }] of results.entries()) {
    expect(lines).toHaveLength(4)
    expect(lines[0]).toContain(`${game} against agent-${i === 0 ? 'bob' : 'alice'}`)
    expect(lines[3]).toMatch(ended('\\d+'))
    expect(code).toBe(0)
  }
})
