import { expect, test } from 'vitest'
import { agentbbs } from '../test/support/cli.ts'
import { effort } from '../test/support/effort.ts'
import type { Idle } from './idle.ts'
import type { Soak } from './soak.ts'

const minutes = effort({ usual: 0.1, ci: 1 })
const waiting = effort({ usual: 400, ci: 5_000 })

test('a house that is kept half busy leaves nothing behind and goes wrong nowhere', async () => {
  const { code, stdout, stderr } = await agentbbs(
    ['bench', '--soak', String(minutes), '--json'],
    {},
  )
  const soak: Soak = JSON.parse(stdout)
  const { seen, verify, start, end } = soak
  expect(seen.faults).toEqual([])
  expect(soak.faults).toEqual([])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(verify).toMatchObject({ differences: [], integrity: 'ok' })
  expect(verify.matches).toBeGreaterThan(seen.results / 2 - 1)
  for (const [manner, times] of Object.entries(seen.done)) expect(times, manner).toBeGreaterThan(0)
  expect(seen.watched.bytes).toBeGreaterThan(0)
  for (const kind of Object.keys(start) as (keyof typeof start)[])
    expect(end[kind], kind).toBeLessThanOrEqual(start[kind])
  // A start takes some, for code and caches; what follows is far below what a match takes, were any of them kept.
  const grown = soak.memory.at(-1)!.heap - soak.memory[0]!.heap
  expect(grown).toBeLessThan(8 * 1024 * 1024 + 500 * seen.agents)
})

test('thousands who only wait cost little, and others come and play meanwhile', async () => {
  const { code, stdout, stderr } = await agentbbs(
    ['bench', '--idle', '--waiting', String(waiting), '--seconds', '2', '--json'],
    {},
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { webSockets, ssh, play }: Idle = JSON.parse(stdout)
  expect(webSockets).toMatchObject({ count: waiting, waiting })
  expect(ssh).toMatchObject({ count: waiting / 5, waiting: waiting / 5 })
  // A session that were kept whole, or compression, would take many times as much.
  expect(webSockets.each.heap).toBeLessThan(12_000)
  expect(ssh.each.heap).toBeLessThan(60_000)
  expect(play.with.matches).toBeGreaterThan(0)
  expect(play.without.matches).toBeGreaterThan(0)
})
