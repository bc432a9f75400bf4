// Clawpoly: its rooms over HTTP, its sockets, and its MCP.

import { nested, oddLine } from '../hostile-json.ts'
import type { Luck } from '../luck.ts'
import { mutate } from '../mutate.ts'
import type { Attack, Member, Scene } from '../scene.ts'
import type { Wire } from '../wire.ts'
import { escaped } from './http.ts'
import { frame } from './websocket.ts'

export const clawpoly: readonly Attack[] = [
  {
    name: 'games of Clawpoly with wrong actions, and sockets that are cut',
    weight: 6,
    run: async scene => {
      const { luck, place } = scene
      const members = [...place.crowd]
      const chosen = luck.list(2, 4, () => members.splice(luck.roll(members.length), 1)[0]!)
      const room = await roomOf(scene, chosen, luck.pick([1, 10, 200]))
      if (room === undefined) return
      scene.strikes()
      let agents = room.map(seat => connected(scene, seat))
      for (let times = luck.from(5, 60); times > 0; times--) {
        const at = luck.roll(agents.length)
        const agent = agents[at]!
        if (luck.once(12)) {
          // Cut in the middle of its turn or of a frame, and back by the same token.
          if (luck.once(2)) agent.send(textFrame(luck, oddMessage(luck)).subarray(0, 5))
          if (luck.once(2)) agent.socket.resetAndDestroy()
          agents = agents.with(at, connected(scene, room[at]!))
        } else if (luck.once(3)) agent.send(textFrame(luck, oddMessage(luck)))
        else agent.send(textFrame(luck, answerTo(agent)))
        if (luck.once(2)) await agent.rest(luck.from(0, 30))
      }
      await Promise.all(agents.map(agent => agent.leave(luck)))
    },
  },
  {
    name: 'floods of rooms and joins of Clawpoly',
    weight: 2,
    run: async scene => {
      const { luck, place } = scene
      scene.needsLogin()
      const wire = scene.dial('http')
      const { token } = luck.pick(place.crowd)
      wire.send(request(`${api}/rooms`, token, goodRoom))
      if (await wire.hears('"roomId"', 1_000)) scene.strikes()
      for (let times = luck.from(1, 80); times > 0 && wire.open; times--) {
        const { roomId = luck.oddText(), roomCode = 'AAAAAA' } = lastOf(wire)
        const id = escaped(luck.pick([roomId, roomId, roomCode, luck.oddText()]))
        const [path, body] = luck.pick(flood)(luck, id)
        wire.send(request(path, luck.once(6) ? null : token, body))
        await wire.rest(luck.pick([0, 0, 0, 20]))
      }
      await wire.leave(luck)
    },
  },
  {
    name: 'wrong rooms and tokens on the sockets of Clawpoly',
    weight: 2,
    run: async scene => {
      const { luck } = scene
      const from = luck.address()
      for (let times = luck.from(1, 15); times > 0; times--) {
        const wire = scene.dial('http', from)
        const odd = () => escaped(luck.once(2) ? luck.oddText() : 'REEF42')
        const query = luck.pick([
          '',
          `?roomCode=${odd()}`,
          `?roomId=${odd()}&agentToken=${odd()}`,
          `?roomId=${odd()}&agentToken=${odd()}&protocol=${odd()}`,
        ])
        wire.send(
          Buffer.concat([
            Buffer.from(hail(`/ws/${luck.pick(['agent', 'spectator'])}${query}`)),
            textFrame(luck, oddMessage(luck)),
          ]),
        )
        await wire.rest(luck.from(0, 40))
        if (luck.once(3)) wire.socket.destroy()
      }
    },
  },
  {
    name: 'requests to Clawpoly, and to its MCP',
    weight: 2,
    run: async scene => {
      const { luck, place } = scene
      const wire = scene.dial('http')
      const sent = luck.list(1, 40, () => {
        const [path, body] = luck.pick(requests)(luck)
        return request(path, luck.once(2) ? luck.pick(place.crowd).token : null, body)
      })
      await wire.trickle(luck, Buffer.concat(sent))
      await wire.rest(luck.from(0, 300))
      await wire.leave(luck)
    },
  },
]

const api = '/api/v1'

