// The attacks that cost the host most. Each runs for some seconds, beside others. See ../law.ts.

import { WebSocket } from 'ws'
import type { Member, Scene } from '../scene.ts'
import { HostileSsh } from '../ssh-client.ts'
import { type Wire, within } from '../wire.ts'
import { playAbsently } from './clawpoly.ts'

export interface HeavyAttack {
  readonly name: string
  run(scene: Scene, place: HeavyPlace): Promise<void>
}

interface HeavyPlace {
  /** Matches that are long to read. */
  readonly long: readonly number[]
  /** Accounts that no other kind of attack has. */
  readonly members: readonly Member[]
  /** How long it runs. */
  readonly ms: number
}

export const heavy: readonly HeavyAttack[] = [
  {
    name: 'twenty guests from one address at replay --json',
    run: (scene, place) =>
      guests(scene, place, 20, () => `replay ${scene.luck.pick(place.long)} --json`),
  },
  {
    name: 'twenty guests from one address at exports and lists',
    run: (scene, place) =>
      guests(scene, place, 20, () => {
        const { luck } = scene
        const id = luck.pick(place.long)
        return luck.pick([
          `replay ${id}`,
          `replay ${id} --format ndjson`,
          `replay ${id} --format pgn`,
          `replay ${id} --format sgf`,
          `replay ${id} --step 400`,
          'matches --limit 500 --json',
          'ladder --limit 500 --json',
        ])
      }),
  },
  {
    name: 'replays of long matches on screens of the hub',
    run: async (scene, { long, ms }) => {
      const { luck } = scene
      const from = luck.address()
      await Promise.all(
        repeated(12, async () => {
          const ssh = new HostileSsh(scene, { user: 'guest', from })
          if (!(await ssh.ready(10_000))) return
          const channel = await ssh.open('', { term: 'xterm-256color', cols: 120, rows: 40 })
          if (channel === undefined) return
          scene.strikes()
          channel.resume()
          const until = performance.now() + ms
          while (channel.writable && performance.now() < until) {
            // Opens the list of matches, one match, its end, its export, and goes back.
            channel.write(`m/${luck.pick(long)}\rG`)
            for (let n = 0; n < 15 && channel.writable; n++) {
              channel.write(
                luck.pick(['k'.repeat(40), 'j'.repeat(40), 'g', 'G', 'f', 'e\x1b', ' ']),
              )
              await ssh.wire.rest(60)
            }
            channel.write('\x1b')
            await ssh.wire.rest(100)
            channel.write('\x1b')
            await ssh.wire.rest(100)
          }
        }),
      )
    },
  },
  {
    name: 'pages, pictures and positions of long matches',
    run: async (scene, { long, ms }) => {
      const { luck } = scene
      const from = luck.address()
      const paths = ['', '/embed', '/picture.png', '?ply=300']
      const calls = ['', '/positions', '/ndjson', '/pgn', '/sgf', '/events']
      await Promise.all(
        repeated(40, async n => {
          const wire = scene.dial('http', from)
          const ask = () => {
            const id = luck.pick(long)
            const path = luck.once(2)
              ? `/match/${id}${luck.pick(paths)}`
              : `/api/v1/matches/${id}${luck.pick(calls)}`
            wire.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
          }
          for (let times = 0; times < 12; times++) ask()
          if (n % 2 === 0) wire.socket.pause()
          await wire.rest(ms)
        }),
      )
    },
  },
  {
    name: 'two that agree send moves with ballast',
    run: async (scene, { members, ms }) => {
      const ballast = {
        memory: memoryOf(10_000),
        thought: 'x'.repeat(90),
        more: 'y'.repeat(50_000),
      }
      await Promise.all(
        members
          .slice(0, 2)
          .map(member =>
            play(scene, member, 'game=resource-rush', ms, () => ({ action: 'wait', ...ballast })),
          ),
      )
    },
  },
  {
    name: 'twelve practice matches of one token with ballast',
    run: async (scene, { members, ms }) => {
      const memory = memoryOf(10_000)
      const wide = { ...ballastOf(500), ...{ nested: '['.repeat(90) } }
      await Promise.all(
        repeated(12, n =>
          play(scene, members[0]!, 'game=resource-rush&practice=1', ms, () =>
            n % 2 === 0 ? { action: 'wait', memory, ...wide } : { action: 'wait', memory },
          ),
        ),
      )
    },
  },
  {
    name: 'keys that are called as fields of the host are',
    run: async (scene, { members, ms }) => {
      const { luck } = scene
      const forged = () =>
        `{"${luck.pick(['illegal', 'places', 'toMove', '__proto__', 'toJSON', 'constructor'])}":${luck.pick(['{}', '[]', 'true', '"\\u001b[2J"', '1'])}}`
      const move = () => {
        const memory = forged()
        return luck.once(2)
          ? `{"action":"wait","memory":${memory}}`
          : `{"action":"wait","memory":{"a":${memory}},${memory.slice(1)}`
      }
      await Promise.all(
        members
          .slice(0, 2)
          .map(member => play(scene, member, 'game=resource-rush&matches=100', ms, move)),
      )
    },
  },
  {
    name: '120 practice matches of one account',
    run: async (scene, { members, ms }) => {
      const { luck } = scene
      const from = luck.address()
      await Promise.all(
        repeated(120, n => {
          const game = ['chess', 'gomoku', 'go9', 'othello'][n % 4]!
          return play(scene, members[0]!, `game=${game}&practice=1`, ms, first, from)
        }),
      )
    },
  },
  {
    name: 'two thousand event streams',
    run: async (scene, { long, ms }) => {
      const { luck } = scene
      const wires = []
      for (let n = 0; n < 2_000; n++) {
        const wire = scene.dial('http')
        wires.push(wire)
        const id = luck.pick(long)
        const path =
          n % 2 === 0 ? '/api/v1/live/events' : `/api/v1/matches/${id + 1 + (n % 40)}/events`
        wire.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
        if (n % 4 === 0) wire.socket.pause()
        if (n % 50 === 0) await wire.rest(10)
      }
      await wires[0]!.rest(ms)
    },
  },
  {
    name: 'proposals at the Bazaar, and what is taken back',
    run: async (scene, { members, ms }) => {
      let turn = 0
      const propose = { action: 'propose_trade', offer: { wood: 1 }, request: { iron: 1 } }
      await Promise.all(
        members
          .slice(0, 2)
          .map(member =>
            play(scene, member, 'game=bazaar&matches=100', ms, () =>
              turn++ % 2 === 0 ? propose : { action: 'reject_trade' },
            ),
          ),
      )
    },
  },
  {
    name: 'games of Clawpoly that start without their players',
    run: async (scene, { members, ms }) => {
      const until = performance.now() + ms
      await Promise.all(
        repeated(8, async () => {
          while (performance.now() < until) await playAbsently(scene, members)
        }),
      )
    },
  },
  {
    name: 'garbage and silence at both ports',
    run: async (scene, { ms }) => {
      const { luck } = scene
      const wires: Wire[] = []
      for (let n = 0; n < 300; n++) {
        const wire = scene.dial(n % 2 === 0 ? 'ssh' : 'http')
        wires.push(wire)
        if (n % 3 !== 0) wire.send(luck.bytes(luck.from(1, 4_000)))
        if (n % 20 === 0) await wire.rest(5)
      }
      await wires[0]!.rest(ms)
    },
  },
  {
    name: 'a storm of joins and leaves',
    run: async (scene, { members, ms }) => {
      const { luck } = scene
      const until = performance.now() + ms
      await Promise.all(
        repeated(10, async () => {
          while (performance.now() < until) {
            const agent = connect(scene, luck.pick(members), '')
            await agent.opened
            if (agent.wire.open) scene.strikes()
            agent.send(`{"type":"join","game":"${luck.pick(['go9', 'othello', 'blotto'])}"}`)
            await agent.wire.rest(luck.from(0, 40))
            agent.wire.socket.destroy()
          }
        }),
      )
    },
  },
  {
    name: 'a thousand joins that wait',
    run: async (scene, { members, ms }) => {
      await Promise.all(
        repeated(1_000, async n => {
          await new Promise(resolve => setTimeout(resolve, n * 2))
          const agent = connect(scene, members[n % members.length]!, `game=skill-gomoku`)
          await agent.opened
          if (agent.wire.open) scene.strikes()
          await agent.wire.rest(ms)
        }),
      )
    },
  },
]

