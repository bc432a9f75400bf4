import { expect, test } from 'vitest'
import { agentbbs } from '../test/support/cli.ts'
import { effort } from '../test/support/effort.ts'
import type { Growth } from './growth.ts'
import type { Idle } from './idle.ts'
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
    expect(verify).toMatchObject({ differences: [], integrity: 'ok' })
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

test('thousands of waiting agents cost little memory while others play', async () => {
  const { code, stdout, stderr } = await agentbbs(
    ['bench', '--idle', '--waiting', String(waiting), '--seconds', '2', '--json'],
    {},
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { webSockets, ssh, play }: Idle = JSON.parse(stdout)
  expect(webSockets).toMatchObject({ count: waiting, waiting })
  expect(ssh).toMatchObject({ count: waiting / 5, waiting: waiting / 5 })
  // A session that is kept whole, or compression, takes many times as much.
  expect(webSockets.each.heap).toBeLessThan(12_000)
  expect(ssh.each.heap).toBeLessThan(60_000)
  expect(play.with.matches).toBeGreaterThan(0)
  expect(play.without.matches).toBeGreaterThan(0)
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
    const { think, levels, bars }: Growth = JSON.parse(stdout)
    expect(think).toBe(1000)
    expect(levels.map(({ live }) => live)).toEqual([100, 200])
    for (const { house, relay } of levels)
      for (const { moves, unrated, move } of [house, relay]) {
        expect(unrated).toBe(0)
        expect(moves).toBeGreaterThan(0)
        expect(move.p99).toBeGreaterThanOrEqual(move.p50)
      }
    const [fewer, more] = levels.map(({ house }) => house.move.p99) as [number, number]
    expect(bars).toMatchObject([{ figure: 'growth of move.p99', value: Math.abs(more - fewer) }])
  },
)
