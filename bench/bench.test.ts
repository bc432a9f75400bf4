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
  unrated: 0,
  matchesPerSecond: aNumber,
  movesPerSecond: aNumber,
  cpu: aNumber,
  move: spread,
  result: spread,
  queued: spread,
}
const withWaiting = { ...figures, waiting: { rss: aNumber, heap: aNumber } }
const bar = (figure: string, most: number, aim: number | null = null) => ({
  ...{ figure, value: aNumber, most, aim },
  met: expect.any(Boolean),
})

test.each([
  [
    'ws',
    [bar('cpu ratio', 1.25, 0.9), bar('move.p99', 2), bar('result.p50', 2), bar('result.p99', 6)],
  ],
  ['ssh', [bar('cpu ratio', 1.2, 1.08)]],
])(
  'bench --transport %s --json compares host and relay in three turns, and with the bars',
  async (transport, bars) => {
    const tiny = ['--pairs', '8', '--matches', '20', '--waiting', '20']
    const { code, stdout, stderr } = await agentbbs(
      ['bench', '--transport', transport, ...tiny, '--json'],
      {},
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const seen = JSON.parse(stdout)
    expect(seen).toEqual({
      transport,
      pairs: 8,
      stretch: { matches: 20 },
      waiting: 20,
      accounts: aNumber,
      // On Linux no setting differs from its default.
      settings:
        transport === 'ws' || process.platform === 'linux'
          ? {}
          : { AGENTBBS_MAX_CONNECTIONS_PER_ADDRESS: '1000000' },
      pinned: expect.any(Boolean),
      house: withWaiting,
      relay: withWaiting,
      turns: ['house', 'relay', 'house'].map(first => ({ first, house: figures, relay: figures })),
      ratio: { median: aNumber, least: aNumber, most: aNumber },
      bars,
    })
    for (const { value, most, met } of seen.bars) expect(met).toBe(value <= most)
    const ratios = seen.turns.map(({ house, relay }: typeof seen) => house.cpu / relay.cpu)
    expect(seen.ratio).toEqual({
      least: Math.min(...ratios),
      median: ratios.toSorted((a: number, b: number) => a - b)[1],
      most: Math.max(...ratios),
    })
    // The relay sends the result only after the last move has arrived.
    expect(seen.relay.result.p50).toBeGreaterThan(0.03)
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
