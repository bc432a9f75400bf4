import type { Reach } from './account.ts'
import { canPin, Helper } from './helper.ts'
import type { Latency } from './long-match.ts'
import { median } from './median.ts'
import { loadCore } from './server.ts'
import type { Memory } from './usage.ts'

export interface Crowd {
  /** People who watch one match by SSH, every other of them frozen: such a one reads nothing any more. */
  readonly watchers: number
  /** Moves that are measured without them, and with them. */
  readonly moves: number
}

/** What those who watch do to those who play. */
export interface Watched extends Crowd {
  readonly pinned: boolean
  readonly alone: Latency
  readonly watched: Latency
  /** KiB that an idle session of the hub takes. */
  readonly session: Memory
  /** Bytes a second that reached each of those who read. */
  readonly bytesPerSecond: number
}

export const benchWatchers = async ({ watchers, moves }: Crowd): Promise<Watched> => {
  const house = new Helper('house', 0)
  const players = new Helper('long-match', loadCore)
  // Behind the other, which measures: only the server is to feel the watchers.
  const people = new Helper('audience', loadCore, 'behind')
  try {
    const accounts = [{ name: 'bench-1' }, { name: 'bench-2' }]
    const { ws, ssh } = await house.ask<{ ws: Reach; ssh: Reach }>('open', accounts)
    // The first ones have code loaded and buffers made that the others then share.
    await people.ask('sit', { port: ssh.port, count: 20 })
    const before = await house.ask<Memory>('memory')
    await people.ask('sit', { port: ssh.port, count: watchers - 20 })
    const after = await house.ask<Memory>('memory')
    const each = (from: number, to: number) => (to - from) / (watchers - 20) / 1024
    const session = { rss: each(before.rss, after.rss), heap: each(before.heap, after.heap) }
    await players.ask('begin', ws)
    await players.ask('play', moves / 4)
    const alone = await measure(players, moves)
    await people.ask('watch')
    await players.ask('play', moves / 4)
    const watched = await measure(players, moves)
    const bytesPerSecond = await people.ask<number>('bytesPerSecond')
    return { watchers, moves, pinned: canPin(), alone, watched, session, bytesPerSecond }
  } finally {
    house.stop()
    players.stop()
    people.stop()
  }
}

/** In rounds of which the middle one counts: what else the machine does falls on some of them. */
const measure = async (players: Helper, moves: number): Promise<Latency> => {
  const seen: Latency[] = []
  for (let round = 0; round < rounds; round++)
    seen.push(await players.ask<Latency>('play', Math.ceil(moves / rounds)))
  const middle = (share: keyof Latency) => median(seen.map(latency => latency[share]))
  return { p50: middle('p50'), p99: middle('p99') }
}

const rounds = 5
