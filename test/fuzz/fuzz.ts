// Attacks on a real server, several at a time, while honest agents play there.

import { attacks, ballot } from './attacks.ts'
import { type Fate, playHonestly } from './honest.ts'
import { playLeague } from './honest-league.ts'
import { Luck, seedOf } from './luck.ts'
import { record } from './recordings.ts'
import { type Attack, type Member, type Place, Scene } from './scene.ts'
import { type Holdings, Server, type Setup } from './server.ts'
import { within } from './wire.ts'

export interface Fuzzing {
  readonly seed: number
  readonly ms: number
  /** Repeats only the attack of this seed. */
  readonly only?: number | undefined
  /** Makes only attacks of this name. */
  readonly attack?: string | undefined
  /** How many attacks run at the same time. */
  readonly lanes?: number
  /** Settings and constants of the server, in place of those that suit most attacks. */
  readonly setup?: Setup
  readonly tell?: (line: string) => void
}

export interface Report {
  readonly attacks: number
  /** How often each kind of attack was made, and how often it reached its target. */
  readonly kinds: ReadonlyMap<string, Kind>
  /** Seats of honest agents in finished matches. */
  readonly seats: number
  /** The longest time of an honest agent from connecting to `queued`, in milliseconds. */
  readonly slowestArrival: number
  readonly before: Holdings | undefined
  readonly after: Holdings | undefined
  readonly faults: readonly string[]
}

interface Kind {
  made: number
  struck: number
}

export const fuzz = async (fuzzing: Fuzzing): Promise<Report> => {
  const server = await Server.start([...crowd, ...honest], fuzzing.setup)
  try {
    return await new Campaign(server, fuzzing).run()
  } finally {
    await server.stop()
  }
}

class Campaign {
  readonly #server: Server
  readonly #fuzzing: Fuzzing
  readonly #suspects = new Set<string>()
  readonly #faults: string[] = []
  readonly #known = new Set<string>()
  readonly #kinds: ReadonlyMap<string, Kind>
  readonly #ballot: readonly Attack[]
  #place!: Place
  #until = 0
  #attacks = 0
  #seats = 0
  #slowestArrival = 0

  constructor(server: Server, fuzzing: Fuzzing) {
    this.#server = server
    this.#fuzzing = fuzzing
    const { attack } = fuzzing
    this.#ballot = attack === undefined ? ballot : attacks.filter(({ name }) => name === attack)
    this.#kinds = new Map(this.#ballot.map(({ name }) => [name, { made: 0, struck: 0 }]))
    server.complained = line => this.#fault(line)
  }

