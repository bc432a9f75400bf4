import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from '../arena/codes.ts'
import type { Clock } from '../clock.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import type { HttpAnswer } from './http-answer.ts'

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
    done: (wrong?: HttpAnswer | Refusal) => void,
  ): void {
    const announced = request.headers['content-length']
    // A body in chunks may become as long as any.
    const length = announced === undefined ? longestBody : Number(announced)
    if (length > longestBody) {
      done(tooLong)
      return
    }
    if (this.#held.isFullFor(source, length) || this.#held.isFull(length)) {
      done(tooManyBodies)
      return
    }
    this.#held.enter(source, length)
    const chunks: Buffer[] = []
    let bytes = 0
    const stop = (wrong?: HttpAnswer) => {
      timer.cancel()
      request.off('data', add).off('end', end)
      done(wrong)
    }
    const add = (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > longestBody) stop(tooLong)
    }
    const end = () => {
      Object.assign(request, { rawBody: Buffer.concat(chunks) })
      stop()
    }
    const timer = this.#clock.after(this.#within, () => stop(tooSlow))
    request.on('data', add).on('end', end)
    response.on('close', () => {
      timer.cancel()
      this.#held.leave(source, length)
    })
  }
}

export const tooSlow: HttpAnswer = { status: 408, body: 'No whole request came in time.\n' }
const tooLong: HttpAnswer = {
  status: 413,
  body: `This body is too long: at most ${longestBody} bytes are taken.\n`,
}
const tooManyBodies: Refusal = {
  code: 'too-fast',
  detail: 'too many requests with bodies are waiting for their answers: try again in 10 s',
  retryAfter: 10,
}
