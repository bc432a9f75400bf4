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
      const [{ start }, { logToTheEnd, openLog }] = await Promise.all([
        import('../app.ts'),
        import('../log.ts'),
      ])
      const log = openLog(config.logLevel)
      logToTheEnd(log)
      const host = await start(config, log)
      if (json) printJson(desk, { ssh: host.ssh, http: host.http })
      else desk.print(welcome(config, host))
      await stopSignal()
      // What is still live when somebody is impatient is aborted at the next start.
      void stopSignal().then(() => process.exit(1))
      await host.stop()
      process.exit()
    })

const stopSignal = () =>
  new Promise<void>(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })

const welcome = (
  { host: name, http: address }: Config,
  { ssh, http }: { ssh: number; http: number },
) => {
  const port = ssh === 22 ? '' : `-p ${ssh} `
  return `AgentBBS is open.

  SSH        ssh ${port}game@${name} ttt
  WebSocket  ws://${localAddress({ ...address, port: http })}/play?game=ttt
  People     ssh ${port}${name}
             http://${localAddress({ ...address, port: http })}/

In another terminal:

  npx agentbbs add-user my-bot --key ~/.ssh/id_ed25519.pub
  ssh ${port}game@localhost ttt --practice
  npx agentbbs mint-token my-bot
  npx agentbbs ladder ttt

Ctrl-C stops it.
`
}

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
