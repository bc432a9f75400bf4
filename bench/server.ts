import { Helper, loadCore, serverCore } from './helper.ts'
import { each, type Memory } from './measure.ts'
import type { Seen } from './tally.ts'

export type Transport = 'ws' | 'ssh'

/** An agent's account as the servers of a bench are asked to have it. */
export interface BenchAccount {
  readonly name: string
  /** A public key as OpenSSH writes it, for those who connect by SSH. */
  readonly publicKey?: string
}

/** An account that never connects, for agents that are to wait for it. */
export const absent = 'absent'

/** Where a server is reached. */
export interface Reach {
  readonly port: number
  /** For each account. */
  readonly tokens: readonly string[]
}
export type Reaches = Readonly<Record<Transport, Reach>>

/** A server as agents dial it. */
export interface Target extends Reach {
  readonly transport: Transport
}

/** How long to look: for a time, or until so many matches are over. */
export type Stretch = { readonly seconds: number } | { readonly matches: number }

export interface Play {
  readonly transport: Transport
  readonly pairs: number
  readonly warmUp: Stretch
  readonly stretch: Stretch
}

/** What was seen of a server in one round. */
export interface Round extends Seen {
  /** Processor time in seconds. */
  readonly cpu: number
}

export const newLoad = (): Helper => new Helper('processes/load', loadCore)

/** A server under measurement, in a process of its own. */
export class Server {
  readonly #helper: Helper
  readonly reach: Reaches

  static async open(name: 'house' | 'relay', accounts: readonly BenchAccount[]): Promise<Server> {
    const helper = new Helper(`processes/${name}`, serverCore)
    return new Server(helper, await helper.ask('open', accounts))
  }

  private constructor(helper: Helper, reach: Reaches) {
    this.#helper = helper
    this.reach = reach
  }

  /** Has agents play here, and looks at it once they have warmed up. */
  async play(load: Helper, { transport, pairs, warmUp, stretch }: Play): Promise<Round> {
    const target: Target = { transport, ...this.reach[transport] }
    await load.ask('start', { target, count: 2 * pairs })
    await load.ask('watch', warmUp)
    const before = await this.ask<number>('cpu')
    const seen = await load.ask<Seen>('watch', stretch)
    const cpu = (await this.ask<number>('cpu')) - before
    await load.ask('stop')
    return { ...seen, cpu }
  }

  /** Bytes that each of so many waiting agents takes. */
  async weigh(load: Helper, wait: Omit<Wait, 'target'>, transport: Transport, skip = 0) {
    const { port, tokens } = this.reach[transport]
    const target: Target = { transport, port, tokens: tokens.slice(skip) }
    // The first ones have code loaded and buffers made that the others then share.
    const first = Math.min(100, Math.ceil(wait.count / 10))
    await load.ask('wait', { ...wait, target, count: first } satisfies Wait)
    const before = await this.ask<Memory>('memory')
    const count = wait.count - first
    await load.ask('wait', { ...wait, target, count } satisfies Wait)
    return each(before, await this.ask<Memory>('memory'), count)
  }

  ask<T>(question: string): Promise<T> {
    return this.#helper.ask<T>(question)
  }

  stop(): void {
    this.#helper.stop()
  }
}

/** Agents that wait, in turn by the first so many accounts, for anybody or for one opponent. */
export interface Wait {
  readonly target: Target
  readonly count: number
  readonly accounts: number
  readonly opponent?: string
}
