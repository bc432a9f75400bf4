import type { ParsedKey } from 'ssh2'
import {
  Agent,
  type AgentConnection,
  type AgentOptions,
  type Dial,
  type Recording,
  recordMatch,
} from './agent.ts'
import { dialSsh } from './dial-ssh.ts'
import { dialWebSocket } from './dial-websocket.ts'
import { type Memory, sleep } from './measure.ts'
import { newKey, publicKeyOf } from './new-key.ts'
import { absent, type BenchAccount, type Server, type Transport } from './server.ts'
import { type Seen, Tally } from './tally.ts'

/** For how long to measure: a time, or a number of finished matches. */
export type Stretch = { readonly seconds: number } | { readonly matches: number }

/** Pairs that play, measured once they have warmed up. */
export interface Play {
  readonly transport: Transport
  readonly pairs: number
  /** Milliseconds before each move. */
  readonly think?: number
  readonly warmUp: Stretch
  readonly stretch: Stretch
}

/** What was seen of a server that was played on; `cpu` is its processor time in seconds. */
export interface Round extends Seen {
  readonly cpu: number
}

/** What an agent asks for when it connects. */
interface Joining {
  readonly game?: string
  readonly matches?: number
  readonly practice?: string | undefined
  readonly opponent?: string
}

/** A match of the script has so many moves. */
export const movesPerMatch = 8
export const waitingPerAccount = 8
/** More matches a second than one core has hosted. */
const fastest = { ws: 2_500, ssh: 700 }
/** An account with so few matches reaches no daily cap: six wins bring less than 100 points of rating. */
const matchesPerAccount = 6

/** How many accounts are enough for what is played on one server, so that no daily cap is reached. */
export const accountsFor = (transport: Transport, ...played: readonly Stretch[]): number => {
  const matches = played.map(part =>
    'matches' in part ? part.matches : part.seconds * fastest[transport],
  )
  // Some more, because matches end while the last ones play.
  return 100 + Math.ceil((2 * matches.reduce((sum, some) => sum + some, 0)) / matchesPerAccount)
}

/** The load of a benchmark: agents with an account and an address each, all in this process. */
export class Load {
  readonly accounts: readonly BenchAccount[]
  tally = new Tally()
  readonly #keys: readonly ParsedKey[]
  readonly #agents = new Set<Agent>()
  readonly #waiting = { ws: new Set<AgentConnection>(), ssh: new Set<AgentConnection>() }
  #stopping = false

