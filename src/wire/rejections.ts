import type { Socket } from 'node:net'
import type { Clock } from '../clock.ts'
import { BoundedMap } from '../limits/bounded-map.ts'

/** Rejected clients that are given time to read why: more than one address may have connections before the login. */
export const mostRejections = 256
/** In milliseconds. */
const readWithin = 1_000

/**
 * Tells clients why they are rejected, as the first and last thing they hear. What a client sends meanwhile is read and
 * dropped, because closing at once would take the message from it. When there are too many, the oldest is closed: a crowd
 * that does not read must not keep the message from other clients.
 */
export class Rejections {
  readonly #clock: Clock
  readonly #closing = new BoundedMap<Socket, null>(mostRejections, socket => socket.destroy())

  constructor(clock: Clock) {
    this.#clock = clock
  }

  send(socket: Socket, message: Buffer | string): void {
    socket.on('error', () => socket.destroy())
    const timer = this.#clock.after(readWithin, () => socket.destroy())
    socket.on('close', () => {
      this.#closing.delete(socket)
      timer.cancel()
    })
    socket.resume().end(message)
    this.#closing.set(socket, null)
  }

  close(): void {
    for (const socket of this.#closing.keys()) socket.destroy()
  }
}
