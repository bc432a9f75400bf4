import { randomInt } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { levelNamed, levelNames } from '../bots/levels.ts'
import { commandWords } from '../command-words.ts'
import { type Game, seatRange } from '../games/game.ts'
import { openingsOf } from '../games/openings.ts'
import type { Contestant, PlayedMatch } from '../local/contest.ts'
import { eloOf, logLikelihoodRatio, scoreInterval, sprtBound } from '../local/statistics.ts'
import { type Score, Tally } from '../local/tally.ts'
import { type CommandContext, command, configOf, Failure, printJson } from '../queries/command.ts'
import { knownGame } from '../queries/known-game.ts'
import { aboveZero, number } from '../queries/numbers.ts'
import { countText } from '../record/count-text.ts'
import { ndjsonLines } from '../record/export.ts'
import { printable } from '../text/printable.ts'
import { table } from '../text/table.ts'
import { decisionOf, decisionText, type Hypotheses, hypotheses } from './sprt.ts'

export const play = (context: CommandContext) =>
  command(
    'play',
    'Play matches between programs of this machine, without a host. They speak AgentGames on stdin and stdout.',
    'agentbbs play --game c4 --matches 200 --seed 7 "python3 a.py" "node b.js"',
    'agentbbs play --game c4 --opponent house:steady "python3 a.py"',
    'agentbbs play --game c4 --sprt 0,10 "python3 new.py" "python3 old.py"',
  )
    .argument('[programs...]', 'a command in quotes for each seat, or house:LEVEL')
    .requiredOption('--game <game>', 'the game')
    .option('--matches <n>', 'how many matches (default: 100; with --sprt no limit)', number(1))
    .option('--seed <n>', 'all luck grows from it (default: another one each time)', number(0))
    .option('--opponent <house:level>', 'a house player that takes the seats that are left')
    .option('--concurrency <n>', 'matches that are played at a time', number(1, 32), 1)
    .option('--openings', 'begin with balanced openings, each with both seats')
    .option('--move-timeout <seconds>', 'the time for a move (default: that of a host)', aboveZero)
    .option(
      '--sprt <elo0,elo1>',
      'stop once the first of two is known to be elo0 or elo1 stronger',
      hypotheses,
    )
    .option('--replays <folder>', 'write each match there, for agentbbs replay')
    .option('--verbose', 'show what programs write to stderr')
    .action((programs: readonly string[], options: Options, self: Command) =>
      playContest(context, programs, options, self),
    )

interface Options {
  readonly game: string
  readonly matches?: number
  readonly seed?: number
  readonly opponent?: string
  readonly concurrency: number
  readonly openings?: true
  readonly moveTimeout?: number
  readonly sprt?: Hypotheses
  readonly replays?: string
  readonly verbose?: true
  readonly json?: true
}

const playContest = async (
  context: CommandContext,
  programs: readonly string[],
  options: Options,
  self: Command,
): Promise<void> => {
  const game = knownGame(options.game)
  const contestants = contestantsOf(game, programs, options.opponent, why => self.error(why))
  const { sprt, replays, concurrency, json, verbose } = options
  const openings = options.openings ? openingsOf(game.id) : []
  if (options.openings && openings.length === 0)
    self.error(`error: --openings: ${game.id} has none`)
  if (sprt !== undefined && contestants.length !== 2)
    self.error('error: --sprt compares two players')
  if (replays !== undefined) makeFolder(replays)
  const seed = options.seed ?? randomInt(2 ** 32)
  const matches = options.matches ?? (sprt === undefined ? 100 : Number.POSITIVE_INFINITY)
  const moveTimeout =
    options.moveTimeout === undefined ? configOf(context).moveTimeout : options.moveTimeout * 1000

  // What plays is loaded here, so that other commands start quickly.
  const [{ Contest, UnusableProgram }, { MoveWorker }, { StallWatch }] = await Promise.all([
    import('../local/contest.ts'),
    import('../bots/move-worker.ts'),
    import('../process/stall-watch.ts'),
  ])
  const clock = new StallWatch(context.clock)
  clock.watch(() => {})
  const tally = new Tally(contestants.length)
  const failures = new Failures()
  const bar = new ProgressBar(process.stderr.isTTY === true && verbose !== true)
  const contest = new Contest({
    ...{ game, contestants, matches, seed, openings, concurrency, moveTimeout, clock },
    moveWorker: new MoveWorker(clock, error => failures.note(`the house: ${error.message}`)),
    stderr: (name, text) => {
      if (verbose) process.stderr.write(printable(text.replace(/^(?=.)/gm, `${name}: `)))
    },
    failed: why => failures.note(why),
    played: match => {
      tally.add(match)
      if (replays !== undefined) writeReplay(replays, match)
      bar.show(tally.matches, matches)
      return sprt !== undefined && decisionOf(llrOf(sprt, tally)) !== null
    },
  })
  let wasStopped = false
  const stop = () => {
    wasStopped = true
    contest.stop()
  }
  // It takes a second at most, so a second signal changes nothing. npm sends one.
  for (const signal of signals) process.on(signal, stop)
  try {
    await contest.run()
  } catch (error) {
    if (!(error instanceof UnusableProgram)) throw error
    // What was played before that is not lost.
    if (tally.matches === 0) throw new Failure(error.message)
    failures.note(error.message)
  } finally {
    bar.clear()
    clock.close()
    for (const signal of signals) process.off(signal, stop)
  }
  const report = { game: game.id, seed, matches: tally.matches, wasStopped }
  if (json) printJson(context, jsonOf(report, contestants, tally, sprt, failures))
  else context.print(textOf(context, game, report, contestants, tally, sprt))
  const failed = failures.list()
  if (failed.length > 0) throw new Failure(failed.join('; '))
  if (wasStopped) process.exitCode = 130
}

