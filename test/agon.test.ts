// AGON over real sockets: registration, session tokens, whole matches, results that outlive the host.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgonAgent, type Heard } from './support/agon-agent.ts'
import { Host } from './support/host.ts'
import { WebSocketAgent } from './support/websocket-agent.ts'

let host: Host
const ask = (path: string, token?: string, body?: object) =>
  AgonAgent.ask(host.http, path, token, body)

beforeAll(async () => {
  host = await Host.start({
    AGENTBBS_REGISTRATION: 'open',
    AGENTBBS_PAIR_CAP: '0',
    AGENTBBS_AGON_COUNTDOWN: '0.05',
    AGENTBBS_AGON_GRACE: '0.2',
    AGENTBBS_VOTING: '0.4',
  })
})
afterAll(() => host?.stop())

const newPair = async (suffix: string) => {
  const made = await Promise.all(
    ['Nova', 'Pike'].map(name => AgonAgent.register(host.http, `${name} ${suffix}`)),
  )
  return made.map(({ token }) => new AgonAgent(host.http, token)) as [AgonAgent, AgonAgent]
}

const newcomer = {
  chess: 1200,
  go: 1200,
  regular_debate: 1200,
  spicy_debate: 1200,
  trade_deal: 1200,
}

describe('session tokens', () => {
  it('are given for an API key alone, and open the socket', async () => {
    const { key, token } = await AgonAgent.register(host.http, 'Vega')
    expect(token.split('.')).toHaveLength(3)
    const payload = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
    const me = await ask('agents/me', token)
    expect(me).toEqual({
      ...{ status: 200, agent_id: payload.sub, name: 'Vega', framework: 'Vega by hand' },
      active_match_id: null,
      elo: newcomer,
      points: 0,
    })
    expect(payload.exp - payload.iat).toBe(14_400)
    expect(await ask('agents/session-token', token, {})).toMatchObject({
      ...{ status: 401, error: { code: 'INVALID_API_KEY' } },
    })
    expect(await ask('agents/me', key)).toMatchObject({
      ...{ status: 401, error: { code: 'INVALID_TOKEN' } },
    })
    expect(await ask('wagers/history', token)).toEqual({ status: 200, wagers: [] })
    const agent = new AgonAgent(host.http, token)
    expect((await agent.next()).event).toBe('welcome')
    // A newer connection takes its place.
    const newer = new AgonAgent(host.http, token)
    await newer.next('welcome')
    expect(await agent.closed).toBe(4009)
    newer.socket.close()
  })

  it('that are none are refused after the handshake', async () => {
    for (const token of ['', 'abc', (await AgonAgent.register(host.http, 'Wren')).key]) {
      const agent = new AgonAgent(host.http, token)
      expect(await agent.next()).toEqual({
        ...{ event: 'error', code: 'INVALID_TOKEN' },
        message: 'Invalid or expired session token.',
      })
      expect(await agent.closed).toBe(4001)
    }
  })

  it('end with their API key', async () => {
    const { key, token } = await AgonAgent.register(host.http, 'Yew')
    const agent = new AgonAgent(host.http, token)
    await agent.next('welcome')
    const listed = JSON.parse(await host.cli('tokens', 'Yew', '--json')) as Heard
    const [first] = (listed.tokens ?? listed).filter(({ kind }: Heard) => kind === 'api-key')
    await host.cli('revoke-token', String(first.id))
    expect(await agent.closed).toBe(4001)
    expect(await ask('agents/me', token)).toMatchObject({ status: 401 })
    expect(await ask('agents/session-token', key, {})).toMatchObject({ status: 401 })
  })
})

it('a frame that is too long closes the connection with 1009', async () => {
  const { token } = await AgonAgent.register(host.http, 'Zeta')
  const agent = new AgonAgent(host.http, token)
  await agent.next('welcome')
  agent.say('heartbeat', { pad: 'x'.repeat(70_000) })
  expect(await agent.closed).toBe(1009)
})

it.each(['chess', 'debate', 'trade-deal', 'go', 'spicy_debate'])(
  'the spec of %s, by whatever name',
  async slug => {
    const spec = await ask(`arenas/${slug}/spec`)
    expect(spec).toMatchObject({
      ...{ status: 'live', usdc_wager_enabled: false, ap_wager_enabled: false },
      websocket_protocol: { enter_action: 'enter_room', move_action: 'send_message' },
    })
    expect(spec.slug).toMatch(/^[a-z_]+$/)
    expect(spec.websocket_protocol.url).toMatch(/^wss?:\/\/.*\/agon\/ws\/v1\/connect$/)
  },
)

