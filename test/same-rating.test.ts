// A match shows one rating of each seat everywhere: the one on the ladder of that match.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Player } from '../src/arena/player.ts'
import { gameOf } from '../src/games/index.ts'
import { changeText, ratingChangeText, ratingText } from '../src/record/rating-text.ts'
import { EventStream } from './support/event-stream.ts'
import { openHubWeb } from './support/hub-web.ts'
import { strictTerms } from './support/played.ts'
import { putStrengths } from './support/strengths.ts'
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
    // 50 points for the first seat, and 150 between the two.
    const points = bySeat(1500, 1650)
    const expected = 1 / (1 + 10 ** ((points[1]! - points[0]! - 50) / 400))
    putStrengths(
      hub.store,
      'ttt+people',
      { erna: { value: 1500, error: 50 }, robo: { value: 1650, error: 50 } },
      { first: 50 },
    )
    expect(await text(`/match/${table!.id}`)).toContain(
      `<dt>Expected score, by strength</dt><dd>${name0} ${(100 * expected).toFixed(0)} %, ${name1} ${(100 - 100 * expected).toFixed(0)} %</dd>`,
    )
    const inLive = {
      ...{ ratings: bySeat(1444.4, 1555.6), ladder: 'ttt+people' },
      expected: [expect.closeTo(expected, 9), expect.closeTo(1 - expected, 9)],
    }
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

    expect(page).toContain('<dt>Expected by the strengths of now</dt>')

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

describe('an account', () => {
  it('has the strength of a ladder in the hub, on the pages, in the API and by command', async () => {
    for (const name of ['ina', 'jon'])
      hub.store.db.file
        .prepare(
          'insert into ratings (account, ladder, rating, games, wins, losses, draws, lead) values (?, ?, 1500, 30, 10, 10, 10, 0)',
        )
        .run(hub.account(name).id, 'c4')
    const of = { ina: { value: 1666.6, error: 77.7 }, jon: { value: 1333.3, error: 88.8 } }
    putStrengths(hub.store, 'c4', of)
    const guest = () => hub.connect(null, 80, 24)
    const [ina, jon] = ['1667 ± 78', '1333 ± 89']
    const both: Record<string, string> = {
      'the ladder in the hub': await guest().type('l', '<down>', '<down>', '<enter>'),
      'the command': await command('ladder c4'),
    }
    for (const [face, said] of Object.entries(both))
      expect(said, face).toMatch(new RegExp(`ina +${ina}[\\s\\S]*jon +${jon}`))
    expect(await text('/ladder/c4')).toMatch(
      /ina<\/a><td><b>1667<\/b><td class="quiet">78<td>.*jon<\/a><td><b>1333<\/b><td class="quiet">89<td>/s,
    )
    const one: Record<string, string> = {
      'the ladders in the hub': await guest().type('l'),
      'the profile in the hub': await guest().type('f', 'ina', '<enter>'),
      'the ladders on the pages': await text('/ladder'),
      'the front page': await text('/'),
    }
    for (const [face, said] of Object.entries(one)) expect(said, face).toContain(ina)
    expect(await text('/agent/jon')).toMatch(/<td><b>1333<\/b><td class="quiet">89<td>1500<td>30/)
    const inJson = { strength: 1333.3, uncertainty: 88.8, rating: 1500 }
    const { agents } = await json('/api/v1/ladder/c4')
    const { ratings } = await json('/api/v1/agents/jon')
    for (const [face, said] of Object.entries({
      'the ladder in the API': agents[1],
      'the agent in the API': ratings[0],
      'the JSON of the command': JSON.parse(await command('ladder c4 --json'))[1],
    }))
      expect(said, face).toMatchObject(inJson)
  })
})

describe('the board over all games', () => {
  it('is the same in the hub, on the pages, in the API and by command', async () => {
    hub.store.db.file.exec('delete from strengths')
    const insert = hub.store.db.file.prepare(
      'insert or replace into ratings (account, ladder, rating, games, wins, losses, draws, lead) values (?, ?, 1500, ?, 10, 10, 10, 0)',
    )
    const strengths = { kai: 1900, lea: 1500, mia: 1100 }
    for (const name of [...Object.keys(strengths), 'noa', 'ola']) hub.account(name)
    const rate = (game: string, names: readonly string[], games = 30) => {
      for (const name of names) insert.run(hub.store.users.find(name)!.id, game, games)
    }
    for (const game of ['chess', 'go9', 'gomoku']) {
      rate(game, [...Object.keys(strengths), 'ola'])
      rate(game, ['noa'], 5)
      const fitted = { ...strengths, noa: 2500, ola: 2500 }
      putStrengths(
        hub.store,
        game,
        Object.fromEntries(
          Object.entries(fitted).map(([name, value]) => [name, { value, error: 50 }]),
        ),
        { last_seq: 7 },
      )
    }
    // The provisional and the banned take no part.
    const { users, audit } = hub.store
    users.ban(users.find('ola')!.id, 'cheating')
    audit.add({ by: 'op', via: 'command' }, { action: 'ban', target: 'ola', detail: null })
    const [best, middle, last] = ['95.0', '50.0', '5.0']
    const order = new RegExp(`kai\\b.*${best}.*lea\\b.*${middle}.*mia\\b.*${last}`, 's')
    const faces: Record<string, string> = {
      'the page': await text('/ladder/all'),
      'the hub': await hub.connect(null, 80, 24).type('l', 'a'),
      'a narrow hub': await hub.connect(null, 40, 12).type('l', 'a'),
      'the command': await command('ladder all'),
    }
    for (const [face, said] of Object.entries(faces)) {
      expect(said, face).toMatch(order)
      expect(said, face).not.toMatch(/\b(noa|ola)\b/)
    }
    const of = (name: string, rank: number, score: number) => ({
      ...{ name, rank, score: expect.closeTo(score, 3) },
    })
    const rows = [of('kai', 1, 0.9496), of('lea', 2, 0.5), of('mia', 3, 0.0504)]
    expect(await json('/api/v1/ladder/all')).toMatchObject({
      ...{ games: ['chess', 'go9', 'gomoku'], least: 3, total: 3, agents: rows },
    })
    expect(JSON.parse(await command('ladder all --json'))).toMatchObject(rows)
  })
})

interface Ratings {
  readonly before: number
  readonly after: number
}
