// Agents that play Clawpoly by MCP with the SDK's own client, over real sockets: among them, and with other protocols.

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { ClawpolyAgent } from './support/clawpoly-agent.ts'
import { ClawpolyMcpAgent } from './support/clawpoly-mcp-agent.ts'
import { initialize } from './support/clawpoly-mcp-house.ts'
import { Host } from './support/host.ts'
import type { Answer } from './support/play-agent.ts'

let host: Host

beforeAll(async () => {
  host = await Host.start({
    AGENTBBS_REGISTRATION: 'open',
    AGENTBBS_MAX_REGISTRATIONS_PER_ADDRESS: '100',
    AGENTBBS_CLAWPOLY_ROOMS_PER_ADDRESS: '100',
    AGENTBBS_CLAWPOLY_JOINS_PER_ADDRESS: '100',
  })
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
  expect(ada.decisions.length + bert.decisions.length).toBeGreaterThan(10)
  // Each has heard of its own decisions, and of no others.
  await expect.poll(() => ada.notices.length).toBe(ada.decisions.length)
  const [{ type, yourMoney }] = ada.decisions
  expect(ada.notices[0]).toMatchObject({ event: 'pending_decision', type, context: { yourMoney } })
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

it('clients of MCP, of both kinds of WebSocket and of AgentGames finish a game of four', async () => {
  const ines = await agent('ines')
  const { token } = await host.account('jack')
  const table = await room(4, 40)
  await ines.tool('join_queue', { roomCode: table })
  const other = host.agent(token, `?game=clawpoly&table=${table}`)
  const guest = await ClawpolyAgent.join(host.http, table, { name: 'Nemo' })
  const legacy = await ClawpolyAgent.join(
    ...([host.http, table, { agentName: 'Dory' }, '&protocol=legacy'] as const),
  )
  legacy.socket.on('message', text => {
    const { type } = JSON.parse(String(text))
    if (type === 'agent:buy_decision') legacy.act('pass')
    if (type === 'agent:build_decision') legacy.act('skip_build')
    if (type === 'agent:lobster_pot_decision') legacy.act('escape_roll')
  })
  const [over, seen, heard] = await Promise.all([ines.play(), guest.play(), other.playFirstLegal()])
  expect(await legacy.next('agent:game_over')).toMatchObject({ data: { reason: seen.reason } })
  expect(heard).toMatchObject({ type: 'result' })
  expect(over.players.map(({ name }: Answer) => name).toSorted()).toEqual([
    'Dory',
    'Nemo',
    'ines',
    'jack',
  ])
  // All are told of the same places.
  const byId = new Map(over.players.map(({ id, name }: Answer) => [id, name]))
  expect(seen.finalStandings.map(({ id }: Answer) => byId.get(id))).toEqual(
    over.finalStandings.map(({ name }: Answer) => name),
  )
})

// Tried again where it hangs, which is not explained yet: more often in longer games.
it('a client plays that reads the stream line by line, as the published plugin does', {
  retry: 3,
  timeout: 15_000,
}, async () => {
  const url = `http://127.0.0.1:${host.http}/clawpoly/mcp`
  let id = 0
  let session = ''
  const post = async (message: object) => {
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(session !== '' && { 'Mcp-Session-Id': session }),
      },
    })
    session = response.headers.get('mcp-session-id') ?? session
    return response.text()
  }
  const tool = async (name: string, given: object): Promise<Answer> => {
    const params = { name: `clawpoly_${name}`, arguments: given }
    const text = await post({ id: ++id, method: 'tools/call', params })
    // It takes all lines of data for one message.
    const data = text.split('\n').filter(line => line.startsWith('data:'))
    return JSON.parse(
      JSON.parse(data.map(line => line.slice(5).trim()).join('')).result.content[0].text,
    )
  }
  await post({ ...initialize, id: ++id })
  await post({ method: 'notifications/initialized', params: {} })
  const { agentToken } = await tool('register', { name: 'hugo', feeWallet: '0xabc' })
  const stop = new AbortController()
  const stream = await fetch(url, {
    headers: { Accept: 'text/event-stream', 'Mcp-Session-Id': session },
    signal: stop.signal,
  })
  await tool('start_with_bots', { agentToken, gameSpeed: 'instant', turnLimit: 24 })
  let kept = ''
  let decisions = 0
  for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) {
    const parts = (kept + piece).split('\n\n')
    kept = parts.pop()!
    for (const part of parts) {
      const line = part.split('\n').find(line => line.startsWith('data:'))
      const data = line === undefined ? null : JSON.parse(line.slice(5).trim()).params.data
      if (data?.event !== 'pending_decision') continue
      decisions++
      const action = { buy: 'buy', build: 'skip_build', lobster_pot: 'escape_roll' }[
        data.type as string
      ]
      let state = await tool('get_state', { agentToken, action })
      // Of a game that it is out of, only the end is to come.
      while (state.gamePhase !== 'finished' && state.pendingDecision === null)
        state = await tool('get_state', { agentToken })
      if (state.gamePhase === 'finished') stop.abort()
    }
    if (stop.signal.aborted) break
  }
  expect(decisions).toBeGreaterThan(1)
})

it('the link that an agent is given is its page', async () => {
  const kim = await agent('kim')
  const { claimLink } = await kim.tool('register', { name: 'lena' })
  const page = await fetch(`http://127.0.0.1:${host.http}${new URL(claimLink).pathname}`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('lena')])
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
