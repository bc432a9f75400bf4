// Crowds that mean no good, from one address each, against the real host in a process of its own: they are gone in time,
// and those who come to play notice nothing.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Host } from '../../test/support/host.ts'
import { SshAgent } from '../../test/support/ssh-agent.ts'
import { type Heard, WebSocketAgent } from '../../test/support/websocket-agent.ts'
import { constants } from '../constants.ts'

const crowd = 500
const loginTime = 4_000

let host: Host
let key: string
let players: Players
beforeAll(async () => {
  host = await Host.start(
    {
      // So that the rest of the loopback range is the open internet.
      AGENTBBS_TRUSTED_PROXIES: '127.0.0.1',
    },
    { constants: { limits: { loginTime } } },
  )
  key = (await host.account('newcomer')).key
  players = await Players.seat(host)
})
afterAll(async () => {
  players.stop()
  await host.stop()
})

const wires = [
  ['SSH', () => host.ssh, 'SSH-2.0-AVerySlowClient'],
  ['HTTP', () => host.http, 'GET / HTTP/1.1\r\nX: xxx'],
] as const
/** Who sends it may be gone again before there is a crowd. */
const garbage = 'talking garbage'
const kinds: readonly (readonly [string, (socket: Socket, words: string) => void])[] = [
  ['silent', () => {}],
  [
    'trickling',
    (socket, words) => {
      let sent = 0
      const timer = setInterval(() => socket.write(words.slice(sent, ++sent)), 1_000)
      socket.on('close', () => clearInterval(timer))
    },
  ],
  [garbage, socket => void socket.write(randomBytes(4096))],
]
let lastSource = 100

describe.each(wires)('over %s', (wire, port, words) => {
  it.each(kinds)(`${crowd} connections that are %s`, { timeout: 120_000 }, async (kind, act) => {
    const from = `127.0.0.${++lastSource}`
    const before = {
      played: players.played,
      lines: host.said.split('\n').length,
      refused: await refused(),
    }
    const began = performance.now()
    const times: number[] = []
    const sockets = Array.from({ length: crowd }, () => {
      const socket = connect({ port: port(), host: '127.0.0.1', localAddress: from })
      socket.on('error', () => {}).resume()
      socket.on('connect', () => act(socket, words))
      return new Promise<void>(resolve =>
        socket.on('close', () => {
          times.push(performance.now() - began)
          resolve()
        }),
      )
    })
    const logins: number[] = []
    for (let i = 0; i < 3; i++) logins.push(await login(`127.0.0.${90 + i}`))
    await Promise.all(sockets)
    const lines = host.said.split('\n').length - before.lines
    const turnedAway = host.said
      .split('\n')
      .filter(line => line.includes(from) && line.includes('turned away'))
    const ms = (value: number) => `${Math.round(value)} ms`
    const slowestMove = players.slowest()
    const turned = (await refused()) - before.refused
    console.log(
      `${wire}, ${crowd} ${kind}: ${turned} turned away, the last gone after ` +
        `${ms(Math.max(...times))}; OpenSSH logged in within ${logins.map(ms).join(', ')}; ` +
        `${players.played - before.played} matches played, slowest move ${ms(slowestMove)}; ${lines} lines logged`,
    )
    // Half of them are more than one address may have on their way in, and are not taken in. Those who talk garbage are
    // cut so soon that there may never be as many at once.
    if (kind !== garbage)
      expect(turned).toBeGreaterThanOrEqual(crowd - constants.limits.unauthenticatedPerAddress)
    // The others have so long and no longer. Nothing else would ever cut them, so this leaves a busy machine ten times that.
    expect(Math.max(...times)).toBeLessThan(10 * loginTime)
    // What is refused is in the log once, whatever its number.
    if (kind !== garbage) expect(turnedAway.length).toBeGreaterThan(0)
    expect(turnedAway.length).toBeLessThanOrEqual(4)
    expect(players.faults).toEqual([])
    await expect.poll(() => players.played, { timeout: 10_000 }).toBeGreaterThan(before.played)
    // What an agent has for a move is three times as long.
    expect(slowestMove).toBeLessThan(5_000)
  })
})

