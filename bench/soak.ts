import { agentOf, type Begin } from './agent.ts'
import { newAccounts, openFile } from './data-folder.ts'
import { Load, sshSettings } from './load.ts'
import { type Memory, type Spread, sleep } from './measure.ts'
import type { Counts } from './processes/probe.ts'
import { agentbbs, pinLoad, type Server, withHost } from './server.ts'
import { Spectators } from './spectators.ts'
import type { Behaviour } from './tally.ts'

/** What happens on a host that is half busy for a long time. */
export type Soak = Awaited<ReturnType<typeof benchSoak>>

const pairs = 24
/** Of a hundred agents so many misbehave; the others play. */
const misbehaviours = Object.entries({
  illegal: 4,
  late: 2,
  lost: 4,
  resigns: 4,
  leaves: 4,
}).flatMap(([behaviour, count]) => Array<Behaviour>(count).fill(behaviour as Behaviour))
/** Of a hundred, so many connect over SSH. */
const bySsh = 25
const mostAtOnce = 2_000

const settings = {
  ...sshSettings,
  // Short, so that many moves are late. No account is paused for that.
  AGENTBBS_GAME_MOVE_TIMEOUT: '5',
  AGENTBBS_PAUSE_AFTER: '0',
  // Few accounts play all.
  AGENTBBS_MAX_PRACTICE_PER_ACCOUNT: '1000',
}

export const benchSoak = (minutes: number, print: (line: string) => void = () => {}) => {
  const accounts = newAccounts(64, 64)
  const load = new Load(accounts)
  return withHost({ accounts, settings }, async (host, data) => {
    const crowd = new Crowd(load, host)
    // A host that has failed ends the soak; its agents would connect again and again.
    host.ended.catch(() => crowd.end())
    const full = await crowd.fullSpeed(Math.min(30, Math.max(3, minutes * 6)))
    print(`Full speed: ${full.toFixed(0)} matches a second.`)
    // The first question starts a timer, which counts.
    await host.ask('delays')
    const start = await settled(host)
    await host.ask('delays')
    crowd.soak(full / 2)
    const memory = await watch(host, minutes, print)
    const delay = await host.ask<Spread & { readonly most: number }>('delays')
    const seen = await crowd.end()
    const end = await settled(host, start)
    await host.stop()
    const { faults } = host
    const verify: Verified = JSON.parse(agentbbs(data, 'verify', '--json'))
    const integrity = openFile(data).pragma('integrity_check', { simple: true })
    return {
      // Matches a second: what the host can take of this mixture, and what it was given.
      ...{ minutes, pinned: pinLoad(), full, given: full / 2, seen },
      // Over time, after garbage collection, and KiB a minute over the second half.
      ...{ memory, slope: slopeOf(memory.slice(Math.floor(memory.length / 2))) },
      ...{ start, end, delay, faults, verify, integrity },
      problems: [
        ...seen.faults.map(([what, times]) => `${times} × told to an agent: ${what}`),
        ...faults.map(fault => `in the log: ${fault}`),
        ...verify.differences.map(difference => `stored wrong: ${difference}`),
        ...(integrity === 'ok' ? [] : [`the database: ${integrity}`]),
        ...grown(start, end).map(kind => `${kind}: ${start[kind]} before, ${end[kind]} after`),
      ],
    }
  })
}

interface Verified {
  readonly matches: number
  readonly differences: readonly string[]
}

type MemoryAt = Memory & { readonly minute: number }

/** The agents of a soak, with every behaviour, and its spectators. */
class Crowd {
  readonly #load: Load
  readonly #host: Server
  #connected = 0
  #stayedAway = 0
  #timer: NodeJS.Timeout | undefined
  #spectators: Spectators | undefined

  constructor(load: Load, host: Server) {
    this.#load = load
    this.#host = host
  }

  /** How many matches a second there are when as many agents connect as the host can take. */
  async fullSpeed(seconds: number): Promise<number> {
    this.#start()
    for (let i = 0; i < 2 * pairs; i++) this.#load.playOn(() => this.#agent('plays'))
    await sleep((seconds * 1000) / 3)
    this.#load.tally.clear()
    await sleep((seconds * 2000) / 3)
    const speed = this.#load.tally.round(0).values.matchesPerSecond!
    await this.end()
    return speed
  }

