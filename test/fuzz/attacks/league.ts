// League of Agents: its socket, its messages and its registration.

import { Dice } from '../../../src/games/dice.ts'
import { seatRange } from '../../../src/games/game.ts'
import { gameOf } from '../../../src/games/index.ts'
import { moveFor } from '../../support/loa-agent.ts'
import { nested, oddLine, oddMove } from '../hostile-json.ts'
import { Luck } from '../luck.ts'
import { mutate } from '../mutate.ts'
import type { Attack, Member, Scene } from '../scene.ts'
import type { Wire } from '../wire.ts'
import { frame } from './websocket.ts'

export const league: readonly Attack[] = [
  {
    name: 'odd messages of League of Agents',
    weight: 4,
    run: async scene => {
      const { luck, place } = scene
      const agent = await arrive(scene, luck.once(4) ? null : luck.pick(place.crowd))
      for (let times = luck.from(1, 60); times > 0 && agent.wire.open; times--) {
        agent.say(luck.once(4) ? oddLine(luck) : oddMessage(luck))
        if (luck.once(4)) await agent.wire.rest(luck.from(0, 30))
      }
      await agent.wire.rest(luck.from(0, 300))
      await agent.wire.leave(luck)
    },
  },
  {
    name: 'messages in the middle of a login',
    weight: 2,
    run: async scene => {
      const { luck, place } = scene
      // Sockets of one agent: each replaces the one before.
      const member = luck.pick(place.crowd)
      const wires = luck.list(1, 6, () => {
        const wire = scene.dial('http')
        const login = luck.once(6) ? oddMessage(luck) : authenticate(member.token)
        const texts = [login, ...luck.list(0, 30, () => oddMessage(luck))]
        wire.send(Buffer.concat([Buffer.from(hail), ...texts.map(text => textFrame(luck, text))]))
        return wire
      })
      await wires[0]!.rest(luck.from(0, 400))
      await Promise.all(wires.map(wire => wire.leave(luck)))
    },
  },
  {
    name: 'wrong API keys',
    run: async scene => {
      const { luck } = scene
      const from = luck.address()
      for (let times = luck.from(1, 15); times > 0; times--) {
        const wire = scene.dial('http', from)
        const key = luck.pick(['', luck.oddText(), '0b7c1e52-6f0e-4a37-9a51-2f1f3f0f9a10'])
        wire.send(Buffer.concat([Buffer.from(hail), textFrame(luck, authenticate(key))]))
        await wire.rest(luck.from(0, 40))
        if (luck.once(3)) wire.socket.destroy()
      }
    },
  },
  {
    name: 'subscribes without end',
    weight: 2,
    run: async scene => {
      const { luck } = scene
      const from = luck.address()
      const isDeaf = luck.once(2)
      const most = luck.from(1, 400)
      const wires = luck.list(1, 20, () => scene.dial('http', from))
      for (const wire of wires) {
        if (isDeaf) wire.socket.pause()
        const ids = luck.list(1, 200, () => luck.from(1, most))
        const frames = ids.map(id => textFrame(luck, subscribe(`g-${id}`)))
        wire.send(Buffer.concat([Buffer.from(hail), ...frames]))
      }
      await wires[0]!.rest(luck.from(0, 2_000))
      await Promise.all(wires.map(wire => wire.leave(luck)))
    },
  },
  {
    name: 'matches of League of Agents with odd moves, left and come back to',
    weight: 6,
    run: async scene => {
      const { luck, place } = scene
      const game = luck.pick(Object.keys(moveFor))
      const members = [...place.crowd]
      const chosen = Array.from(
        { length: seatRange(gameOf(game)!).max },
        () => members.splice(luck.roll(members.length), 1)[0]!,
      )
      await Promise.all(
        chosen.map(async member => {
          // Dice of its own, because the order of turns does not follow from the seed.
          const own = new Luck(luck.roll(2 ** 32))
          const odds = own.pick([1, 3, 20])
          const isPractice = own.once(3)
          for (let times = own.from(1, 3); times > 0; times--) {
            const agent = await arrive(scene, member, own)
            const practice = isPractice ? ',"practice":true' : ''
            agent.say(`{"type":"join_queue","gameType":"${game}"${practice}}`)
            await agent.play(own.from(0, 12), move => {
              scene.strikes()
              if (own.once(odds)) return oddMove(own, game)
              return own.once(3) ? ballast(own, move) : JSON.stringify(move)
            })
            await agent.wire.leave(own)
          }
        }),
      )
    },
  },
  {
    name: 'registrations at League of Agents',
    weight: 2,
    run: async scene => {
      const { luck } = scene
      const wire = scene.dial('http')
      const sent = luck.list(1, 60, () => {
        const [path, body] = luck.pick(requests)(luck)
        const bytes = Buffer.from(body)
        const head = `${body === '' ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
        return Buffer.concat([Buffer.from(`${head}Content-Length: ${bytes.length}\r\n\r\n`), bytes])
      })
      await wire.trickle(luck, Buffer.concat(sent))
      await wire.rest(luck.from(0, 300))
      await wire.leave(luck)
    },
  },
]

const hail =
  'GET /loa/api/v1/ws?type=agent HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

const textFrame = (luck: Luck, text: string) =>
  frame(luck, { first: 0x81, payload: Buffer.from(text) })

const authenticate = (token: string) => JSON.stringify({ type: 'authenticate', token })
const subscribe = (gameId: string) => JSON.stringify({ type: 'subscribe_game', gameId })

const oddMessage = (luck: Luck): string => {
  const message = luck.pick(messages)(luck)
  return luck.once(4) ? mutate(luck, Buffer.from(message)).toString() : message
}

const messages: readonly ((luck: Luck) => string)[] = [
  luck => authenticate(luck.oddText()),
  luck => subscribe(`g-${luck.once(3) ? luck.oddNumber() : luck.from(1, 300)}`),
  luck => subscribe(luck.oddText()),
  () => '{"type":"ping"}',
  luck => `{"type":"join_queue","gameType":"${luck.pick(Object.keys(moveFor))}"}`,
  luck =>
    `{"type":"join_queue","gameType":"ttt","practice":${luck.pick(['true', '"easy"', '{}'])}}`,
  luck => JSON.stringify({ type: 'join_queue', gameType: luck.oddText() }),
  luck => {
    const game = luck.pick(Object.keys(moveFor))
    return `{"type":"submit_move","gameId":"g-${luck.from(1, 300)}","move":${oddMove(luck, game)}}`
  },
  luck => `{"type":"submit_move","gameId":"g-1","move":{"a":${nested(luck, '[', ']')}}}`,
]

const oddName = (luck: Luck): string =>
  luck.pick([
    JSON.stringify(luck.oddText()),
    JSON.stringify(`league ${luck.roll(1e6)}`),
    JSON.stringify('x'.repeat(luck.pick([1, 2, 32, 33, 5_000]))),
    '7',
    'null',
  ])

const requests: readonly ((luck: Luck) => readonly [path: string, body: string])[] = [
  luck => ['/loa/api/v1/agents', `{"name":${oddName(luck)},"description":${oddName(luck)}}`],
  luck => ['/loa/api/v1/agents', oddLine(luck)],
  luck => ['/loa/api/v1/agents', `{"name":${nested(luck, '[', ']')}}`],
  () => ['/loa/api/v1/agents/me', ''],
  luck => [`/loa/${luck.pick(['%', '..', '', 'api/v1/doc?format=json', '%2f'])}`, ''],
]

/** A legal move, with as much beside it as it may have, and more. */
const ballast = (luck: Luck, move: unknown): string => {
  const text = JSON.stringify(move)
  const motto = JSON.stringify(luck.oddText())
  const more = luck.pick([
    `"memory":{"a":${nested(luck, '[', ']')}}`,
    `"memory":{"a":"${'x'.repeat(luck.pick([100, 10_000, 11_000, 60_000]))}"}`,
    `"thought":${motto}`,
    `"__proto__":{"x":1}`,
  ])
  return `${text.slice(0, -1).replace('"motto":"hop"', `"motto":${motto}`)},${more}}`
}

interface Agent {
  readonly wire: Wire
  say(text: string): void
  /** Answers so many turns. */
  play(turns: number, move: (legal: unknown) => string): Promise<void>
}

/** A WebSocket, as a guest or logged in. */
const arrive = async (scene: Scene, member: Member | null, luck = scene.luck): Promise<Agent> => {
  const wire = scene.dial('http')
  scene.needsLogin()
  wire.send(hail)
  const say = (text: string) => wire.send(textFrame(luck, text))
  if (member !== null) say(authenticate(member.token))
  if (await wire.hears(member === null ? ' 101 ' : '"type":"authenticated"', 3_000)) scene.strikes()
  return {
    wire,
    say,
    play: async (turns, move) => {
      const dice = Dice.fromSeed(luck.roll(1e6))
      let read = 0
      for (let turn = 0; turn < turns && wire.open; turn++) {
        const asked = await nextTurn(wire, read)
        if (asked === null) return
        read = asked.end
        const legal = legalMove(asked, dice)
        say(`{"type":"submit_move","gameId":"${asked.state.gameId}","move":${move(legal)}}`)
      }
    },
  }
}

interface Asked {
  readonly self: string
  // biome-ignore lint/suspicious/noExplicitAny: a game_state as it comes
  readonly state: any
  /** How much of what was heard led up to it. */
  readonly end: number
}

const legalMove = ({ self, state }: Asked, dice: Dice): unknown => {
  try {
    return moveFor[state.gameType]!(state, dice, self)
  } catch {
    // Its own agent is out, or out of sight.
    return {}
  }
}

/** The newest board, if a move is owed on it. */
const nextTurn = async (wire: Wire, read: number): Promise<Asked | null> => {
  const until = performance.now() + 1_500
  while (wire.open && performance.now() < until) {
    const text = wire.heard.toString()
    const end = text.lastIndexOf('{"type":"your_turn"')
    if (end > read) {
      const start = text.lastIndexOf('{"type":"game_state"', end)
      const [, self = ''] = /"type":"authenticated","agentId":"([^"]+)"/.exec(text) ?? []
      const close = text.indexOf('}}', text.indexOf('"timeLeft":{', start)) + 2
      try {
        return { self, state: JSON.parse(text.slice(start, close)), end }
      } catch {
        return null
      }
    }
    await wire.rest(10)
  }
  return null
}
