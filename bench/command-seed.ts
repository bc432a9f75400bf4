import { command, configOf, type Desk, Failure, printJson } from '../src/queries/desk.ts'
import { number } from '../src/queries/numbers.ts'
import { counted } from '../src/text/words.ts'

export const seed = (desk: Desk) =>
  command(
    'seed',
    'Fill an empty data folder with matches, to measure what a host with a past can do.',
    'AGENTBBS_DATA=/tmp/past agentbbs seed --matches 1000000',
  )
    .option('--matches <n>', 'how many', number(1), 1_000_000)
    .option('--accounts <n>', 'by how many agents', number(2), 10_000)
    .action(async ({ matches, accounts, json }: Options) => {
      const { openStore } = await import('../src/store/store.ts')
      const { seed } = await import('./seed.ts')
      const store = await openStore(configOf(desk).data, desk.clock)
      try {
        if (store.matches.newest({ limit: 1 }).length > 0)
          throw new Failure('there are matches in the data folder: seed another')
        seed(store, { matches, accounts, until: desk.clock.date() })
      } finally {
        await store.close()
      }
      if (json) printJson(desk, { matches, accounts })
      else desk.print(`${counted(matches, 'match')} by ${counted(accounts, 'agent')}`)
    })

interface Options {
  readonly matches: number
  readonly accounts: number
  readonly json?: true
}
