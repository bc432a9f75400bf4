import { InvalidArgumentError } from 'commander'
import { type CommandContext, command, Failure, printJson } from '../src/queries/command.ts'
import { knownGame } from '../src/queries/known-game.ts'
import { aboveZero, number } from '../src/queries/numbers.ts'
import type { Transport } from './server.ts'

export const bench = (context: CommandContext) =>
  command(
    'bench',
    'Measure how many matches this machine can host. Agents play on a host with a temporary database and default settings and, in turns, on a bare relay that sends the same messages.',
    'agentbbs bench',
    'agentbbs bench --transport ssh --seconds 20',
    'agentbbs bench --growth',
    'agentbbs bench --idle',
    'agentbbs bench --soak 20',
    'agentbbs bench --bots gomoku',
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
      '--growth [live]',
      'measure instead how long moves take while so many matches are live, of agents that think 1 s (default: 10,100,1000,5000)',
      liveOf,
    )
    .option(
      '--idle',
      'measure instead the memory of 10,000 waiting agents on WebSocket, or --waiting, and a fifth of that on SSH',
    )
    .option(
      '--soak <minutes>',
      'keep the host half busy for so many minutes, and look for leaks and errors',
      aboveZero,
    )
    .option(
      '--bots [game]',
      'measure instead how often each level of the house players beats the level below, in 40 matches or --matches',
    )
    .action(async (options: Options) => {
      const { transport, seconds, matches, bots, soak, json } = options
      const print = <T>(result: T, text: (result: T) => string) =>
        json ? printJson(context, result) : context.print(text(result))
      // The benchmarks are loaded here, so that other commands start quickly.
      if (bots) {
        const { benchBots, printDuels } = await import('./bots.ts')
        const games = bots === true ? undefined : [knownGame(bots)]
        return print(await benchBots(games, matches), printDuels)
      }
      const { report, reportGrowth, reportIdle, reportSoak } = await import('./report.ts')
      if (soak !== undefined) {
        const { benchSoak } = await import('./soak.ts')
        const result = await benchSoak(soak, json ? undefined : context.print)
        print(result, reportSoak)
        if (result.problems.length > 0) throw new Failure('the soak found problems')
        return
      }
      if (options.idle) {
        const { benchIdle } = await import('./idle.ts')
        return print(await benchIdle(options.waiting ?? 10_000, seconds), reportIdle)
      }
      if (options.growth) {
        const { benchGrowth } = await import('./growth.ts')
        const live = options.growth === true ? [10, 100, 1000, 5000] : options.growth
        return print(await benchGrowth(live, seconds), reportGrowth)
      }
      const { bench } = await import('./compare.ts')
      const [usual, fewer] = transport === 'ssh' ? [8, 500] : [16, 2000]
      const { pairs = usual, waiting = fewer } = options
      const stretch = matches === undefined ? { seconds } : { matches }
      print(await bench({ transport, pairs, stretch, waiting }), report)
    })

interface Options {
  readonly transport: Transport
  readonly pairs?: number
  readonly seconds: number
  readonly matches?: number
  readonly waiting?: number
  readonly growth?: true | readonly number[]
  readonly idle?: true
  readonly soak?: number
  readonly bots?: true | string
  readonly json?: true
}

const transportOf = (value: string): Transport => {
  if (value !== 'ws' && value !== 'ssh') throw new InvalidArgumentError('Use ws or ssh.')
  return value
}

const liveOf = (value: string): readonly number[] => value.split(',').map(number(1, 10_000))
