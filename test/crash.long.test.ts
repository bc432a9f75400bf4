// kill -9 at random moments of the real process, under load.

import { randomInt } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { Dice } from '../src/games/dice.ts'
import { Crashes, moments } from './support/crashes.ts'
import { effort } from './support/effort.ts'

const kills = effort({ usual: 15, ci: 200 })
const aLife = 20

it(`${kills} kills leave nothing half done, and lose no announced result`, async () => {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
  const crashes = new Crashes(Dice.fromSeed(seed))
  onTestFinished(() => crashes.end())
  for (let kill = 0; kill < kills; kill++) {
    if (kill % aLife === 0) await crashes.begin()
    const moment = moments[kill % moments.length]!
    expect(await crashes.crash(moment), `kill ${kill}, ${moment}, SEED=${seed}`).toEqual([])
  }
  console.log(
    `${kills} kills: ${crashes.numbers} numbers and ${crashes.results} results told, ${crashes.cut} matches cut short`,
  )
  expect(crashes.results).toBeGreaterThan(kills)
  expect(crashes.numbers).toBeGreaterThan(crashes.results)
  // Everything that is announced before a kill is checked right after it.
  expect(crashes.compared).toBeGreaterThanOrEqual(crashes.results)
  // At least one match was live at each kill under load; how many more is chance.
  const underLoad = Array.from({ length: kills }, (_, kill) => moments[kill % moments.length])
  expect(crashes.cut).toBeGreaterThanOrEqual(underLoad.filter(moment => moment === 'load').length)
})
