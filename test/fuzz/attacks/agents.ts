// Agents that log in, and then break the protocol.

import { seatRange } from '../../../src/games/game.ts'
import { games } from '../../../src/games/index.ts'
import { oddLine, oddMove } from '../hostile-json.ts'
import { Luck } from '../luck.ts'
import type { Attack, Member, Scene } from '../scene.ts'
import { HostileSsh } from '../ssh-client.ts'
import { type Wire, within } from '../wire.ts'
import { frame, opened } from './websocket.ts'

export const agents: readonly Attack[] = [
  {
    name: 'lines that are no messages',
    weight: 2,
    run: async scene => {
      const { luck } = scene
      const agent = await arrive(
        scene,
        luck.pick(scene.place.crowd),
        luck.pick(['', 'ttt', 'echo']),
      )
      if (agent?.wire.open) scene.strikes()
      for (let times = luck.from(1, 40); times > 0 && agent?.wire.open; times--) {
        agent.say(oddLine(luck))
        if (luck.once(3)) await agent.wire.rest(luck.from(0, 20))
      }
      await agent?.wire.rest(luck.from(0, 200))
      await agent?.wire.leave(luck)
    },
  },
  {
    name: 'practice with odd moves',
    weight: 2,
    run: async scene => {
      const { luck } = scene
      const game = luck.pick(games).id
      const agent = await arrive(scene, luck.pick(scene.place.crowd), `${game} --practice`)
      await agent?.play(luck.from(1, 20), () => {
        scene.strikes()
        return oddMove(luck, game)
      })
      await agent?.wire.leave(luck)
    },
  },
  {
    name: 'a match with odd moves, left at some moment',
    weight: 6,
    run: async scene => {
      const { luck, place } = scene
      const game = luck.pick(games)
      const members = [...place.crowd]
      const chosen = Array.from(
        { length: seatRange(game).max },
        () => members.splice(luck.roll(members.length), 1)[0]!,
      )
      await Promise.all(
        chosen.map(async member => {
          // Dice of its own, because the order of turns does not follow from the seed.
          const own = new Luck(luck.roll(2 ** 32))
          const agent = await arrive(
            scene,
            member,
            `${game.id} --matches ${own.pick([1, 1, 3])}`,
            own,
          )
          if (agent === undefined) return
          // Few moves are odd, so that some matches become long, and some finish.
          const odds = own.pick([1, 3, 20])
          await agent.play(own.from(0, 30), legal => {
            scene.strikes()
            return legal !== undefined && !own.once(odds)
              ? JSON.stringify(own.pick(legal))
              : oddMove(own, game.id)
          })
          await agent.wire.leave(own)
        }),
      )
    },
  },
]

interface Agent {
  readonly wire: Wire
  say(line: string): void
  /** Answers so many turns. */
  play(turns: number, move: (legal?: readonly unknown[]) => string): Promise<void>
}

/** Connects on one of both transports, with the options of this command. */
const arrive = async (
  scene: Scene,
  member: Member,
  command: string,
  luck = scene.luck,
): Promise<Agent | undefined> => {
  if (luck.once(2)) {
    const [game = '', ...options] = command.split(' ')
    const query = new URLSearchParams(game === '' ? {} : { game })
    for (const [i, option] of options.entries())
      if (option.startsWith('--')) query.set(option.slice(2), options[i + 1] ?? '1')
    const wire = await opened(scene, `?${query}`, member.token)
    const say = (line: string) =>
      wire.send(frame(luck, { first: 0x81, payload: Buffer.from(line) }))
    return agent(wire, () => wire.heard.toString('latin1'), say)
  }
  const ssh = new HostileSsh(scene, { user: 'game', key: member.key })
  if (!(await ssh.ready())) return undefined
  const channel = await ssh.open(command)
  let heard = ''
  channel?.on('data', (chunk: Buffer) => {
    if (heard.length < 1 << 18) heard += chunk.toString('latin1')
  })
  return agent(
    ssh.wire,
    () => heard,
    line => channel?.write(`${line}\n`),
  )
}

const agent = (wire: Wire, heard: () => string, say: (line: string) => void): Agent => ({
  wire,
  say,
  play: async (turns, move) => {
    let read = 0
    for (let turn = 0; turn < turns && wire.open; turn++) {
      const state = await asked(wire, () => heard().slice(read))
      if (state === undefined) return
      read = heard().lastIndexOf(state) + state.length
      const [, legal] = /"legal":(\[[^\]]*\])/.exec(state) ?? []
      say(`{"type":"move","move":${move(legal === undefined ? undefined : listOf(legal))}}`)
    }
  },
})

/** The newest state in which it is this agent's turn. */
const asked = async (wire: Wire, heard: () => string): Promise<string | undefined> => {
  const until = performance.now() + 1_500
  while (wire.open && performance.now() < until) {
    const text = heard()
    const state = text.slice(Math.max(0, text.lastIndexOf('{"type":"state"')))
    if (state.includes('"yourTurn":true')) return state
    await within(10, new Promise(() => {}))
  }
  return undefined
}

const listOf = (text: string): readonly unknown[] | undefined => {
  try {
    const list = JSON.parse(text)
    return list.length === 0 ? undefined : list
  } catch {
    return undefined
  }
}