  /** So many accounts, of which the first ones have a key, to connect over SSH. */
  constructor(accounts: number, keys: number) {
    this.#keys = Array.from({ length: keys }, newKey)
    this.accounts = Array.from({ length: accounts }, (_, i) => ({
      name: `bench-${i + 1}`,
      ...(i < keys && { publicKey: publicKeyOf(this.#keys[i]!) }),
    }))
  }

  /** How many agents are connected and do not just wait. */
  get size(): number {
    return this.#agents.size
  }

  /** How many agents that connected to wait still do. */
  waiting(transport: Transport): number {
    return this.#waiting[transport].size
  }

  /** Plays the script once, for a relay that then sends the same messages. */
  record(server: Server, transport: Transport): Promise<Recording> {
    return recordMatch([0, 1].map(account => this.dialler(server, transport, account)))
  }

  /** Has pairs of agents play the script on a server, one match for each connection, and measures it. */
  async play(
    server: Server,
    { transport, pairs, think = 0, warmUp, stretch }: Play,
  ): Promise<Round> {
    this.start()
    for (let i = 0; i < 2 * pairs; i++) {
      const begin = () =>
        this.playOn(() => {
          const account = server.played++ % this.accounts.length
          const options = { behaviour: 'plays', matches: 1, scripted: true, think } as const
          return [this.dialler(server, transport, account), options]
        })
      // Agents that think begin at any time within a match, so that they do not all move at once.
      if (think === 0) begin()
      else setTimeout(begin, Math.random() * think * movesPerMatch)
    }
    // Also where the server has failed: else its agents would connect again and again.
    const round = await Promise.race([
      this.#measure(server, warmUp, stretch),
      server.ended,
    ]).finally(() => this.stop())
    for (const fault of this.tally.faults.keys())
      throw new Error(`an agent was not served as it should be: ${fault}`)
    return round
  }

  /** Bytes that each agent takes of a server while it waits in the queue. */
  async weigh(server: Server, transport: Transport, count: number): Promise<Memory> {
    // The first agents load code and make buffers that the others then share.
    const first = Math.min(100, Math.ceil(count / 10))
    await this.#wait(server, transport, 0, first)
    const before = await server.ask<Memory>('memory')
    await this.#wait(server, transport, first, count)
    const after = await server.ask<Memory>('memory')
    const each = (what: keyof Memory) => (after[what] - before[what]) / (count - first)
    return { rss: each('rss'), heap: each('heap') }
  }

  async stopWaiting(): Promise<void> {
    for (const all of Object.values(this.#waiting)) {
      for (const connection of all) connection.close()
      while (all.size > 0) await sleep(50)
    }
  }

  start(): void {
    this.tally = new Tally()
    this.#stopping = false
  }

  /** Resolves when all agents have played their matches to the end. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const agent of this.#agents) agent.stop()
    while (this.#agents.size > 0) await sleep(20)
  }

  connect(dial: Dial, options: AgentOptions, onClosed = () => {}): void {
    const agent: Agent = new Agent(this.tally, dial, options, () => {
      this.#agents.delete(agent)
      onClosed()
    })
    this.#agents.add(agent)
  }

  /** Connects an agent, and the next one when it has closed. */
  playOn(next: () => readonly [Dial, AgentOptions]): void {
    this.connect(...next(), () => setImmediate(() => this.#stopping || this.playOn(next)))
  }

  dialler(
    { addresses }: Server,
    transport: Transport,
    account: number,
    { game = 'ttt', ...options }: Joining = {},
  ): Dial {
    const given = Object.entries(options).filter(([, value]) => value !== undefined)
    const port = addresses[transport]
    if (transport === 'ws') {
      const path = `/play?game=${game}${given.map(([name, value]) => `&${name}=${value}`).join('')}`
      const token = addresses.tokens[account]!
      return listener => dialWebSocket(port, path, token, listener, `10.${addressTail(account)}`)
    }
    const command = `${game}${given.map(([name, value]) => ` --${name} ${value}`).join('')}`
    const from = manyAddresses ? `127.${addressTail(account)}` : undefined
    return listener => dialSsh(port, this.#keys[account]!, command, listener, from)
  }

  async #measure(server: Server, warmUp: Stretch, stretch: Stretch): Promise<Round> {
    await this.#watch(warmUp)
    const before = await server.ask<number>('cpu')
    const seen = await this.#watch(stretch)
    return { ...seen, cpu: (await server.ask<number>('cpu')) - before }
  }

  async #watch(stretch: Stretch): Promise<Seen> {
    const { tally } = this
    tally.clear()
    if ('seconds' in stretch) await sleep(stretch.seconds * 1000)
    else
      await new Promise<void>(resolve => {
        tally.onFinished = matches => matches >= stretch.matches && resolve()
      })
    return tally.seen()
  }

  /** Opens connections that wait for an account that does not come, a few at a time. */
  async #wait(server: Server, transport: Transport, from: number, to: number): Promise<void> {
    let opened = from
    const open = async () => {
      while (opened < to) {
        const account = Math.floor(opened++ / waitingPerAccount)
        const dial = this.dialler(server, transport, account, { opponent: absent })
        await waitInQueue(dial, this.#waiting[transport])
      }
    }
    await Promise.all(Array.from({ length: 8 }, open))
  }
}

const waitInQueue = (dial: Dial, waiting: Set<AgentConnection>): Promise<void> =>
  new Promise((resolve, reject) => {
    const connection = dial({
      received: message => {
        if (!message.includes('"queued"')) return reject(new Error(message))
        waiting.add(connection)
        resolve()
      },
      closed: () => {
        waiting.delete(connection)
        reject(new Error('a waiting agent was disconnected'))
      },
    })
  })

/** All of 127.0.0.0/8 belongs to a machine with Linux. Others have one address, and then the limit for it is in the way. */
const manyAddresses = process.platform === 'linux'

/** The settings without which all agents of a load cannot connect from this machine. */
export const loadSettings = (transport: Transport): Readonly<Record<string, string>> =>
  transport === 'ws' || manyAddresses ? {} : { AGENTBBS_MAX_CONNECTIONS_PER_ADDRESS: '1000000' }

/** The last three numbers of the address of an account, which no other account has. */
const addressTail = (account: number): string =>
  [16, 8, 0].map(bits => ((account + 2) >> bits) & 255).join('.')
