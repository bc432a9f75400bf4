import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricConfiguration,
  Registry,
} from 'prom-client'
import type { Arena } from '../arena/arena.ts'
import { endings } from '../arena/ending.ts'
import type { Clock } from '../clock.ts'
import { games } from '../games/index.ts'
import type { Matchmaking } from '../matchmaking/matchmaking.ts'
import type { Meter } from '../meter.ts'
import { callFailures } from '../outgoing/call-failure.ts'
import { watchLoopDelay } from './loop-delay.ts'

/** The parts of the host that are read at every scrape. */
interface Sources {
  readonly arena: Pick<Arena, 'tables' | 'watch'>
  readonly matchmaking: Pick<Matchmaking, 'waiting'>
  /** The number of connections, by kind. */
  connections(): Readonly<Record<ConnectionKind, number>>
  /** The number of spectators of matches, by kind. */
  spectators(): Readonly<Record<SpectatorKind, number>>
  /** The number of connected accounts. */
  accounts(): number
  /** The number of dropped log lines. */
  dropped(): number
  ready(): boolean
}

type ConnectionKind = 'ssh-agent' | 'ssh-person' | 'websocket-agent' | 'event-stream' | 'arriving'

type SpectatorKind = 'event-stream' | 'hub'

export interface Metrics {
  readonly meter: Meter
  /** Adds the metrics that are read from these parts. Called once, when they are built. */
  readFrom(sources: Sources): void
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>
  close(): void
}

/**
 * Counts the events that are reported to the meter, and reads the other metrics at every scrape. All labels have values
 * from closed lists: of the codes of refusals these.
 */
