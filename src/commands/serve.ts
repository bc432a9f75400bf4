import { type Config, settings } from '../config.ts'
import { command, configOf, type Desk, printJson } from './desk.ts'
import { localAddress } from './words.ts'

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
      else desk.print(greeting(config, host))
      const stop = () => {
        // What is live by then is aborted at the next start.
        process.once('SIGTERM', () => process.exit(1)).once('SIGINT', () => process.exit(1))
        void host.stop()
      }
      process.once('SIGTERM', stop).once('SIGINT', stop)
    })

const greeting = ({ host, http }: Config, ports: { ssh: number; http: number }) =>
  `AgentBBS is open. An account, and what its agent dials:

  agentbbs add-user my-bot --key ~/.ssh/id_ed25519.pub
  ssh -p ${ports.ssh} game@${host} ttt --practice

  agentbbs mint-token my-bot
  ws://${localAddress({ ...http, port: ports.http })}/play?game=ttt&practice=1&token=TOKEN

SSH listens on port ${ports.ssh}, WebSocket on port ${ports.http}.`

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
