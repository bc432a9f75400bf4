// A relay by both transports, as one writes it from the documentation of ws and ssh2: what a match costs at the least.
// Each account that comes is seated with one that waits, and each message, whatever it says, is followed by what the
// host would say. No game, no clock, and nothing is kept.

import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { WebSocketServer } from 'ws'
import { openHostKey } from '../../src/wire/host-key.ts'
import { algorithms } from '../../src/wire/ssh-algorithms.ts'
import { proves } from '../../src/wire/ssh-keys.ts'
import { usage } from '../measure.ts'
import { answerParent } from '../question.ts'
import { recordMatch } from '../recording.ts'
import type { BenchAccount, Reaches } from '../server.ts'

interface Line {
  send(text: string): void
  close(): void
}

interface Seat {
  readonly line: Line
  readonly account: string
  match: Match | null
}

interface Match {
  readonly number: number
  readonly seats: readonly Seat[]
  step: number
}

let recording: Awaited<ReturnType<typeof recordMatch>>
let waiting: Seat | null = null
let matches = 0

const enter = (line: Line, account: string): Seat => {
  const seat: Seat = { line, account, match: null }
  for (const text of recording[0]![0]!) line.send(text)
  // As at the host no account meets itself, so that a crowd can be made to wait.
  if (waiting === null || waiting.account === account) {
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
  for (const [seat, { line }] of match.seats.entries()) {
    for (const text of recording[seat]![match.step]!)
      line.send(match.step === 1 ? text.replace('"match":1', `"match":${match.number}`) : text)
    if (match.step === last) line.close()
  }
}

/** The other player, left alone, is not made to wait. */
const leave = (seat: Seat): void => {
  if (seat === waiting) waiting = null
  if (seat.match !== null && seat.match.step < recording[0]!.length - 1)
    for (const { line } of seat.match.seats) line.close()
}

const byWebSocket = async (): Promise<number> => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (webSocket, request) => {
    webSocket.on('error', () => {})
    const line = {
      send: (text: string) => webSocket.send(text),
      close: () => webSocket.close(1000),
    }
    const seat = enter(line, request.headers.authorization!)
    webSocket.on('message', () => next(seat.match))
    webSocket.on('close', () => leave(seat))
  })
  await new Promise(resolve => server.on('listening', resolve))
  return (server.address() as AddressInfo).port
}

/** With all keys prepared once, as in the host. */
const bySsh = async (): Promise<number> => {
  const data = mkdtempSync(join(tmpdir(), 'agentbbs-bench-'))
  process.on('exit', () => rmSync(data, { recursive: true, force: true }))
  const server = new ssh2.Server({ hostKeys: [{ key: openHostKey(data) }], algorithms })
  server.on('connection', client => {
    let account = ''
    client.on('error', () => {})
    client.on('authentication', context => {
      if (context.method !== 'publickey') return context.reject(['publickey'])
      const { key, blob, signature, hashAlgo } = context
      account = key.data.toString('base64')
      if (blob === undefined || signature === undefined) context.accept()
      else if (proves(key.data, { data: blob, signature, hash: hashAlgo })) context.accept()
      else context.reject()
    })
    client.on('session', accept =>
      accept().on('exec', accept => {
        const stream = accept()
        const line = {
          send: (text: string) => stream.write(`${text}\n`),
          close: () => {
            stream.exit(0)
            stream.end()
          },
        }
        const seat = enter(line, account)
        stream.on('data', () => next(seat.match))
        stream.on('error', () => {})
        client.on('close', () => leave(seat))
      }),
    )
  })
  // Without noDelay it would be a relay of Nagle's algorithm.
  const listener = createServer({ noDelay: true }, socket => {
    socket.on('error', () => {})
    server.injectSocket(socket)
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  return (listener.address() as AddressInfo).port
}

answerParent({
  ...usage,
  open: async (accounts: readonly BenchAccount[]): Promise<Reaches> => {
    recording = await recordMatch()
    const tokens = accounts.map(({ name }) => name)
    return { ws: { port: await byWebSocket(), tokens }, ssh: { port: await bySsh(), tokens } }
  },
})
