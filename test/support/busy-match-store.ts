// A process that plays and stores matches until it is killed, and sends its parent every result that is on disk.

import { systemClock } from '../../src/clock.ts'
import { sendWithin } from '../../src/store/match-book.ts'
import { openStore } from './open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from './played.ts'

const store = await openStore(process.argv[2]!, systemClock)
const accounts = Array.from({ length: 20 }, (_, i) => newAccount(store.users, `bot-${i}`))

const play = async (table: number): Promise<never> => {
  for (let turn = 1; ; turn++) {
    const first = table % 20
    const [one, two] = [accounts[first]!, accounts[(first + (turn % 19) + 1) % 20]!]
    const id = store.matchStore.begin(tttMatch(one, two))
    await new Promise(resolve => setTimeout(resolve, (17 * turn + 3 * table) % 120))
    const { changes } = await store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
    process.send!([id, changes[0]!.rating])
  }
}

// Whenever it is killed, at least this match is live on disk.
store.matchStore.begin(tttMatch(accounts[0]!, accounts[1]!))
await new Promise(resolve => setTimeout(resolve, 2 * sendWithin))
await Promise.all(Array.from({ length: 100 }, (_, i) => play(i)))
