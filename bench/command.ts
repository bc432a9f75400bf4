import { InvalidArgumentError } from 'commander'
import { type CommandContext, command, Failure, printJson } from '../src/queries/command.ts'
import { knownGame } from '../src/queries/known-game.ts'
import { aboveZero, number } from '../src/queries/numbers.ts'
import type { Transport } from './measured-server.ts'

export const bench = (context: CommandContext) =>
  command(
    'bench',
    'Measure how many matches this machine can host. Agents in another process play on a host with a temporary database and, in turn, on a bare relay that sends the same messages.',
    'agentbbs bench',
    'agentbbs bench --transport ssh --seconds 20',
    'agentbbs bench --bots gomoku',
    'agentbbs bench --soak 20',
    'agentbbs bench --idle',
  )
    .option('--transport <ws|ssh>', 'how the agents connect', transportOf, 'ws')
    .option('--pairs <n>', 'pairs that play at a time (default: 16; over SSH 8)', number(1))
    .option('--seconds <n>', 'seconds for which each of the two is measured', number(1), 10)
    .option('--matches <n>', 'measure so many matches of each instead of seconds', number(1))
    .option(
      '--waiting <n>',
      'waiting agents whose memory is measured (default: 2000; over SSH 500)',
      number(0),
    )
    .option(
      '--bots [game]',
      'measure instead how often each level of the house players beats the level below, in 40 matches or --matches',
    )
    .option(
      '--soak <minutes>',
      'keep the host half busy for so many minutes, and look for leaks and errors',
      aboveZero,
    )
    .option(
      '--idle',
      'measure the memory of 10,000 waiting agents on WebSocket, or --waiting, and a fifth of that on SSH',
    )
    .action(
      async ({ transport, seconds, matches, bots, soak, idle, json, ...options }: Options) => {
        const bySsh = transport === 'ssh'
        const { pairs = bySsh ? 8 : 16, waiting = bySsh ? 500 : 2000 } = options
        const print = <T>(seen: T, text: (seen: T) => string) =>
          json ? printJson(context, seen) : context.print(text(seen))
        // The benchmarks are loaded here, so that other commands start quickly.
        if (bots) {
          const { benchBots, printDuels } = await import('./bots.ts')
          const games = bots === true ? undefined : [knownGame(bots)]
          return print(await benchBots(games, matches), printDuels)
        }
        const { report, reportIdle, reportSoak } = await import('./report.ts')
        if (soak !== undefined) {
          const { benchSoak, soakProblems } = await import('./soak.ts')
          const seen = await benchSoak(soak, json ? undefined : context.print)
          print(seen, seen => `\n${reportSoak(seen)}`)
          if (soakProblems(seen).length > 0) throw new Failure('the soak found problems')
          return
        }
        if (idle) {
          const { benchIdle } = await import('./idle.ts')
          const { waiting: ws = 10_000 } = options
          return print(await benchIdle({ ws, ssh: Math.ceil(ws / 5) }, seconds), reportIdle)
        }
        const { bench } = await import('./compare.ts')
        const stretch = matches === undefined ? { seconds } : { matches }
        print(await bench({ transport, pairs, stretch, waiting }), report)
      },
    )

interface Options {
  readonly transport: Transport
  readonly pairs?: number
  readonly seconds: number
  readonly matches?: number
  readonly waiting?: number
  readonly bots?: true | string
  readonly soak?: number
  readonly idle?: true
  readonly json?: true
}

const transportOf = (value: string): Transport => {
  if (value !== 'ws' && value !== 'ssh') throw new InvalidArgumentError('Use ws or ssh.')
  return value
}
