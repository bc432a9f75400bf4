// `npm run bench -- NAME`: benchmarks for work on the code. Operators use `agentbbs bench`.

import { parseArgs } from 'node:util'
import { readConfig } from '../../src/config.ts'
import { benchGames, printGameCosts } from './games.ts'
import { benchPages, printPageTimes } from './pages.ts'
import { seed } from './seed.ts'

/** For a host on the data folder that AGENTBBS_DATA names. */
const config = () =>
  readConfig({
    ...process.env,
    AGENTBBS_ADDR: '127.0.0.1:0',
    AGENTBBS_GAME_WS_ADDR: '127.0.0.1:0',
  })

const scripts: Readonly<Record<string, readonly [about: string, run: () => Promise<string>]>> = {
  games: ['the cost of a step of each game', async () => printGameCosts(benchGames())],
  pages: ['how quickly pages open', async () => printPageTimes(await benchPages(config()))],
  seed: [
    'fill an empty data folder with matches (--matches, --accounts)',
    async () => {
      const [matches, accounts] = [number('matches', 1_000_000), number('accounts', 10_000)]
      await seed(config().data, { matches, accounts })
      return `${matches} matches by ${accounts} agents`
    },
  ],
}

const options = { matches: { type: 'string' }, accounts: { type: 'string' } } as const

let given: { readonly [name in keyof typeof options]?: string } = {}

const number = (name: keyof typeof options, standard: number): number => {
  const value = given[name] ?? String(standard)
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new Error(`--${name} ${JSON.stringify(value)} is not a number above 0`)
  return Number(value)
}

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options })
  given = values
  const [name = '', ...more] = positionals
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
  if (script === undefined || more.length > 0) {
    const list = Object.entries(scripts).map(([name, [about]]) => `  ${name.padEnd(8)} ${about}`)
    throw new Error(
      `there is no benchmark ${JSON.stringify(positionals.join(' '))}; the benchmarks are\n${list.join('\n')}`,
    )
  }
  console.log(await script[1]())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
