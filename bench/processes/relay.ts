// A relay on both transports, as one writes it from the documentation of ws and ssh2: the least that a match can cost.
// It pairs each agent with one that waits, and answers every message, whatever it says, with what the host would
// send. It has no game and no clock, and stores nothing.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { WebSocketServer } from 'ws'
import { openHostKey } from '../../src/wire/host-key.ts'
import { algorithms } from '../../src/wire/ssh-algorithms.ts'
import { proves } from '../../src/wire/ssh-keys.ts'
import type { AgentConnection, Recording } from '../agent.ts'

interface Seat {
  readonly connection: AgentConnection
  match: Match | null
}

interface Match {
  readonly number: number
  readonly seats: readonly Seat[]
  step: number
}

const recording: Recording = JSON.parse(readFileSync(process.argv[2]!, 'utf8'))
let waiting: Seat | null = null
let matches = 0

/** `join`: what the agent asks for, as its transport has it. */
const enter = (connection: AgentConnection, join: string): Seat => {
  const seat: Seat = { connection, match: null }
  for (const text of recording[0]![0]!) connection.send(text)
  if (join.includes('opponent')) return seat
  if (waiting === null) {
    waiting = seat
    return seat
  }
  const match = { number: ++matches, seats: [waiting, seat], step: 0 }
  for (const seated of match.seats) seated.match = match
  waiting = null
  next(match)
  return seat
}

const next = (match: Match | null): void => {
  const last = recording[0]!.length - 1
  if (match === null || ++match.step > last) return
  for (const [seat, { connection }] of match.seats.entries()) {
    for (const text of recording[seat]![match.step]!)
      connection.send(
        match.step === 1 ? text.replace(/"match":\d+/, `"match":${match.number}`) : text,
      )
    if (match.step === last) connection.close()
  }
}

/** The opponent is disconnected, too. */
const leave = (seat: Seat): void => {
  if (seat === waiting) waiting = null
  if (seat.match !== null && seat.match.step < recording[0]!.length - 1)
    for (const { connection } of seat.match.seats) connection.close()
}

const byWebSocket = async (): Promise<number> => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (webSocket, request) => {
    webSocket.on('error', () => {})
    const connection = {
      send: (text: string) => webSocket.send(text),
      close: () => webSocket.close(1000),
    }
    const seat = enter(connection, request.url!)
    webSocket.on('message', () => next(seat.match))
    webSocket.on('close', () => leave(seat))
  })
  await new Promise(resolve => server.on('listening', resolve))
  return (server.address() as AddressInfo).port
}

/** Keys are parsed once, as on the host. */
const bySsh = async (): Promise<number> => {
  const data = mkdtempSync(join(tmpdir(), 'agentbbs-bench-'))
  const server = new ssh2.Server({ hostKeys: [{ key: openHostKey(data) }], algorithms })
  rmSync(data, { recursive: true })
  server.on('connection', client => {
    client.on('error', () => {})
    client.on('authentication', context => {
      if (context.method !== 'publickey') return context.reject(['publickey'])
      const { key, blob, signature, hashAlgo } = context
      if (blob === undefined || signature === undefined) context.accept()
      else if (proves(key.data, { data: blob, signature, hash: hashAlgo })) context.accept()
      else context.reject()
    })
    client.on('session', accept =>
      accept().on('exec', (accept, _reject, { command }) => {
        const stream = accept()
        const connection = {
          send: (text: string) => stream.write(`${text}\n`),
          close: () => {
            stream.exit(0)
            stream.end()
          },
        }
        const seat = enter(connection, command)
        stream.on('data', () => next(seat.match))
        stream.on('error', () => {})
        client.on('close', () => leave(seat))
      }),
    )
  })
  // Without noDelay, Nagle's algorithm would delay every message.
  const listener = createServer({ noDelay: true }, socket => {
    socket.on('error', () => {})
    server.injectSocket(socket)
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  return (listener.address() as AddressInfo).port
}

console.log(JSON.stringify({ ssh: await bySsh(), http: await byWebSocket() }))
