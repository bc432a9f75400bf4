// AGON: its session tokens, its socket, its rooms and its tables.

import { nested, oddLine } from '../hostile-json.ts'
import type { Luck } from '../luck.ts'
import { mutate } from '../mutate.ts'
import type { Attack, Member, Scene } from '../scene.ts'
import type { Wire } from '../wire.ts'
import { escaped } from './http.ts'
import { frame } from './websocket.ts'

export const agon: readonly Attack[] = [
  {
    name: 'odd messages of AGON',
    weight: 4,
    run: async scene => {
      const { luck, place } = scene
      const agent = await arrive(scene, luck.pick(place.crowd))
      if (agent?.wire.open) scene.strikes()
      for (let times = luck.from(1, 40); times > 0 && agent?.wire.open; times--) {
        agent.say(luck.once(4) ? oddLine(luck) : oddMessage(luck))
        if (luck.once(3)) await agent.wire.rest(luck.from(0, 30))
      }
      await agent?.wire.rest(luck.from(0, 300))
      await agent?.wire.leave(luck)
    },
  },
  {
    name: 'tables of AGON, sat at and left, with odd moves',
    weight: 6,
    run: async scene => {
      const { luck, place } = scene
      const room = luck.pick(rooms)
      const members = [...place.crowd]
      const chosen = [0, 1].map(() => members.splice(luck.roll(members.length), 1)[0]!)
      const arrived = await Promise.all(chosen.map(member => arrive(scene, member)))
      const agents = arrived.filter(agent => agent !== undefined)
      for (const agent of agents) {
        agent.say(JSON.stringify({ action: 'enter_room', room }))
        const table = await agent.heard(/"id":"(t-[a-z]+)","status":"waiting"/)
        if (table === undefined) continue
        scene.strikes()
        agent.say(JSON.stringify({ action: 'sit_table', room, table_id: table }))
      }
      for (const agent of agents) {
        const match = await agent.heard(/"match_countdown","match_id":"(m-\d+)"/)
        for (let times = luck.from(1, 25); times > 0 && agent.wire.open; times--) {
          agent.say(oddMessage(luck, match ?? 'm-1'))
          if (luck.once(3)) await agent.wire.rest(luck.from(0, 60))
        }
      }
      await Promise.all(agents.map(({ wire }) => wire.leave(luck)))
    },
  },
  {
    name: 'wrong session tokens of AGON',
    run: async scene => {
      const { luck } = scene
      const from = luck.address()
      for (let times = luck.from(1, 15); times > 0; times--) {
        const wire = scene.dial('http', from)
        const token = luck.pick(['', escaped(luck.oddText()), 'e30.e30.e30', forged])
        wire.send(Buffer.concat([Buffer.from(hail(token)), textFrame(luck, oddMessage(luck))]))
        await wire.rest(luck.from(0, 40))
        if (luck.once(3)) wire.socket.destroy()
      }
    },
  },
  {
    name: 'requests to AGON',
    weight: 2,
    run: async scene => {
      const { luck, place } = scene
      const wire = scene.dial('http')
      const sent = luck.list(1, 40, () => {
        const [path, body] = luck.pick(requests)(luck)
        return request(path, luck.once(2) ? luck.pick(place.crowd).token : 'x', body)
      })
      await wire.trickle(luck, Buffer.concat(sent))
      await wire.rest(luck.from(0, 300))
      await wire.leave(luck)
    },
  },
]

const rooms = ['chess', 'go', 'regular_debate', 'spicy_debate', 'trade_deal'] as const

/** Signed by no one. */
const forged = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJwLTEiLCJleHAiOjk5OTk5OTk5OTl9.'

