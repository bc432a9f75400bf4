// Agents that play Clawpoly by MCP with the SDK's own client, over real sockets: among them, and with other protocols.

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { ClawpolyMcpAgent } from './support/clawpoly-mcp-agent.ts'
import { initialize } from './support/clawpoly-mcp-house.ts'
import { Host } from './support/host.ts'
import type { Answer } from './support/play-agent.ts'

let host: Host

beforeAll(async () => {
  host = await Host.start({ AGENTBBS_REGISTRATION: 'open' })
})
afterAll(() => host?.stop())

const agent = async (name: string, token?: string): Promise<ClawpolyMcpAgent> => {
  const made = await ClawpolyMcpAgent.connect(host.http, name, token)
  onTestFinished(() => made.close())
  return made
}

const api = async (path: string, init?: RequestInit): Promise<Answer> =>
  (await fetch(`http://127.0.0.1:${host.http}${path}`, init)).json()

/** The code of a new room. */
const room = async (maxPlayers: number, turnLimit: number): Promise<string> => {
  const body = JSON.stringify({ name: 'Reef', maxPlayers, turnLimit, gameSpeed: 'instant' })
  const made = await api('/clawpoly/api/v1/rooms', {
    ...{ method: 'POST', body },
    headers: { 'Content-Type': 'application/json' },
  })
  return made.roomCode
}

it('the client of the SDK finds the tools, and plays a whole game in a room', async () => {
  const [ada, bert] = [await agent('ada'), await agent('bert')]
  expect(ada.client.getServerVersion()).toMatchObject({ name: 'clawpoly' })
  expect(ada.client.getInstructions()).toContain('clawpoly_get_state in a loop')
  expect((await ada.client.listTools()).tools).toHaveLength(13)
  const roomCode = await room(2, 60)
  expect(await ada.tool('join_queue', { roomCode })).toMatchObject({ status: 'queued', players: 1 })
  await bert.tool('join_queue', { roomCode })
  const [first, second] = await Promise.all([ada.play(), bert.play()])
  expect(first.finalStandings).toEqual(second.finalStandings)
  expect(first.finalStandings).toMatchObject([{ placement: 1 }, { placement: 2 }])
  expect(ada.decisions + bert.decisions).toBeGreaterThan(10)
  // Each has heard of its own decisions, and of no others.
  await expect.poll(() => ada.notices.length).toBe(ada.decisions)
  expect(ada.notices[0]).toMatchObject({ event: 'pending_decision', context: { yourMoney: 1500 } })
  const { matches } = await api('/api/v1/matches?game=clawpoly&limit=1')
  expect(matches[0].players.map(({ protocol }: Answer) => protocol)).toEqual([
    'clawpoly',
    'clawpoly',
  ])
  expect(matches[0].unrated).toBe(null)
  await host.cli('verify')
})

it('an agent plays three house players', async () => {
  const cleo = await agent('cleo')
  const begun = await cleo.tool('start_with_bots', { gameSpeed: 'instant', turnLimit: 40 })
  expect(begun).toMatchObject({ status: 'game_starting', players: 4 })
  expect(await cleo.play()).toMatchObject({
    ...{ gamePhase: 'finished', turnLimit: 40, roomCode: begun.roomCode },
    finalStandings: { length: 4 },
  })
})

it('an agent of AgentGames sits down at the same table', async () => {
  const dirk = await agent('dirk')
  const { token } = await host.account('eve')
  const table = await room(2, 30)
  await dirk.tool('join_queue', { roomCode: table })
  const other = host.agent(token, `?game=clawpoly&table=${table}`)
  const [over, heard] = await Promise.all([dirk.play(), other.playFirstLegal()])
  expect(heard).toMatchObject({ type: 'result', rated: true })
  expect(over.players.map(({ name }: Answer) => name).toSorted()).toEqual(['dirk', 'eve'])
})

it('a token of an account of the host is an agentToken, too', async () => {
  const { token } = await host.account('frida')
  const frida = await agent('frida', token)
  expect(await frida.tool('queue_status')).toMatchObject({ status: 'not_in_queue' })
  frida.token = 'abbs_wrong'
  expect(await frida.tool('queue_status')).toMatchObject({
    code: 'bad-token',
    error: expect.stringContaining('agentToken is no token of an agent here'),
  })
})

it('a session that has ended is unknown, and a page of another site is refused', async () => {
  const gus = await ClawpolyMcpAgent.connect(host.http, 'gus')
  const { sessionId } = gus.transport
  await gus.close()
  const send = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${host.http}/clawpoly/mcp`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      headers: {
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        ...headers,
      },
    })
  const gone = await send({ 'mcp-session-id': sessionId! })
  expect(gone.status).toBe(404)
  const { error }: Answer = await gone.json()
  expect(error.message).toContain(`there is no session "${sessionId}"`)
  expect((await send({ Origin: 'https://evil.example' })).status).toBe(403)
})

it('nobody registers where the operator makes all accounts', async () => {
  const closed = await Host.start({ AGENTBBS_REGISTRATION: 'closed' })
  onTestFinished(() => closed.stop())
  const made = await ClawpolyMcpAgent.connect(closed.http, 'ada', 'none')
  expect(await made.tool('register', { name: 'ada' })).toMatchObject({
    ...{ success: false, code: 'forbidden', error: expect.stringMatching(/\w/) },
  })
})

it('a host that stops ends the streams of clients', async () => {
  const stopping = await Host.start()
  onTestFinished(() => stopping.stop())
  const url = `http://127.0.0.1:${stopping.http}/clawpoly/mcp`
  const send = (init: RequestInit, headers: Record<string, string> = {}) =>
    fetch(url, {
      ...init,
      headers: {
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        ...headers,
      },
    })
  const began = await send({ method: 'POST', body: JSON.stringify(initialize) })
  const stream = await send({}, { 'mcp-session-id': began.headers.get('mcp-session-id')! })
  const heard = stream.text()
  expect(await stopping.terminate()).toBe(0)
  // A stream that is cut rejects.
  expect(await heard).toBe(': open\n\n')
})
