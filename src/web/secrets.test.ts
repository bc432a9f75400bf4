import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EventStream } from '../../test/support/event-stream.ts'
import { startWebHost, type WebHost } from '../../test/support/web-host.ts'

let host: WebHost

beforeAll(async () => {
  host = await startWebHost()
})
afterAll(async () => {
  await host.close()
  expect(host.errors).toEqual([])
})

/** Everything that can be read about a live match, by address. */
const publicTexts = async (id: number, player: string): Promise<Record<string, string>> => {
  const paths = [
    '/',
    `/match/${id}`,
    `/match/${id}?ply=0`,
    `/match/${id}?ply=1`,
    `/match/${id}/embed`,
    `/agent/${player}`,
    `/api/v1/matches/${id}`,
    `/api/v1/matches/${id}/positions`,
    `/api/v1/matches/${id}/looks`,
    `/api/v1/matches/${id}/ndjson`,
    '/api/v1/matches?status=live',
    '/api/v1/live',
    `/api/v1/agents/${player}`,
  ]
  const texts = await Promise.all(
    paths.map(async path => [path, await (await fetch(host.url + path)).text()] as const),
  )
  const streams = [`/api/v1/matches/${id}/events`, '/api/v1/live/events'].map(async path => {
    const stream = new EventStream(host.url + path)
    const { data } = (await stream.next())!
    stream.cut()
    return [path, JSON.stringify(data)] as const
  })
  return Object.fromEntries([...texts, ...(await Promise.all(streams))])
}

it('no page of a live resource-rush match shows its map, its drones or their thoughts', async () => {
  const { id, table, agents } = await host.seat('resource-rush')
  await Promise.all(agents.map(agent => agent.next('state')))
  const order = { action: 'wait', thought: 'a-thought', memory: { key: 'a-memory' } }
  agents[0].move(order)
  agents[1].move(order)
  await agents[0].next('state')
  agents[0].move({ ...order, thought: 'a-sealed-thought' })
  await expect.poll(() => table.moves.length).toBe(3)
  const all = await publicTexts(id, 'ada')
  expect(all[`/match/${id}`]).toContain('Until the end spectators see only what both drones see.')
  for (const [path, text] of Object.entries(all)) {
    expect(leaksIn(text, /a-(sealed-)?thought|a-memory/), path).toEqual([])
    // The rules say where the drones start, but not where they are now.
    expect(leaksIn(text, /"(x|direction|action)":/), path).toEqual([])
    expect(leaksIn(text, /class="f-(grass|bush|stone|gold|berry|water|rock)"/), path).toEqual([])
    for (const [, grid] of text.matchAll(/"grid":(\[\[.*?\]\])/g))
      expect(new Set((JSON.parse(grid!) as number[][]).flat()), path).toEqual(new Set([-1]))
  }
  expect(await coloursOf(id)).not.toContain('4d7a46')
  agents[1].webSocket.close()
  await agents[0].next('result')
  const { positions } = (await json(`/api/v1/matches/${id}/positions`)) as {
    positions: { grid: number[][] }[]
  }
  expect(positions[0]!.grid.flat()).not.toContain(-1)
  expect(JSON.stringify(await json(`/api/v1/matches/${id}`))).toContain('a-sealed-thought')
  expect(await coloursOf(id)).toContain('4d7a46')
})

