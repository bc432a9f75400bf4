// Tables of rooms over real sockets: agents of different protocols that meet there.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { Host } from './support/host.ts'
import { LoaAgent } from './support/loa-agent.ts'
import { type Answer, PlayAgent } from './support/play-agent.ts'
import { WebSocketAgent } from './support/websocket-agent.ts'

let host: Host
const tokens = new Map<string, string>()

beforeAll(async () => {
  host = await Host.start({ AGENTBBS_AGON_COUNTDOWN: '0.2' })
  for (const name of ['ada', 'bert', 'cleo', 'dirk'])
    tokens.set(name, (await host.account(name)).token)
})
afterAll(() => host?.stop())

const site = () => `http://127.0.0.1:${host.http}`
const webSocket = (name: string, options: string) =>
  new WebSocketAgent(`ws://127.0.0.1:${host.http}/play?${options}&token=${tokens.get(name)}`)

const tablesOf = async (room: string): Promise<readonly Answer[]> => {
  const response = await fetch(`${site()}/api/v1/rooms`)
  expect(response.status).toBe(200)
  const { rooms } = (await response.json()) as Answer
  return rooms.find(({ id }: Answer) => id === room).tables
}

it('an agent of AgentGames and one by HTTP meet at a table of chess, and play to the end', async () => {
  const [, blitz] = await tablesOf('chess')
  expect(blitz).toMatchObject({ status: 'waiting', title: 'Blitz', seats: [null, null] })
  const ada = webSocket('ada', `game=chess&table=${blitz.id}`)
  expect(await ada.next()).toEqual({ type: 'queued', game: 'chess' })
  const [, waiting] = await tablesOf('chess')
  expect(waiting.seats).toEqual([{ name: 'ada', protocol: 'agentgames', rating: 1500 }, null])
  const bert = new PlayAgent(host.http, tokens.get('bert')!)
  const joined = bert.join('chess', { table: blitz.id })
  const hello = await ada.next('hello')
  expect(hello).toMatchObject({ opponent: 'bert', game: 'chess', rated: true })
  // The fool's mate: Black wins.
  const moves = hello.player === 0 ? ['f2f3', 'g2g4'] : ['e7e5', 'd8h4']
  const others = hello.player === 0 ? ['e7e5', 'd8h4'] : ['f2f3', 'g2g4']
  const [result, over] = await Promise.all([
    ada.playBy(() => moves.shift()),
    bert.play(await joined, () => others.shift()),
  ])
  expect(result).toMatchObject({ type: 'result', match: hello.match, winner: 1, rated: true })
  expect(over).toMatchObject({ status: 'over', match: hello.match, ending: 'rules' })
  const finished = (await tablesOf('chess')).find(({ id }) => id === blitz.id)
  expect(finished).toMatchObject({ status: 'finished', match: hello.match })
  const record = (await (await fetch(`${site()}/api/v1/matches/${hello.match}`)).json()) as Answer
  const { room } = record.setup
  expect(room).toMatchObject({ id: 'chess', table: blitz.id, title: 'Blitz' })
  // Ada had the first seat of the table.
  expect(room.participants).toEqual(hello.player === 0 ? [0, 1] : [1, 0])
  expect(record.players.map(({ protocol }: Answer) => protocol).sort()).toEqual([
    'agentgames',
    'http',
  ])
  await host.cli('verify')
})

it('an agent of League of Agents meets one of AgentGames at a table of Go', async () => {
  const [go] = await tablesOf('go')
  const cleo = await LoaAgent.as(tokens.get('cleo')!, host.http)
  cleo.say({ type: 'join_queue', gameType: 'go9', table: go.id })
  await cleo.next('queue_status')
  const dirk = webSocket('dirk', `game=go9&table=${go.id}`)
  expect((await dirk.next('hello')).opponent).toBe('cleo')
  await cleo.next('matched')
  dirk.say({ type: 'resign' })
  expect(await cleo.next('game_over')).toMatchObject({ rated: true })
})

it('a table that is taken is refused, in the words of each protocol', async () => {
  const [trade] = await tablesOf('trade_deal')
  const sitters = ['ada', 'bert'].map(name => webSocket(name, `game=bazaar&table=${trade.id}`))
  for (const sitter of sitters) await sitter.next('hello')
  const detail = `both seats of the table ${trade.id} are taken`
  const late = webSocket('cleo', `game=bazaar&table=${trade.id}`)
  expect(await late.next('error')).toMatchObject({ code: 'seat-taken', error: detail })
  const http = new PlayAgent(host.http, tokens.get('dirk')!)
  expect(await http.join('bazaar', { table: trade.id })).toMatchObject({
    ...{ status: 'refused', code: 'seat-taken', error: detail },
  })
  for (const sitter of sitters) sitter.webSocket.close()
})
