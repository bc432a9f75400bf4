// kill -9 at random moments of a process that keeps wagered matches: no point may be lost, and none made.

import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { AccountId } from '../src/arena/account.ts'
import type { SeatPoints } from '../src/arena/points.ts'
import { systemClock } from '../src/clock.ts'
import { verified } from '../src/commands/verify.ts'
import { Dice } from '../src/games/dice.ts'
import { dataFolder } from './support/data-folder.ts'
import { effort } from './support/effort.ts'
import { openStore, type Store } from './support/open-store.ts'
import { newAccount } from './support/played.ts'

const kills = effort({ usual: 40, ci: 100 })
/** At once, with a data folder each. */
const lanes = 2

/** What a process has told before it was killed. */
interface Told {
  readonly staked: number[]
  readonly results: { readonly match: number; readonly points: readonly SeatPoints[] }[]
}

it(`${kills} kills lose and make no point`, async () => {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
  const dice = Dice.fromSeed(seed)
  const counts = await Promise.all(
    Array.from({ length: lanes }, () => lane(Dice.fromSeed(dice.step()), `SEED=${seed}`)),
  )
  const sum = (of: (count: Count) => number) => counts.reduce((sum, count) => sum + of(count), 0)
  const [staked, settled, cut] = [sum(c => c.staked), sum(c => c.settled), sum(c => c.cut)]
  console.log(
    `${kills} kills: ${staked} wagers, ${settled} settled before a kill, ${cut} cut short`,
  )
  expect(settled).toBeGreaterThan(kills)
  // Or the kills have hit nothing.
  expect(cut).toBeGreaterThan(kills / 2)
})

const lane = async (dice: Dice, name: string): Promise<Count> => {
  const folder = dataFolder()
  const begun = await openStore(folder, systemClock)
  const accounts = Array.from({ length: 8 }, (_, i) => newAccount(begun.users, `bot-${i}`).id)
  await begun.close()
  const count = { staked: 0, settled: 0, cut: 0 }
  for (let kill = 0; kill < kills / lanes; kill++) {
    const told = await playAndDie(folder, accounts, dice)
    // As the next start of a host does: it ends what was live.
    const store = await openStore(folder, systemClock)
    try {
      const wrong = [...verified(store).differences, ...lost(store, accounts, told)]
      expect(wrong, `kill ${kill}, ${name}`).toEqual([])
      count.staked += told.staked.length
      count.settled += told.results.filter(({ points }) => points[0]!.wager !== null).length
      count.cut += told.staked.filter(
        id => store.matches.find(id)!.end!.ending === 'aborted',
      ).length
    } finally {
      await store.close()
    }
  }
  return count
}

interface Count {
  readonly staked: number
  readonly settled: number
  readonly cut: number
}

const playAndDie = async (
  folder: string,
  accounts: readonly AccountId[],
  dice: Dice,
): Promise<Told> => {
  const told: Told = { staked: [], results: [] }
  const child = fork(
    fileURLToPath(new URL('support/wagering-store.mjs', import.meta.url)),
    [folder, dice.step(), ...accounts].map(String),
    { stdio: 'inherit' },
  )
  const gone = once(child, 'exit')
  await once(child, 'message')
  child.on('message', (message: { staked: number } | Told['results'][number]) => {
    if ('staked' in message) told.staked.push(message.staked)
    else told.results.push(message)
  })
  await pause(20 + dice.roll(120))
  child.kill('SIGKILL')
  await gone
  return told
}

/** What the process has told, and the disk does not have; and points that are neither earned nor there. */
const lost = (
  store: Store,
  accounts: readonly AccountId[],
  { staked, results }: Told,
): string[] => {
  const wrong: string[] = []
  // What each account had after its last entry about a match.
  const after = accounts.map(account => {
    let balance = 0
    return new Map(
      store.points.entries(account).map(({ match, amount }) => {
        balance += amount
        return [match, balance]
      }),
    )
  })
  for (const { match, points } of results) {
    const seats = store.matches.find(match)?.players ?? []
    for (const [seat, { account }] of seats.entries()) {
      const balance = after[accounts.indexOf(account)]!.get(match) ?? 0
      if (balance !== points[seat]!.balance)
        wrong.push(`match ${match}: told ${points[seat]!.balance}, and kept ${balance}`)
    }
    if (seats.length === 0) wrong.push(`match ${match} was told, and is not there`)
  }
  const entries = [...store.points.all()]
  const kept = new Set(entries.flatMap(({ match, kind }) => (kind === 'staked' ? [match] : [])))
  for (const id of staked)
    if (!kept.has(id)) wrong.push(`match ${id}: its wager was told, and is not there`)
  const sum = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
  const earned = sum(entries.flatMap(({ kind, amount }) => (kind === 'earned' ? amount : [])))
  const held = sum(accounts.map(account => store.points.balance(account)))
  if (earned !== held) wrong.push(`${earned} points are earned, and ${held} are there`)
  return wrong
}
