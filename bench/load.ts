import type { ParsedKey } from 'ssh2'
import {
  Agent,
  type AgentConnection,
  type AgentOptions,
  type Dial,
  type Recording,
  recordMatch,
} from './agent.ts'
import type { Account } from './data-folder.ts'
import { dialSsh } from './dial-ssh.ts'
import { dialWebSocket } from './dial-websocket.ts'
import { type Memory, sleep, type Values } from './measure.ts'
import { newKey } from './new-key.ts'
import type { Server, Settings, Transport } from './server.ts'
import { type Round, Tally } from './tally.ts'

/** Pairs that play, measured once they have warmed up. Times are in seconds. */
export interface Play {
  readonly transport: Transport
  readonly pairs: number
  /** Milliseconds before each move. */
  readonly think?: number
  readonly warmUp: number
  /** Of each round. */
  readonly seconds: number
  readonly rounds?: number
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
const waitingPerAccount = 8
/** More matches a second than one core has hosted. */
const fastest = { ws: 2_500, ssh: 700 }
/** An account with so few matches reaches no daily cap: six wins bring less than 100 points of rating. */
const matchesPerAccount = 6

/** So many accounts are enough for so many matches on one server, so that no daily cap is reached. */
export const accountsForMatches = (matches: number): number =>
  // Some more, because matches end while the last ones play.
  200 + Math.ceil((2 * matches) / matchesPerAccount)

/** The same for agents that play as fast as they can. */
export const accountsForSeconds = (transport: Transport, seconds: number): number =>
  accountsForMatches(seconds * fastest[transport])

export const accountsForWaiting = (agents: number): number => Math.ceil(agents / waitingPerAccount)

/** The load of a benchmark: agents with an account and an address each, all in this process. */
export class Load {
  readonly accounts: readonly Account[]
  tally = new Tally()
  readonly #keys: readonly ParsedKey[]
  readonly #agents = new Set<Agent>()
  readonly #waiting = { ws: new Set<AgentConnection>(), ssh: new Set<AgentConnection>() }
  /** An account that never connects, so that agents can wait for it. */
  readonly #absent: string
  #stopping = false

  /** So many accounts, of which the first ones have a key, to connect over SSH. */
  constructor(accounts: number, keys: number) {
    this.#keys = Array.from({ length: keys }, newKey)
    // A data folder may have the accounts of earlier benchmarks.
    const names = `bench-${Date.now().toString(36)}`
    this.accounts = Array.from({ length: accounts }, (_, i) => ({
      ...{ name: `${names}-${i + 1}`, token: `abbs_${names}-${i + 1}` },
      ...(i < keys && { key: this.#keys[i]!.getPublicSSH() }),
    }))
    this.#absent = this.accounts.at(-1)!.name
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

  /**
   * Has pairs of agents play the script on a server, one match for each connection, and measures it in rounds. `next`
   * is told when a round begins, and when the last one is over.
   */
  async play(
    server: Server,
    { transport, pairs, think = 0, warmUp, seconds, rounds = 1 }: Play,
    next: (round: number) => Promise<void> = async () => {},
  ): Promise<readonly Round[]> {
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
    const measure = async () => {
      await sleep(warmUp * 1000)
      const measured: Round[] = []
      for (let round = 0; round < rounds; round++) {
        await next(round)
        this.tally.clear()
        const before = await server.ask<number>('cpu')
        do await sleep(seconds * 1000)
        while (this.tally.matches === 0)
        measured.push(this.tally.round((await server.ask<number>('cpu')) - before))
      }
      await next(rounds)
      return measured
    }
    // Also where the server has failed: else its agents would connect again and again.
    const measured = await Promise.race([measure(), server.ended]).finally(() => this.stop())
    for (const fault of this.tally.faults.keys())
      throw new Error(`an agent was not served as it should be: ${fault}`)
    return measured
  }

  /** Bytes that each agent takes of a server while it waits in the queue. */
  async weigh(server: Server, transport: Transport, count: number): Promise<Values> {
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
    { ports }: Server,
    transport: Transport,
    account: number,
    { game = 'ttt', ...options }: Joining = {},
  ): Dial {
    const given = Object.entries(options).filter(([, value]) => value !== undefined)
    if (transport === 'ws') {
      const path = `/play?game=${game}${given.map(([name, value]) => `&${name}=${value}`).join('')}`
      const { token } = this.accounts[account]!
      return listener => dialWebSocket(ports.ws, path, token, listener, forwardedFor(account))
    }
    const command = `${game}${given.map(([name, value]) => ` --${name} ${value}`).join('')}`
    const from = manyAddresses ? `127.${addressTail(account)}` : undefined
    return listener => dialSsh(ports.ssh, this.#keys[account]!, command, listener, from)
  }

  /** Opens connections that wait for an account that does not come, a few at a time. */
  async #wait(server: Server, transport: Transport, from: number, to: number): Promise<void> {
    let opened = from
    const open = async () => {
      while (opened < to) {
        const account = Math.floor(opened++ / waitingPerAccount)
        const dial = this.dialler(server, transport, account, { opponent: this.#absent })
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

/** The settings without which the agents of a load cannot connect from this machine over SSH. */
export const sshSettings: Settings = manyAddresses
  ? {}
  : { AGENTBBS_MAX_CONNECTIONS_PER_ADDRESS: '1000000' }

/** The address of a client over HTTP, as the TLS edge would tell it. */
export const forwardedFor = (client: number): string => `10.${addressTail(client)}`

/** The last three numbers of an address that no other client has. */
const addressTail = (client: number): string =>
  [16, 8, 0].map(bits => ((client + 2) >> bits) & 255).join('.')
