import {
  accountsFor,
  Load,
  loadSettings,
  type Round,
  type Stretch,
  waitingPerAccount,
} from './load.ts'
import { type Bar, bar, medians, range } from './measure.ts'
import { pinLoad, type Server, type Transport, withServer } from './server.ts'

export interface BenchOptions {
  readonly transport: Transport
  readonly pairs: number
  /** For each of the two servers, over all turns. */
  readonly stretch: Stretch
  /** The number of waiting agents whose memory is measured; 0 leaves that out. */
  readonly waiting: number
}

/** The host, and a relay over the same transport that plays no game and stores nothing. */
export type Comparison = Awaited<ReturnType<typeof bench>>

type Side = 'house' | 'relay'
type Figures = ReturnType<typeof figuresOf>
type Turn = Readonly<Record<Side, Figures>> & { readonly first: Side }

/** Which side is measured first in each turn. */
const turns: readonly Side[] = ['house', 'relay', 'house']

/** Host and relay are measured in turns, so that other work on the machine disturbs both, and the medians count. */
export const bench = async (options: BenchOptions) => {
  const { transport, pairs, stretch, waiting } = options
  const waiters = Math.ceil(waiting / waitingPerAccount)
  const count = Math.max(
    // What is played before the first turn and at the beginning of each takes some more than half as long.
    2 * pairs + accountsFor(transport, stretch, partOf(stretch, 0.6)),
    waiters,
  )
  const load = new Load(count, transport === 'ssh' ? count : 0)
  const { accounts } = load
  const settings = loadSettings(transport)
  const [recording, taken] = await withServer('host', { accounts, settings }, async house => {
    const recording = await load.record(house, transport)
    const inTurns = (relay: Server) => takeTurns(load, { house, relay }, options)
    return [recording, await withServer('relay', { accounts, recording }, inTurns)]
  })
  /** In a new process, whose memory has held nothing else. */
  const weighed = async (name: 'host' | 'relay') => {
    if (waiting === 0) return null
    const opening = { accounts: accounts.slice(0, waiters), settings, recording }
    const { rss, heap } = await withServer(name, opening, async server => {
      const each = await load.weigh(server, transport, waiting)
      await load.stopWaiting()
      return each
    })
    return { rss: rss / 1024, heap: heap / 1024 }
  }
  const ratio = range(taken.map(({ house, relay }) => house.cpu / relay.cpu))
  const house = mediansOf(taken.map(turn => turn.house))
  const relay = mediansOf(taken.map(turn => turn.relay))
  return {
    ...{ ...options, accounts: count, settings, pinned: pinLoad() },
    house: { ...house, waiting: await weighed('host') },
    relay: { ...relay, waiting: await weighed('relay') },
    ...{ turns: taken, ratio, bars: barsOf(transport, ratio.median, house) },
  }
}

const takeTurns = async (
  load: Load,
  servers: Readonly<Record<Side, Server>>,
  { transport, pairs, stretch }: BenchOptions,
): Promise<readonly Turn[]> => {
  const part = partOf(stretch, 1 / turns.length)
  const play = (side: Side, warmUp: Stretch, stretch: Stretch) =>
    load.play(servers[side], { transport, pairs, warmUp, stretch })
  // Until the code that runs often has been compiled.
  for (const side of ['house', 'relay'] as const) await play(side, part, { matches: 1 })
  const taken: Turn[] = []
  for (const first of turns) {
    const measured = async (side: Side) => figuresOf(await play(side, partOf(part, 0.25), part))
    const second = first === 'house' ? 'relay' : 'house'
    const [one, other] = [await measured(first), await measured(second)]
    taken.push({
      first,
      ...(first === 'house' ? { house: one, relay: other } : { house: other, relay: one }),
    })
  }
  return taken
}

const partOf = (whole: Stretch, share: number): Stretch =>
  'seconds' in whole
    ? { seconds: whole.seconds * share }
    : { matches: Math.ceil(whole.matches * share) }

/** Over SSH the handshakes of others decide how long a move takes, on the relay too. */
const barsOf = (transport: Transport, cpu: number, { move, result }: Figures): readonly Bar[] =>
  transport === 'ssh'
    ? [bar('cpu ratio', cpu, 1.2, 1.08)]
    : [
        bar('cpu ratio', cpu, 1.25, 0.9),
        bar('move.p99', move.p99, 2),
        bar('result.p50', result.p50, 2),
        bar('result.p99', result.p99, 6),
      ]

const figuresOf = ({ matches, unrated, moves, seconds, cpu, ...times }: Round) => ({
  ...{ matches, unrated },
  matchesPerSecond: matches / seconds,
  movesPerSecond: moves / seconds,
  // Seconds for 1,000 matches.
  cpu: (cpu / matches) * 1000,
  ...times,
})

/** Each figure in turn; matches are added up. */
const mediansOf = (seen: readonly Figures[]): Figures => {
  const sum = (of: 'matches' | 'unrated') => seen.reduce((sum, one) => sum + one[of], 0)
  return { ...medians(seen), matches: sum('matches'), unrated: sum('unrated') }
}