export const openMetrics = (clock: Clock, version: string, codes: ReadonlySet<string>): Metrics => {
  const registry = new Registry()
  const { counter, gauge, histogram } = metricMakers(registry)
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 60_000 })
  // Node's own delay includes its sampling interval and is reset by every read. watchLoopDelay replaces it.
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith('nodejs_eventloop_lag')) registry.removeSingleMetric(name)

  const refusals = counter('refusals_total', 'Refusals, by code.', ['code'])
  for (const code of [...codes, otherCode]) refusals.inc({ code }, 0)
  const loginFailures = counter('login_failures_total', 'Logins that failed, by wire.', ['wire'])
  for (const wire of ['ssh', 'websocket']) loginFailures.inc({ wire }, 0)
  const waits = histogram(
    'queue_wait_seconds',
    'Waiting time of agents until they were seated.',
    [0.01, 0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300],
    ['game'],
  )
  const moves = histogram(
    'move_duration_seconds',
    'From the arrival of a move until all messages it causes, except a result, are handed to the wires.',
    [0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
    ['game'],
  )
  const results = histogram(
    'result_duration_seconds',
    'From the end of a match until its result is on disk and handed to the wires.',
    [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 10],
    ['game'],
  )
  const commits = histogram(
    'commit_duration_seconds',
    'Duration of a commit that succeeded.',
    [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5],
  )
  const commitWrites = histogram(
    'commit_writes',
    'Number of writes in one commit.',
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
  )
  const commitFailures = counter(
    'commit_failures_total',
    'Failed commits, with every retry counted.',
  )
  const calls = counter('calls_total', 'Calls to other servers that are over, by outcome.', [
    'outcome',
  ])
  for (const outcome of ['ok', ...Object.keys(callFailures)]) calls.inc({ outcome }, 0)
  const callTimes = histogram(
    'call_duration_seconds',
    'Duration of calls to other servers, with their retries.',
    [0.005, 0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 20, 30],
  )
  const loopDelay = histogram(
    'event_loop_delay_seconds',
    'Delay of the event loop, measured every 20 ms.',
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
  )
  const matches = counter('matches_total', 'Matches that are over, by game and ending.', [
    'game',
    'ending',
  ])
  for (const game of games)
    for (const ending of Object.keys(endings)) matches.inc({ game: game.id, ending }, 0)
  gauge('build_info', 'Always 1. The labels are the versions of AgentBBS and Node.', [
    'version',
    'node',
  ]).set({ version, node: process.versions.node }, 1)

  let stopWatching: (() => void) | null = null
  const readFrom = (sources: Sources) => {
    const { arena, matchmaking } = sources
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
      byKind(sources.connections())(gauge),
    )
    gauge('watchers', 'Spectators of matches, by kind.', ['kind'], gauge =>
      byKind(sources.spectators())(gauge),
    )
    gauge('accounts_present', 'Connected accounts.', [], gauge => gauge.set(sources.accounts()))
    gauge('queue_length', 'Agents in the queue.', ['game'], gauge => {
      const waiting = countById(matchmaking.waiting.map(({ game }) => game.id))
      byGame(gauge, game => waiting.get(game) ?? 0)
    })
    gauge(
      'queue_longest_wait_seconds',
      'The longest waiting time in the queue.',
      ['game'],
      gauge => {
        // The queue has the longest wait first. In reversed order it is set last, and stays.
        const { waiting } = matchmaking
        const since = new Map(waiting.toReversed().map(({ game, since }) => [game.id, since]))
        const now = clock.elapsed()
        byGame(gauge, game => (now - (since.get(game) ?? now)) / 1000)
      },
    )
    gauge('live_matches', 'Live matches.', ['game'], gauge => {
      const live = countById([...arena.tables.values()].map(({ deal }) => deal.game.id))
      byGame(gauge, game => live.get(game) ?? 0)
    })
    gauge('ready', '1 while the host accepts new connections.', [], gauge =>
      gauge.set(sources.ready() ? 1 : 0),
    )
    counter(
      'log_lines_dropped_total',
      'Log lines that were dropped because they could not be written in time.',
      [],
      counter => {
        counter.reset()
        counter.inc(sources.dropped())
      },
    )
  }

  return {
    meter: {
      refused: code => refusals.inc({ code: codes.has(code) ? code : otherCode }),
      loginFailed: wire => loginFailures.inc({ wire }),
      seated: (game, ms) => waits.observe({ game }, ms / 1000),
      moved: (game, ms) => moves.observe({ game }, ms / 1000),
      resulted: (game, ms) => results.observe({ game }, ms / 1000),
      committed: (ms, writes, ok) => {
        if (!ok) return commitFailures.inc()
        commits.observe(ms / 1000)
        commitWrites.observe(writes)
      },
      called: (outcome, ms) => {
        calls.inc({ outcome })
        callTimes.observe(ms / 1000)
      },
    },
    readFrom,
    text: () => registry.metrics(),
    close: () => stopWatching?.(),
  }
}

/** The label of an unknown code, so that the number of labels is bounded. */
const otherCode = 'other'

const countById = (items: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** Makes metrics with the prefix of AgentBBS. `collect` sets the value of a metric at every scrape. */
const metricMakers = (registry: Registry) => {
  const config = (name: string, help: string, labelNames: readonly string[] = []) =>
    ({
      name: `agentbbs_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
    }) satisfies MetricConfiguration<string>
  return {
    counter: (name: string, help: string, labels?: readonly string[], collect?: Collect<Counter>) =>
      new Counter({ ...config(name, help, labels), ...collecting(collect) }),
    gauge: (name: string, help: string, labels?: readonly string[], collect?: Collect<Gauge>) =>
      new Gauge({ ...config(name, help, labels), ...collecting(collect) }),
    histogram: (
      name: string,
      help: string,
      buckets: readonly number[],
      labels?: readonly string[],
    ) => new Histogram({ ...config(name, help, labels), buckets: [...buckets] }),
  }
}

type Collect<Metric> = (metric: Metric) => void

const collecting = <Metric>(collect?: Collect<Metric>) =>
  collect && {
    collect(this: Metric) {
      collect(this)
    },
  }
