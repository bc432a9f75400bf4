// The law of the server: an honest agent's move is answered in time, whatever one client does. It is tested on the real
// server with a small heap, with honest agents in a process of their own, during every heavy attack.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { heavy } from './attacks/heavy.ts'
import { attacks } from './attacks.ts'
import type { Moved, Orders, Played } from './honest-process.ts'
import { keepLongMatches } from './long-matches.ts'
import { Luck, seedOf } from './luck.ts'
import { record } from './recordings.ts'
import { type Member, Scene } from './scene.ts'
import { type Peaks, Server } from './server.ts'
import { within } from './wire.ts'

/** The limit for the answer to a move in milliseconds, and the heap of the server in MiB. */
export const slowestAllowed = 250
export const smallHeap = 512

export interface Trial {
  readonly seed: number
  /** Seconds without attacks, and then with attacks. */
  readonly peace: number
  readonly war: number
  /** Makes only heavy attacks with this in their names. */
  readonly only?: string | undefined
  readonly tell?: (line: string) => void
}

/** How long honest agents waited for the answers to their moves, in milliseconds. */
interface Waits {
  readonly moves: number
  readonly matches: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** The longest wait, without the time in which server or agent had no processor. */
  readonly own: number
}

export interface Verdict {
  readonly peace: Waits & Peaks
  readonly war: Waits & Peaks
  readonly faults: readonly string[]
  readonly struck: ReadonlyMap<string, number>
}

export const hold = async ({ seed, peace, war, only = '', tell }: Trial): Promise<Verdict> => {
  let long: readonly number[] = []
  const chosen = heavy.filter(({ name }) => name.includes(only))
  const server = await Server.start(
    [...honest, ...recorders, ...chosen.flatMap((_, n) => namesOf(n))],
    { settings, constants: { limits: { hubSessions: 20 } } },
    {
      heap: smallHeap,
      prepare: async store => {
        long = await keepLongMatches(store)
      },
    },
  )
  const faults = new Set<string>()
  const fault = (what: string) => {
    if (!faults.has(what)) tell?.(what)
    faults.add(what)
  }
  server.complained = fault
  const named = (names: readonly string[]) =>
    server.members.filter(({ name }) => names.includes(name))
  let players: ChildProcess | undefined
  try {
    const recordings = await record(server, named(recorders) as [Member, Member])
    players = fork(new URL('./honest-process.ts', import.meta.url), {
      execArgv: ['--import', import.meta.resolve('tsx')],
    })
    const { ssh, http, pid } = server
    players.send({
      ...{ ssh, http, server: pid },
      members: named(honest).map(({ name, token }) => ({
        ...{ name, token },
        key: server.keyOf(name),
      })),
    } satisfies Orders)
    const waits = async (): Promise<Waits & Peaks> => {
      const [played, peaks] = await Promise.all([reported(players!), server.peaks()])
      for (const what of played.faults) fault(what)
      return { ...waitsOf(played), ...peaks }
    }

    // Compiling code and pairing the agents do not count.
    await pause(3_000)
    await waits()
    await pause(peace)
    const before = await waits()
    tell?.(`peace ${JSON.stringify(before)}`)

    const struck = new Map(chosen.map(({ name }) => [name, 0]))
    const until = performance.now() + war
    const place = { ssh, http, recordings }
    let made = 0
    // Each attack at least once, also on a slow machine.
    const goesOn = () => server.running && (performance.now() < until || made < chosen.length)
    const attack = async (n: number) => {
      const { name, run } = chosen[n % chosen.length]!
      const members = named(namesOf(n % chosen.length))
      const scene = new Scene({ ...place, crowd: members }, new Luck(seedOf(seed, n)))
      const told = run(scene, { long, members, ms: lasts }).catch(error =>
        fault(`${name}: ${error.stack}`),
      )
      await within(longestAttack, told)
      if (scene.struck) struck.set(name, struck.get(name)! + 1)
      scene.clear()
    }
    await Promise.all([
      ...Array.from({ length: lanes }, async () => {
        while (goesOn()) await attack(made++)
      }),
      // And some of the other attacks.
      (async () => {
        for (let n = 0; only === '' && goesOn(); n++) {
          const luck = new Luck(seedOf(seed + 1_000, n))
          const scene = new Scene({ ...place, crowd: named(recorders) }, luck)
          const made = luck.pick(attacks).run(scene)
          await within(
            5_000,
            made.catch(() => {}),
          )
          scene.clear()
        }
      })(),
    ])
    // On a busy machine some attacks have not reached their target.
    for (let n = 0; n < 2 * chosen.length && server.running; n++)
      if (struck.get(chosen[n % chosen.length]!.name) === 0) await attack(n)
    if (!server.running) throw new Error(`the server ended: ${[...faults].join('; ')}`)
    const during = await waits()
    tell?.(`war ${JSON.stringify(during)}`)
    return { peace: before, war: during, faults: [...faults], struck }
  } finally {
    if (players?.connected) players.disconnect()
    await server.stop()
  }
}

const reported = async (players: ChildProcess): Promise<Played> => {
  const answered = once(players, 'message')
  players.send('report')
  const [answer] = await answered
  return answer
}

const waitsOf = ({ moves, matches }: Played): Waits => {
  const took = moves.map(({ took }) => took).sort((a, b) => a - b)
  const part = (part: number) =>
    took[Math.min(took.length - 1, Math.floor(part * took.length))] ?? 0
  const own = ({ took, starved }: Moved) => took - starved
  return {
    ...{ moves: moves.length, matches },
    p50: part(0.5),
    p99: part(0.99),
    max: part(1),
    own: Math.max(0, ...moves.map(own)),
  }
}

/** How many attacks run at the same time. With more, the attackers use up the machine and the server has less to do. */
const lanes = 4
const lasts = 5_000
const longestAttack = 15_000

const names = (stem: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${stem}-${i + 1}`)
const honest = names('honest', 6)
const recorders = names('fuzz', 2)
/** Each attack has accounts of its own. */
const namesOf = (attack: number) => names(`heavy-${attack}`, 4)

/** The defaults, but without caps for accounts. */
const settings = {
  AGENTBBS_GAME_MOVE_TIMEOUT: '15',
  AGENTBBS_MAX_CONNECTIONS_PER_ACCOUNT: '250',
  AGENTBBS_MAX_MATCHES_PER_ACCOUNT: '250',
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
