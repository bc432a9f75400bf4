import { InvalidArgumentError } from 'commander'
import { type CommandContext, command, Failure, printJson } from '../src/queries/command.ts'
import { knownGame } from '../src/queries/known-game.ts'
import { aboveZero, number } from '../src/queries/numbers.ts'
import type { Transport } from './server.ts'

export const bench = (context: CommandContext) =>
  command(
    'bench',
    'Measure what this machine can host. Agents play on a host with a temporary database and default settings and, in turns, on a bare relay that sends the same messages.',
    'agentbbs bench',
    'agentbbs bench --transport ssh --seconds 20',
    'agentbbs bench --protocol loa',
    'agentbbs bench --protocol agon',
    'agentbbs bench --protocol clawpoly',
    'agentbbs bench --growth',
    'agentbbs bench --idle',
    'agentbbs bench --pages /var/tmp/past',
    'agentbbs bench --spectators',
    'agentbbs bench --soak 20',
    'agentbbs bench --bots gomoku',
    'agentbbs bench --games clawpoly',
  )
    .option(
      '--transport <ws|ssh>',
      'how the agents connect (default: both are measured)',
      transportOf,
    )
    .option(
      '--protocol <agentgames|loa|agon|clawpoly>',
      'what the agents speak; loa: League of Agents, in three of its games; agon: AGON, at tables of Go, with 300 spectators and without; clawpoly: Clawpoly, in rooms of four (default: agentgames)',
      protocolOf,
    )
    .option(
      '--pairs <n>',
      'pairs that play at a time, or rooms (default: 16; over SSH 8; AGON and Clawpoly 4)',
      number(1),
    )
    .option('--seconds <n>', 'seconds of each measurement', aboveZero, 8)
    .option(
      '--growth [live]',
      'measure instead how long moves take while so many matches are live, of agents that think 1 s (default: 10,100,1000,5000)',
      liveOf,
    )
    .option(
      '--idle [n]',
      'measure instead the memory of so many waiting agents on WebSocket, and a fifth of that on SSH (default: 10000)',
      number(1),
    )
    .option(
      '--pages [folder]',
      'measure instead how much longer moves take while 50 pages a second are requested; past matches are kept in the folder, and made if there are none',
    )
    .option(
      '--spectators [n]',
      'measure instead how much longer the moves of a match of League of Agents take while so many watch it (default: 200)',
      number(1),
    )
    .option(
      '--soak <minutes>',
      'keep the host half busy for so many minutes, and look for leaks and errors',
      aboveZero,
    )
    .option(
      '--bots [game]',
      'measure instead how often each level of the house players beats the level below',
    )
    .option(
      '--games [game]',
      'measure instead what each game costs: a random match by the rules alone, and a move through the referee',
    )
    .option(
      '--matches <n>',
      'past matches of --pages (default: 1000000), or matches of each level of --bots (default: 40)',
      number(1),
    )
    .action(async (options: Options) => {
      const { seconds, matches, bots, games, json } = options
      // What the benchmark has started and made goes with it.
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.once(signal, () => process.exit(1))
      // The benchmarks are loaded here, so that other commands start quickly.
      if (bots) {
        const { benchBots, printDuels } = await import('./bots.ts')
        const duels = await benchBots(bots === true ? undefined : [knownGame(bots)], matches)
        return json ? printJson(context, duels) : context.print(printDuels(duels))
      }
      if (games) {
        const { benchGames, printGameCosts } = await import('./games.ts')
        const costs = benchGames(games === true ? undefined : [knownGame(games)])
        return json ? printJson(context, costs) : context.print(printGameCosts(costs))
      }
      const print = json ? undefined : context.print
      const measured = await measure(options, seconds, print)
      const { report } = await import('./report.ts')
      if (json) printJson(context, measured)
      else context.print(report(measured))
      if ('problems' in measured && measured.problems.length > 0)
        throw new Failure('the soak found problems')
    })

const measure = async (
  { soak, idle, growth, pages, spectators, matches, protocol, transport, pairs }: Options,
  seconds: number,
  print: ((line: string) => void) | undefined,
) => {
  if (soak) return (await import('./soak.ts')).benchSoak(soak, print)
  if (idle) return (await import('./idle.ts')).benchIdle(idle === true ? 10_000 : idle, seconds)
  if (growth) {
    const live = growth === true ? [10, 100, 1000, 5000] : growth
    return (await import('./growth.ts')).benchGrowth(live, seconds)
  }
  if (pages) {
    const folder = pages === true ? undefined : pages
    return (await import('./pages.ts')).benchPages(folder, matches ?? 1_000_000, seconds)
  }
  if (spectators)
    return (await import('./league-spectators.ts')).benchLeagueSpectators(
      spectators === true ? 200 : spectators,
      seconds,
    )
  if (protocol === 'loa') return (await import('./league.ts')).benchLeague(seconds, pairs)
  if (protocol === 'agon') return (await import('./agon.ts')).benchAgon(seconds, pairs)
  if (protocol === 'clawpoly') return (await import('./clawpoly.ts')).benchClawpoly(seconds, pairs)
  const { benchMatches } = await import('./compare.ts')
  return benchMatches(transport ? [transport] : ['ws', 'ssh'], seconds, pairs)
}

interface Options {
  readonly transport?: Transport
  readonly protocol?: (typeof protocols)[number]
  readonly pairs?: number
  readonly seconds: number
  readonly growth?: true | readonly number[]
  readonly idle?: true | number
  readonly pages?: true | string
  readonly spectators?: true | number
  readonly soak?: number
  readonly bots?: true | string
  readonly games?: true | string
  readonly matches?: number
  readonly json?: true
}

const transportOf = (value: string): Transport => {
  if (value !== 'ws' && value !== 'ssh') throw new InvalidArgumentError('Use ws or ssh.')
  return value
}

const protocols = ['agentgames', 'loa', 'agon', 'clawpoly'] as const

const protocolOf = (value: string): (typeof protocols)[number] => {
  const protocol = protocols.find(name => name === value)
  if (protocol === undefined) throw new InvalidArgumentError(`Use one of ${protocols.join(', ')}.`)
  return protocol
}

const liveOf = (value: string): readonly number[] => value.split(',').map(number(1, 10_000))
