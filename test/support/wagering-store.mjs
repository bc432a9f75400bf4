// A process that keeps wagered matches at tables, with the writer in a thread of its own as in a host, until it is killed. It
// sends its parent every balance that is on disk. Arguments: the data folder, a seed, and the ids of the accounts.

const of = path => import(new URL(`../../dist/src/${path}.js`, import.meta.url))
const { startStore } = await of('store/start-store')
const { systemClock } = await of('clock')
const { Dice } = await of('games/dice')

const [folder, seed, ...ids] = process.argv.slice(2)
const accounts = ids.map(Number)
const dice = Dice.fromSeed(Number(seed))
const ignore = () => {}
const { matchStore } = await startStore(
  { folder, policy: 'closed', pauseAfter: 0, gainCap: 0, copyCap: 0 },
  systemClock,
  { raised: ignore, over: ignore, committed: ignore, changed: ignore, audited: ignore },
  error => {
    throw error
  },
)
await matchStore.hold(accounts, 'ttt')

const cells = numbers => numbers.map((cell, turn) => [turn % 2, String(cell), 10])
const line = places => ({ ending: 'rules', places, faults: [null, null], detail: 'by the rules' })
const results = [
  [line([1, 2]), cells([0, 3, 1, 4, 2])],
  [line([2, 1]), cells([0, 3, 1, 4, 8, 5])],
  [line([1, 1]), cells([0, 1, 2, 4, 3, 5, 7, 6, 8])],
]
const setup = { room: { id: 'chess', table: 't-a', title: 'Blitz', participants: [0, 1] } }
const pause = () => new Promise(resolve => setTimeout(resolve, dice.roll(8)))

/**
 * Of each table: a parent that is late to kill finds no more to look through. Else it would be later the next time, and the
 * process of its other lane would play on meanwhile.
 */
const mostMatches = 100

/** Each account sits at one table alone, so that what it was told last is what it has. */
const play = async pair => {
  for (let played = 0; played < mostMatches; played++) {
    const startedAt = systemClock.date()
    const match = { game: 'ttt', seed: 1, setup, accounts: pair, unrated: null, startedAt }
    const id = matchStore.begin(match)
    await pause()
    const answer = await matchStore.escrow(id, 10 + dice.roll(30))
    if ('ok' in answer) process.send({ staked: id })
    await pause()
    if (dice.roll(5) === 0) await matchStore.abort(id, 'a fault', [])
    else {
      const [outcome, moves] = dice.pick(results)
      const { points } = await matchStore.finish(id, outcome, moves)
      process.send({ match: id, points })
    }
  }
}

process.send('playing')
await Promise.all(accounts.flatMap((one, i) => (i % 2 === 0 ? [play([one, accounts[i + 1]])] : [])))
// What has played enough waits for its end.
setInterval(ignore, 60_000)
