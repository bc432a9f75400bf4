import { expect, test } from 'vitest'
import { agentbbs } from '../test/support/cli.ts'

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
  'a tiny bench by %s, as JSON',
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
  },
  60_000,
)

test('a short burst, for people', async () => {
  const { code, stdout, stderr } = await agentbbs(
    ['bench', '--burst', '--pairs', '8', '--seconds', '2'],
    {},
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^8 pairs by WebSocket, without and with 50 SSH logins a second\.\n/)
  expect(stdout).toMatch(/\nmove to the opponent, p99, ms +\d+\.\d\d +\d+\.\d\d +\d+\.\d\d\n$/)
}, 60_000)
