import { isUtf8 } from 'node:buffer'
import type { Message } from '../protocols/connection.ts'

/** The longest line in bytes, without its line break. */
export const longestLine = 64 * 1024

/** Cuts a stream of bytes into lines, however it was cut into chunks, and passes them on one by one. */
export class Lines {
  readonly #receive: (message: Message) => void
  /** The first #length bytes are the beginning of a line whose end has not come yet. */
  #held = nothing
  #length = 0
  #tooLong = false

  constructor(receive: (message: Message) => void) {
    this.#receive = receive
  }

  feed(chunk: Buffer): void {
    let start = 0
    for (;;) {
      if (this.#tooLong) return
      const end = chunk.indexOf(lineFeed, start)
      if (end < 0) break
      if (this.#length === 0) this.#pass(chunk.subarray(start, end))
      else if (this.#hold(chunk, start, end)) this.#pass(this.#release())
      start = end + 1
    }
    this.#hold(chunk, start, chunk.length)
  }

  /** Nothing more comes: the last line needs no line break. */
  end(): void {
    if (this.#length > 0 && !this.#tooLong) this.#pass(this.#release())
  }

  #pass(line: Buffer): void {
    const length = line.at(-1) === carriageReturn ? line.length - 1 : line.length
    if (length > longestLine) this.#refuse()
    else if (!isUtf8(line)) this.#receive(notUtf8)
    else if (length > 0) this.#receive(line.toString('utf8', 0, length))
  }

  /** False if the line is too long. Copies, so that a few bytes never keep a whole chunk alive. */
  #hold(chunk: Buffer, start: number, end: number): boolean {
    if (start === end) return true
    const length = this.#length + end - start
    // One more, for the carriage return of a line break that is not complete yet.
    const room = chunk[end - 1] === carriageReturn ? longestLine + 1 : longestLine
    if (length > room) {
      this.#refuse()
      return false
    }
    if (length > this.#held.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#held.length, 256))
      this.#held.copy(grown, 0, 0, this.#length)
      this.#held = grown
    }
    chunk.copy(this.#held, this.#length, start, end)
    this.#length = length
    return true
  }

  #release(): Buffer {
    const line = this.#held.subarray(0, this.#length)
    this.#held = nothing
    this.#length = 0
    return line
  }

  #refuse(): void {
    this.#tooLong = true
    this.#held = nothing
    this.#receive(tooLong)
  }
}

const nothing = Buffer.alloc(0)
const lineFeed = 0x0a
const carriageReturn = 0x0d

const notUtf8 = { code: 'bad-message', detail: 'the line is not UTF-8' } as const
const tooLong = {
  code: 'line-too-long',
  detail: `a line is longer than ${longestLine} bytes`,
} as const
