import { existsSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { countsOf, valuesOf } from './compare.ts'
import { newAccounts, openFile } from './data-folder.ts'
import { accountsFor, forwardedFor, Load } from './load.ts'
import { bar, figuresOf, type Measured, medianOf, spread, type Values } from './measure.ts'
import { seed } from './seed.ts'
import { temporaryFolder, withHost } from './server.ts'

const perSecond = 50
const rounds = 6
/** Pairs that play over WebSocket, and the milliseconds that each agent thinks: so a core is busy for a third of the time. */
const [pairs, think] = [16, 10]

/**
 * How much longer moves take while pages are requested, 50 a second, from a data folder with so many past matches, which
 * is made if there is none. Rounds with and without pages alternate.
 */
export const benchPages = async (folder: string | undefined, matches: number, seconds: number) => {
  const data = join(folder ?? temporaryFolder(), 'data')
  if (!existsSync(data)) seed(data, matches)
  const past = pastIn(data)
  const accounts = newAccounts(accountsFor((2 + rounds) * seconds * 300), 0)
  return withHost({ data, accounts, pinned: false }, async host => {
    const pages = new Pages(host.ports.ws, past)
    const first = await pages.each()
    const perRound: Values[] = []
    const play = { transport: 'ws', pairs, think, warmUp: 2 * seconds, seconds, rounds } as const
    const measured = await new Load(accounts).play(host, play, async round => {
      if (round % 2 === 1) pages.start()
      else if (round > 0) perRound.push(await pages.stop())
    })
    const [without, withPages] = [0, 1].map(odd => measured.filter((_, i) => i % 2 === odd))
    const moves = [
      ...figuresOf('without', valuesOf(without!)),
      ...figuresOf('with', valuesOf(withPages!)),
    ]
    const times = [...figuresOf('page', [first]), ...figuresOf('page', perRound)]
    const rise = medianOf(moves, 'with.move.p99') - medianOf(moves, 'without.move.p99')
    return {
      ...{
        pinned: false,
        pairs,
        think,
        seconds,
        pagesPerSecond: perSecond,
        past,
        ...countsOf(measured),
      },
      figures: [
        ...moves.filter(({ figure }) => !figure.includes('queued')),
        ...times.toSorted((a, b) => (a.figure < b.figure ? -1 : 1)),
      ],
      bars: [bar('rise of move.p99', rise, 1)],
    } satisfies Measured
  })
}

/** How many matches were made, and by how many accounts; not those of earlier measurements. */
const pastIn = (data: string) => {
  const db = openFile(data)
  const accounts = db
    .prepare("select count(*) from accounts where name like 'agent-%'")
    .pluck()
    .get()
  const matches = db
    .prepare('select max(match) from match_seats where account <= ?')
    .pluck()
    .get(accounts)
  db.close()
  return { matches: Number(matches), accounts: Number(accounts) }
}

/** Readers behind the TLS edge, each of whom requests one page. */
class Pages {
  readonly #port: number
  readonly #kinds: readonly (readonly [kind: string, path: () => string])[]
  readonly #agent = new Agent({ keepAlive: true })
  #times = new Map<string, number[]>()
  #asked: Promise<unknown>[] = []
  #timer: NodeJS.Timeout | undefined
  #readers = 1_000_000

  constructor(port: number, { matches, accounts }: { matches: number; accounts: number }) {
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
    }, 1000 / perSecond)
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
