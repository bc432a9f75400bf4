import { command, configOf, type Desk, printJson } from '../src/queries/desk.ts'

export const benchHub = (desk: Desk) =>
  command(
    'bench-hub',
    'Measure how quickly the hub of a data folder opens its screens.',
    'AGENTBBS_DATA=/tmp/past agentbbs bench-hub',
  ).action(async ({ json }: { json?: true }) => {
    const { benchScreens } = await import('./screens.ts')
    const somewhere = { host: '127.0.0.1', port: 0 }
    const times = await benchScreens({ ...configOf(desk), ssh: somewhere, http: somewhere })
    if (json) return printJson(desk, times)
    desk.print(
      times
        .map(
          ({ screen, median, worst }) =>
            `${median.toFixed(1).padStart(7)} ${worst.toFixed(1).padStart(7)} ms  ${screen}`,
        )
        .join('\n'),
    )
  })