it('what is not there is answered with what is', async () => {
  for (const path of ['arenas/poker/spec', 'matches/m-99999/result', 'matches/9/result', 'nothing'])
    expect(await ask(path)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
})

/** What the first and the second of each room say, to the end of the match. */
const texts = Array.from({ length: 10 }, (_, i) => `Message ${i}.`)
const scripts: Readonly<Record<string, readonly (readonly string[])[]>> = {
  chess: [
    ['f3', 'g4'],
    ['e5', 'Qh4'],
  ],
  go: [
    ['E5', 'pass'],
    ['pass', 'pass'],
  ],
  regular_debate: [texts, texts],
  spicy_debate: [texts, texts],
  trade_deal: [texts, texts],
}
const endReasons = ['checkmate', 'go_score', 'cap', 'cap', 'trade_scored']

it('matches of all rooms, and their results before and after a restart', async () => {
  const results = new Map<string, Heard>()
  for (const [room, [first, second]] of Object.entries(scripts)) {
    const pair = await newPair(room)
    for (const agent of pair) await agent.sit(room)
    const ends = await Promise.all(
      pair.map(async agent => {
        while (!agent.heard.some(({ event }) => event === 'match_start'))
          await new Promise(resolve => setTimeout(resolve, 5))
        const { you_go_first, match_id } = agent.heard.find(({ event }) => event === 'match_start')
        if (room === 'chess')
          expect(await ask(`matches/${match_id}/result`)).toMatchObject({ result: null })
        return agent.play((you_go_first ? first : second)!)
      }),
    )
    const { match_id, result } = ends[0]
    expect(ends[1].result).toEqual(result)
    await pair[0].next('elo_update')
    await pair[0].next('points_update')
    await pair[0].next('room_state')
    expect(await ask(`matches/${match_id}/result`)).toEqual({
      match_id,
      status: 'finished',
      result,
    })
    results.set(match_id, result)
    for (const { socket, token } of pair) {
      const { agent_id, elo } = await ask('agents/me', token)
      const changed = { [room]: 1200 + result.elo_changes[agent_id] }
      expect(elo).toEqual({ ...newcomer, ...changed })
      socket.close()
    }
    const changes: readonly number[] = Object.values(result.elo_changes)
    expect(changes.toSorted((a, b) => a - b)).toEqual(result.winner_id ? [-16, 16] : [0, 0])
  }
  expect([...results.values()].map(({ end_reason }) => end_reason)).toEqual(endReasons)
  await host.kill()
  await host.serve()
  for (const [match_id, result] of results) {
    const kept = await ask(`matches/${match_id}/result`)
    expect(kept).toEqual({
      ...{ match_id, status: 'finished' },
      // Rounded from other clocks.
      result: { ...result, duration_seconds: expect.any(Number) },
    })
  }
})

it('one that leaves its socket loses, and comes back too late', async () => {
  const { token } = await AgonAgent.register(host.http, 'Late One')
  const [other] = await newPair('absent')
  const late = new AgonAgent(host.http, token)
  for (const agent of [late, other]) await agent.sit('chess')
  await late.next('match_start')
  late.socket.close()
  expect((await other.next('opponent_disconnected')).event).toBe('opponent_disconnected')
  expect((await other.next('match_end')).result.end_reason).toBe('disconnect')
  const again = new AgonAgent(host.http, token)
  await again.next('welcome')
  again.say('enter_room', { room: 'chess' })
  expect([(await again.next()).code, (await again.next()).event]).toEqual([
    ...['RECONNECT_EXPIRED', 'room_state'],
  ])
  for (const { socket } of [again, other]) socket.close()
})

/** The same moves in the words of AgentGames. */
const inAgentGames: Readonly<Record<string, string>> = {
  f3: 'f2f3',
  g4: 'g2g4',
  e5: 'e7e5',
  Qh4: 'd8h4',
}
const wordedFor = (game: string, text: string) =>
  game === 'chess' || game === 'go9'
    ? (inAgentGames[text] ?? text)
    : { action: 'message', content: text }

it.each(Object.keys(scripts).map((room, i) => [room, endReasons[i]!] as const))(
  'an agent of AgentGames plays a whole match at a table of the room %s',
  async (room, reason) => {
    const game = { go: 'go9', trade_deal: 'bazaar', regular_debate: 'debate' }[room] ?? room
    const id = game === 'spicy_debate' ? 'spicy-debate' : game
    const [nova] = await newPair(`mixed ${room}`)
    await nova.sit(room)
    const { token } = await host.account(`ada-${id}`)
    const { table_id } = nova.heard.find(({ event }) => event === 'seated')
    const ada = new WebSocketAgent(
      `ws://127.0.0.1:${host.http}/play?token=${token}&game=${id}&table=${table_id}`,
    )
    const played = ada.next('hello').then(({ player }) => {
      let said = 0
      return ada.playBy(({ observation: { first = 0 } }) =>
        wordedFor(id, scripts[room]![first === player ? 0 : 1]![said++]!),
      )
    })
    const { you_go_first, opponent } = await nova.next('match_start')
    expect(opponent).toMatchObject({ name: `ada-${id}`, type: 'agent' })
    const end = await nova.go(scripts[room]![you_go_first ? 0 : 1]!)
    const result = await played
    expect(end.result).toMatchObject({ end_reason: reason })
    expect(end.result.winner_id === null).toBe(result.outcome === 'draw')
    expect(result).toMatchObject({ rated: true, match: Number(end.match_id.slice(2)) })
    nova.socket.close()
  },
)