const repeated = <T>(times: number, make: (n: number) => T): T[] =>
  Array.from({ length: times }, (_, n) => make(n))

/** Guests from one address, each with a command: every other one reads nothing of the answer. */
const guests = async (
  scene: Scene,
  { ms }: HeavyPlace,
  count: number,
  command: () => string,
): Promise<void> => {
  const from = scene.luck.address()
  await Promise.all(
    repeated(count, async n => {
      const ssh = new HostileSsh(scene, { user: 'guest', from })
      if (!(await ssh.ready(10_000))) return
      const channel = await ssh.open(command())
      if (channel === undefined) return
      scene.strikes()
      if (n % 2 === 0) channel.resume()
      await ssh.wire.rest(ms)
    }),
  )
}

/** A JSON object of about so many bytes, which needs many times as much memory. */
const memoryOf = (bytes: number) => ({ a: Array.from({ length: bytes / 3 - 10 }, () => []) })

const ballastOf = (fields: number): Record<string, readonly number[]> =>
  Object.fromEntries(Array.from({ length: fields }, (_, n) => [`field${n}`, [n, n, n]]))

/** The first legal move, or a move of a game without listed moves. */
const first = (legal?: readonly unknown[]): unknown => legal?.[0] ?? { action: 'wait' }

const connect = (scene: Scene, member: Member, query: string, from?: string) => {
  const wire = scene.dial('http', from)
  scene.needsLogin()
  const webSocket = new WebSocket(`ws://127.0.0.1/play?${query}`, {
    headers: { Authorization: `Bearer ${member.token}` },
    createConnection: () => wire.socket,
  })
  webSocket.on('error', () => {})
  const opened = new Promise<void>(resolve => {
    webSocket.on('open', () => resolve())
    webSocket.on('close', () => resolve())
    wire.socket.on('close', () => resolve())
  })
  return {
    ...{ wire, webSocket, opened },
    send: (line: string) => {
      if (webSocket.readyState === WebSocket.OPEN) webSocket.send(line)
    },
  }
}

/** Plays for a while, with moves as JSON or as text that may not be JSON. */
const play = async (
  scene: Scene,
  member: Member,
  query: string,
  ms: number,
  move: (legal?: readonly unknown[]) => unknown,
  from?: string,
): Promise<void> => {
  const { wire, webSocket, opened, send } = connect(scene, member, query, from)
  webSocket.on('message', data => {
    const message = JSON.parse(String(data))
    if (message.type !== 'state' || !(message.yourTurn || query.includes('bazaar'))) return
    scene.strikes()
    const made = move(message.observation.legal)
    send(
      `{"type":"move","move":${typeof made === 'string' && made.startsWith('{') ? made : JSON.stringify(made)}}`,
    )
  })
  await opened
  await within(ms, new Promise<void>(resolve => wire.socket.on('close', () => resolve())))
}
