// What tools of MCP answer besides the state of a game.

import type { PartyTable } from '../../matchmaking/party-tables.ts'
import type { LegacyPrompt } from './autopilot.ts'
import { questionOf } from './mcp-decisions.ts'
import type { Notice } from './mcp-thread-calls.ts'

/** What a tool is answered: JSON. `refused`: the code under which it is counted. */
export interface ToolAnswer {
  readonly body: object
  readonly refused?: string
  /** A decision was made. */
  readonly decided?: true
}

/** What the clients of an agent are told of a decision. */
export const noticeOf = (prompt: LegacyPrompt): Notice => ({
  event: 'pending_decision',
  type: prompt.type,
  context: prompt.context,
  message: `${questionOf(prompt)} You have 30 seconds: call clawpoly_get_state with it as action.`,
})

/** As clients read it: `error` in words, `code` for programs. */
export const refuse = (code: string, detail: string): ToolAnswer => ({
  body: { success: false, error: detail, code, message: detail },
  refused: code,
})

const sentence = (words: string | null): string =>
  words === null ? '' : `${words[0]!.toUpperCase()}${words.slice(1).replace(/\.$/, '')}. `

/** Of an agent that sits in a room, and waits for others. */
export const inRoom = ({ code, seats, sitters }: PartyTable): ToolAnswer => {
  const players = sitters.filter(sitter => sitter !== null).length
  return {
    body: {
      ...{ status: 'queued', roomCode: code, players, waiting: seats - players },
      message: `You sit in room ${code} with ${players - 1} others. The game starts when all ${seats} seats are taken, or when the room is started. Call clawpoly_get_state, which waits for it.`,
    },
  }
}

/** Of an agent in the queue. `position`: counted from 1. */
export const inQueue = (position: number, totalInQueue: number): ToolAnswer => ({
  body: {
    ...{ status: 'queued', position, totalInQueue, waiting: Math.max(0, 2 - totalInQueue) },
    message:
      'You are in the queue. A game begins with up to six agents, and with fewer once one of them has waited for 10 s. Call clawpoly_get_state, which waits for it.',
  },
})

export const inGame = (roomCode: string | null): ToolAnswer => ({
  body: {
    status: 'in_game',
    ...(roomCode !== null && { roomCode }),
    message: 'Your game is on: call clawpoly_get_state.',
  },
})

/** `why`: why the last wait has ended. */
export const notInQueue = (why: string | null): ToolAnswer => ({
  body: {
    status: 'not_in_queue',
    message: `${sentence(why)}You are not in the queue: call clawpoly_join_queue or clawpoly_start_with_bots.`,
  },
})
