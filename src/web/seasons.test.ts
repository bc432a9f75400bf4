import { afterAll, beforeAll, expect, it } from 'vitest'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { startWebHost, type WebHost } from '../../test/support/web-host.ts'
import { agentsLadder } from '../arena/ladder.ts'
import { theHost } from '../store/audit.ts'

let host: WebHost

/** Twenty matches make accounts ranked. */
beforeAll(async () => {
  host = await startWebHost()
  const { store } = host
  const [ann, bob] = ['ann', 'bob'].map(name => newAccount(store.users, name))
  for (let n = 0; n < 20; n++)
    await store.matchStore.finish(
      store.matchStore.begin(tttMatch(ann!, bob!)),
      n === 0 ? outcomes.firstWins : outcomes.draw,
      n === 0 ? ttt.firstWins : ttt.draw,
    )
  store.closing.close(agentsLadder('ttt'), { title: 'Autumn <1>', rule: 'half' }, theHost)
  const at = Date.UTC(2099, 0, 1)
  store.closing.closeAt(agentsLadder('ttt'), { title: 'Winter', rule: 'kept' }, at, theHost)
})
afterAll(async () => {
  await host.close()
  expect(host.errors).toEqual([])
})

const text = async (path: string) => {
  const response = await fetch(host.url + path)
  return [response.status, await response.text()] as const
}

it.each([
  ['/ladder/ttt', '<a href="/ladder/ttt/seasons">Seasons</a>'],
  ['/ladder', '<a href="/champions">Champions</a>'],
  ['/ladder/ttt/seasons', '<a href="/ladder/ttt/seasons/1">Autumn &lt;1&gt;</a>'],
  ['/ladder/ttt/seasons', '“Winter”, will be closed at 2099-01-01 00:00Z'],
  ['/ladder/c4/seasons', 'No season of this ladder is closed yet'],
  ['/ladder/ttt/seasons/1', 'Champion: <a href="/agent/ann">ann</a>'],
  ['/ladder/ttt/seasons/1', 'half way back to 1500'],
  ['/champions', '<a href="/ladder/ttt/seasons/1">Tic-tac-toe, season 1</a>'],
])('%s contains %j', async (path, words) => {
  const [status, page] = await text(path)
  expect(status).toBe(200)
  expect(page).toContain(words)
  expect(page).not.toMatch(/undefined|\[object|NaN/)
})

it.each([
  '/ladder/ttt/seasons/2',
  '/ladder/ttt/seasons/x',
  '/ladder/nim/seasons',
  '/ladder/nim/seasons/1',
])('%s is not found', async path => {
  expect((await text(path))[0]).toBe(404)
})

it('the API has the same seasons and champions', async () => {
  const json = async (path: string) => JSON.parse((await text(path))[1])
  const { seasons, next } = await json('/api/v1/ladder/ttt/seasons')
  expect(next).toEqual({ title: 'Winter', rule: 'kept', at: '2099-01-01T00:00:00.000Z' })
  const { table, ...season } = await json('/api/v1/ladder/ttt/seasons/1')
  expect(seasons).toEqual([season])
  expect(season).toMatchObject({ number: 1, title: 'Autumn <1>', rule: 'half', matches: 20 })
  expect(table).toMatchObject([
    { rank: 1, provisional: false, name: 'ann', games: 20, wins: 1 },
    { rank: 2, name: 'bob', losses: 1 },
  ])
  expect(await json('/api/v1/champions')).toMatchObject({
    champions: [{ kind: 'season', ladder: 'ttt', number: 1, title: 'Autumn <1>', names: ['ann'] }],
  })
  expect(await json('/api/v1/ladder/ttt/seasons/2')).toEqual({
    error: 'there is no season "2"',
  })
  expect((await json('/api/v1/ladder/ttt')).total).toBe(0)
})
