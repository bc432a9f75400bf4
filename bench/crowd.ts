// A long match by two agents, and all who watch it, in a process of their own.

import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import { answerParent } from './question.ts'

const pause = 40

let match = 0
let bytes = 0
let watchers: readonly Socket[] = []

answerParent({
  /** Starts a match of go in which a stone is put every 40 ms, and answers once it is under way. */
  play: ({ port, tokens }: { port: number; tokens: readonly string[] }) =>
    new Promise<void>(resolve => {
      for (const token of tokens) {
        const socket = new WebSocket(
          `ws://127.0.0.1:${port}/play?game=go19&matches=1000&token=${token}`,
        )
        socket.on('message', data => {
          const message = JSON.parse(String(data))
          if (message.type === 'hello') {
            match = message.match
            resolve()
          }
          if (message.type !== 'state' || !message.yourTurn) return
          const { legal } = message.observation
          // Never a pass while there is a stone to put, so that the match goes on for long.
          setTimeout(() => socket.send(JSON.stringify({ type: 'move', move: legal[0] })), pause)
        })
      }
    }),
  /** So many watch the match from here on; none in place of those that did. */
  watch: async ({ port, count }: { port: number; count: number }) => {
    for (const socket of watchers) socket.destroy()
    watchers = await Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect(port, '127.0.0.1')
        socket.on('data', data => {
          bytes += data.length
        })
        socket.on('error', () => {})
        await new Promise<void>(resolve => socket.once('connect', () => resolve()))
        socket.write(`GET /api/v1/matches/${match}/events HTTP/1.1\r\nHost: bench\r\n\r\n`)
        await new Promise<void>(resolve => socket.once('data', () => resolve()))
        return socket
      }),
    )
    bytes = 0
  },
  /** How many bytes all watchers have read since they began, and how many still do. */
  read: () => ({ bytes, watching: watchers.filter(socket => !socket.destroyed).length }),
})
