import type { Socket } from 'node:net'
import type { Clock } from '../clock.ts'

/** So many are told why at the same time; the others are cut without a word. */
const mostTold = 64
const tellWithin = 1_000

/**
 * Turns clients away before ssh2 sees them, by an SSH disconnect message, which OpenSSH and PuTTY show to whoever
 * dialled. What the client sends meanwhile is read and dropped: to close on it would take the message from it.
 */
export class Farewells {
  readonly #clock: Clock
  readonly #leaving = new Set<Socket>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  tell(socket: Socket, why: string): void {
    socket.on('error', () => {})
    if (this.#leaving.size === mostTold) {
      socket.destroy()
      return
    }
    this.#leaving.add(socket)
    const timer = this.#clock.after(tellWithin, () => socket.destroy())
    socket.on('close', () => {
      this.#leaving.delete(socket)
      timer.cancel()
    })
    socket.resume().end(disconnect(why))
  }

  close(): void {
    for (const socket of this.#leaving) socket.destroy()
  }
}

/** RFC 4253, sections 4.2, 6 and 11.1: before the keys are exchanged a packet is sent in the clear. */
const disconnect = (why: string): Buffer => {
  const words = Buffer.from(why)
  const payload = Buffer.alloc(13 + words.length)
  payload[0] = messageDisconnect
  payload.writeUInt32BE(tooManyConnections, 1)
  payload.writeUInt32BE(words.length, 5)
  words.copy(payload, 9)
  // The language, which is last, stays empty. What is padded fills whole blocks of 8 bytes, with 4 bytes at least.
  const padding = 4 + ((8 - ((5 + payload.length + 4) % 8)) % 8)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(1 + payload.length + padding)
  head[4] = padding
  return Buffer.concat([Buffer.from('SSH-2.0-AgentBBS\r\n'), head, payload, Buffer.alloc(padding)])
}

const messageDisconnect = 1
const tooManyConnections = 12
