import { table } from '../src/text/table.ts'
import type { Bar, Figure } from './measure.ts'

// Everything has the same name here as in the JSON, which docs/cli.md explains.

interface Report {
  readonly figures?: readonly Figure[]
  readonly bars?: readonly Bar[]
  /** Of a soak, over time. */
  readonly memory?: readonly unknown[]
  readonly problems?: readonly string[]
}

export const report = ({ figures = [], bars = [], memory, problems, ...about }: Report): string => {
  const sides = (['host', 'relay', 'ratio'] as const).filter(side => figures.some(of => of[side]))
  return [
    grid(['', ''], fields(about)).trimStart(),
    memory &&
      grid(['', ''], fields({ memory: { first: memory[0], last: memory.at(-1) } })).trimStart(),
    grid(
      ['FIGURE', ...sides.flatMap(side => [side.toUpperCase(), 'LEAST', 'MOST'])],
      figures.map(of => [of.figure, ...sides.flatMap(side => rangeOf(of[side]))]),
    ),
    grid(
      ['BAR', 'REACHED', 'MOST', 'AIM', ''],
      bars.map(({ figure, value, most, aim, met }) => [
        ...[figure, value, most, aim ?? '-'],
        met ? 'met' : 'not met',
      ]),
    ),
    problems && (problems.length === 0 ? 'No problems found.' : 'Problems found.'),
  ]
    .filter(Boolean)
    .join('\n\n')
}

const rangeOf = (range: Figure['ratio']): readonly unknown[] =>
  range === null ? ['', '', ''] : [range.median, range.least, range.most]

const grid = (titles: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  rows.length === 0
    ? ''
    : table(
        titles.map((title, i) => (i === 0 ? { title } : { title, right: true })),
        rows.map(row => row.map(shown)),
      )

/** Every value of a result with its path, such as "play.delay.p99". */
const fields = (value: unknown, path = ''): readonly (readonly [path: string, value: unknown])[] =>
  typeof value !== 'object' || value === null
    ? [[path, value]]
    : Object.entries(value).flatMap(([key, inner]) =>
        fields(inner, path === '' ? key : `${path}.${key}`),
      )

const shown = (value: unknown): string => {
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value)
  return value.toFixed(value >= 100 ? 0 : value >= 1 ? 2 : 3)
}
