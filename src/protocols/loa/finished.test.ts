import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { FakeClock } from '../../../test/support/fake-clock.ts'
import { Finished } from './finished.ts'

/** Bytes in use, after garbage collection. */
const memory = () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  // Buffers that the first finds unused are freed by the second.
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Each with a symbol that makes its string twice as long in memory. */
const lines = (match: number) => [`✨${match}${'1'.repeat(21_000)}`, `{"over":${match}}`]

it('10,000 large games within 10 minutes take 64 MiB, and the newest can be asked for', () => {
  const clock = new FakeClock()
  const finished = new Finished(clock)
  const before = memory()
  for (let match = 1; match <= 10_000; match++) {
    finished.keep(match, lines(match))
    clock.pass(50)
  }
  expect((memory() - before) / 2 ** 20).toBeLessThan(68)
  const kept = Array.from({ length: 10_000 }, (_, i) => finished.of(i + 1) !== undefined)
  expect(kept.indexOf(true)).toBeGreaterThan(6_700)
  expect(kept.indexOf(true)).toBeLessThan(6_900)
  expect(kept.lastIndexOf(false)).toBe(kept.indexOf(true) - 1)
  expect(finished.of(10_000)).toEqual(lines(10_000))
})

it('10,000 small games within 10 minutes can all be asked for, and go with time', () => {
  const clock = new FakeClock()
  const finished = new Finished(clock)
  const before = memory()
  for (let match = 1; match <= 10_000; match++) {
    finished.keep(match, [`{"state":"${'x'.repeat(600)}"}`, `{"over":${match}}`])
    clock.pass(50)
  }
  expect(finished.of(1)).toHaveLength(2)
  expect((memory() - before) / 2 ** 20).toBeLessThan(24)
  clock.pass(600_000)
  finished.keep(10_001, lines(10_001))
  expect((memory() - before) / 2 ** 20).toBeLessThan(4)
})
