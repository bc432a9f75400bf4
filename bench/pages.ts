import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceThread } from '../src/threads/service-thread.ts'
import { startThread } from '../src/threads/start-thread.ts'
import { countsOf, valuesOf } from './compare.ts'
import { newAccounts, openFile } from './data-folder.ts'
import { accountsFor, Load } from './load.ts'
import { bar, figuresOf, type Measured, medianOf, type Values } from './measure.ts'
import type { PageReaders, Past } from './processes/page-readers.ts'
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
    // In a thread of its own: what reads the pages must not delay what measures the moves.
    const thread = new ServiceThread<PageReaders>(
      () =>
        startThread(import.meta.url, './processes/page-readers', {
          workerData: { port: host.ports.ws, past, perSecond },
        }),
      error => {
        throw error
      },
    )
    const pages = thread.service
    const first = await pages.each()
    const perRound: Values[] = []
    const play = { transport: 'ws', pairs, think, warmUp: 2 * seconds, seconds, rounds } as const
    const measured = await new Load(accounts).play(host, play, async round => {
      if (round % 2 === 1) await pages.start()
      else if (round > 0) perRound.push(await pages.stop())
    })
    await thread.close()
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
const pastIn = (data: string): Past => {
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
