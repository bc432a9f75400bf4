// How quickly the host of a data folder answers over the loopback interface: pages to a browser, hub screens to a guest.

import { once } from 'node:events'
import { connect } from 'node:net'
import { type Host, start } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { games } from '../../src/games/index.ts'
import { median, sleep } from '../measure.ts'
import { openHub } from '../spectators.ts'
import { withoutLimits } from '../without-limits.ts'

/** In milliseconds: the first answer, and the median and the worst of those that follow. */
export interface Times {
  readonly what: string
  readonly first: number
  readonly median: number
  readonly worst: number
}

const rounds = 20

const timed = async (what: string, once: () => Promise<number>): Promise<Times> => {
  const first = await once()
  const later: number[] = []
  for (let round = 0; round < rounds; round++) later.push(await once())
  return { what, first, median: median(later), worst: Math.max(...later) }
}

const withHost = async <T>(config: Config, measure: (host: Host) => Promise<T>): Promise<T> => {
  const host = await start(withoutLimits(config))
  try {
    return await measure(host)
  } finally {
    await host.stop()
  }
}

export const benchPages = (config: Config): Promise<readonly Times[]> =>
  withHost(config, async host => {
    const url = `http://127.0.0.1:${host.http}`
    const ask = async (path: string) => {
      const before = performance.now()
      const response = await fetch(url + path)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${path} is answered with ${response.status}`)
      return performance.now() - before
    }
    await ask('/games')
    const times: Times[] = []
    for (const path of await pathsOf(url)) times.push(await timed(path, () => ask(path)))
    return times
  })

/** Every kind of page, with much on it: the busiest agent, a long match, the end of a ladder. */
const pathsOf = async (url: string): Promise<readonly string[]> => {
  const json = async <T>(path: string) => (await (await fetch(url + path)).json()) as T
  const game = games[0]!.id
  const { matches } = await json<{ matches: readonly Listed[] }>('/api/v1/matches?limit=100')
  const longest = matches.toSorted((a, b) => b.moveCount - a.moveCount)[0]!.id
  const { total, agents } = await json<{ total: number; agents: readonly Ranked[] }>(
    `/api/v1/ladder/${game}`,
  )
  const [first, second] = agents.toSorted((a, b) => b.games - a.games).map(({ name }) => name)
  return [
    ...['/', '/docs?q=move', '/sitemap.xml', '/api/v1/live', '/api/v1/matches?ending=gone'],
    ...['', `?page=${Math.ceil(total / 50)}`, '?q=9'].map(query => `/ladder/${game}${query}`),
    ...['', '/picture.png'].map(part => `/match/${longest}${part}`),
    ...['', `?game=${game}&ending=late`, `?against=${second}`].map(q => `/agent/${first}${q}`),
    ...[`/api/v1/matches/${longest}/positions`, `/api/v1/agents/${first}`],
  ]
}

interface Listed {
  readonly id: number
  readonly moveCount: number
}
interface Ranked {
  readonly name: string
  readonly games: number
}

export const benchHub = (config: Config): Promise<readonly Times[]> =>
  withHost(config, async host => {
    const { client, stream } = await openHub(connect(host.ssh, '127.0.0.1'), 132, 43)
    try {
      stream.on('data', () => {})
      const press = async (key: string): Promise<number> => {
        // Frames are sent at intervals.
        await sleep(150)
        const before = performance.now()
        stream.write(key)
        await once(stream, 'data')
        return performance.now() - before
      }
      const open = async (keys: readonly string[]): Promise<number> => {
        let taken = 0
        for (const key of keys) taken = await press(key)
        for (let i = 0; i <= keys.length; i++) {
          await sleep(100)
          stream.write('\x1b')
        }
        return taken
      }
      const times: Times[] = []
      for (const [screen, keys] of screens) times.push(await timed(screen, () => open(keys)))
      return times
    } finally {
      client.end()
    }
  })

/** The keys to press; the last one is measured. */
const screens: readonly (readonly [screen: string, keys: readonly string[]])[] = [
  ['all ladders', ['l']],
  ['a ladder', ['l', '\r']],
  ['a search in a ladder', ['l', '\r', '/', '9', '\r']],
  ['the first agent of a ladder', ['l', '\r', '\r']],
  ['the newest matches', ['r']],
  ['matches of a game', ['r', '\t']],
  ['matches of the busiest agent', ['r', '/', 'agent-1', '\r']],
  ['matches of two agents', ['r', '/', 'agent-1 agent-2', '\r']],
  ['a replay', ['r', '\r']],
  ['agents by name', ['f', '9']],
]
