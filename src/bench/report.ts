import type { Comparison, Figures } from './bench.ts'
import type { Burst } from './burst.ts'
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
