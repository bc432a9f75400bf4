import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEvent } from '../test/support/event-crowd.ts'
import { Host } from '../test/support/host.ts'
import { sshWithoutAPast } from '../test/support/new-user.ts'

let host: Host
let bin: string
let alice: Credentials
let bob: Credentials

type Credentials = Awaited<ReturnType<Host['account']>>

beforeAll(async () => {
  host = await Host.start({ AGENTBBS_REGISTRATION: 'open' })
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

  it('plays a game whose moves are not listed', async () => {
    const { lines, code } = await run(agent, alice, 'dance-battle', '--practice')
    expect(lines[0]).toContain(': dance-battle against house-level-1')
    expect(lines[1]).toMatch(ended('1500, unrated'))
    expect(lines[1]).not.toContain('forfeit')
    expect(code).toBe(0)
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

it('agent.ts, agent_ssh.py, agent_ws.py and agent.sh play all their matches of an event', async () => {
  const { id } = await newEvent(host, { startsWith: 4 })
  const carol = await host.account('agent-carol')
  const dave = await host.account('agent-dave')
  const played = await Promise.all([
    run('agent.ts', alice, 'ttt', '--event', id),
    run('agent_ssh.py', bob, 'ttt', '--event', id),
    run('agent_ws.py', carol, 'ttt', '--event', id),
    run('agent.sh', dave, 'ttt', '--event', id),
  ])
  for (const { lines, code } of played) {
    expect(lines.filter(line => started('ttt').test(line))).toHaveLength(3)
    expect(code).toBe(0)
  }
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
  ['agent.sh', 'agent.ts', 'echo'],
  ['agent.sh', 'agent_ssh.py', 'blotto'],
  ['agent_ws.py', 'agent.sh', 'bazaar'],
  ['agent.ts', 'agent_ws.py', 'skill-gomoku'],
] as const)('%s and %s play %s with each other', async (one, other, game) => {
  const results = await Promise.all([
    run(one, alice, game, '--matches', '2'),
    run(other, bob, game, '--matches', '2'),
  ])
  for (const [i, { lines, code }] of results.entries()) {
    expect(lines).toHaveLength(4)
    expect(lines[0]).toContain(`${game} against agent-${i === 0 ? 'bob' : 'alice'}`)
    expect(lines[3]).toMatch(ended('\\d+'))
    expect(lines.join()).not.toContain('forfeit')
    expect(code).toBe(0)
  }
})

describe('agon_agent.py', () => {
  it('has fewer than 80 lines', () => {
    const lines = readFileSync(file('agon_agent.py'), 'utf8').trimEnd().split('\n')
    expect(lines.length).toBeLessThan(80)
  })

  it.each([
    ['chess', /^(checkmate|stalemate|draw)$/],
    ['go', /^go_score$/],
    ['regular_debate', /^cap$/],
    ['spicy_debate', /^cap$/],
    ['trade_deal', /^trade_scored$/],
  ])(
    'registers, and plays %s to the end with another of its kind',
    async (room, reason) => {
      const own = await Host.start({
        AGENTBBS_REGISTRATION: 'open',
        AGENTBBS_AGON_COUNTDOWN: '0.05',
        AGENTBBS_AGON_ACTIONS: '100000',
        AGENTBBS_VOTING: '0.2',
      })
      try {
        const play = async () => {
          const child = spawn('python3', [file('agon_agent.py'), room], {
            stdio: ['ignore', 'pipe', 'pipe'],
            env: {
              PATH: process.env.PATH,
              AGENTBBS_AGON_URL: `http://127.0.0.1:${own.http}/agon`,
            },
          })
          const outputs = Promise.all([text(child.stdout), text(child.stderr)])
          await once(child, 'close')
          return outputs
        }
        for (const [out, err] of await Promise.all([play(), play()])) {
          expect(out).toMatch(/'api_key': 'agon_/)
          const { result } = JSON.parse(out.trimEnd().split('\n').at(-1)!)
          expect(result.end_reason).toMatch(reason)
          expect(room === 'trade_deal' ? '' : err).toBe('')
        }
      } finally {
        await own.stop()
      }
    },
    120_000,
  )
})

describe('loa_agent.py', () => {
  it('has fewer than 80 lines', () => {
    const lines = readFileSync(file('loa_agent.py'), 'utf8').trimEnd().split('\n')
    expect(lines.length).toBeLessThan(80)
  })

  /** Its last line is what it heard at the end. */
  const play = async (game: string, { port = host.http, level = '', key = '' } = {}) => {
    const child = spawn('python3', [file('loa_agent.py'), game, ...(level && [level])], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        AGENTBBS_LOA_URL: `http://127.0.0.1:${port}/loa`,
        ...(key && { AGENTBBS_LOA_KEY: key }),
      },
    })
    const outputs = Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await once(child, 'close')
    const [out, err] = await outputs
    return {
      code,
      out,
      err,
      over: code === 0 ? JSON.parse(out.trimEnd().split('\n').at(-1)!) : null,
    }
  }

  it.concurrent.each([
    ['echo', 2],
    ['blotto', 2],
    ['skill-gomoku', 2],
    ['dance-battle', 4],
    ['resource-rush', 2],
  ])('registers, and plays %s to the end with others of its kind', async (game, seats) => {
    const ends = await Promise.all(Array.from({ length: seats }, () => play(game)))
    for (const { code, out, err, over } of ends) {
      // No seat waits for the plan of an eliminated dancer: it may come in the next round, or after the end.
      const late =
        /^.*"(Game not found or not active|You already submitted a move this round)\."}\n/gm
      expect(err.replace(late, '')).toBe('')
      expect(code).toBe(0)
      expect(out).toMatch(/'apiKey': '[0-9a-f-]{36}'/)
      expect(over).toMatchObject({ type: 'game_over', gameId: ends[0]!.over.gameId, rated: true })
      expect(over).not.toHaveProperty('reason')
      expect(over.rankings).toHaveLength(seats)
    }
  })

  it('practises with the key that it is given', async () => {
    const { over, out } = await play('blotto', { key: alice.token, level: 'level-1' })
    const names = over.rankings.map(({ agentName }: { agentName: string }) => agentName)
    expect(names.sort()).toEqual(['agent-alice', 'house-level-1'])
    expect(out.trimEnd()).not.toContain('\n')
  })

  it('plays on after its connection was lost', async () => {
    let connections = 0
    const relay = createServer(socket => {
      const upstream = connect(host.http, '127.0.0.1')
      const isFirst = ++connections === 1
      const cut = () => [socket, upstream].map(end => end.destroy())
      let turns = 0
      socket.on('error', cut).on('close', cut).pipe(upstream)
      upstream.on('error', cut).on('close', cut)
      upstream.on('data', chunk => {
        turns += chunk.toString().split('"your_turn"').length - 1
        if (isFirst && turns > 2) cut()
        else socket.write(chunk)
      })
    })
    await once(relay.listen(0, '127.0.0.1'), 'listening')
    try {
      const { port } = relay.address() as AddressInfo
      const { code, over, err } = await play('skill-gomoku', { port, level: 'level-1' })
      expect([code, connections]).toEqual([0, 2])
      expect(err).toContain('"Already in an active game."')
      expect(over).not.toHaveProperty('reason')
    } finally {
      relay.close()
    }
  })

  it('ends with the reason where the host does not let it in', async () => {
    expect(await play('echo', { key: 'guess' })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/"message": "Invalid API key\."}\nInvalid API key\.\n$/),
    })
  })

  it('says why the host registers no agent', async () => {
    const closed = await Host.start({ AGENTBBS_REGISTRATION: 'closed' })
    try {
      expect(await play('echo', { port: closed.http })).toMatchObject({
        code: 1,
        err: 'Registration is closed: no new accounts at present.\n',
      })
    } finally {
      await closed.stop()
    }
  })
})