const signals = ['SIGINT', 'SIGTERM'] as const

const contestantsOf = (
  game: Game,
  programs: readonly string[],
  opponent: string | undefined,
  misused: (why: string) => never,
): readonly Contestant[] => {
  const { min, max } = seatRange(game)
  const missing = opponent === undefined ? 0 : Math.max(min - programs.length, 1)
  const all = [...programs, ...Array.from({ length: missing }, () => opponent!)]
  if (opponent !== undefined && !opponent.startsWith(housePrefix))
    misused(`error: --opponent ${opponent}: give house:LEVEL, such as house:steady`)
  if (all.length < min || all.length > max)
    misused(
      `error: ${game.id} has ${min === max ? '' : `${min} to `}${countText(max, 'seat')}: give a program or house:LEVEL for each, got ${all.length}`,
    )
  const names = new Set<string>()
  return all.map(text => {
    const level = text.startsWith(housePrefix) ? text.slice(housePrefix.length) : null
    const words = commandWords(text)
    if (level === null && words.length === 0) misused('error: a program is empty')
    const known = level === null ? undefined : levelNamed(game, level)
    if (level !== null && known === undefined)
      misused(
        `error: no house player "${level}" plays ${game.id}; there are ${levelNames(game).join(', ')}`,
      )
    const plain = known === undefined ? programNameOf(words) : `house-${known.name}`
    let name = plain
    for (let n = 2; names.has(name); n++) name = `${plain}-${n}`
    names.add(name)
    return known === undefined ? { name, words } : { name, level: known.name }
  })
}

const housePrefix = 'house:'

