import { start } from '../src/app.ts'
import type { Config } from '../src/config.ts'
import { games } from '../src/games/index.ts'
import { median } from './median.ts'
import { unlimited } from './unlimited.ts'

export interface PageTimes {
  readonly path: string
  readonly bytes: number
  /** In milliseconds: the first answer, and the middle and the worst of those that follow. */
  readonly first: number
  readonly median: number
  readonly worst: number
}

const rounds = 20

/** How quickly the host of this data folder answers, as one browser sees it over the loopback. */
export const benchPages = async (config: Config): Promise<readonly PageTimes[]> => {
  const host = await start(unlimited(config))
  const url = `http://127.0.0.1:${host.http}`
  const ask = async (path: string) => {
    const before = performance.now()
    const response = await fetch(url + path)
    const { byteLength } = await response.arrayBuffer()
    if (!response.ok) throw new Error(`${path} is answered with ${response.status}`)
    return { ms: performance.now() - before, bytes: byteLength }
  }
  try {
    await ask('/games')
    const times: PageTimes[] = []
    for (const path of await pathsOf(url)) {
      const { ms: first, bytes } = await ask(path)
      const later: number[] = []
      for (let round = 0; round < rounds; round++) later.push((await ask(path)).ms)
      times.push({ path, bytes, first, median: median(later), worst: Math.max(...later) })
    }
    return times
  } finally {
    await host.stop()
  }
}

/** Every kind of page, for the ones that have most on them: the busiest agent, long matches, the end of a ladder. */
const pathsOf = async (url: string): Promise<readonly string[]> => {
  const json = async <T>(path: string) => (await (await fetch(url + path)).json()) as T
  const [game] = games
  const { matches } = await json<{ matches: readonly Listed[] }>('/api/v1/matches?limit=100')
  const longest = matches.toSorted((a, b) => b.moveCount - a.moveCount)[0]!.id
  const { total, agents } = await json<{ total: number; agents: readonly Ranked[] }>(
    `/api/v1/ladder/${game!.id}`,
  )
  const [first, second] = agents.toSorted((a, b) => b.games - a.games).map(({ name }) => name)
  return [
    '/',
    `/ladder/${game!.id}`,
    `/ladder/${game!.id}?page=${Math.ceil(total / 50)}`,
    `/ladder/${game!.id}?q=9`,
    `/match/${longest}`,
    `/match/${longest}/picture.png`,
    `/agent/${first}`,
    `/agent/${first}?game=${game!.id}&ending=late`,
    `/agent/${first}?against=${second}`,
    '/docs?q=move',
    '/sitemap.xml',
    `/api/v1/matches?ending=gone`,
    `/api/v1/matches/${longest}/positions`,
    `/api/v1/agents/${first}`,
    '/api/v1/live',
  ]
}

type Listed = { readonly id: number; readonly moveCount: number }
type Ranked = { readonly name: string; readonly games: number }
