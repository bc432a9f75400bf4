import type { Comparison, Figures } from './compare.ts'
import type { Idle } from './idle.ts'
import { mib, type Soak, soakProblems } from './soak.ts'
import type { Seen } from './tally.ts'

export const report = (comparison: Comparison): string => {
  const { transport, pairs, pinned, house, relay } = comparison
  return [
    `${pairs} pairs by ${transport === 'ws' ? 'WebSocket' : 'SSH'}, one match for each connection.`,
    'The relay sends the same messages; it plays no game and stores nothing.',
    cores(pinned),
    '',
    row('', 'HOST', 'RELAY', 'RATIO'),
    ...ratios(lines, house, relay),
  ].join('\n')
}

export const reportSoak = (soak: Soak): string => {
  const { minutes, full, given, seen, memory, slope, delay, start, end, verify } = soak
  const [first, last] = [memory[0]!, memory.at(-1)!]
  const problems = soakProblems(soak)
  return [
    `${minutes} min at ${given.toFixed(0)} matches a second; full speed is ${full.toFixed(0)}. ${cores(soak.pinned)}`,
    '',
    ...[
      ['agents connected', seen.agents],
      ['agents held back, too many there', seen.stayedAway],
      ['results received', seen.results],
      ['illegal moves', seen.done.illegal],
      ['late moves', seen.done.late],
      ['lost connections', seen.done.lost],
      ['resignations', seen.done.resigns],
      ['left the queue', seen.done.leaves],
      ['event streams', seen.watched.streams],
      ['hub sessions', seen.watched.screens],
      ['matches stored', verify.matches],
    ].map(([title, count]) => row(String(title), String(count))),
    '',
    row('event loop late, p50, ms', delay.p50.toFixed(2)),
    row('event loop late, p99, ms', delay.p99.toFixed(2)),
    row('event loop late, worst, ms', delay.most.toFixed(0)),
    '',
    row('', 'START', 'END', 'KiB/MIN'),
    row('memory, MiB', mib(first.rss), mib(last.rss), slope.rss.toFixed(1)),
    row('  of it JavaScript, MiB', mib(first.heap), mib(last.heap), slope.heap.toFixed(1)),
    ...Object.keys(start).map(kind => {
      const key = kind as keyof typeof start
      return row(`${kind} when idle`, String(start[key]), String(end[key]))
    }),
    '',
    ...(problems.length === 0 ? ['No problems found.'] : ['Problems found:', ...problems]),
  ].join('\n')
}

export const reportIdle = ({ webSockets, ssh, pinned, play }: Idle): string =>
  [
    `${webSockets.count} agents by WebSocket and ${ssh.count} by SSH, all waiting at the same time. ${cores(pinned)}`,
    '',
    row('bytes a connection', 'RESIDENT', 'OF IT JS'),
    ...[['by WebSocket', webSockets.each] as const, ['by SSH', ssh.each] as const].map(
      ([title, { rss, heap }]) => row(title, rss.toFixed(0), heap.toFixed(0)),
    ),
    '',
    row('', 'WITHOUT', 'WITH', 'RATIO'),
    ...ratios(beside, play.with, play.without, play.without),
    '',
    row('still waiting at the end', String(webSockets.waiting), String(ssh.waiting)),
    row('event loop late, p99, ms', play.delay.p99.toFixed(2)),
  ].join('\n')

type Row<T> = readonly [title: string, digits: number, value: (seen: T) => number | null]

const lines: readonly Row<Figures>[] = [
  ['matches a second', 0, f => f.matchesPerSecond],
  ['moves a second', 0, f => f.movesPerSecond],
  ['server CPU-s for 1,000 matches', 3, f => f.cpu],
  ['move to the opponent, p50, ms', 2, f => f.move.p50],
  ['move to the opponent, p99, ms', 2, f => f.move.p99],
  ['last move to result, p50, ms', 2, f => f.result.p50],
  ['last move to result, p99, ms', 2, f => f.result.p99],
  ['connect to queued, p50, ms', 2, f => f.queued.p50],
  ['connect to queued, p99, ms', 2, f => f.queued.p99],
  ['a waiting agent, KiB', 1, f => f.waiting?.rss ?? null],
  ['  of it JavaScript heap, KiB', 1, f => f.waiting?.heap ?? null],
]

const beside: readonly Row<Seen>[] = [
  ['matches a second', 2, ({ matches, seconds }) => matches / seconds],
  ['move to the opponent, p99, ms', 2, ({ move }) => move.p99],
  ['connect to queued, p50, ms', 2, ({ queued }) => queued.p50],
  ['connect to queued, p99, ms', 2, ({ queued }) => queued.p99],
]

/** Both values and their ratio, without the rows that were not measured. */
const ratios = <T>(rows: readonly Row<T>[], over: T, under: T, first = over) =>
  rows.flatMap(([title, digits, value]) => {
    const [a, b] = [value(over), value(under)]
    if (a === null || b === null) return []
    const [left, right] = first === over ? [a, b] : [b, a]
    return [row(title, left.toFixed(digits), right.toFixed(digits), (a / b).toFixed(2))]
  })

const row = (title: string, ...cells: readonly string[]) =>
  title.padEnd(32) + cells.map(cell => cell.padStart(10)).join('')

const cores = (pinned: boolean) =>
  pinned
    ? 'Servers and load have a core each.'
    : 'Servers and load share the cores: only the ratios count.'
