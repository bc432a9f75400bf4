import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../clock.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { HttpAnswer } from '../protocols/protocol.ts'

/** Far more than any message of a protocol or any form has. */
const longestBody = 64 * 1024
/** Bytes of bodies in memory, for one source and in all. Each stays until its request is answered, which may take 30 s. */
const mostOfOne = 1024 * 1024
const mostOfAll = 64 * 1024 * 1024

/** Reads the bodies of requests, each whole before its route is called. */
export class RequestBodies {
  readonly #clock: Clock
  /** Milliseconds that a body may take to come. */
  readonly #within: number
  readonly #held = new ConcurrencyLimit<string>({ inAll: mostOfAll, perKey: mostOfOne })

  constructor(clock: Clock, within: number) {
    this.#clock = clock
    this.#within = within
  }

  /**
   * Puts the body into `request.rawBody`, where @hono/node-server finds it, and calls `done`: with the reason where the body
   * is refused.
   */
  read(
    request: IncomingMessage,
    response: ServerResponse,
    source: string | undefined,
    done: (wrong?: HttpAnswer | WireRefusal) => void,
  ): void {
    const isChunked = request.headers['transfer-encoding'] !== undefined
    // A body in chunks may become as long as any.
    const room = isChunked ? longestBody : Number(request.headers['content-length'] ?? 0)
    if (room > longestBody) {
      done(tooLong)
      return
    }
    if (this.#held.isFullFor(source, room) || this.#held.isFull(room)) {
      done(tooManyBodies)
      return
    }
    this.#held.enter(source, room)
    let held = room
    // Pieces of one byte each would take a hundred times as much memory as what they bring.
    const body = Buffer.allocUnsafe(room)
    let length = 0
    const stop = () => {
      timer.cancel()
      request.off('data', add).off('end', end)
    }
    const refuse = (wrong: HttpAnswer) => {
      stop()
      done(wrong)
    }
    const add = (piece: Buffer) => {
      if (length + piece.length > room) refuse(tooLong)
      else length += piece.copy(body, length)
    }
    const end = () => {
      this.#held.leave(source, room - length)
      held = length
      Object.assign(request, { rawBody: Buffer.from(body.subarray(0, length)) })
      stop()
      done()
    }
    const timer = this.#clock.after(this.#within, () => refuse(tooSlow))
    request.on('data', add).on('end', end)
    response.on('close', () => {
      stop()
      this.#held.leave(source, held)
    })
  }
}

export const tooSlow: HttpAnswer = { status: 408, body: 'No whole request came in time.\n' }
const tooLong: HttpAnswer = {
  status: 413,
  body: `This body is too long: at most ${longestBody} bytes are taken.\n`,
}
const tooManyBodies: WireRefusal = {
  code: 'too-fast',
  detail: 'too many requests with bodies are waiting for their answers: try again in 10 s',
  retryAfter: 10,
}
