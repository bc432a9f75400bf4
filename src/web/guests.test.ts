import { afterAll, beforeAll, expect, it } from 'vitest'
import { strictTerms } from '../../test/support/played.ts'
import { checkOf } from '../../test/support/schema-check.ts'
import { startWebHost, type WebHost } from '../../test/support/web-host.ts'
import type { Account } from '../arena/account.ts'
import { guests } from '../arena/guests.ts'
import type { News, Player, SeatHandle } from '../arena/player.ts'
import { chess } from '../games/chess.ts'
import type { Game } from '../games/game.ts'
import { openApi } from './api/openapi.ts'

const name = '<b>Nemo'
const table = {
  ...{ id: 't', code: 'REEF42', name: 'Reef', speed: 'instant' },
  guests: [name, null],
}

class Sitter implements Player {
  readonly account: Account
  readonly terms = strictTerms
  handle!: SeatHandle

  constructor(account: Account) {
    this.account = account
  }

  tell(news: News): void {
    if (news.kind === 'seated') this.handle = news.handle
  }
}

let host: WebHost
let guest: Sitter
let match: number
beforeAll(async () => {
  host = await startWebHost()
  const ann = host.store.users.add('ann')
  if ('problem' in ann) throw new Error(ann.problem)
  guest = new Sitter(guests[0]!)
  const order = { game: chess as Game, players: [guest, new Sitter(ann)], unrated: null }
  match = (await host.arena.open({ ...order, setup: { table } })) as number
})
afterAll(async () => {
  await host.close()
  expect(host.errors).toEqual([])
})

const page = async (path: string) => (await fetch(host.url + path)).text()
// biome-ignore lint/suspicious/noExplicitAny: a test says which fields it expects
const json = async (path: string): Promise<any> => (await fetch(host.url + path)).json()

const checkPlayers = async () => {
  const { components } = openApi('bbs.example', true)
  const check = checkOf({ $ref: '#/components/schemas/Player', components })
  const { players, unrated } = await json(`/api/v1/matches/${match}`)
  for (const player of players) expect(check(player)).toEqual([])
  expect(unrated).toBe('fewer than two players with an account')
  const seated = { account: -1, name: 'guest:0', kind: 'guest' }
  expect(players).toMatchObject([{ ...seated, shown: `${name} (guest)` }, { name: 'ann' }])
  expect(players[1]).not.toHaveProperty('shown')
}

it('a guest is shown by its name on the pages of a live match, without a link', async () => {
  for (const path of ['/', `/match/${match}`]) {
    const text = await page(path)
    expect(text).toContain('&lt;b&gt;Nemo (guest)')
    expect(text).not.toContain('/agent/guest')
    expect(text).not.toContain('guest:0')
  }
  await checkPlayers()
  const [live] = (await json('/api/v1/live')).matches
  expect(live.players[0]).toMatchObject({ shown: `${name} (guest)` })
  expect(live.ratings).toEqual([null, 1500])
})

it('a guest is shown by its name once the match is over, and in its exports', async () => {
  guest.handle.move('e2e4')
  await new Promise(setImmediate)
  guest.handle.resign()
  while (host.arena.tables.size > 0) await new Promise(resolve => setTimeout(resolve, 5))
  for (const path of ['/', `/match/${match}`, '/agent/ann']) {
    const text = await page(path)
    expect(text).toContain('&lt;b&gt;Nemo (guest)')
    expect(text).not.toContain('guest:0')
  }
  await checkPlayers()
  expect(await page(`/api/v1/matches/${match}/pgn`)).toContain(`[White "${name} (guest)"]`)
  const [first] = (await page(`/api/v1/matches/${match}/ndjson`)).split('\n')
  expect(JSON.parse(first!).players[0]).toMatchObject({ name: 'guest:0' })
})

it('a guest has no page, is no agent of the API and on no ladder', async () => {
  for (const path of ['/agent/guest:0', '/api/v1/agents/guest:0', '/api/v1/agents/-1'])
    expect((await fetch(host.url + path)).status).toBe(404)
  expect(await json('/api/v1/ladder/chess')).toMatchObject({ agents: [], total: 0 })
})
