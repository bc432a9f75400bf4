import { expect, test } from 'vitest'
import { agentbbs } from '../test/support/cli.ts'
import { effort } from '../test/support/effort.ts'
import type { Figure } from './measure.ts'
import type { Soak } from './soak.ts'

const waiting = effort({ usual: 400, ci: 5_000 })

// In CI alone, with the machine for itself.
test.runIf(process.env.CI === 'true')(
  'a host that is half busy for long leaks nothing and logs no errors',
  async () => {
    const { code, stdout, stderr } = await agentbbs(['bench', '--soak', '1', '--json'], {})
    const soak: Soak = JSON.parse(stdout)
    const { seen, verify, start, end } = soak
    expect(seen.faults).toEqual([])
    expect(soak.faults).toEqual([])
    expect(soak.problems).toEqual([])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(verify.differences).toEqual([])
    expect(soak.integrity).toBe('ok')
    expect(verify.matches).toBeGreaterThan(seen.results / 2 - 1)
    for (const [behaviour, times] of Object.entries(seen.done))
      expect(times, behaviour).toBeGreaterThan(0)
    expect(seen.watched.bytes).toBeGreaterThan(0)
    for (const kind of Object.keys(start) as (keyof typeof start)[])
      expect(end[kind], kind).toBeLessThanOrEqual(start[kind])
    // At first, code and caches take some. The growth after that is far below what matches take if they are not released.
    const grown = soak.memory.at(-1)!.heap - soak.memory[0]!.heap
    expect(grown).toBeLessThan(8 * 1024 * 1024 + 500 * seen.agents)
  },
)

const hostFigures = (stdout: string): ReadonlyMap<string, Figure['host']> =>
  new Map(JSON.parse(stdout).figures.map(({ figure, host }: Figure) => [figure, host]))

test('thousands of waiting agents cost little memory while others play', async () => {
  const { code, stdout, stderr } = await agentbbs(
    ['bench', '--idle', String(waiting), '--seconds', '0.5', '--json'],
    {},
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const all = { ws: waiting, ssh: waiting / 5 }
  expect(JSON.parse(stdout)).toMatchObject({ asked: all, waiting: all })
  const figures = hostFigures(stdout)
  // A session that is kept whole, or compression, takes many times as much.
  expect(figures.get('waiting.ws.heap')!.median).toBeLessThan(12_000)
  expect(figures.get('waiting.ssh.heap')!.median).toBeLessThan(60_000)
  expect(figures.get('with.matchesPerSecond')!.least).toBeGreaterThan(0)
  expect(figures.get('without.matchesPerSecond')!.least).toBeGreaterThan(0)
})

// A minute and more, most of it thinking.
test.runIf(process.env.CI === 'true')(
  'moves are measured while so many matches are live, of agents that think a second',
  async () => {
    const { code, stdout, stderr } = await agentbbs(
      ['bench', '--growth', '100,200', '--seconds', '1', '--json'],
      {},
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { think, matches, rated, bars } = JSON.parse(stdout)
    expect({ think, rated }).toEqual({ think: 1000, rated: matches })
    const [fewer, more] = [100, 200].map(live => {
      const figures = hostFigures(stdout)
      const [p50, p99] = [50, 99].map(share => figures.get(`live ${live}.move.p${share}`)!.median)
      expect(p99).toBeGreaterThanOrEqual(p50!)
      return p99!
    })
    expect(bars).toMatchObject([{ figure: 'growth of move.p99', value: Math.abs(more! - fewer!) }])
  },
)
