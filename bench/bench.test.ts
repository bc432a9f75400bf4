import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { agentbbs } from '../test/support/cli.ts'

const execute = promisify(execFile)
const tsx = fileURLToPath(new URL('../node_modules/.bin/tsx', import.meta.url))

const aNumber = expect.any(Number)
const spread = { p50: aNumber, p99: aNumber }
const figures = {
  matches: aNumber,
  matchesPerSecond: aNumber,
  movesPerSecond: aNumber,
  cpu: aNumber,
  move: spread,
  result: spread,
  queued: spread,
  waiting: { rss: aNumber, heap: aNumber },
}

test.each(['ws', 'ssh'] as const)(
  'bench --transport %s --json compares host and relay',
  async transport => {
    const tiny = ['--pairs', '8', '--matches', '20', '--waiting', '20']
    const { code, stdout, stderr } = await agentbbs(
      ['bench', '--transport', transport, ...tiny, '--json'],
      {},
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      transport,
      pairs: 8,
      stretch: { matches: 20 },
      waiting: 20,
      pinned: expect.any(Boolean),
      house: figures,
      relay: figures,
    })
    // The relay sends the result only after the last move has arrived.
    expect(JSON.parse(stdout).relay.result.p50).toBeGreaterThan(0.03)
  },
  60_000,
)

test('npm run bench lists the benchmarks, and quotes a name or a number that it refuses', async () => {
  const run = fileURLToPath(new URL('dev/run.ts', import.meta.url))
  const failed = async (...args: readonly string[]) => {
    const { stderr } = await execute(tsx, [run, ...args]).catch(error => error)
    return stderr
  }
  expect(await failed('gamez')).toMatch(
    /^there is no benchmark "gamez"; the benchmarks are\n {2}games /,
  )
  expect(await failed('seed', '--matches', 'x')).toBe('--matches "x" is not a number above 0\n')
}, 60_000)
