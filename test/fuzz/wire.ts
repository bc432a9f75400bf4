import { connect, type Socket } from 'node:net'
import type { Luck } from './luck.ts'

/** A connection that never throws when the server closes it. */
export class Wire {
  readonly socket: Socket
  readonly from: string
  /** Whether the server accepted it. */
  connected = false
  readonly #closed: Promise<void>
  #heard = Buffer.alloc(0)

  constructor(port: number, from: string) {
    this.from = from
    this.socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true })
    this.socket.on('error', () => {})
    this.socket.on('connect', () => {
      this.connected = true
    })
    this.socket.on('data', (chunk: Buffer) => {
      if (this.#heard.length < mostKept) this.#heard = Buffer.concat([this.#heard, chunk])
    })
    this.#closed = new Promise(resolve => this.socket.on('close', () => resolve()))
  }

  get heard(): Buffer {
    return this.#heard
  }

  get open(): boolean {
    return this.socket.writable
  }

  send(bytes: Buffer | string): void {
    if (this.open) this.socket.write(bytes)
  }

  /** Sends bytes in random pieces. */
  async trickle(luck: Luck, bytes: Buffer): Promise<void> {
    const pieces = luck.pick([1, 1, 2, 3, 10, 40])
    const size = Math.max(1, Math.ceil(bytes.length / pieces))
    for (let at = 0; at < bytes.length && this.open; at += size) {
      this.send(bytes.subarray(at, at + size))
      await this.rest(pieces === 1 ? 0 : luck.pick([0, 0, 1, 5, 20]))
    }
  }

  /** Waits so many milliseconds, or until the connection is closed. */
  async rest(ms: number): Promise<void> {
    await within(ms, this.#closed)
  }

  /** Waits until this text has arrived; false if it does not in time. */
  async hears(text: string | RegExp, ms: number): Promise<boolean> {
    const there = () => {
      const heard = this.#heard.toString('latin1')
      return typeof text === 'string' ? heard.includes(text) : text.test(heard)
    }
    const until = performance.now() + ms
    while (!there() && this.open && performance.now() < until) {
      const more = new Promise<void>(resolve => this.socket.once('data', () => resolve()))
      await within(until - performance.now(), Promise.race([more, this.#closed]))
    }
    return there()
  }

  /** Closes, in one of the ways in which programs close connections. */
  async leave(luck: Luck): Promise<void> {
    // All choices at once, because other parts of the attack use the same dice while this one waits.
    const [way, listening, lingering] = [luck.roll(5), luck.from(10, 800), luck.from(0, 150)]
    if (way === 0) this.socket.resetAndDestroy()
    else if (way === 1) this.socket.destroy()
    else if (way === 2) this.socket.end()
    else if (way === 3) {
      // Half closed, and still reading.
      this.socket.end()
      await this.rest(listening)
    } else this.socket.pause()
    await this.rest(lingering)
    this.socket.destroy()
  }
}

/** Waits for a promise, but no longer than this. */
export const within = async (ms: number, something: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, Math.max(0, ms))
  })
  await Promise.race([something, late])
  clearTimeout(timer)
}

const mostKept = 1 << 18
