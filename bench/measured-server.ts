import type { Recording } from './agent.ts'
import type { Memory } from './measure.ts'
import { Helper } from './process.ts'
import type { Seen } from './tally.ts'

export type Transport = 'ws' | 'ssh'

/** An account that a measured server is to have. */
export interface BenchAccount {
  readonly name: string
  /** As OpenSSH writes it, for agents that connect over SSH. */
  readonly publicKey?: string
}

/** An account that never connects, so that agents can wait for it. */
export const absent = 'absent'

/** What a measured server starts with. */
export interface Opening {
  readonly accounts: readonly BenchAccount[]
  /** What the relay sends. */
  readonly recording?: Recording
  /** Milliseconds for a move, where it is not a minute; the host then also logs all that it logs in service. */
  readonly moveTimeout?: number
}

/** The port of a server, and a token for each account. */
interface Address {
  readonly port: number
  readonly tokens: readonly string[]
}
export type Addresses = Readonly<Record<Transport, Address>>

/** A server as agents connect to it. */
export interface Target extends Address {
  readonly transport: Transport
}

/** For how long to measure: a time, or a number of finished matches. */
export type Stretch = { readonly seconds: number } | { readonly matches: number }

export interface Play {
  readonly transport: Transport
  readonly pairs: number
  readonly warmUp: Stretch
  readonly stretch: Stretch
}

/** Agents that wait: so many connections, spread over so many accounts, for one opponent or for any. */
export interface Wait {
  readonly target: Target
  readonly count: number
  readonly accounts: number
  readonly opponent?: string
}

/** What was seen of a server in one round; `cpu` is its processor time in seconds. */
export interface Round extends Seen {
  readonly cpu: number
}

/** A server under measurement, in a process of its own. */
export class MeasuredServer {
  readonly #helper: Helper
  readonly addresses: Addresses

  static async open(name: 'host' | 'relay', opening: Opening): Promise<MeasuredServer> {
    const helper = new Helper(name)
    return new MeasuredServer(helper, await helper.ask('open', opening))
  }

  private constructor(helper: Helper, addresses: Addresses) {
    this.#helper = helper
    this.addresses = addresses
  }

  target(transport: Transport): Target {
    return { transport, ...this.addresses[transport] }
  }

  /** Has pairs of agents play here, and measures once they have warmed up. */
  async play(load: Helper, { transport, pairs, warmUp, stretch }: Play): Promise<Round> {
    await load.ask('play', { target: this.target(transport), count: 2 * pairs })
    await load.ask('watch', warmUp)
    const before = await this.ask<number>('cpu')
    const seen = await load.ask<Seen>('watch', stretch)
    const cpu = (await this.ask<number>('cpu')) - before
    await load.ask('stop')
    return { ...seen, cpu }
  }

  /** Bytes that each waiting agent takes. */
  async weigh(load: Helper, wait: Wait): Promise<Memory> {
    // The first agents load code and make buffers that the others then share.
    const first = Math.min(100, Math.ceil(wait.count / 10))
    const count = wait.count - first
    await load.ask('wait', { ...wait, count: first } satisfies Wait)
    const before = await this.ask<Memory>('memory')
    await load.ask('wait', { ...wait, count } satisfies Wait)
    const after = await this.ask<Memory>('memory')
    return { rss: (after.rss - before.rss) / count, heap: (after.heap - before.heap) / count }
  }

  ask<T>(question: string): Promise<T> {
    return this.#helper.ask<T>(question)
  }

  stop(): void {
    this.#helper.stop()
  }
}
