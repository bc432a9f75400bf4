import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricConfiguration,
  Registry,
} from 'prom-client'
import type { Arena } from '../arena/arena.ts'
import { codes } from '../arena/codes.ts'
import { endings } from '../arena/ending.ts'
import type { Clock } from '../clock.ts'
import { games } from '../games/index.ts'
import type { Meter } from '../meter.ts'
import { watchLoopDelay } from './loop-delay.ts'

/** Those who are asked how things stand, each time that somebody wants to know. */
interface Rooms {
  readonly arena: Pick<Arena, 'tables' | 'waiting' | 'watch'>
  /** How many connections there are, by kind. */
  connections(): Readonly<Record<ConnectionKind, number>>
  /** How many look on at a match, by way. */
  watchers(): Readonly<Record<WatcherKind, number>>
  /** How many accounts are connected. */
  accounts(): number
  /** Log lines that could not be written. */
  dropped(): number
  ready(): boolean
}

type ConnectionKind = 'ssh-agent' | 'ssh-person' | 'websocket-agent' | 'event-stream' | 'arriving'

type WatcherKind = 'event-stream' | 'hub'

export interface Metrics {
  readonly meter: Meter
  /** To be told once the rooms are built. */
  ask(rooms: Rooms): void
  /** All of it in Prometheus' text format. */
  text(): Promise<string>
  close(): void
}

/** Counts what the rooms tell, and asks them for the rest. Labels have values from closed lists alone. */
export const openMetrics = (clock: Clock, version: string): Metrics => {
  const registry = new Registry()
  const { counter, gauge, histogram } = makers(registry)
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 60_000 })
  // Node's measure of the event loop counts its own interval, and starts anew for whoever asks. Ours is below.
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith('nodejs_eventloop_lag')) registry.removeSingleMetric(name)

  const refusals = counter('refusals_total', 'Refusals, by code.', ['code'])
  for (const code of [...Object.keys(codes), otherCode]) refusals.inc({ code }, 0)
  const loginFailures = counter('login_failures_total', 'Logins that failed, by wire.', ['wire'])
  for (const wire of ['ssh', 'websocket']) loginFailures.inc({ wire }, 0)
  const waits = histogram(
    'queue_wait_seconds',
    'How long those waited who were seated.',
    [0.01, 0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300],
    ['game'],
  )
  const moves = histogram(
    'move_duration_seconds',
    'From the arrival of a move to all that it led to being handed to the wires, but for a result.',
    [0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
    ['game'],
  )
  const results = histogram(
    'result_duration_seconds',
    'From the end of a match to its result being on disk and handed to the wires.',
    [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 10],
    ['game'],
  )
  const commits = histogram(
    'commit_duration_seconds',
    'How long a commit took that did not fail.',
    [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5],
  )
  const commitWrites = histogram(
    'commit_writes',
    'How many writes shared a commit.',
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
  )
  const commitFailures = counter('commit_failures_total', 'Commits that failed, each try counted.')
  const loopDelay = histogram(
    'event_loop_delay_seconds',
    'By how much the event loop was late, looked at every 20 ms.',
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
  )
  const matches = counter('matches_total', 'Matches that are over, by game and ending.', [
    'game',
    'ending',
  ])
  for (const game of games)
    for (const ending of Object.keys(endings)) matches.inc({ game: game.id, ending }, 0)
  gauge('build_info', '1, with what runs here.', ['version', 'node']).set(
    { version, node: process.versions.node },
    1,
  )

  let stopWatching: (() => void) | null = null
  const ask = (rooms: Rooms) => {
    const { arena } = rooms
    stopWatching = watchLoopDelay(clock, ms => loopDelay.observe(ms / 1000))
    arena.watch(event => {
      if (event.kind !== 'ended' && event.kind !== 'aborted') return
      const ending = event.kind === 'ended' ? event.outcome.ending : 'aborted'
      matches.inc({ game: event.table.deal.game.id, ending })
    })
    const byKind = (counts: Readonly<Record<string, number>>) => (gauge: Gauge) => {
      for (const [kind, count] of Object.entries(counts)) gauge.set({ kind }, count)
    }
    const byGame = (gauge: Gauge, value: (game: string) => number) => {
      for (const { id } of games) gauge.set({ game: id }, value(id))
    }
    gauge('connections', 'Connections, by kind.', ['kind'], gauge =>
      byKind(rooms.connections())(gauge),
    )
    gauge('watchers', 'Who looks on at a match, by way.', ['kind'], gauge =>
      byKind(rooms.watchers())(gauge),
    )
    gauge('accounts_present', 'Accounts that are connected.', [], gauge =>
      gauge.set(rooms.accounts()),
    )
    gauge('queue_length', 'Who waits to be seated.', ['game'], gauge => {
      const waiting = counted(arena.waiting.map(({ game }) => game.id))
      byGame(gauge, game => waiting.get(game) ?? 0)
    })
    gauge(
      'queue_longest_wait_seconds',
      'How long the one waits who waits longest.',
      ['game'],
      gauge => {
        // Longest first: what is set last is the first one's.
        const since = new Map(arena.waiting.toReversed().map(({ game, since }) => [game.id, since]))
        const now = clock.elapsed()
        byGame(gauge, game => (now - (since.get(game) ?? now)) / 1000)
      },
    )
    gauge('live_matches', 'Matches under way.', ['game'], gauge => {
      const live = counted([...arena.tables.values()].map(({ deal }) => deal.game.id))
      byGame(gauge, game => live.get(game) ?? 0)
    })
    gauge('ready', '1 while the house takes people in.', [], gauge =>
      gauge.set(rooms.ready() ? 1 : 0),
    )
    counter('log_lines_dropped_total', 'Log lines that nobody read in time.', [], counter => {
      counter.reset()
      counter.inc(rooms.dropped())
    })
  }

  return {
    meter: {
      refused: code => refusals.inc({ code: Object.hasOwn(codes, code) ? code : otherCode }),
      loginFailed: wire => loginFailures.inc({ wire }),
      seated: (game, ms) => waits.observe({ game }, ms / 1000),
      moved: (game, ms) => moves.observe({ game }, ms / 1000),
      resulted: (game, ms) => results.observe({ game }, ms / 1000),
      committed: (ms, writes, ok) => {
        if (!ok) return commitFailures.inc()
        commits.observe(ms / 1000)
        commitWrites.observe(writes)
      },
    },
    ask,
    text: () => registry.metrics(),
    close: () => stopWatching?.(),
  }
}

/** For a code that is on no list, so that labels stay bounded. */
const otherCode = 'other'

const counted = (items: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** Makes metrics under our prefix. What is only known when it is asked for comes with a way to find it out. */
const makers = (registry: Registry) => {
  const config = (name: string, help: string, labelNames: readonly string[]) =>
    ({
      name: `agentbbs_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
    }) satisfies MetricConfiguration<string>
  return {
    counter: (
      name: string,
      help: string,
      labels: readonly string[] = [],
      collect?: (counter: Counter) => void,
    ) =>
      new Counter({
        ...config(name, help, labels),
        ...(collect && {
          collect() {
            collect(this)
          },
        }),
      }),
    gauge: (
      name: string,
      help: string,
      labels: readonly string[],
      collect?: (gauge: Gauge) => void,
    ) =>
      new Gauge({
        ...config(name, help, labels),
        ...(collect && {
          collect() {
            collect(this)
          },
        }),
      }),
    histogram: (
      name: string,
      help: string,
      buckets: readonly number[],
      labels: readonly string[] = [],
    ) => new Histogram({ ...config(name, help, labels), buckets: [...buckets] }),
  }
}
