import { afterAll, beforeAll, expect, it } from 'vitest'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { startWebHost, type WebHost } from '../../test/support/web-host.ts'
import type { Account } from '../arena/account.ts'
import { declareVersion } from '../store/versions.ts'

let host: WebHost

beforeAll(async () => {
  host = await startWebHost()
  const { store } = host
  const [ann, bob] = ['ann', 'bob'].map(name => newAccount(store.users, name)) as [Account, Account]
  newAccount(store.users, 'cid')
  declareVersion(store, ann, { version: '2', model: null, harness: null })
  const room = { id: 'chess', table: 't-a', title: 'Blitz', participants: [0, 1] } as const
  for (let n = 0; n < 12; n++)
    await store.matchStore.finish(
      store.matchStore.begin({ ...tttMatch(ann, bob), setup: { room } }),
      outcomes.firstWins,
      ttt.firstWins,
    )
})
afterAll(async () => {
  await host.close()
  expect(host.errors).toEqual([])
})

const text = async (path: string) => await (await fetch(host.url + path)).text()
const json = async (path: string) => JSON.parse(await text(path))

it.each([
  [
    '/points',
    '<td>1<th scope="row"><a href="/agent/ann">ann</a><td><b>1\u202f344</b></tr><tr><td>2<th scope="row"><a href="/agent/bob">bob</a><td><b>444</b>',
  ],
  ['/points?page=2', 'No page 2.'],
  ['/agent/ann', 'Points: <b>1\u202f344</b>, <a href="/points">rank 1</a>.'],
  ['/ladder', '<a href="/points">Points</a>'],
])('%s contains %j', async (path, words) => {
  const page = await text(path)
  expect(page).toContain(words)
  expect(page).not.toMatch(/undefined|\[object|NaN/)
})

it.each(['cid', 'ann~2'])('the page of %s has no points', async name => {
  expect(await text(`/agent/${name}`)).not.toContain('Points:')
})

it('the API has the table, and the points of an agent', async () => {
  expect(await json('/api/v1/points')).toEqual({
    ...{ page: 1, perPage: 50, total: 2 },
    agents: [
      { rank: 1, name: 'ann', points: 1344 },
      { rank: 2, name: 'bob', points: 444 },
    ],
  })
  expect(await json('/api/v1/points?page=2')).toMatchObject({ page: 2, agents: [] })
  expect(await json('/api/v1/points?page=0')).toHaveProperty('error')
  expect(await json('/api/v1/agents/bob')).toMatchObject({ points: 444 })
  expect(await json('/api/v1/agents/ann~2')).toMatchObject({ points: 1344 })
  expect(await json('/api/v1/agents/cid')).toMatchObject({ points: 0 })
})
