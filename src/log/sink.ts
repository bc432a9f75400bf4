import { write, writeSync } from 'node:fs'

/** How much may wait for a reader that does not read. */
const mostWaiting = 8 * 1024 * 1024
/** What is not enough for a write of its own waits a moment for more. */
const enough = 4096
const moment = 100
const triesAtTheEnd = 10

/**
 * Log lines on their way to a file descriptor, written beside the event loop. What cannot be written, because a disk
 * is full or the reader has gone, is left out: no match ends for want of a log. (Pino's own destination tries for ever.)
 */
export class LogSink {
  /** Lines that were left out. */
  dropped = 0
  readonly #fd: number
  #waiting: string[] = []
  #length = 0
  /** What is being written. */
  #block: Buffer | null = null
  /** What is being written found no room, and is tried again. */
  #stuck = false
  /** The last thing written was half a line. */
  #torn = false
  #timer: NodeJS.Timeout | null = null

  constructor(fd: number) {
    this.#fd = fd
  }

  write(line: string): void {
    if (this.#length > mostWaiting) {
      this.dropped++
      return
    }
    this.#waiting.push(line)
    this.#length += line.length
    if (this.#block !== null) return
    if (this.#length >= enough) this.#next()
    else this.#timer ??= setTimeout(() => this.#next(), moment).unref()
  }

  /** Writes what still waits, for a process that ends. */
  flush(): void {
    // What is under way ends on another thread; the rest must not overtake it.
    const stuck = this.#stuck ? this.#block! : nothing
    if (this.#block !== null && !this.#stuck) pause(20)
    this.#block = null
    let rest = Buffer.concat([stuck, this.#take()])
    for (let tries = 0; rest.length > 0 && tries < triesAtTheEnd; )
      try {
        rest = rest.subarray(writeSync(this.#fd, rest))
      } catch (error) {
        if (!isFull(error)) return
        tries++
        pause(moment)
      }
  }

  #next(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#block === null && this.#length > 0) this.#put(this.#take())
  }

  #put(block: Buffer): void {
    this.#block = block
    write(this.#fd, block, (error, written) => {
      // The process is ending, and has flushed.
      if (this.#block !== block) return
      this.#stuck = isFull(error)
      if (this.#stuck) {
        setTimeout(() => this.#put(block), moment).unref()
        return
      }
      if (error !== null) this.dropped += linesIn(block)
      const rest = error === null ? block.subarray(written) : nothing
      this.#torn = error === null ? rest.length > 0 : this.#torn
      if (rest.length > 0) {
        this.#put(rest)
        return
      }
      this.#block = null
      this.#next()
    })
  }

  #take(): Buffer {
    const text = this.#waiting.join('')
    this.#waiting = []
    this.#length = 0
    if (text === '') return nothing
    const torn = this.#torn
    this.#torn = false
    return Buffer.from(torn ? `\n${text}` : text)
  }
}

const nothing = Buffer.alloc(0)
const lineFeed = 0x0a

/** A pipe or terminal that takes nothing at the moment. */
const isFull = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code === 'EAGAIN'

const linesIn = (block: Buffer) => block.reduce((n, byte) => (byte === lineFeed ? n + 1 : n), 0)

const pause = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
