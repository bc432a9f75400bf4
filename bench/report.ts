import { table } from '../src/text/table.ts'
import type { Comparison } from './compare.ts'
import type { Growth } from './growth.ts'
import type { Idle } from './idle.ts'
import { type Bar, range } from './measure.ts'
import type { Soak } from './soak.ts'

// Figures have the same names here as in the JSON, which docs/cli.md explains.

export const report = ({ house, relay, turns, ratio, bars, ...about }: Comparison): string => {
  const rows = fields(house).flatMap(([name, value]) => {
    if (value === null || name === 'unrated') return []
    // The memory of waiting agents is measured once.
    const pairs = name.startsWith('waiting') ? [{ house, relay }] : turns
    const { median, least, most } = range(
      pairs.map(pair => Number(at(pair.house, name)) / Number(at(pair.relay, name))),
    )
    return [[name, ...[value, at(relay, name), median, least, most].map(shown)]]
  })
  return paragraphs(
    list({ ...about, unrated: house.unrated }),
    grid(['', 'HOST', 'RELAY', 'RATIO', 'LEAST', 'MOST'], rows),
    barsText(bars),
  )
}

export const reportGrowth = ({ levels, bars, ...about }: Growth): string => {
  const names = ['live', 'house.moves', 'house.move.p50', 'house.move.p99', 'relay.move.p99']
  return paragraphs(
    list(about),
    grid(
      names.map(name => name.toUpperCase()),
      levels.map(level => names.map(name => shown(at(level, name)))),
    ),
    barsText(bars),
  )
}

export const reportIdle = ({ bars, ...idle }: Idle): string =>
  paragraphs(list(idle), barsText(bars))

export const reportSoak = ({ memory, ...soak }: Soak): string =>
  paragraphs(
    list({ ...soak, memory: { first: memory[0], last: memory.at(-1) } }),
    soak.problems.length === 0 ? 'No problems found.' : 'Problems found.',
  )

const barsText = (bars: readonly Bar[]): string =>
  grid(
    ['BAR', 'REACHED', 'MOST', 'AIM', ''],
    bars.map(({ figure, value, most, aim, met }) => [
      ...[figure, shown(value), shown(most), aim === null ? '-' : shown(aim)],
      met ? 'met' : 'not met',
    ]),
  )

const paragraphs = (...parts: readonly string[]): string => parts.join('\n\n')

const list = (result: object): string =>
  grid(
    ['', ''],
    fields(result).map(([name, value]) => [name, shown(value)]),
  ).trimStart()

const grid = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  table(
    titles.map((title, i) => (i === 0 ? { title } : { title, right: true })),
    rows,
  )

/** Every value of a result with its path, such as "move.p99". */
const fields = (value: unknown, path = ''): readonly (readonly [name: string, value: unknown])[] =>
  typeof value !== 'object' || value === null
    ? [[path, value]]
    : Object.entries(value).flatMap(([key, inner]) =>
        fields(inner, path === '' ? key : `${path}.${key}`),
      )

const at = (value: unknown, name: string): unknown =>
  fields(value).find(([path]) => path === name)?.[1]

const shown = (value: unknown): string => {
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value)
  return value.toFixed(value >= 100 ? 0 : value >= 1 ? 2 : 3)
}