  async run(): Promise<Report> {
    const { seed, ms, lanes = 12 } = this.#fuzzing
    const server = this.#server
    const [one, other] = this.#named(crowd)
    const recordings = await record(server, [one!, other!])
    this.#place = { ssh: server.ssh, http: server.http, crowd: this.#named(crowd), recordings }

    // Memory that the server allocates once does not count.
    if (this.#ballot === ballot && this.#fuzzing.only === undefined)
      await Promise.all(attacks.map((attack, i) => this.#attack(seedOf(seed, -1 - i), attack)))
    const before = await this.#calm()

    this.#until = performance.now() + ms
    await Promise.all([
      this.#watch(),
      ...Array.from({ length: lanes }, () => this.#lane()),
      ...honest.map((_, i) => this.#player(i)),
    ])

    // A process that has ended answers no more questions.
    if (!server.running) return this.#report(before, undefined)
    const after = await this.#calm(before)
    for (const left of growth(before, after)) this.#fault(left)
    const fates = await Promise.all(honest.map((_, i) => this.#honestly(i, 'ttt', -1)))
    for (const { fault, played } of fates)
      if (!played) this.#fault(`afterwards: ${fault ?? 'no opponent'}`)
    const differences = await server.verify()
    if (differences !== '') this.#fault(`agentbbs verify: ${differences}`)
    return this.#report(before, after)
  }

  #report(before: Holdings | undefined, after: Holdings | undefined): Report {
    return {
      attacks: this.#attacks,
      kinds: this.#kinds,
      seats: this.#seats,
      slowestArrival: this.#slowestArrival,
      ...{ before, after },
      faults: this.#faults,
    }
  }

  get #goesOn(): boolean {
    const { running } = this.#server
    return running && performance.now() < this.#until && this.#faults.length < mostFaults
  }

  #named(names: readonly string[]): readonly Member[] {
    return this.#server.members.filter(({ name }) => names.includes(name))
  }

  /** Reports each kind of fault once. */
  #fault(what: string): void {
    if (this.#known.has(what)) return
    this.#known.add(what)
    const fault = `${what}\n  just then: ${[...this.#suspects].join(', ') || 'nothing'}`
    this.#faults.push(fault)
    this.#fuzzing.tell?.(fault)
  }

  async #lane(): Promise<void> {
    const { seed, only } = this.#fuzzing
    while (this.#goesOn) {
      const n = this.#attacks++
      await this.#attack(only ?? seedOf(seed, n))
    }
  }

  async #attack(seed: number, chosen?: Attack): Promise<void> {
    const luck = new Luck(seed)
    const drawn = luck.pick(this.#ballot)
    const { name, run } = chosen ?? drawn
    const named = chosen === undefined && this.#ballot === ballot ? '' : ` --attack "${name}"`
    const label = `${name} (--only ${seed}${named})`
    const scene = new Scene(this.#place, luck)
    this.#suspects.add(label)
    const kind = this.#kinds.get(name)!
    kind.made++
    const told = run(scene).catch(error => this.#fault(`${label}: ${error.stack}`))
    await within(longestAttack, told)
    if (scene.struck) kind.struck++
    scene.clear()
    // Its effects may follow a moment later.
    setTimeout(() => this.#suspects.delete(label), 1_000).unref()
  }

  async #player(i: number): Promise<void> {
    for (let round = 0; this.#goesOn; round++) {
      // Three agents for each game, one on each transport and one of League of Agents.
      const game = honestGames[(Math.floor(i / 3) + Math.floor(round / 8)) % honestGames.length]!
      const { fault, played, arrival } = await this.#honestly(i, game, round)
      if (played) {
        this.#seats++
        this.#slowestArrival = Math.max(this.#slowestArrival, arrival)
      } else if (fault !== null && this.#goesOn) this.#fault(fault)
    }
  }

  #honestly(i: number, game: string, round: number): Promise<Fate> {
    const dial = {
      ports: this.#server,
      member: this.#named(honest)[i]!,
      by: i % 3 === 0 ? 'ssh' : 'websocket',
      address: `127.2.0.${i + 1}`,
      luck: new Luck(seedOf(this.#fuzzing.seed, 1e6 * (i + 1) + round)),
    } as const
    return i % 3 === 2 ? playLeague(dial, game) : playHonestly(dial, game)
  }

  /** Stops a server that no longer answers, after recording its stack. */
  async #watch(): Promise<void> {
    while (this.#goesOn) {
      await pause(1_000)
      if ((await this.#server.holdings()) !== undefined || !this.#server.running) continue
      this.#fault(`the server has stopped answering, at\n${await this.#server.stack()}`)
      await this.#server.stop()
    }
  }

  /** Without what the rooms of Clawpoly hold, which are listed for some minutes after their games. */
  async #holdings(): Promise<Holdings | undefined> {
    const holdings = await this.#server.holdings()
    if (holdings === undefined) return undefined
    // Asked last, because the connection counts as a resource, too.
    const { timers, heap } = await this.#server.rooms()
    const { Timeout = 0 } = holdings.resources
    const resources = { ...holdings.resources, Timeout: Timeout - timers }
    return { ...holdings, heap: holdings.heap - heap, resources }
  }

  /**
   * Waits until no client is connected, and matches that agents of League of Agents have left are over, but no longer than
   * the longest deadline of the server.
   */
  async #calm(before?: Holdings): Promise<Holdings | undefined> {
    const until = performance.now() + 45_000
    for (;;) {
      const holdings = await this.#holdings()
      const isCalm =
        !holdings?.resources.TCPSocketWrap &&
        (before === undefined || growth(before, holdings).length === 0)
      if (isCalm || performance.now() > until) return holdings
      await pause(200)
    }
  }
}

const names = (stem: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${stem}-${i + 1}`)
const crowd = names('fuzz', 12)
const honest = names('honest', 6)
/** Short games, in which a move is in `legal`, or a number. */
const honestGames = ['ttt', 'c4', 'echo', 'gomoku']

const longestAttack = 15_000
/** Enough to see the cause. */
const mostFaults = 20
/** In MiB: caches fill up, and code is compiled. */
const mostGrowth = 24

const growth = (before: Holdings | undefined, after: Holdings | undefined): string[] => {
  if (before === undefined || after === undefined) return ['the server does not say what it holds']
  const grown = Object.entries(after.resources)
    // The number of timers varies; a leaked connection stays.
    .filter(([kind, count]) => count > (before.resources[kind] ?? 0) + (isSocket(kind) ? 0 : 3))
    .map(([kind, count]) => `${count} of ${kind} are left over`)
  const more = (after.heap - before.heap) / 2 ** 20
  return more > mostGrowth ? [...grown, `${more.toFixed(1)} MiB more on the heap`] : grown
}

const isSocket = (kind: string) => kind === 'TCPSocketWrap'

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
