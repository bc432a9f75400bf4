import type { Socket } from 'node:net'
import type { Clock } from '../clock.ts'

/** So many are given time to read why at once; more than an address may have on their way in. */
export const mostTold = 256
const tellWithin = 1_000

/**
 * Tells clients why they are turned away, as the first and last thing they hear. What a client sends meanwhile is read
 * and dropped: to close on it would take the words from it. Where there are too many of them, whoever has had most time
 * to read makes room, so that nobody is cut without a word for standing behind a crowd that does not listen.
 */
export class Rejections {
  readonly #clock: Clock
  /** Longest first. */
  readonly #leaving = new Set<Socket>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  tell(socket: Socket, words: Buffer | string): void {
    socket.on('error', () => socket.destroy())
    const timer = this.#clock.after(tellWithin, () => socket.destroy())
    socket.on('close', () => {
      this.#leaving.delete(socket)
      timer.cancel()
    })
    socket.resume().end(words)
    this.#leaving.add(socket)
    if (this.#leaving.size <= mostTold) return
    const [eldest] = this.#leaving
    this.#leaving.delete(eldest!)
    eldest!.destroy()
  }

  close(): void {
    for (const socket of this.#leaving) socket.destroy()
  }
}
