// A relay over ws, written as its documentation has it: the process beside which the house is measured.

import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { answerParent } from './question.ts'
import { recordMatch } from './recording.ts'
import { Relay } from './relay.ts'
import { usage } from './usage.ts'

const relay = new Relay(await recordMatch())
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, backlog: 4096 })
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

answerParent({
  ...usage,
  register: (names: readonly string[]) => ({
    port: (server.address() as AddressInfo).port,
    tokens: names,
  }),
})
