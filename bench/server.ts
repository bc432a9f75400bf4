import type { BenchAccount, Reach } from './account.ts'
import { Helper } from './helper.ts'
import type { Stretch, Target, Transport } from './load.ts'
import type { Seen } from './tally.ts'
import type { Memory } from './usage.ts'

const serverCore = 0
export const loadCore = 1

/** What was seen of a server in one round. */
export interface Round extends Seen {
  /** Processor time in seconds. */
  readonly cpu: number
}

/** A server under measurement, in a process of its own. */
export class Server {
  readonly #helper: Helper
  readonly #reach: Partial<Record<Transport, Reach>>

  static async open(name: string, accounts: readonly BenchAccount[]): Promise<Server> {
    const helper = new Helper(name, serverCore)
    return new Server(helper, await helper.ask('open', accounts))
  }

  private constructor(helper: Helper, reach: Partial<Record<Transport, Reach>>) {
    this.#helper = helper
    this.#reach = reach
  }

  target(transport: Transport): Target {
    return { transport, ...this.#reach[transport]! }
  }

  /** Has agents play here, and looks at it once they have warmed up. */
  async play(load: Helper, play: Play): Promise<Round> {
    await load.ask('start', { target: this.target(play.transport), count: 2 * play.pairs })
    await load.ask('watch', play.warmUp)
    const before = await this.#helper.ask<number>('cpu')
    const seen = await load.ask<Seen>('watch', play.stretch)
    const cpu = (await this.#helper.ask<number>('cpu')) - before
    await load.ask('stop')
    return { ...seen, cpu }
  }

  /** KiB that each of so many waiting agents takes. */
  async weigh(load: Helper, transport: Transport, count: number): Promise<Memory> {
    const target = this.target(transport)
    // The first ones have code loaded and buffers made that the others then share.
    await load.ask('wait', { target, count: 50 })
    const before = await this.#helper.ask<Memory>('memory')
    await load.ask('wait', { target, count })
    const after = await this.#helper.ask<Memory>('memory')
    const each = (from: number, to: number) => (to - from) / count / 1024
    return { rss: each(before.rss, after.rss), heap: each(before.heap, after.heap) }
  }

  /** Bytes that each of so many takes who waits in vain; the first accounts are for others. */
  async weighIdle(
    load: Helper,
    { transport, count, skip }: { transport: Transport; count: number; skip: number },
  ): Promise<Memory> {
    const reach = this.target(transport)
    const target = { ...reach, tokens: reach.tokens.slice(skip) }
    const first = Math.min(100, Math.ceil(count / 10))
    await load.ask('waitInVain', { target, count: first })
    const before = await this.ask<Memory>('memory')
    await load.ask('waitInVain', { target, count: count - first })
    const after = await this.ask<Memory>('memory')
    const each = (from: number, to: number) => (to - from) / (count - first)
    return { rss: each(before.rss, after.rss), heap: each(before.heap, after.heap) }
  }

  ask<T>(question: string): Promise<T> {
    return this.#helper.ask<T>(question)
  }

  stop(): void {
    this.#helper.stop()
  }
}

export interface Play {
  readonly transport: Transport
  readonly pairs: number
  readonly warmUp: Stretch
  readonly stretch: Stretch
}
