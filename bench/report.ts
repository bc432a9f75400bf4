import type { Comparison, Figures } from './bench.ts'
import type { Burst } from './burst.ts'
import type { Idle } from './idle.ts'
import { mib, type Soak, soakProblems } from './soak.ts'
import type { Watched } from './watchers-ssh.ts'

/** The figures for people: the house, the relay, and the one by the other. */
export const report = (comparison: Comparison): string => {
  const { transport, pairs, pinned, house, relay } = comparison
  const rows = lines.map(({ title, digits, value }) => {
    const [ours, theirs] = [value(house), value(relay)]
    if (ours === null || theirs === null) return null
    return row(title, ours.toFixed(digits), theirs.toFixed(digits), (ours / theirs).toFixed(2))
  })
  return [
    `${pairs} pairs by ${transport === 'ws' ? 'WebSocket' : 'SSH'}, a match a connection.`,
    'The relay sends the same messages, with no game and nothing kept.',
    cores(pinned),
    '',
    row('', 'HOUSE', 'RELAY', 'RATIO'),
    ...rows.filter(row => row !== null),
  ].join('\n')
}

export const reportBurst = ({ pairs, pinned, loginsPerSecond, quiet, burst }: Burst): string =>
  [
    `${pairs} pairs by WebSocket, without and with ${loginsPerSecond} SSH logins a second.`,
    cores(pinned),
    '',
    row('', 'WITHOUT', 'WITH', 'RATIO'),
    ...(['p50', 'p99'] as const).map(share => {
      const [without, with_] = [quiet.move[share], burst.move[share]]
      const title = `move to the opponent, ${share}, ms`
      return row(title, without.toFixed(2), with_.toFixed(2), (with_ / without).toFixed(2))
    }),
  ].join('\n')

export const reportWatchers = (seen: Watched): string =>
  [
    `One match by WebSocket, without and with ${seen.watchers} who watch it by SSH, half of them frozen. ${cores(seen.pinned)}`,
    '',
    row('', 'WITHOUT', 'WITH', 'MORE'),
    ...(['p50', 'p99'] as const).map(share => {
      const [without, with_] = [seen.alone[share], seen.watched[share]]
      const title = `move to the opponent, ${share}, ms`
      return row(title, without.toFixed(2), with_.toFixed(2), (with_ - without).toFixed(2))
    }),
    '',
    row('an idle session of the hub, KiB', '', seen.session.rss.toFixed(1)),
    row('  of it JavaScript heap, KiB', '', seen.session.heap.toFixed(1)),
    row('bytes a second to a watcher', '', seen.bytesPerSecond.toFixed(0)),
  ].join('\n')

export const reportSoak = (soak: Soak): string => {
  const { minutes, full, given, seen, memory, slope, delay, start, end, verify } = soak
  const [first, last] = [memory[0]!, memory.at(-1)!]
  const problems = soakProblems(soak)
  return [
    `${minutes} min at ${given.toFixed(0)} matches a second; ${full.toFixed(0)} is full speed. ${cores(soak.pinned)}`,
    '',
    ...[
      ['agents that came', seen.agents],
      ['of those due, kept away by a crowd', seen.stayedAway],
      ['results that they were told', seen.results],
      ['illegal moves', seen.done.illegal],
      ['late moves', seen.done.late],
      ['lost lines', seen.done.lost],
      ['resignations', seen.done.resigns],
      ['waits given up', seen.done.leaves],
      ['event streams', seen.watched.streams],
      ['screens of the hub', seen.watched.screens],
      ['matches kept', verify.matches],
    ].map(([title, count]) => row(String(title), String(count))),
    '',
    row('event loop late, p50, ms', delay.p50.toFixed(2)),
    row('event loop late, p99, ms', delay.p99.toFixed(2)),
    row('event loop late, most, ms', delay.most.toFixed(0)),
    '',
    row('', 'START', 'END', 'KiB/MIN'),
    row('memory, MiB', mib(first.rss), mib(last.rss), slope.rss.toFixed(1)),
    row('  of it JavaScript, MiB', mib(first.heap), mib(last.heap), slope.heap.toFixed(1)),
    ...Object.keys(start).map(kind => {
      const key = kind as keyof typeof start
      return row(`${kind}, nobody there`, String(start[key]), String(end[key]))
    }),
    '',
    ...(problems.length === 0 ? ['Nothing went wrong.'] : ['What went wrong:', ...problems]),
  ].join('\n')
}

export const reportIdle = ({ webSockets, ssh, pinned, play }: Idle): string =>
  [
    `${webSockets.count} agents by WebSocket and ${ssh.count} by SSH, all waiting at once. ${cores(pinned)}`,
    '',
    row('bytes a connection', 'ALL', 'OF IT JS'),
    ...[['by WebSocket', webSockets.each] as const, ['by SSH', ssh.each] as const].map(
      ([title, { rss, heap }]) => row(title, rss.toFixed(0), heap.toFixed(0)),
    ),
    '',
    row('', 'WITHOUT', 'WITH', 'RATIO'),
    ...(
      [
        ['matches a second', ({ matches, seconds }) => matches / seconds],
        ['move to the opponent, p99, ms', ({ move }) => move.p99],
        ['connect to queued, p50, ms', ({ queued }) => queued.p50],
        ['connect to queued, p99, ms', ({ queued }) => queued.p99],
      ] as const satisfies readonly (readonly [string, (seen: Idle['play']['with']) => number])[]
    ).map(([title, value]) => {
      const [without, with_] = [value(play.without), value(play.with)]
      return row(title, without.toFixed(2), with_.toFixed(2), (with_ / without).toFixed(2))
    }),
    '',
    row('still waiting at the end', String(webSockets.waiting), String(ssh.waiting)),
    row('event loop late, p99, ms', play.delay.p99.toFixed(2)),
  ].join('\n')

interface Row {
  readonly title: string
  readonly digits: number
  readonly value: (figures: Figures) => number | null
}

const lines: readonly Row[] = [
  { title: 'matches a second', digits: 0, value: f => f.matchesPerSecond },
  { title: 'moves a second', digits: 0, value: f => f.movesPerSecond },
  { title: 'server CPU-s for 1,000 matches', digits: 3, value: f => f.cpu },
  { title: 'move to the opponent, p50, ms', digits: 2, value: f => f.move.p50 },
  { title: 'move to the opponent, p99, ms', digits: 2, value: f => f.move.p99 },
  { title: 'last move to result, p50, ms', digits: 2, value: f => f.result.p50 },
  { title: 'last move to result, p99, ms', digits: 2, value: f => f.result.p99 },
  { title: 'connect to queued, p50, ms', digits: 2, value: f => f.queued.p50 },
  { title: 'connect to queued, p99, ms', digits: 2, value: f => f.queued.p99 },
  { title: 'a waiting agent, KiB', digits: 1, value: f => f.waiting?.rss ?? null },
  { title: '  of it JavaScript heap, KiB', digits: 1, value: f => f.waiting?.heap ?? null },
]

const row = (title: string, ...cells: readonly string[]) =>
  title.padEnd(32) + cells.map(cell => cell.padStart(10)).join('')

const cores = (pinned: boolean) =>
  pinned
    ? 'Servers and load have a core each.'
    : 'Servers and load share what cores there are: look at the ratios alone.'
