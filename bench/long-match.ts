// Two agents that play long matches at a steady pace, in a process of their own.

import { WebSocket } from 'ws'
import type { Reach } from './account.ts'
import { answerParent } from './question.ts'

/** Milliseconds from a move to the other player's next board. */
export interface Latency {
  readonly p50: number
  readonly p99: number
}

/** Moves a second: those of an eager pair. */
const pace = 20

let samples: number[] = []
let sentAt: number | null = null
let wanted = 0
let enough = () => {}

answerParent({
  begin: ({ port, tokens }: Reach) => {
    for (const token of tokens) {
      const url = `ws://127.0.0.1:${port}/play?game=go19&matches=1000`
      const agent = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } })
      agent.on('message', data => hear(agent, JSON.parse(String(data))))
    }
  },
  play: async (moves: number): Promise<Latency> => {
    samples = []
    wanted = moves
    await new Promise<void>(resolve => {
      enough = resolve
    })
    const sorted = samples.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!
    return { p50: at(0.5), p99: at(0.99) }
  },
})

interface Message {
  readonly type: string
  readonly yourTurn?: boolean
  readonly observation?: { readonly legal: readonly string[] }
}

const hear = (agent: WebSocket, { type, yourTurn, observation }: Message): void => {
  if (type !== 'state' || !yourTurn) return
  if (sentAt !== null) samples.push(performance.now() - sentAt)
  sentAt = null
  if (samples.length === wanted) enough()
  const move = observation!.legal[0]
  setTimeout(() => {
    sentAt = performance.now()
    agent.send(JSON.stringify({ type: 'move', move }))
  }, 1000 / pace)
}
