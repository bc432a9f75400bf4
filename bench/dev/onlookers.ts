// A long match by two agents, or those who disturb the players of a bench, in a process of their own.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { ClientChannel, ParsedKey } from 'ssh2'
import { WebSocket } from 'ws'
import { visitSsh } from '../dial-ssh.ts'
import { type Spread, spread } from '../measure.ts'
import { newKey } from '../new-key.ts'
import { followEvents, openHub } from '../onlooker.ts'
import { answerParent } from '../question.ts'
import type { Reach } from '../server.ts'

/** Milliseconds from a board to the move that answers it: the pace of an eager pair. */
const pause = 45

interface Onlooker {
  readonly socket: Socket
  /** Of a session of the hub. */
  readonly stream?: ClientChannel
}

let match = 0
let latencies: number[] = []
let sentAt: number | null = null
let enough: { readonly moves: number; readonly done: () => void } | null = null
let onlookers: readonly Onlooker[] = []
let bytes = 0
let key: ParsedKey | undefined
let loggingIn: NodeJS.Timeout | undefined

const count = (chunk: Buffer) => {
  bytes += chunk.length
}

answerParent({
  /** Two agents begin a match of go that lasts; answers once it is under way. */
  play: ({ port, tokens }: Reach) =>
    new Promise<void>(resolve => {
      for (const token of tokens) {
        const url = `ws://127.0.0.1:${port}/play?game=go19&matches=1000`
        const agent = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } })
        agent.on('message', data => {
          hear(agent, JSON.parse(String(data)))
          if (match > 0) resolve()
        })
      }
    }),
  /** From a move to the other player's board, over so many moves. */
  latencies: async (moves: number): Promise<Spread> => {
    latencies = []
    await new Promise<void>(done => {
      enough = { moves, done }
    })
    return spread(latencies)
  },
  /** So many follow the long match by event stream. */
  streams: async ({ port, number }: { port: number; number: number }) => {
    onlookers = await Promise.all(Array.from({ length: number }, () => follow(port)))
    bytes = 0
  },
  /** So many more are at the menu of the hub, and stay there. */
  sit: async ({ port, number }: { port: number; number: number }) => {
    for (let i = 0; i < number; i++) onlookers = [...onlookers, await sit(port)]
  },
  /** All of them open the first match there is, and every other one then reads nothing any more. */
  open: async () => {
    await Promise.all(
      onlookers.map(async ({ stream }) => {
        const opened = once(stream!, 'data')
        stream!.write('n\r')
        await opened
      }),
    )
    for (const { socket } of onlookers.filter((_, i) => i % 2 === 1)) socket.pause()
    bytes = 0
  },
  read: () => ({ bytes, there: onlookers.filter(({ socket }) => !socket.destroyed).length }),
  leave: () => {
    for (const { socket } of onlookers) socket.destroy()
    onlookers = []
  },
  /** Strangers log in by SSH and leave, so many a second; none from 0 on. */
  logIns: ({ port, perSecond }: { port: number; perSecond: number }) => {
    clearInterval(loggingIn)
    key ??= newKey()
    const by = key
    if (perSecond > 0) loggingIn = setInterval(() => visitSsh(port, by), 1000 / perSecond)
  },
})

interface Message {
  readonly type: string
  readonly match?: number
  readonly yourTurn?: boolean
  readonly observation?: { readonly legal: readonly string[] }
}

const hear = (agent: WebSocket, message: Message): void => {
  if (message.type === 'hello') match = message.match!
  if (message.type !== 'state' || !message.yourTurn) return
  if (sentAt !== null) latencies.push(performance.now() - sentAt)
  sentAt = null
  if (latencies.length === enough?.moves) enough.done()
  // Never a pass while there is a stone to put, so that the match goes on for long.
  const move = message.observation!.legal[0]
  setTimeout(() => {
    sentAt = performance.now()
    agent.send(JSON.stringify({ type: 'move', move }))
  }, pause)
}

const follow = async (port: number): Promise<Onlooker> => {
  const socket = followEvents(port, `/api/v1/matches/${match}/events`, count)
  await once(socket, 'data')
  return { socket }
}

const sit = async (port: number): Promise<Onlooker> => {
  const socket = connect(port, '127.0.0.1')
  return { socket, stream: await openHub(socket, count) }
}
