import { start } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { games } from '../../src/games/index.ts'
import { median } from '../measure.ts'

/** In milliseconds: the first answer, and the median and the worst of those that follow. */
interface PageTimes {
  readonly path: string
  readonly first: number
  readonly median: number
  readonly worst: number
}

const rounds = 20

/** How quickly the host of a data folder answers a browser over the loopback interface. */
export const benchPages = async (config: Config): Promise<readonly PageTimes[]> => {
  const host = await start(config)
  try {
    const url = `http://127.0.0.1:${host.http}`
    const ask = async (path: string) => {
      const before = performance.now()
      const response = await fetch(url + path)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${path} is answered with ${response.status}`)
      return performance.now() - before
    }
    await ask('/games')
    const times: PageTimes[] = []
    for (const path of await pathsOf(url)) {
      const first = await ask(path)
      const later: number[] = []
      for (let round = 0; round < rounds; round++) later.push(await ask(path))
      times.push({ path, first, median: median(later), worst: Math.max(...later) })
    }
    return times
  } finally {
    await host.stop()
  }
}

export const printPageTimes = (times: readonly PageTimes[]): string =>
  times
    .map(({ path, first, median, worst }) =>
      [...[first, median, worst].map(ms => ms.toFixed(1).padStart(8)), ` ms  ${path}`].join(''),
    )
    .join('\n')

/** Every kind of page, with much on it: the busiest agent, a long match, the end of a ladder. */
const pathsOf = async (url: string): Promise<readonly string[]> => {
  const json = async <T>(path: string) => (await (await fetch(url + path)).json()) as T
  const game = games[0]!.id
  const { matches } = await json<Listed>('/api/v1/matches?limit=100')
  const longest = matches.toSorted((a, b) => b.moveCount - a.moveCount)[0]!.id
  const { total, agents } = await json<Ladder>(`/api/v1/ladder/${game}`)
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
  readonly matches: readonly { readonly id: number; readonly moveCount: number }[]
}
interface Ladder {
  readonly total: number
  readonly agents: readonly { readonly name: string; readonly games: number }[]
}
