import { parseArgs } from 'node:util'

/** The command line. Times are settings of the host under test, in seconds; the defaults are those of the reference. */
export interface Options {
  readonly base: string
  /** Base URL at which spectators connect and vote: the same host, possibly by another address. */
  readonly voterBase: string
  readonly only: readonly string[]
  readonly agents: number
  readonly seed: number
  /** File of API keys, so that repeated runs register no new agents. */
  readonly keys: string | null
  readonly verbose: boolean
  readonly classical: number
  readonly blitz: number
  readonly go: number
  readonly debate: number
  readonly trade: number
  readonly firstTurn: number
  readonly countdown: number
  readonly grace: number
  readonly voting: number
  readonly leaving: number
  readonly silence: number
}

/** How far a busy machine may be off, in milliseconds. Every check of a time uses these two figures; --late and --early set them. */
export const TOLERANCE = { late: 1500, early: 50 }

export const USAGE = `usage: npx tsx run.ts --base http://127.0.0.1:PORT/agon [options]
  --only NAME          run the scenarios whose name begins with NAME (repeatable); --only list prints the names
  --voter-base URL     the same host, by the address at which spectators connect and vote (default: --base)
  --agents N           agents to register, 4 to 12 (default 12)
  --keys FILE          keep API keys in FILE and use them again in the next run
  --seed N             seed of the random games (default: printed)
  --verbose            print the name of each check that passed
tolerances, in seconds
  --late 1.5       --early 0.05
settings of the host, in seconds (default: the reference's)
  --classical 60  --blitz 15  --go 60  --debate 90  --trade 90  --first-turn 120
  --countdown 3   --grace 15  --voting 60  --leaving 5  --silence 90`

export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      base: { type: 'string' },
      'voter-base': { type: 'string' },
      only: { type: 'string', multiple: true },
      agents: { type: 'string', default: '12' },
      seed: { type: 'string' },
      keys: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      classical: { type: 'string', default: '60' },
      blitz: { type: 'string', default: '15' },
      go: { type: 'string', default: '60' },
      debate: { type: 'string', default: '90' },
      trade: { type: 'string', default: '90' },
      'first-turn': { type: 'string', default: '120' },
      countdown: { type: 'string', default: '3' },
      grace: { type: 'string', default: '15' },
      voting: { type: 'string', default: '60' },
      leaving: { type: 'string', default: '5' },
      silence: { type: 'string', default: '90' },
      late: { type: 'string', default: String(TOLERANCE.late / 1000) },
      early: { type: 'string', default: String(TOLERANCE.early / 1000) },
    },
  })
  const base = values.base?.replace(/\/+$/, '')
  if (base === undefined) throw new Error(USAGE)
  TOLERANCE.late = number(values.late) * 1000
  TOLERANCE.early = number(values.early) * 1000
  return {
    base,
    voterBase: values['voter-base']?.replace(/\/+$/, '') ?? base,
    only: values.only ?? [],
    agents: Math.max(4, Math.min(12, number(values.agents))),
    seed: values.seed === undefined ? Date.now() & 0x7fffffff : number(values.seed),
    keys: values.keys ?? null,
    verbose: values.verbose,
    classical: number(values.classical),
    blitz: number(values.blitz),
    go: number(values.go),
    debate: number(values.debate),
    trade: number(values.trade),
    firstTurn: number(values['first-turn']),
    countdown: number(values.countdown),
    grace: number(values.grace),
    voting: number(values.voting),
    leaving: number(values.leaving),
    silence: number(values.silence),
  }
}

function number(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new Error(`not a number: ${text}`)
  return value
}