/** The name of the script, or of the program where no word looks like a script. */
const programNameOf = (words: readonly string[]): string => {
  const script = words.find(word => /[^/.]\.\w+$/.test(word)) ?? words[0]!
  return script.replace(/^.*\//, '').replace(/(?<=.)\.\w+$/, '')
}

const makeFolder = (folder: string): void => {
  let inside: readonly string[]
  try {
    mkdirSync(folder, { recursive: true })
    inside = readdirSync(folder)
  } catch (error) {
    throw new Failure(`cannot write to ${folder}: ${(error as Error).message}`)
  }
  if (inside.length > 0) throw new Failure(`${folder} is not empty: give a new folder for replays`)
}

const writeReplay = (folder: string, { record, moves, notes }: PlayedMatch): void =>
  writeFileSync(
    join(folder, `${String(record.id).padStart(4, '0')}.ndjson`),
    [...ndjsonLines(record, moves, notes)].join(''),
  )

/** What programs have failed at in the middle of matches, each with how often. */
class Failures {
  readonly #counts = new Map<string, number>()

  note(text: string): void {
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1)
  }

  list(): readonly string[] {
    return [...this.#counts].map(([text, n]) => (n === 1 ? text : `${text} (${n} times)`))
  }
}

class ProgressBar {
  readonly #isShown: boolean

  constructor(isShown: boolean) {
    this.#isShown = isShown
  }

  show(played: number, of: number): void {
    if (!this.#isShown) return
    const isLimited = Number.isFinite(of)
    const done = isLimited ? Math.floor((width * played) / of) : 0
    const bar = isLimited ? `[${'#'.repeat(done).padEnd(width, '.')}] ${played} of ${of}` : played
    process.stderr.write(`\r${bar} matches`)
  }

  clear(): void {
    if (this.#isShown) process.stderr.write('\r\x1b[K')
  }
}

const width = 40

const llrOf = ([elo0, elo1]: Hypotheses, { pairs }: Tally): number =>
  pairs.some(count => count > 0) ? logLikelihoodRatio(elo0, elo1, pairs) : 0

interface Report {
  readonly game: string
  readonly seed: number
  readonly matches: number
  readonly wasStopped: boolean
}

const measured = ({ points }: Score, matches: number) => {
  const score = matches === 0 ? 0.5 : points / matches
  const interval = scoreInterval(score, matches)
  return {
    score,
    interval,
    elo: eloOf(score),
    eloInterval: interval.map(eloOf) as [number, number],
  }
}

const jsonOf = (
  { wasStopped, ...report }: Report,
  contestants: readonly Contestant[],
  tally: Tally,
  sprt: Hypotheses | undefined,
  failures: Failures,
) => ({
  ...report,
  stopped: wasStopped,
  players: contestants.map((contestant, i) => {
    const { wins, draws, losses, forfeits } = tally.scores[i]!
    const { score, interval, elo, eloInterval } = measured(tally.scores[i]!, tally.matches)
    return {
      name: contestant.name,
      command: 'words' in contestant ? contestant.words : null,
      ...{ wins, draws, losses, score, scoreInterval: interval },
      elo: finite(elo),
      eloInterval: eloInterval.map(finite),
      forfeits,
    }
  }),
  pairs: contestants.length === 2 ? tally.pairs : null,
  sprt: sprt === undefined ? null : sprtJson(sprt, tally),
  failures: failures.list(),
})

const finite = (elo: number): number | null => (Number.isFinite(elo) ? elo : null)

const sprtJson = (sprt: Hypotheses, tally: Tally) => {
  const llr = llrOf(sprt, tally)
  return {
    ...{ elo0: sprt[0], elo1: sprt[1], llr, bound: sprtBound },
    accepted: decisionOf(llr),
  }
}

const textOf = (
  { width }: CommandContext,
  game: Game,
  { seed, matches, wasStopped }: Report,
  contestants: readonly Contestant[],
  tally: Tally,
  sprt: Hypotheses | undefined,
): string => {
  const head = `${game.title}: ${countText(matches, 'match')} with seed ${seed}${wasStopped ? ', stopped' : ''}`
  const rows = contestants.map(({ name }, i) => {
    const all = tally.scores[i]!
    const { score, interval, elo, eloInterval } = measured(all, matches)
    return [
      name,
      ...[all.wins, all.draws, all.losses].map(String),
      `${percent(score)} (${interval.map(percent).join(' to ')})`,
      `${eloText(elo)} (${eloInterval.map(eloText).join(' to ')})`,
      forfeitsText(all),
    ]
  })
  return [
    head,
    table(columns, rows, width),
    ...(sprt === undefined ? [] : [sprtText(sprt, contestants, tally)]),
  ].join('\n\n')
}

const right = true
const columns = [
  { title: 'NAME', long: true },
  { title: 'WON', right },
  { title: 'DRAWN', right },
  { title: 'LOST', right },
  { title: 'SCORE % (95 %)', right },
  { title: 'ELO (95 %)', right },
  { title: 'FORFEITS' },
] as const

const forfeitsText = ({ forfeits }: Score): string =>
  Object.entries(forfeits)
    .flatMap(([fault, count]) => (count === 0 ? [] : `${count} ${fault}`))
    .join(', ') || 'none'

const percent = (share: number) => (100 * share).toFixed(1)

const eloText = (elo: number): string =>
  Number.isFinite(elo)
    ? `${elo < -0.5 ? '-' : '+'}${Math.abs(elo).toFixed(0)}`
    : elo > 0
      ? '+inf'
      : '-inf'

const sprtText = (sprt: Hypotheses, contestants: readonly Contestant[], tally: Tally): string => {
  const [elo0, elo1] = sprt
  const llr = llrOf(sprt, tally)
  const [one, other] = contestants.map(({ name }) => name)
  const says = decisionText(sprt, llr, one!, other!)
  return `SPRT of ${elo0} against ${elo1} Elo: LLR ${llr.toFixed(2)} (-2.94 to 2.94), pairs by points 0 to 2: ${tally.pairs.join(', ')}; ${says}`
}
