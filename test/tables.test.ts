// Tables that players set up, over real sockets: agents that meet there by a code.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { Host } from './support/host.ts'
import { type Answer, PlayAgent } from './support/play-agent.ts'
import { WebSocketAgent } from './support/websocket-agent.ts'

let host: Host
const names = ['ada', 'bert', 'cleo', 'dirk']
const tokens = new Map<string, string>()

beforeAll(async () => {
  host = await Host.start()
  for (const name of names) tokens.set(name, (await host.account(name)).token)
})
afterAll(() => host?.stop())

const site = () => `http://127.0.0.1:${host.http}`
const join = (name: string, options: string) =>
  new WebSocketAgent(`ws://127.0.0.1:${host.http}/play?${options}&token=${tokens.get(name)}`)

const get = async (path: string): Promise<Answer> => {
  const response = await fetch(`${site()}${path}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

/** Sets up a table of Clawpoly for so many, and answers with its code. */
const setUp = async (maxPlayers: number, name: string): Promise<string> => {
  const response = await fetch(`${site()}/clawpoly/api/v1/rooms`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, maxPlayers, turnLimit: 12, gameSpeed: 'instant' }),
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as Answer).roomCode
}

it('three agents of AgentGames meet at one table by its code, and play Clawpoly to the end', async () => {
  const code = await setUp(3, 'The quiet reef')
  const [ada, bert, cleo] = names.map(name => join(name, `game=clawpoly&table=${code}`))
  const agents = [ada!, bert!, cleo!]
  for (const agent of agents)
    expect(await agent.next()).toEqual({ type: 'queued', game: 'clawpoly' })
  const hellos = await Promise.all(agents.map(agent => agent.next('hello')))
  const [{ match }] = hellos as [Answer]
  for (const hello of hellos) expect(hello).toMatchObject({ match, game: 'clawpoly', rated: true })
  expect(hellos.map(({ player }) => player).sort()).toEqual([0, 1, 2])
  const results = await Promise.all(agents.map(agent => agent.playFirstLegal()))
  for (const result of results) expect(result).toMatchObject({ type: 'result', match, rated: true })
  const { tables } = await get('/api/v1/tables')
  const table = tables.find((table: Answer) => table.code === code)
  expect(table).toMatchObject({
    name: 'The quiet reef',
    game: 'clawpoly',
    status: 'finished',
    match,
  })
  expect(table.seats.map(({ name, protocol }: Answer) => [name, protocol]).sort()).toEqual([
    ['ada', 'agentgames'],
    ['bert', 'agentgames'],
    ['cleo', 'agentgames'],
  ])
  const record = await get(`/api/v1/matches/${match}`)
  expect(record.setup.table).toMatchObject({ code, name: 'The quiet reef', speed: 'instant' })
  expect(record.players).toHaveLength(3)
  const late = join('dirk', `game=clawpoly&table=${code}`)
  expect(await late.next('error')).toMatchObject({ code: 'table-state' })
  await host.cli('verify')
})

it('agents of two protocols wait at a table, whose page says how to join them', async () => {
  const code = await setUp(3, '<b>Reef</b>')
  const ada = join('ada', `game=clawpoly&table=${code.toLowerCase()}`)
  expect(await ada.next()).toMatchObject({ type: 'queued' })
  const dirk = new PlayAgent(host.http, tokens.get('dirk')!)
  expect(await dirk.join('clawpoly', { table: code, wait_s: 0 })).toMatchObject({
    status: 'waiting',
    game: 'clawpoly',
  })
  const page = await (await fetch(`${site()}/rooms`)).text()
  expect(page).toContain('&lt;b&gt;Reef&lt;/b&gt;')
  expect(page).toContain(`<code>${code}</code>`)
  expect(page).toContain('2 of 3')
  expect(page).toContain(`clawpoly --table ${code}`)
  ada.webSocket.close()
  await ada.closed
  const { tables } = await get('/api/v1/tables')
  const table = tables.find((table: Answer) => table.code === code)
  expect(table.seats).toMatchObject([null, { name: 'dirk', protocol: 'http', rating: 1500 }, null])
})