const hail = (path: string): string =>
  `GET /clawpoly${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

const request = (path: string, token: string | null, body: string): Buffer => {
  const bytes = Buffer.from(body)
  const login = token === null ? '' : `Authorization: Bearer ${token}\r\n`
  const head = `${body === '' ? 'GET' : 'POST'} /clawpoly${path} HTTP/1.1\r\nHost: x\r\n${login}`
  return Buffer.concat([
    Buffer.from(
      `${head}Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    ),
    bytes,
  ])
}

const textFrame = (luck: Luck, text: string) =>
  frame(luck, { first: 0x81, payload: Buffer.from(text) })

const oddMessage = (luck: Luck): string => {
  if (luck.once(6)) return oddLine(luck)
  const [type, data] = luck.pick(actions)(luck)
  const message = JSON.stringify({ type: `${luck.once(9) ? '' : 'action:'}${type}`, data })
  return luck.once(5) ? mutate(luck, Buffer.from(message)).toString() : message
}

const oddSquare = (luck: Luck): unknown =>
  luck.pick([luck.roll(40), luck.roll(40), 40, -1, 0.5, '1', null, [], luck.oddNumber()])

const oddBundle = (luck: Luck): unknown =>
  luck.pick([
    ...[{}, null, [], 'all', { money: -1 }, { money: 1e99 }, { escapeCards: 7 }, { money: 0.5 }],
    { properties: luck.list(0, 50, () => luck.roll(41)) },
    { properties: ['__proto__', -1, null], money: luck.oddNumber() },
    { properties: [luck.roll(40)], money: luck.roll(300) },
  ])

const actions: readonly ((luck: Luck) => readonly [type: string, data: unknown])[] = [
  luck => [luck.pick(['roll_dice', 'buy', 'pass', 'end_turn']), luck.pick([{}, undefined, 7, []])],
  luck => [
    luck.pick(['build', 'mortgage', 'unmortgage', 'sell_building', 'buy', 'upgrade']),
    { squareIndex: oddSquare(luck), type: luck.pick(['outpost', 'fortress', luck.oddText()]) },
  ],
  luck => [luck.pick(['escape_pay', 'escape_card', 'escape_roll', 'skip_build', 'raise']), {}],
  luck => [
    'trade_offer',
    {
      toId: luck.pick([`agent-${luck.from(0, 6)}`, luck.oddText(), null]),
      ...{ offering: oddBundle(luck), requesting: oddBundle(luck) },
    },
  ],
  luck => [
    'trade_respond',
    { tradeId: luck.pick([luck.from(0, 9), luck.oddText()]), accept: luck.pick([true, 'yes']) },
  ],
  luck => [luck.oddText(), { [luck.oddText()]: luck.oddText() }],
]

