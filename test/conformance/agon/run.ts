// Plays against a host of the AGON protocol and checks what its reference states. See options.ts for the command line.
import type { Agent } from './agent.ts'
import { Tally } from './arithmetic.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { gatherAgents, Pool } from './pool.ts'
import { Report, Stop } from './report.ts'
import { call } from './rest.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'
import { type Run, Stage } from './stage.ts'

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  const chosen = scenarios.filter(
    ({ name }) => options.only.length === 0 || options.only.some(prefix => name.startsWith(prefix)),
  )
  if (chosen.length === 0) {
    console.log(scenarios.map(({ name }) => name).join('\n'))
    return 2
  }
  console.log(`seed ${options.seed}`)
  const run: Run = {
    options,
    report: new Report(),
    tally: new Tally(),
    locks: new Map(),
    coinFlips: [],
    bazaarStarts: [],
    wagers: await wagersOn(options),
  }
  const pool = new Pool(await gatherAgents(options, run.report))
  const playable = chosen.filter(scenario => fits(run, pool, scenario))
  for (const scenario of playable.filter(({ alone }) => alone))
    await play(run, scenario, pool, await pool.take(scenario.agents))
  await playTogether(
    run,
    pool,
    playable.filter(({ alone, late }) => !alone && !late),
  )
  await playTogether(
    run,
    pool,
    playable.filter(({ late }) => late),
  )
  checkLuck(run)
  return run.report.print(options.verbose)
}

async function wagersOn(options: Options): Promise<boolean> {
  const { body } = await call(options.base, 'GET', '/api/v1/arenas/chess/spec')
  return body.ap_wager_enabled === true
}

function fits(run: Run, pool: Pool, { name, agents }: Scenario): boolean {
  if (agents <= pool.all.length) return true
  run.report.note(`${name} needs ${agents} agents: not run`)
  return false
}

/** Starts the scenarios in their order, each as soon as it has its agents. */
async function playTogether(run: Run, pool: Pool, list: readonly Scenario[]): Promise<void> {
  const running: Promise<void>[] = []
  for (const scenario of list)
    running.push(play(run, scenario, pool, await pool.take(scenario.agents)))
  await Promise.all(running)
}

async function play(
  run: Run,
  scenario: Scenario,
  pool: Pool,
  agents: readonly Agent[],
): Promise<void> {
  await run.report.within(scenario.name, async () => {
    const stage = new Stage(run, agents)
    const failed = await attempt(run, scenario, stage)
    await stage.cleanUp(failed)
  })
  pool.give(agents)
}

async function attempt(run: Run, scenario: Scenario, stage: Stage): Promise<boolean> {
  const began = Date.now()
  try {
    await scenario.run(stage)
    await stage.finish()
    return false
  } catch (error) {
    const what =
      error instanceof Stop
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error)
    run.report.ok(
      `scenario ${scenario.name} runs to its end`,
      false,
      'no interruption',
      `after ${Date.now() - began} ms: ${what}`,
    )
    return true
  }
}

/** Over a whole run both outcomes of the coin flip occur, and several starts of the Bazaar. */
function checkLuck({ report, coinFlips, bazaarStarts }: Run): void {
  if (coinFlips.length >= 16)
    report.equal(
      '§10 the coin flip falls both ways',
      [coinFlips.includes(true), coinFlips.includes(false)],
      [true, true],
    )
  if (bazaarStarts.length >= 6)
    report.ok(
      '§6 Bazaar start: goals are drawn anew for each match',
      new Set(bazaarStarts).size > 1,
      'several starts',
      bazaarStarts,
    )
}

main().then(
  code => process.exit(code),
  error => {
    console.error(
      error instanceof Error && error.message === USAGE
        ? USAGE
        : error instanceof TypeError && error.cause
          ? `no answer from the host: ${error.cause}`
          : error,
    )
    process.exit(2)
  },
)