const hail = (token: string): string =>
  `GET /agon/ws/v1/connect?token=${token} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

const request = (path: string, token: string, body: string): Buffer => {
  const bytes = Buffer.from(body)
  const head = `${body === '' ? 'GET' : 'POST'} /agon${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`
  return Buffer.concat([Buffer.from(`${head}Content-Length: ${bytes.length}\r\n\r\n`), bytes])
}

const textFrame = (luck: Luck, text: string) =>
  frame(luck, { first: 0x81, payload: Buffer.from(text) })

const oddMessage = (luck: Luck, match = `m-${luck.from(1, 300)}`): string => {
  const message = JSON.stringify(luck.pick(messages)(luck, match))
  return luck.once(5) ? mutate(luck, Buffer.from(message)).toString() : message
}

const messages: readonly ((luck: Luck, match_id: string) => object)[] = [
  luck => ({ action: 'enter_room', room: luck.once(4) ? luck.oddText() : luck.pick(rooms) }),
  luck => ({ action: 'sit_table', room: luck.pick(rooms), table_id: luck.oddText() }),
  (luck, match_id) => ({ action: 'send_message', match_id, content: luck.oddText() }),
  (luck, match_id) => ({
    ...{ action: 'send_message', match_id },
    content: luck.pick(['e4', 'Nf3', 'E5', 'pass', 'O-O', 'x'.repeat(luck.from(1, 9_000))]),
  }),
  (luck, match_id) => ({
    ...{ action: 'propose_trade', match_id },
    offer: { [luck.pick(['gold', 'iron', '__proto__', 'silver'])]: luck.pick([1, -1, 0.5, 1e99]) },
    request: luck.pick([{}, [], null, { wood: 1 }]),
  }),
  (luck, match_id) => ({ action: luck.pick(['accept_trade', 'reject_trade']), match_id }),
  (luck, match_id) => ({ action: 'leave_match', match_id, parting_shot: luck.oddText() }),
  (luck, match_id) => ({ action: 'vote', match_id, participant_id: `p-${luck.from(1, 40)}` }),
  (luck, match_id) => ({
    ...{ action: 'react', match_id, reaction: luck.pick(['🔥', luck.oddText()]) },
  }),
  (luck, match_id) => ({ action: 'propose_wager', match_id, amount: luck.pick([10, -1, 'x']) }),
  () => ({ action: 'heartbeat' }),
]

const requests: readonly ((luck: Luck) => readonly [path: string, body: string])[] = [
  luck => ['/api/v1/agents/register', JSON.stringify({ name: luck.oddText(), framework: 7 })],
  luck => ['/api/v1/agents/register', oddLine(luck)],
  luck => ['/api/v1/agents/register', `{"name":${nested(luck, '[', ']')}}`],
  () => ['/api/v1/agents/session-token', '{}'],
  () => ['/api/v1/agents/me', ''],
  () => ['/api/v1/rooms', ''],
  luck => [`/api/v1/arenas/${escaped(luck.oddText())}/spec`, ''],
  luck => [`/api/v1/matches/${luck.once(2) ? 'm-' : ''}${luck.oddNumber()}/result`, ''],
]

interface Agent {
  readonly wire: Wire
  say(text: string): void
  /** What the host has said of this; undefined if it does not within a second. */
  heard(pattern: RegExp): Promise<string | undefined>
}

/** Exchanges the token of a member for a session token, and connects with it. */
const arrive = async (scene: Scene, { token }: Member): Promise<Agent | undefined> => {
  const { luck } = scene
  scene.needsLogin()
  const door = scene.dial('http')
  door.send(request('/api/v1/agents/session-token', token, '{}'))
  const session = await said(door, /"token":"([^"]+)"/)
  door.socket.destroy()
  if (session === undefined) return undefined
  const wire = scene.dial('http')
  wire.send(Buffer.from(hail(session)))
  if ((await said(wire, /"event":"(welcome)"/)) === undefined) return undefined
  return {
    wire,
    say: text => void wire.send(textFrame(luck, text)),
    heard: pattern => said(wire, pattern),
  }
}

const said = async (wire: Wire, pattern: RegExp): Promise<string | undefined> => {
  const until = performance.now() + 1_000
  while (wire.open && performance.now() < until) {
    const found = pattern.exec(wire.heard.toString('latin1'))
    if (found !== null) return found[1]
    await wire.rest(10)
  }
  return undefined
}
