import { ServiceThread } from '../src/threads/service-thread.ts'
import { startThread } from '../src/threads/start-thread.ts'
import { countsOf } from './compare.ts'
import { newAccounts } from './data-folder.ts'
import { accountsFor, Load, type Play } from './load.ts'
import { bar, figuresOf, type Measured, medianOf, starved, type Values } from './measure.ts'
import type { LeagueSpectators } from './processes/league-spectators.ts'
import { pinLoad, type Server, withHost } from './server.ts'
import type { Round } from './tally.ts'

const games = ['echo', 'resource-rush'] as const
/** Milliseconds that each agent thinks. */
const think = 20
/** In turns. */
const kinds = ['without', 'reading', 'without', 'stalled'] as const
const rounds = 2 * kinds.length
/** Milliseconds between two looks at which match is the newest. */
const follows = 5

/** How much longer the moves of one match take while so many spectators watch it, who read all they are sent or nothing. */
export const benchLeagueSpectators = async (spectators: number, seconds: number) => {
  const accounts = newAccounts(accountsFor(rounds * (seconds + 10) * 20), 0)
  return withHost({ accounts }, async host => {
    const measured = []
    for (const game of games)
      measured.push(await measure(host, accounts, { game, spectators, seconds }))
    return {
      ...{ pinned: pinLoad(), spectators, think, seconds, settings: {} },
      ...Object.fromEntries(measured.map(({ game, about }) => [game, about])),
      figures: measured.flatMap(({ figures }) => figures),
      bars: measured.flatMap(({ bars }) => bars),
    } satisfies Measured
  })
}

interface Watched {
  readonly game: (typeof games)[number]
  readonly spectators: number
  readonly seconds: number
}

const measure = async (
  host: Server,
  accounts: ConstructorParameters<typeof Load>[0],
  { game, spectators, seconds }: Watched,
) => {
  // In a thread of its own: what the spectators read must not delay what measures the moves.
  const thread = new ServiceThread<LeagueSpectators>(
    () =>
      startThread(import.meta.url, './processes/league-spectators', {
        workerData: { port: host.ports.ws },
      }),
    error => {
      throw error
    },
  )
  const { service } = thread
  // Other work on the machine does not count.
  const load = new Load(accounts, () => performance.now() - starved(host.pid) - starved('self'))
  const seen = { reading: nothing(), stalled: nothing() }
  let watched = ''
  const follow = setInterval(() => {
    if (load.tally.latestMatch === watched) return
    watched = load.tally.latestMatch
    void service.watch(watched)
  }, follows)
  const play: Play = {
    ...{ transport: 'ws' as const, league: game, pairs: 1, think },
    ...{ warmUp: 1, seconds, rounds, within: true },
  }
  const measured = await load.play(host, play, async round => {
    const before = kinds[(round - 1) % kinds.length]
    if (before === 'reading' || before === 'stalled') {
      const { bytes, connected } = await service.stop()
      seen[before] = { bytes: seen[before].bytes + bytes, connected }
    }
    const kind = kinds[round % kinds.length]!
    if (round === rounds || kind === 'without') return
    await service.start(spectators, kind === 'stalled')
    await service.watch(watched)
  })
  clearInterval(follow)
  await thread.close()
  const figures = (['without', 'reading', 'stalled'] as const).flatMap(kind =>
    figuresOf(
      `${game}.${kind}`,
      measured.filter((_, round) => kinds[round % kinds.length] === kind).map(valuesOf),
    ),
  )
  const p99 = (kind: string) => medianOf(figures, `${game}.${kind}.move.p99`)
  const bars = (['reading', 'stalled'] as const).map(kind =>
    bar(`${game}.${kind}: rise of move.p99`, p99(kind) - p99('without'), 5),
  )
  return { game, about: { ...countsOf(measured), ...seen }, figures, bars }
}

/** What the spectators read, and how many were connected at the end. */
const nothing = () => ({ bytes: 0, connected: 0 })

const valuesOf = ({ moves, cpu, values }: Round): Values => ({
  movesPerSecond: values.movesPerSecond!,
  cpu: (cpu / moves) * 1e6,
  'move.p99': values['move.p99']!,
})
