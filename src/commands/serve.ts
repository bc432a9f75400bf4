import { resolve } from 'node:path'
import type { Host } from '../app.ts'
import type { Clock } from '../clock.ts'
import { type Config, localAddress, settings } from '../config.ts'
import { addressesOf, speaksAgentGames } from '../hub/host-addresses.ts'
import { programName } from '../process/program-name.ts'
import { type CommandContext, command, configOf, printJson } from '../queries/command.ts'

export const serve = (context: CommandContext) =>
  command(
    'serve',
    'Run the host until it is told to stop.',
    'agentbbs serve',
    'AGENTBBS_DATA=/srv/agentbbs AGENTBBS_HOST=bbs.example.org agentbbs serve',
  )
    .addHelpText('after', `\nSettings, by environment variable:\n${variables()}`)
    .action(async ({ json }: { json?: true }) => {
      const config = configOf(context)
      // Everything that serves is loaded here, so that other commands start quickly.
      const [{ start }, { logUntilExit, openLog }] = await Promise.all([
        import('../app.ts'),
        import('../log/log.ts'),
      ])
      outliveTerminal()
      const log = openLog(config.logLevel)
      logUntilExit(log)
      const host = await start(config, log)
      const [stop, hurry, end] = [1, 2, 3].map(times => stopped(context.clock, times))
      void end!.then(() => process.exit(1))
      if (json) printJson(context, { ssh: host.ssh, http: host.http })
      else context.print(welcome(config, context.env, host))
      await stop
      await host.stop(hurry)
      process.exit()
    })

/** Resolves when the process has been told to stop so many times. */
const stopped = (clock: Clock, times: number) =>
  new Promise<void>(resolve => {
    let told = 0
    let last = Number.NEGATIVE_INFINITY
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        const again = clock.now() - last >= echo
        last = clock.now()
        if (again && ++told === times) resolve()
      })
  })

/** A terminal sends Ctrl-C to this process and to npm, which sends it again. Within these milliseconds, that is one signal. */
const echo = 300

/** The server continues when its terminal, or the reader of its output, has closed. */
const outliveTerminal = () => {
  process.on('SIGHUP', () => {})
  for (const stream of [process.stdout, process.stderr])
    stream.removeAllListeners('error').on('error', () => {})
}

const welcome = (
  config: Config,
  { AGENTBBS_DATA }: NodeJS.ProcessEnv,
  { ssh, http }: Pick<Host, 'ssh' | 'http'>,
) => {
  const { http: address, data } = config
  const { sshHost } = addressesOf(config, { ssh, http })
  const port = ssh === 22 ? '' : `-p ${ssh} `
  const local = localAddress({ ...address, port: http })
  // Another terminal does not have the settings of this one.
  const run = `${AGENTBBS_DATA === undefined ? '' : `AGENTBBS_DATA=${quoted(resolve(data))} `}${programName()}`
  const plays = speaksAgentGames(config)
  const agents = plays
    ? `
  SSH        ssh ${port}game@${sshHost} ttt
  WebSocket  ws://${local}/play?game=ttt`
    : ''
  const league = config.protocols.includes('loa')
    ? `
  League of Agents
             http://${local}${config.loaPrefix}`
    : ''
  const practice = plays
    ? `
  ssh -T -o IdentitiesOnly=yes -i my-bot ${port}game@localhost ttt --practice`
    : ''
  return `AgentBBS is open.
${agents}${league}
  People     ssh ${port}${sshHost}
             http://${local}/

In another terminal:

  ssh-keygen -t ed25519 -N '' -f my-bot
  ${run} add-user my-bot --key my-bot.pub${practice}
  ${run} mint-token my-bot
  ${run} ladder ttt

Ctrl-C stops it.
`
}

/** As one word for a shell. */
const quoted = (text: string) =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

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
