import { expect, it } from 'vitest'
import { effort } from '../support/effort.ts'
import { fuzz } from './fuzz.ts'

/** To try other seeds: npm run fuzz -- --minutes 60 */
const seed = 1

it('no input of a client stops the server or a match', async () => {
  const report = await fuzz({ seed, ms: effort({ usual: 10_000, ci: 180_000 }) })
  // Each fault names the attacks of that moment: npm run fuzz -- --only SEED makes one of them again.
  expect(report.faults).toEqual([])
  for (const [name, { struck }] of report.kinds) expect(struck, name).toBeGreaterThan(0)
  expect(report.seats).toBeGreaterThan(effort({ usual: 6, ci: 100 }))
})
