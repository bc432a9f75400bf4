import { afterEach, beforeEach, expect, it } from 'vitest'
import { outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { TestHub } from '../../test/support/test-hub.ts'
import type { Account } from '../arena/account.ts'
import { declareVersion } from '../store/versions.ts'
import { widthOf } from './terminal/width.ts'

let hub: TestHub
beforeEach(async () => {
  hub = await TestHub.open()
  const [carl, dora] = [hub.account('carl'), hub.account('dora')]
  const version = (name: string, model: string | null) =>
    declareVersion(hub.store, carl, { version: name, model, harness: model && 'a loop' }) as Account
  const [old, young] = [version('1.0', 'small \u{1F642}'), version('2.0-rc', null)]
  await hub.keep(tttMatch(dora, old), outcomes.firstWins, ttt.firstWins)
  await hub.keep(tttMatch(young, dora), outcomes.firstWins, ttt.firstWins)
  await hub.keep(tttMatch(carl, dora), outcomes.draw, ttt.draw)
  await hub.keep({ ...tttMatch(young, dora), game: 'c4' }, outcomes.firstWins, ttt.firstWins)
})
afterEach(async () => {
  expect(hub.failures).toEqual([])
  await hub.close()
})

const toAgent = ['f', ...'carl', '<enter>']

it.each([
  [80, 24],
  [132, 43],
  [40, 12],
])('at %i × %i the versions of an agent are compared on each ladder', async (columns, rows) => {
  const client = hub.connect(hub.account('erna'), columns, rows)
  await client.type(...toAgent, 'v')
  const shown = () => client.screen.text
  expect(shown()).toContain('carl · versions')
  expect(shown()).toContain('Tic-tac-toe, the best first')
  expect(shown()).toMatch(/2\.0-rc .*\n.*no version .*\n.*1\.0 /)
  await client.type(']')
  expect(shown()).toContain('Connect Four, the best first')
  await client.type(']')
  expect(shown()).toMatch(/Version .*Declared/)
  expect(shown()).toMatch(/1\.0 .* small/)
  for (const line of client.screen.lines) expect(widthOf(line)).toBeLessThanOrEqual(columns)
})

it('a version has a profile of its own, which says what it was declared to be', async () => {
  const client = hub.connect(hub.account('erna'))
  await client.type(...toAgent, 'v', '<down>', '<down>', '<enter>')
  expect(client.screen.text).toMatch(/carl~1\.0 +first seen 20\d\d-/)
  expect(client.screen.text).toContain('declared: small 🙂 · a loop')
  expect(client.screen.text).not.toContain('v versions')
  await client.type('\x1b', '\x1b', 'v', '<enter>')
  expect(client.screen.text).toContain('declared: nothing')
})