/** The last prompt that has come, answered as it should be; else a throw. */
const answerTo = (agent: Wire): string => {
  const heard = agent.heard.subarray(-20_000).toString('latin1')
  const listed = heard.slice(heard.lastIndexOf('"availableActions":'))
  const action = /^"availableActions":\["([a-z_]+)"/.exec(listed)?.[1] ?? 'roll_dice'
  return JSON.stringify({ type: `action:${action}`, data: {} })
}

const flood: readonly ((luck: Luck, id: string) => readonly [path: string, body: string])[] = [
  () => [`${api}/rooms`, goodRoom],
  luck => [`${api}/rooms`, JSON.stringify(oddRoom(luck))],
  (luck, id) => [
    `${api}/rooms/${id}/join`,
    JSON.stringify({ name: luck.oddText(), token: luck.pick(['crab', luck.oddText()]) }),
  ],
  (_, id) => [`${api}/rooms/${id}/join`, '{"agentName":"x","agentId":"fuzz"}'],
  (_, id) => [`${api}/rooms/${id}/start`, '{}'],
  (_, id) => [`${api}/rooms/${id}/state`, ''],
  (_, id) => [`${api}/rooms/${id}`, ''],
]

const goodRoom = JSON.stringify({ name: 'fuzz', maxPlayers: 2, gameSpeed: 'instant' })

const oddRoom = (luck: Luck) => ({
  name: luck.pick(['fuzz', luck.oddText()]),
  maxPlayers: luck.pick([2, 3, 4, 6, 7, 0, -1, '4', luck.oddNumber()]),
  turnLimit: luck.pick([1, 5, 200, 1e9, -1, null, luck.oddNumber()]),
  gameSpeed: luck.pick(['instant', 'warp', luck.oddText()]),
  ...(luck.once(5) && { mode: luck.pick(['premium', luck.oddText()]), entryFee: { amount: 1 } }),
})

const requests: readonly ((luck: Luck) => readonly [path: string, body: string])[] = [
  luck => [`${api}/agents/register`, JSON.stringify({ agentId: luck.oddText(), name: 7 })],
  luck => [`${api}/agents/register`, oddLine(luck)],
  luck => [`${api}/rooms`, `{"name":${nested(luck, '[', ']')}}`],
  luck => [`${api}/rooms/${escaped(luck.oddText())}/log?from=${luck.oddNumber()}&limit=-1`, ''],
  luck => [`${api}/rooms/${escaped(luck.oddText())}/verify-payment`, oddLine(luck)],
  luck => [`${api}/agents?page=${escaped(luck.oddText())}&limit=${luck.oddNumber()}`, ''],
  luck => [`${api}/agents/${escaped(luck.oddText())}`, ''],
  luck => [`${api}/leaderboard?limit=${luck.oddNumber()}`, ''],
  () => [`${api}/rooms`, ''],
  luck => ['/mcp', oddLine(luck)],
  luck => ['/mcp', oddCall(luck)],
  luck => ['/mcp', oddCall(luck)],
]

const oddCall = (luck: Luck): string =>
  JSON.stringify({
    ...{ jsonrpc: '2.0', id: luck.roll(9) },
    ...luck.pick([
      { method: 'initialize', params: { protocolVersion: luck.oddText() } },
      { method: 'tools/list' },
      {
        method: 'tools/call',
        params: {
          name: `clawpoly_${luck.pick(['get_state', 'buy_property', 'join_queue', 'build_outpost'])}`,
          arguments: { agentToken: luck.oddText(), action: luck.oddText(), propertyIndex: -1 },
        },
      },
    ]),
  })

interface Seat {
  readonly roomId: string
  readonly agentToken: string
}

/** The last room or seat that an answer has told of. */
const lastOf = (wire: Wire): Partial<Seat & { readonly roomCode: string }> => {
  const heard = wire.heard.toString('latin1')
  const last = (name: string) =>
    [...heard.matchAll(new RegExp(`"${name}":"([\\w-]+)"`, 'g'))].at(-1)?.[1]
  const [roomId, roomCode, agentToken] = [last('roomId'), last('roomCode'), last('agentToken')]
  return {
    ...(roomId !== undefined && { roomId }),
    ...(roomCode !== undefined && { roomCode }),
    ...(agentToken !== undefined && { agentToken }),
  }
}

/** Rooms that start while no player is connected: the host makes all moves. */
export const playAbsently = async (scene: Scene, members: readonly Member[]): Promise<void> => {
  const [seat] = (await roomOf(scene, members, 200)) ?? []
  if (seat === undefined) return
  const wire = scene.dial('http')
  wire.send(request(`${api}/rooms/${seat.roomId}/start`, members[0]!.token, '{}'))
  if (await wire.hears('"playing"', 1_000)) scene.strikes()
  wire.socket.destroy()
}

/** A room at which these members have joined. */
const roomOf = async (
  scene: Scene,
  members: readonly Member[],
  turnLimit: number,
): Promise<readonly Seat[] | undefined> => {
  scene.needsLogin()
  const wire = scene.dial('http')
  const body = JSON.stringify({
    ...{ name: 'fuzz', maxPlayers: members.length, gameSpeed: 'instant' },
    turnLimit,
  })
  wire.send(request(`${api}/rooms`, members[0]!.token, body))
  if (!(await wire.hears(/"roomId":"[\w-]+"/, 1_000))) return undefined
  const { roomId } = lastOf(wire)
  const seats: Seat[] = []
  for (const { name, token } of members) {
    const joining = scene.dial('http')
    joining.send(request(`${api}/rooms/${roomId}/join`, token, JSON.stringify({ name })))
    if (!(await joining.hears(/"agentToken":"[\w-]+"/, 1_000))) return undefined
    seats.push({ roomId: roomId!, agentToken: lastOf(joining).agentToken! })
    joining.socket.destroy()
  }
  return seats
}

const connected = (scene: Scene, { roomId, agentToken }: Seat): Wire => {
  const wire = scene.dial('http')
  const mode = scene.luck.once(4) ? '&protocol=legacy' : ''
  wire.send(hail(`/ws/agent?roomId=${roomId}&agentToken=${agentToken}${mode}`))
  return wire
}