/** How many connections the host has turned away by now, for being too many from one address. */
const refused = async (): Promise<number> => {
  const numbers = await (await fetch(`http://127.0.0.1:${host.http}/metrics`)).text()
  return ['too-many-connections', 'locked-out']
    .map(code => Number(new RegExp(`refus\\w+\\{code="${code}"\\} (\\d+)`).exec(numbers)?.[1] ?? 0))
    .reduce((sum, count) => sum + count)
}

it('a lab of 200 agents behind one address comes back all at once, by either wire, after a restart', async () => {
  const lab = await Host.start()
  const { key, token } = await lab.account('lab')
  await lab.kill()
  await lab.serve()
  const privateKey = readFileSync(key)
  const bySsh = Array.from({ length: 200 }, () => dial(lab.ssh, privateKey))
  const byWebSocket = Array.from({ length: 200 }, async () => {
    const agent = new WebSocketAgent(lab.playUrl('?game=whist'), {
      headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '192.0.2.7' },
    })
    return (await agent.next()).code
  })
  const answers = await Promise.all([...bySsh, ...byWebSocket])
  expect(new Set(answers)).toEqual(new Set(['unknown-game']))
  await lab.stop()
})

/** What an agent is told who asks for a game that does not exist. */
const dial = (port: number, privateKey: Buffer) =>
  new Promise<string>((resolve, reject) => {
    const client = new ssh2.Client()
    client.on('error', reject)
    client.on('ready', () =>
      client.exec('whist', (error, stream) => {
        if (error) reject(error)
        else stream.on('data', (line: Buffer) => resolve(JSON.parse(String(line)).code))
        stream.on('close', () => client.end())
      }),
    )
    // All of them here are in one process, which has to do half of the work for each.
    const localAddress = '127.0.0.50'
    client.connect({
      host: '127.0.0.1',
      localAddress,
      port,
      username: 'game',
      privateKey,
      readyTimeout: 60_000,
    })
  })

/** How long the real client takes to its first answer; the host cuts clients that take longer than its login time. */
const login = async (from: string): Promise<number> => {
  const began = performance.now()
  const agent = new SshAgent(['-b', from, ...host.sshArgs(key, 'whist')])
  expect(await agent.next('error')).toMatchObject({ code: 'unknown-game' })
  const took = performance.now() - began
  await agent.closed
  return took
}

/** Two agents who play one match after the other. */
class Players {
  readonly faults: unknown[] = []
  played = 0
  readonly #agents: readonly WebSocketAgent[]
  #slowest = 0
  #stopped = false

  static async seat(host: Host): Promise<Players> {
    const accounts = await Promise.all(['alice', 'bob'].map(name => host.account(name)))
    return new Players(
      accounts.map(
        ({ token }) =>
          new WebSocketAgent(host.playUrl('?game=ttt&matches=1000'), {
            headers: { Authorization: `Bearer ${token}` },
          }),
      ),
    )
  }

  private constructor(agents: readonly WebSocketAgent[]) {
    this.#agents = agents
    for (const agent of agents) void this.#play(agent)
  }

  /** Milliseconds that the slowest move since the last look took to be answered with a new state. */
  slowest(): number {
    const slowest = this.#slowest
    this.#slowest = 0
    return slowest
  }

  stop(): void {
    this.#stopped = true
    for (const agent of this.#agents) agent.webSocket.terminate()
  }

  async #play(agent: WebSocketAgent): Promise<void> {
    let moved = 0
    while (!this.#stopped) {
      const message: Heard = await agent.next().catch(error => ({ type: 'error', error }))
      if (this.#stopped) return
      if (moved > 0) this.#slowest = Math.max(this.#slowest, performance.now() - moved)
      moved = 0
      if (message.type === 'state' && message.yourTurn) {
        // Fast enough for the match to be under way all the time, and slow enough to leave the machine to others.
        await new Promise(resolve => setTimeout(resolve, 20))
        moved = performance.now()
        agent.move(message.observation.legal[0])
      } else if (message.type === 'result') {
        this.played += 0.5
        if (message.reason !== undefined) this.faults.push(message)
      } else if (message.type === 'error') {
        this.faults.push(message)
        return
      }
    }
  }
}
