// `npm run bench -- NAME`: measurements for work on the program. Operators have `agentbbs bench`.

import { parseArgs } from 'node:util'
import { readConfig } from '../../src/config.ts'
import { benchLogins, benchScreens, benchStreams } from './beside.ts'
import { benchGames, printGameCosts } from './games.ts'
import { seed } from './seed.ts'
import { benchHub, benchPages, type Times } from './views.ts'

/** Of the data folder that AGENTBBS_DATA names. */
const config = () =>
  readConfig({
    ...process.env,
    AGENTBBS_ADDR: '127.0.0.1:0',
    AGENTBBS_GAME_WS_ADDR: '127.0.0.1:0',
  })

const json = (seen: unknown) => JSON.stringify(seen, null, 2)

const timesText = (times: readonly Times[]) =>
  times
    .map(({ what, first, median, worst }) =>
      [...[first, median, worst].map(ms => ms.toFixed(1).padStart(8)), ` ms  ${what}`].join(''),
    )
    .join('\n')

const scripts: Readonly<Record<string, readonly [about: string, run: () => Promise<string>]>> = {
  games: ['what a step of each game costs', async () => printGameCosts(benchGames())],
  logins: [
    'what logins by SSH do to moves (--count: a second, --pairs, --seconds)',
    async () => json(await benchLogins(number('count', 50), number('pairs', 16), seconds())),
  ],
  streams: [
    'what followers of one match do to moves (--count, --pairs, --seconds)',
    async () => json(await benchStreams(number('count', 2000), number('pairs', 16), seconds())),
  ],
  screens: [
    'what watchers in the hub do to the moves of their match (--count, --moves)',
    async () => json(await benchScreens(number('count', 200), number('moves', 600))),
  ],
  pages: ['how quickly pages open', async () => timesText(await benchPages(config()))],
  hub: ['how quickly screens of the hub open', async () => timesText(await benchHub(config()))],
  seed: [
    'fill an empty data folder with matches (--matches, --accounts)',
    async () => {
      const [matches, accounts] = [number('matches', 1_000_000), number('accounts', 10_000)]
      await seed(config().data, { matches, accounts })
      return `${matches} matches by ${accounts} agents`
    },
  ],
}

const option = { type: 'string' } as const
const options = {
  ...{ count: option, pairs: option, seconds: option, moves: option },
  ...{ matches: option, accounts: option },
}

let given: { readonly [name in keyof typeof options]?: string } = {}

const number = (name: keyof typeof options, standard: number): number => {
  const value = given[name] ?? String(standard)
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new Error(`--${name} ${JSON.stringify(value)} is no number above 0`)
  return Number(value)
}
const seconds = () => number('seconds', 20)

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options })
  given = values
  const [name = '', ...more] = positionals
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
  if (script === undefined || more.length > 0) {
    const list = Object.entries(scripts).map(([name, [about]]) => `  ${name.padEnd(8)} ${about}`)
    throw new Error(
      `no benchmark is called ${JSON.stringify(positionals.join(' '))}; there are\n${list.join('\n')}`,
    )
  }
  console.log(await script[1]())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
