// A relay over ws, as one writes it from the documentation of ws.

import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { BenchAccount, Reach } from './account.ts'
import { answerParent } from './question.ts'
import { recordMatch } from './recording.ts'
import { Relay } from './relay.ts'
import { usage } from './usage.ts'

answerParent({
  ...usage,
  open: async (accounts: readonly BenchAccount[]): Promise<{ ws: Reach }> => {
    const relay = new Relay(await recordMatch())
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    server.on('connection', (webSocket, request) => {
      webSocket.on('error', () => {})
      const line = {
        send: (text: string) => webSocket.send(text),
        close: () => webSocket.close(1000),
      }
      const seat = relay.enter(line, request.headers.authorization!)
      webSocket.on('message', () => seat.match?.next())
      webSocket.on('close', () => relay.leave(seat))
    })
    await new Promise(resolve => server.on('listening', resolve))
    const { port } = server.address() as AddressInfo
    return { ws: { port, tokens: accounts.map(({ name }) => name) } }
  },
})