it('no page of a live bazaar match shows goods or goals, and its replay shows both from the start', async () => {
  const { id, agents } = await host.seat('bazaar', ['cat', 'dan'])
  const states = await Promise.all(agents.map(agent => agent.next('state')))
  const writer = states.findIndex(state => state.yourTurn)
  agents[writer]!.move({ action: 'message', content: 'hello there' })
  await agents[1 - writer]!.next('state')
  const all = await publicTexts(id, 'cat')
  for (const [path, text] of Object.entries(all))
    expect(leaksIn(text, /"(goal|goals|resources|holdings)":\W*[[{]/), path).toEqual([])
  expect(all[`/match/${id}`]).toContain('hello there')
  agents[1]!.webSocket.close()
  await agents[0]!.next('result')
  const { positions } = (await json(`/api/v1/matches/${id}/positions`)) as {
    positions: { holdings: unknown; goals: unknown }[]
  }
  const observed = states.map(({ observation }) => observation as Record<string, unknown>)
  expect(positions[0]).toMatchObject({
    holdings: observed.map(({ resources }) => resources),
    goals: observed.map(({ goal }) => goal),
  })
  const { seed, setup } = (await json(`/api/v1/matches/${id}`)) as { seed: number; setup: unknown }
  expect([typeof seed, setup]).toEqual(['number', { goals: 'independent' }])
  const lines = await (await fetch(`${host.url}/api/v1/matches/${id}/ndjson`)).text()
  expect(JSON.parse(lines.split('\n')[0]!)).toMatchObject({ seed, setup })
})

it('the note of a move is public once the next move is made, and that of the last one after the match', async () => {
  const { id, agents } = await host.seat('ttt', ['gil', 'hal'])
  const play = async (seat: 0 | 1, move: string, note?: string) => {
    agents[seat].say({ type: 'move', move, ...(note === undefined ? {} : { note }) })
    await agents[1 - seat]!.next('state')
  }
  await Promise.all(agents.map(agent => agent.next('state')))
  const stream = new EventStream(`${host.url}/api/v1/matches/${id}/events`)
  await play(0, '4', 'note-one <b>"&')
  expect((await stream.next())!.data).not.toHaveProperty('noteBefore')
  for (const [path, text] of Object.entries(await publicTexts(id, 'gil')))
    expect(leaksIn(text, /note-\w+/), path).toEqual([])
  await play(1, '0', 'note-two')
  expect((await stream.next())!.data).toMatchObject({ ply: 2, noteBefore: 'note-one <b>"&' })
  const all = await publicTexts(id, 'gil')
  for (const [path, text] of Object.entries(all))
    expect(leaksIn(text, /note-two/), path).toEqual([])
  expect(all[`/match/${id}`]).toContain('<q dir="auto">note-one &lt;b&gt;&quot;&amp;</q>')
  expect(JSON.parse(all[`/api/v1/matches/${id}`]!)).toMatchObject({
    moves: [{ note: 'note-one <b>"&' }, { note: null }],
  })
  await play(0, '8', 'note-three')
  agents[1].webSocket.close()
  await agents[0].next('result')
  expect((await stream.next())!.data).toMatchObject({ ply: 3, noteBefore: 'note-two' })
  expect((await stream.next())!.data).toMatchObject({ match: id, noteBefore: 'note-three' })
  const past = await publicTexts(id, 'gil')
  for (const note of ['note-one', 'note-two', 'note-three'])
    for (const path of [`/match/${id}`, `/api/v1/matches/${id}`, `/api/v1/matches/${id}/ndjson`])
      expect(past[path]).toContain(note)
  const again = await new EventStream(`${host.url}/api/v1/matches/${id}/events`).rest()
  expect(again.map(({ data }) => data.noteBefore)).toEqual([
    ...[undefined, 'note-one <b>"&', 'note-two', 'note-three'],
  ])

  const tagsOf = async (path: string) => (await fetch(host.url + path)).headers.get('etag')
  for (const path of [`/match/${id}`, `/api/v1/matches/${id}`, `/api/v1/matches/${id}/ndjson`]) {
    host.store.matches.keepNotes(id, { 1: 'note-one' })
    const before = await tagsOf(path)
    host.store.matches.keepNotes(id, {})
    expect([before, await tagsOf(path)], path).toEqual([expect.any(String), expect.any(String)])
    expect(await tagsOf(path), path).not.toBe(before)
    const headers = { 'If-None-Match': before! }
    const text = await (await fetch(host.url + path, { headers })).text()
    expect(text, path).not.toBe('')
    expect(text, path).not.toContain('note-one')
  }
})

it.each(['echo', 'resource-rush'])('no note of a live match of %s is public', async game => {
  const { id, table, agents } = await host.seat(game, ['ida', 'jim'])
  const move = game === 'echo' ? { number: 7 } : { action: 'wait' }
  for (let round = 1; round <= 2; round++) {
    await Promise.all(agents.map(agent => agent.next('state')))
    for (const agent of agents) agent.say({ type: 'move', move, note: `note-${round}` })
    await expect.poll(() => table.moves.length).toBe(2 * round)
  }
  const stream = new EventStream(`${host.url}/api/v1/matches/${id}/events`)
  for (let ply = 1; ply <= 4; ply++)
    expect(JSON.stringify((await stream.next())!.data)).not.toContain('note-')
  stream.cut()
  for (const [path, text] of Object.entries(await publicTexts(id, 'ida')))
    expect(leaksIn(text, /note-\w+/), path).toEqual([])
  agents[1].webSocket.close()
  await agents[0].next('result')
  expect(await json(`/api/v1/matches/${id}`)).toMatchObject({
    moves: [{ note: 'note-1' }, { note: 'note-1' }, { note: 'note-2' }, { note: 'note-2' }],
  })
})

it('a live match is the same under another spelling of its number, and is exported under none', async () => {
  const { id, table, agents } = await host.seat('bazaar', ['eve', 'fay'])
  const moves = [[0, { action: 'message', content: 'a-secret' }, 1]] as const
  host.store.matchStore.progress(id, moves)
  await host.store.write(() => {})
  const spelt = String(id).replace(/./g, digit => `%3${digit}`)
  const text = async (path: string) => (await fetch(host.url + path)).text()
  expect(await text(`/match/${spelt}`)).toContain('data-live="live"')
  expect(JSON.parse(await text(`/api/v1/matches/${spelt}`))).toMatchObject({
    id,
    clocks: table.clocks.map(() => expect.toBeOneOf([null, expect.any(Number)])),
  })
  for (const name of [String(id), spelt, `0${id}`])
    expect(await text(`/api/v1/matches/${name}/ndjson`), name).toBe(
      `{"error":"there is no past match \\"${id}\\""}\n`,
    )
  agents[1]!.webSocket.close()
  await agents[0]!.next('result')
})

/** Up to three places where a text shows a secret. */
const leaksIn = (text: string, secret: RegExp): readonly string[] =>
  [...text.matchAll(new RegExp(secret, 'g'))].slice(0, 3).map(([found]) => found)

const json = async (path: string) => (await fetch(host.url + path)).json()

/** The colours in the picture of a match. */
const coloursOf = async (id: number): Promise<readonly string[]> => {
  const bytes = Buffer.from(
    await (await fetch(`${host.url}/match/${id}/picture.png`)).arrayBuffer(),
  )
  const pixels = inflateSync(bytes.subarray(41, 41 + bytes.readUInt32BE(33)))
  const found = new Set<string>()
  const row = 1200 * 3 + 1
  for (let y = 0; y < 630; y++)
    for (let x = 0; x < 1200; x++)
      found.add(pixels.subarray(y * row + 1 + x * 3, y * row + 4 + x * 3).toString('hex'))
  return [...found]
}
