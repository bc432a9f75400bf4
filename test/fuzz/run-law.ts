// npm run law -- --seconds 300 --seed 7 --only replay

import { parseArgs } from 'node:util'
import { hold } from './law.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    peace: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const { peace, war, faults, struck } = await hold({
  seed: Number(values.seed),
  peace: Number(values.peace) * 1_000,
  war: Number(values.seconds) * 1_000,
  only: values.only,
  tell: line => console.log(line.slice(0, 600)),
})
for (const [name, times] of struck) console.log(`${String(times).padStart(5)}  ${name}`)
for (const [name, { p50, p99, max, own, heap, rss, moves, late }] of Object.entries({
  peace,
  war,
})) {
  const ms = [p50, p99, max, own, late.p99, late.max].map(value => value.toFixed(1))
  console.log(
    `${name}: ${moves} moves, p50 ${ms[0]} p99 ${ms[1]} max ${ms[2]} own ${ms[3]} ms; event loop p99 ${ms[4]} max ${ms[5]} ms; peak heap ${(heap / 2 ** 20).toFixed(0)} MiB, rss ${(rss / 2 ** 20).toFixed(0)} MiB`,
  )
}
console.log(`${faults.length} faults`)
process.exit(0)
