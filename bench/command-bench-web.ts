import { command, configOf, type Desk, printJson } from '../src/queries/desk.ts'
import { number } from '../src/queries/numbers.ts'

export const benchWeb = (desk: Desk) =>
  command(
    'bench-web',
    'Measure how quickly the pages of a data folder are answered, or with --watchers what those who watch a match do to the moves of others.',
    'AGENTBBS_DATA=/tmp/past agentbbs bench-web',
    'agentbbs bench-web --watchers 2000',
  )
    .option('--watchers <n>', 'how many watch one match', number(1))
    .option('--pairs <n>', 'how many play beside it', number(1), 16)
    .option('--seconds <n>', 'how long is measured', number(1), 20)
    .action(async ({ watchers, pairs, seconds, json }: Options) => {
      if (watchers !== undefined) {
        const { benchWatchers } = await import('./watchers.ts')
        const seen = await benchWatchers(watchers, pairs, seconds)
        return json ? printJson(desk, seen) : desk.print(JSON.stringify(seen, null, 2))
      }
      const { benchPages } = await import('./pages.ts')
      const somewhere = { host: '127.0.0.1', port: 0 }
      const times = await benchPages({ ...configOf(desk), ssh: somewhere, http: somewhere })
      if (json) return printJson(desk, times)
      desk.print(
        times
          .map(
            ({ path, bytes, first, median, worst }) =>
              `${first.toFixed(1).padStart(7)} ${median.toFixed(1).padStart(7)} ${worst.toFixed(1).padStart(7)} ms  ${String(bytes).padStart(8)} B  ${path}`,
          )
          .join('\n'),
      )
    })

interface Options {
  readonly watchers?: number
  readonly pairs: number
  readonly seconds: number
  readonly json?: true
}
