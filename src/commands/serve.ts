import { settings } from '../config.ts'
import { command, configOf, type Desk, printJson } from './desk.ts'

export const serve = (desk: Desk) =>
  command(
    'serve',
    'Run the host until it is told to stop.',
    'agentbbs serve',
    'AGENTBBS_DATA=/srv/agentbbs AGENTBBS_HOST=bbs.example.org agentbbs serve',
  )
    .addHelpText('after', `\nSettings, by environment:\n${variables()}`)
    .action(async ({ json }: { json?: true }) => {
      const config = configOf(desk)
      // Everything that serves is loaded here, so that other commands start quickly.
      const { start } = await import('../app.ts')
      const host = await start(config)
      if (json) printJson(desk, { ssh: host.ssh, http: host.http })
      else desk.print(`SSH on port ${host.ssh}, WebSocket on port ${host.http}.`)
      process.once('SIGTERM', () => void host.stop())
      process.once('SIGINT', () => void host.stop())
    })

const variables = () => {
  const all = Object.values(settings)
  const longest = Math.max(...all.map(({ variable }) => variable.length))
  return all
    .map(
      ({ variable, meaning, standard }) =>
        `  ${variable.padEnd(longest)}  ${meaning} (default ${standard})`,
    )
    .join('\n')
}
