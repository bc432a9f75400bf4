// A match shows one rating of each seat everywhere: the one on the ladder of that match.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Player } from '../src/arena/player.ts'
import { gameOf } from '../src/games/index.ts'
import { changeText, ratingChangeText, ratingText } from '../src/record/rating-text.ts'
import { EventStream } from './support/event-stream.ts'
import { openHubWeb } from './support/hub-web.ts'
import { strictTerms } from './support/played.ts'
import { TestHub } from './support/test-hub.ts'

let hub: TestHub
let web: Awaited<ReturnType<typeof openHubWeb>>
const text = async (path: string) => (await fetch(web.url + path)).text()
// biome-ignore lint/suspicious/noExplicitAny: a test says which fields it expects
const json = async (path: string): Promise<any> => (await fetch(web.url + path)).json()

/** What a command over SSH prints. */
const command = async (command: string) => {
  const client = hub.connect(null, 100, 40, { screen: null, command })
  await hub.settle()
  return client.sent
}

beforeAll(async () => {
  hub = await TestHub.open({ peopleRated: true })
  web = await openHubWeb(hub)
})
afterAll(async () => {
  web.close()
  await hub.close()
})

describe('a match of a person with an agent', () => {
  it('shows the ratings of its own ladder in the hub, on the pages, in the API and by command', async () => {
    const [erna, robo] = [hub.account('erna'), hub.account('robo')]
    // On the ladder of the agents both have another rating.
    const rate = hub.store.db.file.prepare(
      'insert into ratings (account, ladder, rating, games, wins, losses, draws, lead) values (?, ?, ?, 30, 10, 10, 10, 0)',
    )
    for (const [account, agents, people] of [
      [erna, 1811.2, 1444.4],
      [robo, 1922.3, 1555.6],
    ] as const) {
      rate.run(account.id, 'ttt', agents)
      rate.run(account.id, 'ttt+people', people)
    }
    const person = hub.connect(erna, 100, 40)
    await person.type('p', '<left>', '<enter>')
    const agent: Player = { account: robo, terms: strictTerms, tell: () => {} }
    hub.arena.seek(agent, { game: gameOf('ttt')! })
    await hub.settle()
    const [table] = hub.arena.tables.values()
    const first = table!.deal.players[0]!.account.name
    const bySeat = <T>(ofErna: T, ofRobo: T) =>
      first === 'erna' ? [ofErna, ofRobo] : [ofRobo, ofErna]

    const [name0, name1] = bySeat('erna', 'robo')
    const [shown0, shown1] = bySeat('1444', '1556')
    const guest = hub.connect(null, 100, 40)
    const live: Record<string, string> = {
      'live matches in the hub': await guest.type('n'),
      'watching in the hub': await guest.type('<enter>'),
      'the page of the match': await text(`/match/${table!.id}`),
      'the front page': /<article.*?<\/article>/s.exec(await text('/'))![0],
    }
    for (const [face, said] of Object.entries(live)) {
      expect(said, face).toMatch(
        new RegExp(`${name0}[\\s\\S]*?${shown0}[\\s\\S]*?${name1}[\\s\\S]*?${shown1}`),
      )
      expect(said, face).not.toMatch(/1811|1922/)
    }
    const inLive = { ratings: bySeat(1444.4, 1555.6), ladder: 'ttt+people' }
    expect(await json('/api/v1/live')).toMatchObject({ matches: [inLive] })
    const stream = new EventStream(`${web.url}/api/v1/live/events`)
    expect(await stream.next()).toMatchObject({ data: { matches: [inLive] } })
    stream.cut()

    await person.type('<esc>', 'y')
    await hub.settle(100)
    const record = await json(`/api/v1/matches/${table!.id}`)
    const ratings: readonly Ratings[] = record.players.map(
      (seat: { ratingBefore: number; ratingAfter: number }) => ({
        before: seat.ratingBefore,
        after: seat.ratingAfter,
      }),
    )
    expect(ratings.map(({ before }) => before)).toEqual(bySeat(1444.4, 1555.6))
    const page = await text(`/match/${table!.id}`)
    const replay = await command(`replay ${table!.id}`)
    for (const [seat, name] of bySeat('erna', 'robo').entries()) {
      const { before, after } = ratings[seat]!
      const change = changeText({ before, after })
      expect(Math.abs(after - before)).toBeGreaterThan(1)
      expect(page).toContain(`${ratingText(after)} <span class="change">${change}</span>`)
      expect(replay).toContain(`${name}  ${ratingChangeText({ before, after })}`)
      expect(await guest.text()).toContain(`${name} ${change}`)
      if (name === 'erna')
        expect(await person.text()).toContain(`Your rating: ${ratingChangeText({ before, after })}`)
    }

    // So have the profile and the ladder. The ladder of the agents is as it was.
    const { after } = ratings[first === 'erna' ? 0 : 1]!
    const onHub = await hub.connect(null, 100, 40).type('l', '<down>', '<enter>')
    for (const said of [await text('/agent/erna'), onHub, await command('ladder ttt+people')])
      expect(said).toContain(ratingText(after))
    expect(await command('ladder ttt')).toMatch(/robo +1922.*erna +1811/s)
    expect((await json('/api/v1/agents/erna')).ratings).toMatchObject([
      { game: 'ttt+people', rating: after },
      { game: 'ttt', rating: 1811.2 },
    ])
  })
})

interface Ratings {
  readonly before: number
  readonly after: number
}