describe('clawpoly_agent.py', () => {
  it('has fewer than 100 lines', () => {
    const lines = readFileSync(file('clawpoly_agent.py'), 'utf8').trimEnd().split('\n')
    expect(lines.length).toBeLessThan(100)
  })

  /** Its first line is where it sits, and its last one what it heard at the end. */
  const start = (room: string, { port = host.http, token = '' } = {}) => {
    const child = spawn('python3', [file('clawpoly_agent.py'), ...(room && [room])], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        AGENTBBS_CLAWPOLY_URL: `http://127.0.0.1:${port}/clawpoly`,
        AGENTBBS_CLAWPOLY_SPEED: 'instant',
        ...(token && { AGENTBBS_CLAWPOLY_TOKEN: token }),
      },
    })
    const outputs = Promise.all([text(child.stdout), text(child.stderr)])
    const seated = once(child.stdout, 'data').then(([chunk]) => {
      const [, playerId, code] = / is (agent-\d) in room (\w{6})\n$/.exec(String(chunk))!
      return { playerId: playerId!, code: code! }
    })
    const ended = once(child, 'close').then(async ([code]) => {
      const [out, err] = await outputs
      const last = out.trimEnd().split('\n').at(-1)!
      return { code, err, over: code === 0 ? JSON.parse(last) : null }
    })
    return { seated, ended }
  }

  it('plays a game of three to the end with others of its kind', async () => {
    const first = start('3')
    const { playerId, code } = await first.seated
    expect(playerId).toBe('agent-0')
    const second = start(code, { token: alice.token })
    expect(await second.seated).toEqual({ playerId: 'agent-1', code })
    const ends = await Promise.all([first.ended, second.ended, start('').ended])
    for (const { code, err, over } of ends) {
      expect([code, err]).toEqual([0, ''])
      expect(over).toEqual(ends[0]!.over)
      expect(over.reason).toMatch(/^(turn_limit|last_standing)$/)
      expect(over.finalStandings.map(({ id }: { id: string }) => id).sort()).toEqual([
        ...['agent-0', 'agent-1', 'agent-2'],
      ])
    }
  }, 60_000)

  it('plays on after its connection was lost', async () => {
    let prompts = 0
    let cuts = 0
    const relay = createServer(socket => {
      const upstream = connect(host.http, '127.0.0.1')
      const cut = () => [socket, upstream].map(end => end.destroy())
      socket.on('error', cut).on('close', cut).pipe(upstream)
      upstream.on('error', cut).on('close', cut)
      upstream.on('data', chunk => {
        prompts += chunk.toString('latin1').split('"agent:build_decision"').length - 1
        if (cuts === 0 && prompts > 2) cuts += cut().length
        else socket.write(chunk)
      })
    })
    await once(relay.listen(0, '127.0.0.1'), 'listening')
    try {
      const { port } = relay.address() as AddressInfo
      const first = start('2', { port })
      const { code } = await first.seated
      const [one, other] = await Promise.all([first.ended, start(code).ended])
      expect([one.code, other.code, cuts]).toEqual([0, 0, 2])
      expect(one.over).toEqual(other.over)
    } finally {
      relay.close()
    }
  }, 60_000)

  it('says which rooms have a free seat', async () => {
    const { code, err } = await start('REEF42').ended
    expect([code, err]).toEqual([1, expect.stringContaining('Room REEF42 has no free seat.')])
  })

  it('says how to give a token where no one sits down without an account', async () => {
    const closed = await Host.start({ AGENTBBS_REGISTRATION: 'closed' })
    try {
      const { code, err } = await start('2', { port: closed.http }).ended
      expect(code).toBe(1)
      expect(err).toMatch(/without an account.* token .*AGENTBBS_CLAWPOLY_TOKEN.*hub/)
      const { token } = await closed.account('agent-alice')
      const first = start('2', { port: closed.http, token })
      const { code: room } = await first.seated
      const other = await closed.account('agent-bob')
      const ends = [first.ended, start(room, { port: closed.http, token: other.token }).ended]
      for (const { code } of await Promise.all(ends)) expect(code).toBe(0)
    } finally {
      await closed.stop()
    }
  }, 60_000)
})
