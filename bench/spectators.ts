import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import type { Server } from './server.ts'
import type { Tally } from './tally.ts'

const streams = 20
const screens = 4

/** Guests who watch matches by event stream and in the hub, each for some seconds, and then another match. */
export class Spectators {
  readonly seen = { streams: 0, screens: 0, bytes: 0 }
  readonly #ports: Server['ports']
  readonly #tally: Tally
  readonly #sockets = new Set<Socket>()
  #stopped = false

  constructor(ports: Server['ports'], tally: Tally) {
    this.#ports = ports
    this.#tally = tally
    for (let i = 0; i < streams; i++) this.#followEvents()
    for (let i = 0; i < screens; i++) this.#openScreen()
  }

  stop(): void {
    this.#stopped = true
    for (const socket of this.#sockets) socket.destroy()
  }

  #followEvents(): void {
    const all = Math.random() < 0.5
    const path = all ? 'live/events' : `matches/${this.#tally.latestMatch}/events`
    const socket = this.#connect(this.#ports.ws, () => this.#followEvents())
    this.seen.streams++
    socket.on('data', this.#count)
    socket.write(`GET /api/v1/${path} HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n`)
  }

  #openScreen(): void {
    const socket = this.#connect(this.#ports.ssh, () => this.#openScreen())
    openHub(socket).then(
      stream => {
        this.seen.screens++
        stream.on('data', this.#count)
        stream.write('n\r')
      },
      (error: Error) => socket.destroyed || this.#tally.fault(error.message),
    )
  }

  #connect(port: number, again: () => void): Socket {
    const socket = connect(port, '127.0.0.1')
    this.#sockets.add(socket)
    const end = setTimeout(() => socket.destroy(), 2_000 + Math.random() * 8_000)
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(end)
      this.#sockets.delete(socket)
      setTimeout(() => this.#stopped || again(), 200)
    })
    return socket
  }

  readonly #count = (chunk: Buffer): void => {
    this.seen.bytes += chunk.length
  }
}

/** Opens the hub as a guest, over a socket to its port. */
const openHub = async (socket: Socket): Promise<ssh2.ClientChannel> => {
  const client = new ssh2.Client()
  client.on('error', () => {})
  const ready = once(client, 'ready')
  client.connect({ sock: socket, username: 'guest' })
  await ready
  return new Promise((resolve, reject) =>
    client.shell({ term: 'xterm-256color', cols: 80, rows: 24 }, (error, stream) =>
      error ? reject(error) : resolve(stream),
    ),
  )
}
