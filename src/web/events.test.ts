import { afterAll, beforeAll, expect, it } from 'vitest'
import { PlayedEvent } from '../../test/support/played-event.ts'
import { startWebHost, type WebHost } from '../../test/support/web-host.ts'

let host: WebHost
beforeAll(async () => {
  host = await startWebHost()
})
afterAll(async () => {
  await host.close()
  expect(host.errors).toEqual([])
})

const names = ['ada', 'bob', 'cat', 'dan', 'eve']

/** The text of a page without its tags, its blanks as one. */
const textOf = async (path: string) => {
  const response = await fetch(host.url + path)
  const html = await response.text()
  expect([path, response.status]).toEqual([path, 200])
  expect(html).not.toMatch(/undefined|\[object|NaN/)
  return html
    .replace(/<(script|style|title)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ')
}

it('the page of a round robin has table, cross table, rounds and champion', async () => {
  const event = await PlayedEvent.open(host.store, { id: 'league', title: '<i>League</i>' }, names)
  expect(await textOf('/events/league')).toContain('Entrants 5 ada bob cat dan eve')
  await (await event.start()).playRounds(1)
  const running = await textOf('/events/league')
  expect(running).toContain('Running , started ')
  expect(running).toMatch(/Next \S+ – \S+ \S+ – \S+ /)
  expect(running).toContain('Round 2 0 of 2 over')
  expect(await textOf('/')).toContain('Events &lt;i&gt;League&lt;/i&gt; running')
  await event.playRounds()
  const over = await textOf('/events/league')
  expect(over).toContain('Champion: ada')
  expect(over).toContain(event.state.plan.seed)
  expect(over).toMatch(/Cross table Name 1 2 3 4 5 1 ada( [1½]){4} 2/)
  expect(over).toContain('No pairing in this round: ')
  const { match } = event.state.rounds[0]!.boards[0]!.legs[0]!
  expect(await (await fetch(`${host.url}/events/league`)).text()).toContain(`/match/${match}"`)
  const own = { id: 'league', round: 1, board: 1, leg: 1 }
  const api = `${host.url}/api/v1/matches/${match}`
  expect(await (await fetch(api)).json()).toMatchObject({ event: own })
  const [line] = (await (await fetch(`${api}/ndjson`)).text()).split('\n')
  expect(JSON.parse(line!)).toMatchObject({ event: own })
  expect(await (await fetch(`${host.url}/match/${match}`)).text()).toContain(
    '<dt>Event</dt><dd><a href="/events/league">league</a>, round 1</dd>',
  )
  expect(await textOf('/events')).toMatch(/Past .*League.* round robin 5 ended \S+ \S+ ada /)
})

it('the page of an event links to its exports, where there are any', async () => {
  const downloads = async (id: string) => {
    const page = await (await fetch(`${host.url}/events/${id}`)).text()
    return [...page.matchAll(/href="(\/api\/v1\/events\/[^"]+)" download/g)].map(([, path]) => path)
  }
  const chess = { id: 'chess-cup', game: 'chess' } as const
  const robin = await PlayedEvent.open(host.store, chess, names)
  expect(await downloads('chess-cup')).toEqual(
    ['', '/pgn'].map(at => `/api/v1/events/chess-cup${at}`),
  )
  await robin.start()
  const links = await downloads('chess-cup')
  expect(links).toEqual(['', '/trf', '/pgn'].map(at => `/api/v1/events/chess-cup${at}`))
  for (const link of links) expect((await fetch(host.url + link)).status).toBe(200)

  const tree = { kind: 'knockout', bestOf: 1, thirdPlace: false } as const
  const knockout = await PlayedEvent.open(host.store, { id: 'tree', format: tree }, names)
  await knockout.start()
  expect(await downloads('tree')).toEqual(['/api/v1/events/tree'])
})

it('the page of groups says which numbers are their places', async () => {
  const plan = {
    ...{ id: 'dance', game: 'dance-battle', seats: { least: 4, most: 4 } },
    points: { by: 'places', worth: [3, 2, 1, 0] },
  } as const
  const event = await PlayedEvent.open(host.store, plan, names.slice(0, 4))
  await event.start()
  const { accounts } = event.state.rounds[0]!.boards[0]!
  await event.add({
    ...{ kind: 'played', round: 1, board: 1, leg: 1, match: null, accounts },
    ...{ places: [2, 4, 1, 3], scores: [null, null, null, null] },
  })
  expect(await textOf('/events/dance')).toContain(' places 2, 4, 1, 3 ')
})

it('the page of a knockout has its bracket, with rounds to come', async () => {
  const plan = { id: 'cup', format: { kind: 'knockout', bestOf: 3, thirdPlace: true } } as const
  const event = await PlayedEvent.open(host.store, plan, names)
  await (await event.start()).playRounds(2)
  const text = await textOf('/events/cup')
  expect(text).toMatch(/Bracket Quarterfinals Semifinals Final Third place ada bye/)
  await event.playRounds()
  expect(await textOf('/events/cup')).toContain('Champion: ada')
})

it('the page of a Swiss has each round of each entrant, with byes', async () => {
  const plan = { id: 'open', format: { kind: 'swiss', rounds: 3 } } as const
  const event = await PlayedEvent.open(host.store, plan, names)
  await (await event.start()).playRounds()
  const text = await textOf('/events/open')
  expect(text).toContain('Finished , ended ')
  expect(text).toMatch(
    /Rank Name Points Played Won Drawn Lost Direct Buchholz S-B Lot 1 ada 2½ 2 1 1 0 /,
  )
  expect(text.match(/ bye /g)).toHaveLength(3)
  expect(text).toContain('The rank of each opponent, and the points against it.')
})

it('a long event shows its newest rounds, and others by a link', async () => {
  const many = Array.from({ length: 30 }, (_, i) => `agent-${i}`)
  const event = await PlayedEvent.open(host.store, { id: 'long' }, many)
  await (await event.start()).playRounds(7)
  const shown = async (path: string) =>
    (await (await fetch(host.url + path)).text()).match(/(?<=id="round-)\d+/g)
  expect(await shown('/events/long')).toEqual(['8', '7', '6', '5', '4'])
  expect(await textOf('/events/long')).toContain('Round 1 Round 2 Round 3 The event')
  expect(await shown('/events/long?round=2')).toEqual(['8', '7', '6', '5', '4', '2'])
})

it('a board that was missed says by whom', async () => {
  const plan = { id: 'missed', format: { kind: 'knockout', bestOf: 3, thirdPlace: false } } as const
  const event = await PlayedEvent.open(host.store, plan, names.slice(0, 2))
  await event.start()
  const bob = event.accounts[1]!.id
  const settled = { kind: 'settled', round: 1, board: 1, reason: 'did not come in 60 s' } as const
  const places = event.state.rounds[0]!.boards[0]!.accounts.map(id => (id === bob ? 2 : 1))
  await event.add({ ...settled, places, absent: [bob] })
  expect(await textOf('/events/missed')).toMatch(/[01]–[01] bob did not come/)
})

it('calendars have the events with a date, and there is none without', async () => {
  await PlayedEvent.open(host.store, { id: 'undated' }, names)
  const calendar = await fetch(`${host.url}/events.ics`)
  expect(calendar.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  const text = await calendar.text()
  expect(text).toContain('UID:cup@bbs.example')
  expect(text).not.toContain('undated')
  const one = await fetch(`${host.url}/events/cup.ics`)
  expect((await one.text()).match(/BEGIN:VEVENT/g)).toHaveLength(1)
  for (const path of [
    '/events/undated.ics',
    '/events/nonsuch.ics',
    '/events/nonsuch',
    '/events/a%00b',
  ])
    expect([path, (await fetch(host.url + path)).status]).toEqual([path, 404])
})

it('the page of a cancelled event says why', async () => {
  const event = await PlayedEvent.open(host.store, { id: 'off' }, names)
  await event.add({ kind: 'cancelled', reason: '5 of at least 6 entrants are there' })
  expect(await textOf('/events/off')).toMatch(
    / Cancelled \S+ \S+Z : 5 of at least 6 entrants are there /,
  )
})

it('a pairing of an arena has the number by which the operator decides it', async () => {
  const plan = { id: 'fray', format: { kind: 'arena', lasts: 3_600_000 } } as const
  const event = await PlayedEvent.open(host.store, plan, names)
  await (await event.start()).playRounds(2)
  expect(await textOf('/events/fray')).toMatch(/Newest matches 3\.2 .* 1\.1 /)
})
