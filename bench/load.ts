import { agentOf, type Begin, type Dial, type Recording, recordMatch } from './agent.ts'
import type { Account } from './data-folder.ts'
import { dialSsh } from './dial-ssh.ts'
import { dialWebSocket } from './dial-websocket.ts'
import { type LeagueDial, leagueAgentOf, leaguePath } from './league-agent.ts'
import type { LeagueGame } from './league-moves.ts'
import { type Memory, sleep, type Values } from './measure.ts'
import type { Server, Settings, Transport } from './server.ts'
import { type Round, Tally } from './tally.ts'

/** Pairs that play, measured once they have warmed up. Times are in seconds. */
export interface Play {
  readonly transport: Transport
  readonly pairs: number
  /** In League of Agents, in place of the script. */
  readonly league?: LeagueGame
  /** Milliseconds before each move. */
  readonly think?: number
  readonly warmUp: number
  /** Of each round. */
  readonly seconds: number
  readonly rounds?: number
  /** Whether a round may end before the first match has ended in it. */
  readonly within?: true
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
export const fastest = { ws: 2_500, ssh: 700 }
/** An account with so few matches reaches no daily cap: six wins bring less than 100 points of rating. */
const matchesPerAccount = 6

/** So many accounts are enough for so many matches, and some more, because matches end while the last ones play. */
export const accountsFor = (matches: number): number =>
  inRotation + 200 + (2 * matches) / matchesPerAccount

/** So many accounts come back for a match after each other, until each has played its matches; then others follow. */
const inRotation = 400

const accountFor = (connection: number): number =>
  inRotation * Math.floor(connection / (inRotation * matchesPerAccount)) + (connection % inRotation)

/** The load of a benchmark: agents with an account and an address each, all in this process. */
export class Load {
  readonly accounts: readonly Account[]
  tally: Tally
  readonly #now: (() => number) | undefined
  readonly #agents = new Set<ReturnType<Begin>>()
  #stopping = false

  /** `now`: the time by which moves are measured. */
  constructor(accounts: readonly Account[], now?: () => number) {
    this.accounts = accounts
    this.#now = now
    this.tally = new Tally(now)
  }

  /** How many agents are connected. */
  get size(): number {
    return this.#agents.size
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
    { transport, pairs, league, think = 0, warmUp, seconds, rounds = 1, within }: Play,
    next: (round: number) => Promise<void> = async () => {},
  ): Promise<readonly Round[]> {
    this.start()
    for (let i = 0; i < 2 * pairs; i++) {
      const begin = () =>
        this.playOn(() => {
          const account = accountFor(server.played++) % this.accounts.length
          if (league) return leagueAgentOf(this.leagueDialler(server, account), league, think)
          const options = { behaviour: 'plays', matches: 1, scripted: true, think } as const
          return agentOf(this.dialler(server, transport, account), options)
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
        while (this.tally.matches === 0 && !within)
        measured.push(this.tally.round((await server.ask<number>('cpu')) - before))
      }
      await next(rounds)
      return measured
    }
    // Also where the server has failed: else its agents would connect again and again.
    const measured = await Promise.race([measure(), server.ended]).finally(() => this.stop())
    this.#refuseFaults()
    return measured
  }

  /** Bytes that each agent takes of a server while it waits in the queue. The agents go on waiting until the load stops. */
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

  start(): void {
    this.tally = new Tally(this.#now)
    this.#stopping = false
  }

  /** Resolves when all agents have played their matches to the end. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const agent of this.#agents) agent.stop()
    while (this.#agents.size > 0) await sleep(20)
  }

  connect(begin: Begin, onClosed = () => {}): void {
    const agent = begin(this.tally, () => {
      this.#agents.delete(agent)
      onClosed()
    })
    this.#agents.add(agent)
  }

  /** Connects an agent, and the next one when it has closed. */
  playOn(next: () => Begin): void {
    this.connect(next(), () => setImmediate(() => this.#stopping || this.playOn(next)))
  }

  dialler(
    { ports }: Server,
    transport: Transport,
    account: number,
    { game = 'ttt', ...options }: Joining = {},
  ): Dial {
    const given = Object.entries(options).filter(([, value]) => value !== undefined)
    const { token, key } = this.accounts[account]!
    if (transport === 'ws') {
      const path = `/play?game=${game}${given.map(([name, value]) => `&${name}=${value}`).join('')}`
      return listener => dialWebSocket(ports.ws, path, token, listener, forwardedFor(account))
    }
    const command = `${game}${given.map(([name, value]) => ` --${name} ${value}`).join('')}`
    const from = manyAddresses ? `127.${addressTail(account)}` : undefined
    return listener => dialSsh(ports.ssh, key!, command, listener, from)
  }

  leagueDialler({ ports }: Server, account: number): LeagueDial {
    const { token } = this.accounts[account]!
    const from = forwardedFor(account)
    const dial: Dial = listener => dialWebSocket(ports.ws, leaguePath, null, listener, from)
    return { dial, token }
  }

  /** Connects agents that wait for an account that does not come, a few at a time. */
  async #wait(server: Server, transport: Transport, from: number, to: number): Promise<void> {
    const opponent = this.accounts.at(-1)!.name
    for (let i = from; i < to; i++) {
      const dial = this.dialler(server, transport, Math.floor(i / waitingPerAccount), { opponent })
      this.connect(agentOf(dial, { behaviour: 'plays', matches: 1, scripted: true }))
      while (this.tally.queues < (i < to - 1 ? i - 7 : to)) {
        this.#refuseFaults()
        await sleep(1)
      }
    }
  }

  #refuseFaults(): void {
    for (const [fault, times] of this.tally.faults)
      throw new Error(`${times} × an agent was not served as it should be: ${fault}`)
  }
}

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
