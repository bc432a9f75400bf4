// Runs in a worker thread of the benchmark: requests pages.

import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../src/threads/calls.ts'
import { forwardedFor } from '../load.ts'
import { spread, type Values } from '../measure.ts'

/** What there is to read. */
export interface Past {
  readonly matches: number
  readonly accounts: number
}

/** Readers behind the TLS edge, each of whom requests one page. */
class Readers {
  readonly #port: number
  readonly #kinds: readonly (readonly [kind: string, path: () => string])[]
  readonly #agent = new Agent({ keepAlive: true })
  #times = new Map<string, number[]>()
  #asked: Promise<unknown>[] = []
  #timer: NodeJS.Timeout | undefined
  #readers = 1_000_000

  constructor(port: number, { matches, accounts }: Past) {
    this.#port = port
    const any = (most: number) => 1 + Math.floor(Math.random() * most)
    const ladder = () => `ttt?page=${any(Math.ceil(accounts / 50))}`
    this.#kinds = [
      ['front', () => '/'],
      ['ladder', () => `/ladder/${ladder()}`],
      ['match', () => `/match/${any(matches)}`],
      ['agent', () => `/agent/agent-${any(accounts)}`],
      ['picture', () => `/match/${any(matches)}/picture.png`],
      ['docs', () => '/docs/protocol'],
      ['search', () => '/docs?q=move'],
      ['api.ladder', () => `/api/v1/ladder/${ladder()}`],
      ['api.matches', () => `/api/v1/matches?limit=100&before=${any(matches)}`],
      ['api.ending', () => '/api/v1/matches?ending=gone'],
      ['api.agent', () => `/api/v1/agents/agent-${any(accounts)}`],
      ['api.positions', () => `/api/v1/matches/${any(matches)}/positions`],
      ['api.export', () => `/api/v1/matches/${any(matches)}/ndjson`],
    ]
  }

  /** Milliseconds that the first page of each kind takes. */
  async each(): Promise<Values> {
    const took: Record<string, number> = {}
    for (const [kind, path] of this.#kinds) took[`${kind}.first`] = await this.#ask(path())
    return took
  }

  start(): void {
    this.#times = new Map(this.#kinds.map(([kind]) => [kind, []]))
    this.#asked = []
    this.#timer = setInterval(() => {
      const [kind, path] = this.#kinds[this.#asked.length % this.#kinds.length]!
      const asked = this.#ask(path()).then(ms => this.#times.get(kind)!.push(ms))
      // Awaited later: until then it is handled here.
      asked.catch(() => {})
      this.#asked.push(asked)
    }, 1000 / workerData.perSecond)
  }

  /** Milliseconds that pages of each kind took. */
  async stop(): Promise<Values> {
    clearInterval(this.#timer)
    await Promise.all(this.#asked)
    return Object.fromEntries(
      [...this.#times].flatMap(([kind, times]) =>
        Object.entries(spread(times)).map(([share, ms]) => [`${kind}.${share}`, ms]),
      ),
    )
  }

  #ask(path: string): Promise<number> {
    const before = performance.now()
    return new Promise((resolve, reject) => {
      const options = {
        ...{ port: this.#port, host: '127.0.0.1', path, agent: this.#agent },
        headers: { 'X-Forwarded-For': forwardedFor(this.#readers++) },
      }
      get(options, response => {
        if (response.statusCode !== 200)
          reject(new Error(`${path} is answered with ${response.statusCode}`))
        response.on('end', () => resolve(performance.now() - before)).resume()
      }).on('error', reject)
    })
  }
}

export type PageReaders = Pick<Readers, 'each' | 'start' | 'stop'>

serve(parentPort!, new Readers(workerData.port, workerData.past))
