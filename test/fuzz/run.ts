// npm run fuzz -- --minutes 120 --seed 7 --set AGENTBBS_PAIR_CAP=10 --limit unread=16384

import { parseArgs } from 'node:util'
import { constants } from '../../src/constants.ts'
import { fuzz } from './fuzz.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    attack: { type: 'string' },
    lanes: { type: 'string', default: '12' },
    set: { type: 'string', multiple: true, default: [] as string[] },
    limit: { type: 'string', multiple: true, default: [] as string[] },
  },
})
const { minutes, seed, only, attack, lanes } = values

/** Of `name=value`. */
const pair = (text: string) => text.split(/=(.*)/s).slice(0, 2) as [string, string]

const limit = (text: string) => {
  const [name, value] = pair(text)
  if (!(name in constants.limits) || !/^\d+$/.test(value))
    throw new Error(
      `--limit ${text}: give name=number, with one of ${Object.keys(constants.limits).join(', ')}`,
    )
  return [name, Number(value)]
}

console.log(`seed ${seed}`)
const report = await fuzz({
  seed: Number(seed),
  ms: Number(minutes) * 60_000,
  only: only === undefined ? undefined : Number(only),
  attack,
  lanes: Number(lanes),
  setup: {
    settings: Object.fromEntries(values.set.map(pair)),
    constants: {
      limits: Object.fromEntries(values.limit.map(limit)),
    },
  },
  tell: line => console.log(line),
})

const mib = (bytes = 0) => `${(bytes / 2 ** 20).toFixed(1)} MiB`
const { attacks, kinds, seats, slowestArrival, before, after, faults } = report
for (const [name, { made, struck }] of [...kinds].sort())
  console.log(`${String(made).padStart(7)}${String(struck).padStart(7)}  ${name}`)
console.log(`${attacks} attacks; honest agents sat in ${seats} seats to the end`)
console.log(`the slowest of them was queued after ${Math.round(slowestArrival)} ms`)
console.log(
  `heap ${mib(before?.heap)} → ${mib(after?.heap)}, rss ${mib(before?.rss)} → ${mib(after?.rss)}`,
)
console.log(`left over: ${JSON.stringify(after?.resources)}`)
console.log(faults.length === 0 ? 'no fault' : `faults: ${faults.length}`)
process.exit(faults.length === 0 ? 0 : 1)