  /** From now on so many matches a second begin. */
  soak(matchesPerSecond: number): void {
    this.#start()
    let due = 0
    let last = performance.now()
    this.#timer = setInterval(() => {
      const now = performance.now()
      due += ((now - last) / 1000) * 2 * matchesPerSecond
      last = now
      for (; due >= 1; due--) {
        // On a machine that is busy with other work for a while, no queue of agents may build up.
        if (this.#load.size < mostAtOnce) this.#load.connect(this.#agent(this.#next()))
        else this.#stayedAway++
      }
    }, 20)
  }

  /** No more agents connect; answers once all have left. */
  async end() {
    clearInterval(this.#timer)
    await this.#load.stop()
    this.#spectators!.stop()
    const { results, done, faults } = this.#load.tally
    const seen = { agents: this.#connected, stayedAway: this.#stayedAway, results, done }
    return { ...seen, watched: this.#spectators!.seen, faults: [...faults] }
  }

  #start(): void {
    this.#load.start()
    this.#connected = this.#stayedAway = 0
    this.#spectators = new Spectators(this.#host.ports, this.#load.tally)
  }

  #agent(behaviour: Behaviour): Begin {
    const n = ++this.#connected
    const plays = behaviour === 'plays'
    const matches = plays && n % 20 === 0 ? 3 : 1
    // Agents that leave the queue play a game of their own: their opponents can have a move refused.
    const game = behaviour === 'leaves' ? 'othello' : n % 10 === 0 ? 'c4' : 'ttt'
    const practice = plays && n % 50 === 2 ? 'easy' : undefined
    const transport = Math.random() * 100 < bySsh ? 'ssh' : 'ws'
    const account = Math.floor(Math.random() * this.#load.accounts.length)
    const dial = this.#load.dialler(this.#host, transport, account, { game, matches, practice })
    return agentOf(dial, { behaviour, matches, scripted: false })
  }

  /** Of each hundred agents exactly so many misbehave, spread among the others. */
  #next(): Behaviour {
    return misbehaviours[(this.#connected * 37) % 100] ?? 'plays'
  }
}

const grown = (start: Counts, end: Counts) =>
  (Object.keys(start) as (keyof Counts)[]).filter(kind => end[kind] > start[kind])

const watch = async (
  host: Server,
  minutes: number,
  print: (line: string) => void,
): Promise<readonly MemoryAt[]> => {
  const every = Math.min(15_000, (minutes * 60_000) / 40)
  const memory: MemoryAt[] = []
  const since = performance.now()
  for (let minute = 0; minute < minutes; ) {
    await sleep(every)
    minute = (performance.now() - since) / 60_000
    const now = await host.ask<Memory>('memory')
    memory.push({ minute, ...now })
    if (memory.length % 4 === 0)
      print(`${minute.toFixed(1)} min: ${mib(now.rss)} MiB, ${mib(now.heap)} of it JavaScript`)
  }
  return memory
}

const mib = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1)

/** The counts, once they are as low as before; at the latest after 15 s. */
const settled = async (host: Server, before?: Counts): Promise<Counts> => {
  for (let tries = 0; ; tries++) {
    await sleep(500)
    const now = await host.ask<Counts>('counts')
    const done = before === undefined ? tries === 4 : grown(before, now).length === 0
    if (done || tries === 30) return now
  }
}

/** By least squares. */
const slopeOf = (memory: readonly MemoryAt[]): Memory => {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const minute = mean(memory.map(({ minute }) => minute))
  const spread = mean(memory.map(one => (one.minute - minute) ** 2))
  const slope = (value: (one: Memory) => number) => {
    const middle = mean(memory.map(value))
    const together = mean(memory.map(one => (one.minute - minute) * (value(one) - middle)))
    return together / spread / 1024
  }
  return { rss: slope(one => one.rss), heap: slope(one => one.heap) }
}
