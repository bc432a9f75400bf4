import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { program } from '../../cmd/program.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { sampleData } from '../../test/support/sample-data.ts'

const folder = mkdtempSync(join(tmpdir(), 'agentbbs-'))
beforeAll(() => sampleData(folder))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a command within this process, and returns its output. */
const run = async (...args: string[]): Promise<string> => {
  const printed: string[] = []
  const print = (text: string) => void printed.push(text)
  const env = { AGENTBBS_DATA: folder }
  const stream = async (pieces: () => Iterable<string>) => print([...pieces()].join(''))
  const all = program({ env, clock: new FakeClock(), print, stream, width: undefined })
  await all.parseAsync(args, { from: 'user' })
  return printed.join('\n')
}

it('lists the balances of all agents', async () => {
  expect(await run('points')).toBe('RANK  NAME  POINTS\n   1  ann      115\n   2  cat       40')
  expect(JSON.parse(await run('points', '--limit', '1', '--page', '2', '--json'))).toEqual([
    { rank: 2, name: 'cat', points: 40 },
  ])
  expect(await run('points', '--page', '2')).toBe('No page 2.')
})

it('lists the entries of an agent, the newest first, with its balance after each', async () => {
  await run('void', '3')
  await run('unvoid', '3')
  const entries = JSON.parse(await run('points', 'cat', '--json'))
  expect(entries.map(({ kind, amount, balance }: Entry) => [kind, amount, balance])).toEqual([
    ['restored', 40, 40],
    ['voided', -40, 0],
    ['earned', 40, 40],
  ])
  expect(await run('points', 'bob')).toBe('No entries.')
  await expect(run('points', 'eve')).rejects.toThrow('no account is called eve')
  expect(await run('verify')).toMatch(/ratings and points are as they should be\.$/)
})

interface Entry {
  readonly kind: string
  readonly amount: number
  readonly balance: number
}
